/* counter: fetch-and-increment registers of the target's interface (Cray T3D: Arpaci et al., ISCA
 * 1995): a load returns what the register holds and adds one to it, in one round trip and without a
 * lock. ni.atomic is the whole of it from a neighbour; what the way there and back does not take of
 * that, the interface does, one operation at a time. No processor at the target. Left out: loads
 * and stores of the register by its own processor, which see the window's memory. */
#include "move/carrier/atomic.h"
#include "move/carrier/interface.h"

static bool applies(const struct move_transfer *t) { return t->op.counter; }

static double register_s(const struct mach *m)
{
    const double way_s = m->ni_latency + m->net_latency + MOVE_HEADER_BYTES / m->net_bandwidth;
    return fmax(0, m->ni_atomic - 2 * way_s);
}

static void answered(void *data, double at_s)
{
    struct move_transfer *t = data;
    serve_access(t->origin, move_land(t, t->origin->cpu, at_s));
    move_complete(t, at_s);
}

static void done(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_SERVICED] = at_s;
    move_perform(t, NULL, at_s);
    move_served(t, at_s);
    move_send_back(t, NET_INTERFACE, MOVE_HEADER_BYTES, at_s, answered);
}

static void arrived(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_ARRIVED] = at_s;
    kern_at(move_atomic_units(t, at_s, register_s(t->move->mach)), KERN_ATOMIC, t->target->rank,
            done, t);
}

static void start(struct move_transfer *t)
{
    struct serve_proc *origin = t->origin;
    serve_compute(origin, move_interface_begin_s(t));
    serve_access(origin,
                 move_gather(origin, origin->cpu, &t->op.from, t->bytes, serve_now(origin)));
    move_send_there(t, origin->rank, MOVE_HEADER_BYTES, serve_now(origin), arrived);
    serve_pay_some(origin);
}

/* None waits for a servicer: PUT/ACCEPT knows no counters. */
static void service(struct move_transfer *t, double at_s)
{
    (void)t, (void)at_s;
    g_assert_not_reached();
}

const struct move_carrier move_counter = {
    .name = "counter",
    .selector = "ni",
    .doc = "a fetch-and-increment register of the target's interface",
    .source = "Cray T3D: Arpaci et al., ISCA 1995",
    .sends = true,
    .applies = applies,
    .start = start,
    .service = service,
};
