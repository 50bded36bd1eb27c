/* What the two carriers by network interface share: the interface at the target reads and writes
 * memory, its processor does nothing, unless a request waited for a servicer (PUT/ACCEPT).
 *
 * Costs of the origin's processor: the annex that names a target, groups of prefetches (4k + max(0,
 * 80 - 4(k-1)) + 23k cycles for k words; Arpaci et al., ISCA 1995), the start of a block. */
#include "serve/request/request.h"
#include "move/carrier/interface.h"
#include "kern/parts/parts.h"
#include "mem/agent/agent.h"

#include "move/carrier/atomic.h"

/* ---- the annex: which targets the origin's segment registers point at ------------------------ */

enum { ANNEX_MAX = 32 };
struct move_annex {
    int target[ANNEX_MAX];
    int next;
};

static double annex_cycles(struct move *move, int origin, int target)
{
    int entries = MIN(move->mach->ni_annex_entries, ANNEX_MAX);
    if (entries == 0) return 0;
    if (!move->annex) {
        move->annex = g_new0(struct move_annex, move->ranks);
        memset(move->annex, -1, move->ranks * sizeof *move->annex);
        for (int i = 0; i < move->ranks; i++) move->annex[i].next = 0;
    }
    struct move_annex *annex = &move->annex[origin];
    for (int i = 0; i < entries; i++)
        if (annex->target[i] == target) return 0;
    annex->target[annex->next] = target;
    annex->next = (annex->next + 1) % entries;
    return move->mach->ni_annex_cycles;
}

double move_interface_begin_s(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    const double annex_s = move_cycles(m, annex_cycles(t->move, t->origin->rank, t->trail.target));
    serve_part(t->origin, &m->ni_overhead, m->ni_overhead);
    serve_part(t->origin, &m->ni_annex_cycles, annex_s);
    return m->ni_overhead + annex_s;
}

/* ---- costs of the origin's processor -------------------------------------------------------- */

/* far: cycles of a round trip beyond a neighbour's, which is what the published numbers are for. */
static double get_cycles(const struct mach *m, const struct op_layout *layout, double far)
{
    double cycles = 0;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uint64_t words = (layout->piece[i].bytes + 7) / 8;
        if (words == 1 && m->ni_read_word_cycles > 0) {
            cycles += m->ni_read_word_cycles + far;
            continue;
        }
        while (words > 0) {
            uint64_t k = MIN(words, (uint64_t)m->ni_get_group);
            cycles += m->ni_get_issue_cycles * k +
                      fmax(0, m->ni_get_round_cycles - m->ni_get_issue_cycles * (k - 1)) +
                      m->ni_get_pop_cycles * k + far;
            words -= k;
        }
    }
    return cycles;
}

static double far_cycles(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    double one_way_s = net_latency(t->move->net, t->origin->node, t->target->node);
    return 2 * fmax(0, one_way_s - m->ni_latency - m->net_latency) * m->cpu_clock;
}

double move_interface_get_s(const struct move_transfer *t, const struct op_layout *layout)
{
    return move_cycles(t->move->mach, get_cycles(t->move->mach, layout, far_cycles(t)));
}

/* What of it each number of the machine is: a round that outlasts its group's prefetches hides all
 * of them but the first. */
static void note_get(const struct move_transfer *t, const struct op_layout *layout)
{
    const struct mach *m = t->move->mach;
    const double far_s = move_cycles(m, far_cycles(t));
    double single = 0, popped = 0, issued = 0, rounds = 0, groups = 0;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uint64_t words = (layout->piece[i].bytes + 7) / 8;
        if (words == 1 && m->ni_read_word_cycles > 0) {
            single++;
            continue;
        }
        for (uint64_t k; words > 0; words -= k, groups++) {
            k = MIN(words, (uint64_t)m->ni_get_group);
            const bool outlasts = m->ni_get_round_cycles > m->ni_get_issue_cycles * (double)(k - 1);
            popped += (double)k;
            issued += outlasts ? 1 : (double)k;
            rounds += outlasts;
        }
    }
    serve_part_stall(t->origin, &m->ni_read_word_cycles,
                     move_cycles(m, m->ni_read_word_cycles * single));
    serve_part_stall(t->origin, &m->ni_get_issue_cycles,
                     move_cycles(m, m->ni_get_issue_cycles * issued));
    serve_part_stall(t->origin, &m->ni_get_pop_cycles,
                     move_cycles(m, m->ni_get_pop_cycles * popped));
    serve_part_stall(t->origin, &m->ni_get_round_cycles,
                     move_cycles(m, m->ni_get_round_cycles * rounds));
    serve_part_stall(t->origin, &m->net_latency, (single + groups) * far_s);
}

