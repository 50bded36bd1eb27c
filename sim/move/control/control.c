/* Control messages: the flags, tokens and lock words of synchronisation; and what barriers and
 * totals take. */
#include "serve/request/request.h"
#include "move/control/control.h"
#include "kern/parts/parts.h"
#include "move/transfer/bytes.h"

struct control {
    struct move *move;
    struct serve_proc *origin, *target;
    move_effect effect;
    void *data;
    struct serve_job job;
    double begin_s;
};

static double handle(void *data, double begin_s)
{
    struct control *c = data;
    const struct mach *m = c->move->mach;
    c->begin_s = begin_s;
    kern_parts_note(&m->receive_s, m->receive_s);
    return m->receive_s;
}

static void handled(void *data, double done_s)
{
    struct control *c = data;
    c->effect(c->data, done_s);
    g_free(c);
}

/* A memory the origin can reach needs nobody at the target. */
static void reached(void *data, double at_s) { handled(data, at_s); }

static void arrived(void *data, double at_s)
{
    struct control *c = data;
    c->job = (struct serve_job){
        .target = c->target, .from = c->origin, .work = handle, .done = handled, .data = c};
    serve_request(&c->job, at_s);
}

/* A line that changes hands between two processors of a coherent node. */
static double hand_over(const struct mach *m)
{
    return m->bus_cache_to_cache > 0
               ? m->bus_cache_to_cache
               : move_cycles(m, m->dram_line_cycles + m->dram_other_page_cycles);
}

/* Of what an answer's way back is made. */
static void note_answer(struct move *move, const struct serve_proc *from,
                        const struct serve_proc *to)
{
    const struct mach *m = move->mach;
    const bool by_processor = from->policy->processor;
    if (from == to) return;
    if (from->node == to->node && move_coherent(m) && !by_processor) {
        kern_parts_note(&kern_parts_memory, hand_over(m));
        return;
    }
    net_note(move->net, from->node, to->node, MOVE_HEADER_BYTES);
    kern_parts_note(&m->ni_atomic, by_processor ? 0 : m->ni_atomic / 2);
    kern_parts_note(&m->send_s, by_processor ? m->send_s : 0);
    kern_parts_note(&m->receive_s, by_processor ? m->receive_s : 0);
}

void move_control(struct move *move, struct serve_proc *origin, struct serve_proc *target,
                  bool atomic, move_effect effect, void *data)
{
    const struct mach *m = move->mach;
    struct control *c = g_new0(struct control, 1);
    *c = (struct control){
        .move = move, .origin = origin, .target = target, .effect = effect, .data = data};
    if (origin == target) {
        serve_memory(origin, move_cycles(m, m->dram_line_cycles + m->dram_other_page_cycles));
        kern_at(serve_now(origin), KERN_NETWORK, -1, reached, c);
    } else if (origin->node == target->node && move_coherent(m) && !target->policy->processor) {
        serve_memory(origin, hand_over(m));
        kern_at(serve_now(origin), KERN_NETWORK, -1, reached, c);
    } else if (!target->policy->processor) {
        serve_compute(origin, m->ni_overhead + move_cycles(m, m->ni_put_word_cycles));
        serve_part(origin, &m->ni_overhead, m->ni_overhead);
        serve_part(origin, &m->ni_put_word_cycles, move_cycles(m, m->ni_put_word_cycles));
        double half_s = atomic ? m->ni_atomic / 2 : 0;
        kern_parts_note(&m->ni_atomic, half_s);
        net_send(move->net, &(struct net_message){.from = origin->node,
                                                  .to = target->node,
                                                  .by = origin->rank,
                                                  .of = origin->rank,
                                                  .bytes = MOVE_HEADER_BYTES,
                                                  .ready_s = serve_now(origin) + half_s,
                                                  .handle = reached,
                                                  .data = c});
    } else {
        serve_charge(origin, &m->send_s, m->send_s);
        net_send(move->net, &(struct net_message){.from = origin->node,
                                                  .to = target->node,
                                                  .by = origin->rank,
                                                  .of = origin->rank,
                                                  .bytes = MOVE_HEADER_BYTES,
                                                  .ready_s = serve_now(origin),
                                                  .handle = arrived,
                                                  .data = c});
    }
}

void move_answer(struct move *move, struct serve_proc *from, struct serve_proc *to, double at_s,
                 move_effect effect, void *data)
{
    const struct mach *m = move->mach;
    double back_s;
    if (from == to)
        back_s = 0;
    else if (from->node == to->node && move_coherent(m) && !from->policy->processor)
        back_s = hand_over(m);
    else if (!from->policy->processor)
        back_s = net_time(move->net, from->node, to->node, MOVE_HEADER_BYTES) + m->ni_atomic / 2;
    else
        back_s =
            m->send_s + net_time(move->net, from->node, to->node, MOVE_HEADER_BYTES) + m->receive_s;
    kern_parts_forget();
    note_answer(move, from, to);
    kern_at(at_s + back_s, KERN_NETWORK, -1, effect, data);
}

/* ---- what synchronisation without bytes takes ------------------------------------------------ */

double move_barrier(struct move *move, int ranks)
{
    kern_parts_forget();
    net_note_barrier(move->net, ranks);
    return net_barrier(move->net, ranks);
}

double move_total(struct move *move, int ranks)
{
    const struct mach *m = move->mach;
    if (ranks < 2) return 0;
    const bool processor = move->proc[0]->policy->processor;
    const double overheads_s = processor ? m->send_s + m->receive_s : m->ni_overhead;
    int there = move->proc[ranks - 1]->node;
    kern_parts_forget();
    /* each round halves what a process is still responsible for; the way back doubles it again */
    double way_s = 0;
    for (int reached = 2; reached < 2 * ranks; reached *= 2) {
        const uint64_t bytes = sizeof(int32_t) * (uint64_t)MAX(ranks / reached, 1);
        for (int way = 0; way < 2; way++) net_note(move->net, 0, there, bytes);
        kern_parts_note(processor ? &m->send_s : &m->ni_overhead,
                        2 * (processor ? m->send_s : m->ni_overhead));
        if (processor) kern_parts_note(&m->receive_s, 2 * m->receive_s);
        way_s += overheads_s + net_time(move->net, 0, there, bytes);
    }
    return 2 * way_s;
}

double move_latency(const struct move *move, int from, int to)
{
    return net_latency(move->net, move->proc[from]->node, move->proc[to]->node);
}

double move_fetch(const struct move *move, int from, int to, uint64_t bytes)
{
    return net_fetch(move->net, move->proc[from]->node, move->proc[to]->node, bytes);
}

bool move_shares_view(const struct move *move) { return move_coherent(move->mach); }

bool move_barrier_network(const struct move *move) { return move->mach->barrier_latency > 0; }
