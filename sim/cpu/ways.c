/* Out of order, passes of a loop that go different ways overlap: what a pass of one way waits for,
 * those of another may not. A merge of two lists waits for the next element of one list in a pass;
 * so those of both come in the time of one. Each way is priced as if all passes took it.
 *
 * Of a branch amid the loop that is asked about, the two ways are played in turn, one pass of the
 * one behind r of the other. What such a round takes less than the prices of its passes is saved:
 * for each pass, s = (r P + Q - T) / r. Of all r the one counts with which a pass of the rarer way
 * saves most. Where a chain of c cycles a pass goes through P alone, another through Q alone, time
 * is the longer of the two chains or the width, and what is saved of p and q passes is
 * s min(p, r q): so passes of both ways are paired as they come, as far as the window has them
 * (mem/branch). Nothing is paired over a branch that is predicted wrongly: behind it nothing had
 * begun.
 *
 * Left out: of several branches in a pass all but the one that saves most; loops with loops in
 * them; ways that data choose without a branch. */
#include "cpu/parts.h"

enum { PART = CPU_OVERLAP_PART, BESIDE_MOST = 8, WINDOW_MOST = 120, LEAST = 64 /* parts */ };

/* A pass of a loop from its head on. */
struct pass {
    uint32_t block[CPU_PATH_BLOCKS], blocks;
    uint64_t ticks; /* its price, but for branches predicted wrongly */
};

struct loop {
    const struct cpu *cpu;
    const struct cpu_object *object;
    const struct cpu_loops *loops;
    struct cpu_ring *ring;
    struct cpu_price *price;
    uint32_t head;
    struct pass likely;
};

/* Goes on to a block, and from there along the likelier way until the head. False: it leads
 * elsewhere, or is too long. */
static bool go_on(const struct loop *l, uint32_t b, struct pass *pass)
{
    for (; b != l->head; b = cpu_likelier(l->object, b)) {
        if (b == l->object->blocks || !cpu_is_in(l->loops, l->head, b)) return false;
        if (pass->blocks == CPU_PATH_BLOCKS) return false;
        pass->block[pass->blocks++] = b;
    }
    for (uint32_t i = 0; i < pass->blocks; i++)
        pass->ticks += l->price[pass->block[i]].ticks - l->price[pass->block[i]].miss;
    return true;
}

/* The branch at the end of a block, if it is asked about and both its ways are in the loop; the
 * other way. */
static bool find_other(const struct loop *l, uint32_t b, uint32_t *other)
{
    const struct cpu_block *block = cpu_block_at(l->object, b);
    const struct cpu_op *op =
        block->ops > 0 ? cpu_op_at(l->object, block->first_op + block->ops - 1) : NULL;
    if (!op || op->class != BLOCK_BRANCH || block->successors != 2) return false;
    if (!(op->flags & BLOCK_PREDICTED) || op->flags & BLOCK_COUNTED) return false;
    const uint32_t likelier = cpu_likelier(l->object, b);
    for (uint32_t i = block->first_successor; i < block->first_successor + 2; i++) {
        uint32_t to = g_array_index(l->object->successor, struct cpu_successor, i).block;
        if (to != likelier) *other = to;
        if (!cpu_is_in(l->loops, l->head, to)) return false;
    }
    return true;
}

/* Of `times` passes of the one and one of the other, one behind the other; 0: that is too long. */
static uint64_t ticks_of(const struct loop *l, const struct pass *one, uint32_t times,
                         const struct pass *other)
{
    struct cpu_path path = {
        .cpu = l->cpu, .object = l->object, .loops = l->loops, .ring = l->ring, .cyclic = true};
    if (times * one->blocks + other->blocks > CPU_PATH_BLOCKS) return 0;
    for (uint32_t i = 0; i < times * one->blocks; i++)
        path.block[path.positions++] = one->block[i % one->blocks];
    for (uint32_t i = 0; i < other->blocks; i++) path.block[path.positions++] = other->block[i];
    return cpu_play_ticks(&path);
}