void move_interface_get(const struct move_transfer *t, const struct op_layout *layout)
{
    serve_memory(t->origin, move_interface_get_s(t, layout));
    if (t->origin->parts) note_get(t, layout);
}

bool move_interface_by_words(const struct mach *m) { return m->ni_put_word_cycles > 0; }

bool move_interface_by_block(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    return m->ni_block_bytes > 0 && t->trail.bytes >= (uint64_t)m->ni_block_bytes &&
           t->op.to.layout.pieces == 1 && t->op.from.layout.pieces == 1 &&
           (move_fetches(t) || m->ni_block_puts);
}

/* An accumulate of one word, and an interface that does arithmetic? */
static bool by_atomic(const struct move_transfer *t)
{
    return move_combines(t) && !move_interface_by_words(t->move->mach) &&
           t->move->mach->ni_atomic > 0 && t->trail.bytes <= 8 && !t->op.combine_is_code;
}

bool move_interface_swaps(const struct move_transfer *t)
{
    return move_combines(t) && !by_atomic(t);
}

/* Where a servicer does the target's part when it comes, the origin does not wait for it. */
static bool locks(const struct move_transfer *t)
{
    return move_interface_swaps(t) && !(t->target->delayed && t->target != t->origin);
}

void move_interface_lock(struct move_transfer *t)
{
    double half_s = t->move->mach->ni_atomic / 2;
    serve_charge(t->origin, &t->move->mach->ni_atomic, half_s);
    if (locks(t)) move_atomic_lock(t);
    serve_charge(t->origin, &t->move->mach->ni_atomic, half_s);
    move_interface_get(t, &t->op.to.layout);
}

/* ---- memory at the origin -------------------------------------------------------------------- */

/* The interface has written it: the processor must not go on with what it had in its cache. */
void move_interface_refresh(struct serve_proc *origin, const struct move_side *side, double at_s)
{
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        serve_memory(origin,
                     mem_refresh(origin->cpu, side->addr + (uintptr_t)p.offset, p.bytes, at_s));
    }
}

/* The interface will read it: memory must have the bytes. */
void move_interface_publish(struct serve_proc *origin, const struct move_side *side)
{
    for (uint32_t i = 0; i < side->layout.pieces; i++) {
        struct op_piece p = side->layout.piece[i];
        serve_memory(origin, mem_publish(origin->cpu, side->addr + (uintptr_t)p.offset, p.bytes,
                                         serve_now(origin)));
    }
}

/* ---- at the target --------------------------------------------------------------------------- */

static double way_back(const struct move_transfer *t)
{
    return net_latency(t->move->net, t->target->node, t->origin->node);
}

/* What the origin still awaits leaves the target. */
static void answer(void *data, double done_s)
{
    struct move_transfer *t = data;
    if (move_fetches(t)) {
        t->reply(t, done_s);
        return;
    }
    kern_parts_forget();
    net_note(t->move->net, t->target->node, t->origin->node, 0);
    move_complete(t, done_s + way_back(t));
}

/* The interface has done the target's part at done_s. What was under a lock is acknowledged, then
 * the origin unlocks. */
static void performed(void *data, double done_s)
{
    struct move_transfer *t = data;
    move_served(t, done_s);
    if (!move_interface_swaps(t)) {
        answer(t, done_s);
        return;
    }
    double swap_s = t->move->mach->ni_atomic;
    if (locks(t)) {
        kern_parts_forget();
        net_note(t->move->net, t->target->node, t->origin->node, 0);
        kern_parts_note(&t->move->mach->cpu_clock, t->combine_s);
        kern_parts_note(&t->move->mach->ni_atomic, swap_s / 2);
        move_atomic_unlock(t, done_s + way_back(t) + t->combine_s + swap_s / 2);
    }
    kern_parts_note(&t->move->mach->ni_atomic, swap_s);
    kern_at(done_s + swap_s, KERN_ATOMIC, t->target->rank, answer, t);
}

static double perform(void *data, double begin_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_SERVICED] = begin_s;
    return mem_charge_s(move_perform(t, NULL, begin_s));
}

