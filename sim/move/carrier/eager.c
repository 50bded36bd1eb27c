/* eager: the operation travels as one message with its bytes; the target's processor runs the
 * handler when its servicing policy says. What describes the target's
 * datatype travels along. Put: o_s at the origin, o_r and the copy and o_s for the answer at the
 * target, o_r at the origin. Get: the answer carries the bytes. */
#include "move/carrier/message.h"

static bool applies(const struct move_transfer *t)
{
    if (!move_writes(t)) return true;
    return t->trail.bytes + move_description(t) <= (uint64_t)t->move->mach->move_eager_bytes &&
           !move_overtakes(t);
}

static void start(struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    struct serve_proc *origin = t->origin;
    serve_charge(origin, &m->send_s, m->send_s);
    if (move_writes(t))
        serve_access(origin,
                     move_gather(origin, origin->cpu, &t->op.from, t->bytes, serve_now(origin)));
    move_message_send(t, serve_now(origin));
    /* The origin is free after o_s + (n-1)G: its processor feeds the interface, but does not wait
     * while that fetches, or sends what was there before: it can service what comes meanwhile. */
    const int from = origin->node, to = t->target->node;
    const uint64_t own = move_writes(t) ? t->trail.bytes : MOVE_HEADER_BYTES;
    const uint64_t sent = own + t->trail.description;
    const double wire_s = net_time(t->move->net, from, to, sent) -
                          net_fetch(t->move->net, from, to, sent) -
                          net_latency(t->move->net, from, to);
    serve_charge(origin, from == to ? &m->net_local_bandwidth : &m->net_bandwidth, wire_s);
    serve_pay_some(origin);
}

const struct move_carrier move_eager = {
    .name = "eager",
    .selector = "message",
    .doc = "one message with its bytes; the target's processor runs a handler",
    .source = "LogGP: Alexandrov et al., SPAA 1995; Active Messages: von Eicken et al., ISCA 1992",
    .sends = true,
    .applies = applies,
    .start = start,
    .service = move_message_service,
};