/* Passes of `one` beside one of the other: with how many most is saved, and what, in all. */
static double best_beside(const struct loop *l, const struct pass *one, const struct pass *other,
                          uint32_t *times)
{
    double best = 0;
    for (uint32_t r = 1; r <= BESIDE_MOST; r *= 2) {
        const uint64_t ticks = ticks_of(l, one, r, other), priced = r * one->ticks + other->ticks;
        const double saved = ticks > 0 && priced > ticks ? (double)(priced - ticks) : 0;
        /* beside twice as many it may save twice as much; what it saves beside fewer it saves
         * beside more */
        if (saved <= best * 1.5) break;
        best = saved, *times = r;
    }
    return best;
}

static uint32_t window_of(const struct loop *l, const struct pass *pass)
{
    uint32_t operations = 1;
    for (uint32_t i = 0; i < pass->blocks; i++)
        operations += cpu_block_at(l->object, pass->block[i])->ops;
    return CLAMP(l->price[l->head].window / operations, 1, WINDOW_MOST);
}

/* Does a static guess expect another way than the likelier? It expects that the branch goes back,
 * or where it more likely goes, or on to what stands behind it. */
static bool is_against(const struct loop *l, uint32_t b)
{
    const struct cpu_block *block = cpu_block_at(l->object, b);
    const uint32_t likelier = cpu_likelier(l->object, b);
    const struct cpu_successor *s =
        &g_array_index(l->object->successor, struct cpu_successor, block->first_successor);
    const uint32_t other = s[s[0].block == likelier].block;
    if ((likelier <= b) != (other <= b)) return other <= b;
    return s[0].probability == s[1].probability && other == b + 1;
}

/* Does a chain bound the pass? */
static bool waits(const struct loop *l, const struct pass *pass)
{
    for (uint32_t i = 0; i < pass->blocks; i++)
        if (l->price[pass->block[i]].bound == CPU_BOUND_CHAIN) return true;
    return false;
}

/* What the branch of the pass's block number i saves; *mean: in a pass of those that it is of. */
static struct cpu_ways ways_of(const struct loop *l, uint32_t i, double *mean)
{
    struct pass other = {.blocks = i + 1};
    uint32_t to = l->object->blocks, more = 1, fewer = 1;
    if (!find_other(l, l->likely.block[i], &to)) return (struct cpu_ways){0};
    for (uint32_t k = 0; k <= i; k++) other.block[k] = l->likely.block[k];
    if (!go_on(l, to, &other) || !(waits(l, &l->likely) || waits(l, &other)))
        return (struct cpu_ways){0};
    const double many = best_beside(l, &l->likely, &other, &more),
                 few = best_beside(l, &other, &l->likely, &fewer), best = MAX(many, few);
    const uint32_t times = many >= few ? more : fewer;
    const double saved = best / times / PART;
    if (saved < LEAST) return (struct cpu_ways){0};
    *mean = best / (times + 1);
    const bool likelier_gives = few > many;
    const uint32_t window = window_of(l, likelier_gives ? &other : &l->likely);
    return (struct cpu_ways){.saved = (uint16_t)MIN(saved, UINT16_MAX),
                             .gives = (uint8_t)times,
                             .window = window & 127,
                             .against = likelier_gives == is_against(l, l->likely.block[i])};
}

static void price_loop(struct loop *l)
{
    double most = 0;
    uint32_t at = 0;
    struct cpu_ways best = {0};
    for (uint32_t i = 0; i < l->likely.blocks; i++) {
        double mean = 0;
        const struct cpu_ways ways = ways_of(l, i, &mean);
        if (mean > most) most = mean, best = ways, at = l->likely.block[i];
    }
    if (best.saved > 0) l->price[at].ways = best;
}

void cpu_price_ways(const struct cpu *cpu, const struct cpu_object *object,
                    const struct cpu_loops *loops, struct cpu_ring *ring, struct cpu_price *price)
{
    for (uint32_t b = 0; b < object->blocks; b++) {
        struct loop l = {cpu, object, loops, ring, price, .head = b, .likely = {{b}, 1}};
        const bool innermost = loops->head[b] && loops->rounds[b].times > 0;
        if (innermost && go_on(&l, cpu_likelier(object, b), &l.likely)) price_loop(&l);
    }
}