static void fetched(void *data, double at_s)
{
    perform(data, at_s);
    performed(data, at_s);
}

static void fetch(void *data, double at_s)
{
    struct move_transfer *t = data;
    move_gather(t->origin, NULL, &t->op.from, t->bytes, at_s);
    move_send_there(t, NET_INTERFACE, t->trail.bytes, at_s, fetched);
}

/* The servicer is there. Bytes that stayed at the origin are fetched from its memory. */
static void take(struct move_transfer *t, double at_s)
{
    if (move_writes(t) && !move_brings(t))
        move_send_back(t, NET_INTERFACE, MOVE_HEADER_BYTES, at_s, fetch);
    else
        fetched(t, at_s);
}

static void handle(void *data, double at_s)
{
    struct move_transfer *t = data;
    if (t->place) {
        if (move_placed(t, at_s)) {
            take(t, at_s);
        } else {
            move_stage(t, NULL, at_s); /* the interface writes it */
            move_waits(t, at_s);
        }
    } else if (t->target->delayed && t->target != t->origin) {
        t->job = (struct serve_job){
            .target = t->target, .from = t->origin, .work = perform, .done = performed, .data = t};
        serve_request(&t->job, at_s);
    } else {
        performed(t, at_s + perform(t, at_s));
    }
}

/* Accumulates of one origin to one word keep their order, however they are done. */
static void arrived(void *data, double at_s)
{
    struct move_transfer *t = data;
    t->trail.at_s[OP_ARRIVED] = at_s;
    double taken_s = at_s;
    if (move_combines(t))
        taken_s = move_atomic_units(t, at_s, by_atomic(t) ? t->move->mach->ni_atomic : 0);
    kern_parts_forget();
    kern_parts_note(&t->move->mach->ni_atomic, taken_s - at_s);
    if (taken_s > at_s)
        kern_at(taken_s, KERN_ATOMIC, t->target->rank, handle, t);
    else
        handle(t, at_s);
}

double move_interface_unstage(struct move_transfer *t, double begin_s, double cost_s)
{
    cost_s += mem_refresh(t->target->cpu, t->staged, t->trail.bytes, begin_s + cost_s);
    cost_s += move_unstage(t, t->target->cpu, begin_s + cost_s);
    cost_s += move_perform_late(t, begin_s + cost_s);
    return cost_s;
}

void move_interface_taken(void *data, double done_s)
{
    struct move_transfer *t = data;
    if (t->trail.at_s[OP_PERFORMED] >= 0)
        performed(t, done_s);
    else
        take(t, done_s);
}

/* ---- from the origin ------------------------------------------------------------------------- */

void move_interface_send(struct move_transfer *t, double ready_s, move_interface_reply reply)
{
    uint64_t bytes = move_writes(t) ? t->trail.bytes : MOVE_HEADER_BYTES;
    t->reply = reply;
    move_send_there(t, t->origin->rank, bytes, ready_s, arrived);
    if (move_interface_swaps(t)) /* unlock */
        serve_charge(t->origin, &t->move->mach->ni_atomic, t->move->mach->ni_atomic);
    serve_pay_some(t->origin);
}

void move_interface_announce(struct move_transfer *t, move_interface_reply reply)
{
    struct serve_proc *origin = t->origin;
    if (move_writes(t)) move_interface_publish(origin, &t->op.from);
    t->reply = reply;
    /* entered at the target by an atomic operation */
    double half_s = t->move->mach->ni_atomic / 2;
    kern_parts_forget();
    kern_parts_note(&t->move->mach->ni_atomic, half_s);
    move_send_there(t, origin->rank, MOVE_HEADER_BYTES, serve_now(origin) + half_s, arrived);
    serve_pay_some(origin);
}

static void chunks_read(void *data, double at_s)
{
    struct move_transfer *t = data;
    move_chunk_read(t, at_s);
    move_chunk_answer(t, at_s + way_back(t));
}

void move_interface_read_chunks(struct move_transfer *t)
{
    struct op_layout chunks;
    move_chunk_pieces(t, &chunks);
    serve_pay(t->origin);
    move_send_there(t, t->origin->rank, MOVE_HEADER_BYTES, serve_now(t->origin), chunks_read);
    if (move_interface_by_words(t->move->mach)) move_interface_get(t, &chunks);
    move_chunk_wait(t);
}
