/* rdma: network interfaces copy from memory to memory; neither processor touches a byte. Block
 * engines are this, too (the T3D's, from ni.block_bytes on).
 *
 * The origin's caches are made to agree with its memory before, and after. Accumulate: the
 * interface's atomics where they do arithmetic on a word; else the origin takes a lock, gets,
 * combines and puts back. */
#include "kern/parts/parts.h"
#include "serve/request/request.h"
#include "move/carrier/engine.h"
#include "move/carrier/interface.h"

static bool applies(const struct move_transfer *t) { return !t->target->policy->processor; }

/* ---- back at the origin ---------------------------------------------------------------------- */

static void answered(void *data, double at_s)
{
    struct move_transfer *t = data;
    serve_access(t->origin, move_land(t, NULL, at_s));
    if (t->trail.kind == OP_GET) move_interface_refresh(t->origin, &t->op.from, at_s);
    move_complete(t, at_s);
}

static void reply(struct move_transfer *t, double done_s)
{
    move_send_back(t, NET_INTERFACE, t->trail.bytes, done_s, answered);
}

/* ---- with a servicer that came late (PUT/ACCEPT) --------------------------------------------- */

/* Its processor copies out of the buffer, or starts the interface. */
static double take_late(void *data, double begin_s)
{
    struct move_transfer *t = data;
    const struct mach *m = t->move->mach;
    double cost_s = m->ni_overhead;
    t->trail.at_s[OP_SERVICED] = begin_s;
    if (t->staged) return move_interface_unstage(t, begin_s, cost_s);
    if (move_writes(t) && move_interface_by_words(m)) cost_s += m->ni_block_start;
    return cost_s;
}

static void service(struct move_transfer *t, double at_s)
{
    t->job = (struct serve_job){.target = t->target,
                                .processor = true,
                                .work = take_late,
                                .done = move_interface_taken,
                                .data = t};
    serve_request(&t->job, at_s);
}

/* ---- at the origin --------------------------------------------------------------------------- */

static void start(struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    struct serve_proc *origin = t->origin;
    double atomic_s = 0;
    serve_compute(origin, move_interface_begin_s(t));
    if (t->place && !move_brings(t)) {
        move_interface_announce(t, reply);
        return;
    }
    if (move_interface_swaps(t)) move_interface_lock(t);
    if (move_chunk_early(t)) move_interface_read_chunks(t);
    if (move_writes(t)) {
        move_interface_publish(origin, &t->op.from);
        move_gather(origin, NULL, &t->op.from, t->bytes, serve_now(origin));
    }
    if (t->place) atomic_s = m->ni_atomic / 2;
    kern_parts_forget();
    kern_parts_note(&m->ni_atomic, atomic_s);
    double ready_s = serve_now(origin);
    if (move_interface_by_block(t)) {
        serve_charge(origin, &m->ni_block_start, m->ni_block_start);
        const double asked_s = serve_now(origin);
        ready_s = move_engine_leaves(t, asked_s);
        kern_parts_note(&m->ni_block_bandwidth, ready_s - asked_s);
    }
    move_interface_send(t, ready_s + atomic_s, reply);
}

const struct move_carrier move_rdma = {
    .name = "rdma",
    .selector = "ni",
    .doc = "network interfaces copy from memory to memory",
    .source =
        "RDMA: InfiniBand architecture; T3D's block-transfer engine: Arpaci et al., ISCA 1995",
    .sends = true,
    .applies = applies,
    .start = start,
    .service = service,
};
