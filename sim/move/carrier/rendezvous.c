/* rendezvous: for more than move.eager_bytes, and for accumulates behind such a one: the origin
 * asks, the target's processor says go, then the bytes travel and the handler copies them. Two more
 * overheads on each side buy not having to buffer the bytes at the target. */
#include "serve/request/request.h"
#include "kern/parts/parts.h"
#include "move/carrier/message.h"

static double overheads(const struct mach *m) { return m->receive_s + m->send_s; }

static void note_overheads(const struct mach *m)
{
    kern_parts_note(&m->receive_s, m->receive_s);
    kern_parts_note(&m->send_s, m->send_s);
}

/* ---- asking, the go-ahead, sending ----------------------------------------------------------- */

/* Pieces of net.flow_bytes leave while the processor reads the next ones. When may the first, so
 * that each is read before it leaves? gather_s: what reading all of them takes. */
static double leaves(const struct move_transfer *t, double begin_s, double gather_s)
{
    const struct mach *m = t->move->mach;
    const double bytes = (double)t->trail.bytes, pieces = ceil(bytes / fmax(1, m->net_flow_bytes));
    const double others_s = bytes / m->net_bandwidth * (1 - 1 / pieces);
    if (t->origin->node == t->target->node) return begin_s + gather_s;
    return begin_s + fmax(gather_s / pieces, gather_s - others_s);
}

/* The origin's handler for the go-ahead: reads the bytes, and sends them. What is sent to the same
 * target later stays behind them, although they leave later than now. */
static double feed(void *data, double begin_s)
{
    struct move_transfer *t = data;
    const double work_s = overheads(t->move->mach), read_s = begin_s + work_s;
    const struct mem_charge gather =
        move_gather(t->origin, t->origin->cpu, &t->op.from, t->bytes, read_s);
    const double gather_s = mem_charge_s(gather), leaves_s = leaves(t, read_s, gather_s);
    const double share = gather_s > 0 ? (leaves_s - read_s) / gather_s : 0;
    kern_parts_forget();
    note_overheads(t->move->mach);
    kern_parts_note(&t->move->mach->cpu_clock, share * gather.compute_s);
    kern_parts_note(&kern_parts_memory, share * gather.memory_s);
    move_message_send(t, leaves_s);
    note_overheads(t->move->mach);
    return work_s + move_took(t, gather);
}

static void fed(void *data, double done_s)
{
    struct move_transfer *t = data;
    (void)done_s;
    move_leaves(t);
    /* last: whoever wakes sends behind it */
    if (--t->set->unread == 0) kern_gate_open(t->origin->gate);
}

static void go_ahead(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->job = (struct serve_job){.target = t->origin, .work = feed, .done = fed, .data = t};
    serve_request(&t->job, at_s);
}

static double grant(void *data, double begin_s)
{
    struct move_transfer *t = data;
    const struct mach *m = t->move->mach;
    const bool placed = move_placed(t, begin_s + m->receive_s);
    kern_parts_note(&m->receive_s, m->receive_s);
    if (placed) kern_parts_note(&m->send_s, m->send_s);
    return placed ? overheads(m) : m->receive_s;
}

static void granted(void *data, double done_s)
{
    struct move_transfer *t = data;
    if (!move_placed(t, done_s)) {
        move_waits(t, done_s);
        return;
    }
    move_send_back(t, t->target->rank, MOVE_HEADER_BYTES, done_s, go_ahead);
}

/* A servicer has come for a request that waited. */
static double grant_late(void *data, double begin_s)
{
    (void)begin_s;
    struct move_transfer *t = data;
    kern_parts_note(&t->move->mach->send_s, t->move->mach->send_s);
    return t->move->mach->send_s;
}

static void service(struct move_transfer *t, double at_s)
{
    t->job =
        (struct serve_job){.target = t->target, .work = grant_late, .done = granted, .data = t};
    serve_request(&t->job, at_s);
}

static void asked(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->asked_s = at_s;
    t->job = (struct serve_job){
        .target = t->target, .from = t->origin, .work = grant, .done = granted, .data = t};
    serve_request(&t->job, at_s);
}

static bool applies(const struct move_transfer *t)
{
    (void)t;
    return true; /* last in the family: what nothing else carries */
}

static void start(struct move_transfer *t)
{
    struct serve_proc *origin = t->origin;
    t->set->unread++;
    move_stays(t);
    serve_charge(origin, &t->move->mach->send_s, t->move->mach->send_s);
    move_send_there(t, origin->rank, MOVE_HEADER_BYTES, serve_now(origin), asked);
    serve_pay_some(origin);
}

const struct move_carrier move_rendezvous = {
    .name = "rendezvous",
    .selector = "message",
    .doc = "ask, wait for the go-ahead, then send the bytes; both processors run handlers",
    .source = "the usual long-message protocol of MPI implementations over LogGP",
    .sends = true,
    .applies = applies,
    .start = start,
    .service = service,
};
