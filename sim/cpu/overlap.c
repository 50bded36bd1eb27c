/* Out of order, iterations of an outer loop overlap in the window: while the chain of an inner loop
 * runs, the rounds of its next execution enter behind it, and their chain begins. Of an inner loop
 * of R rounds, each of n operations and c cycles of chain, there are 1 + W / (n R) executions in a
 * window of W operations, so one takes c n R R / (n R + W) cycles and not c R: it saves
 * c (W / n) R / (R + W / n). A round takes at least what width, ports, units, branches taken, and
 * a chain that goes through the outer loop let it.
 *
 * R is known where the loop is left (branch.cc). Loops whose rounds the compiler knows are played
 * as they are (price.c).
 *
 * Left out: paths with several inner loops (behind.c has some); the scheduler, which is smaller
 * than the window. */
#include "cpu/parts.h"

enum { PART = CPU_OVERLAP_PART, LESS_MOST = (1 << 24) - 1 };

uint64_t cpu_overlap_saves(const struct cpu_overlap *o, uint64_t rounds)
{
    if (o->most == 0) return 0;
    uint64_t r = MIN(rounds, UINT32_MAX); /* half of `most` is far behind then */
    uint64_t window = o->most * r / (r + o->half), width = o->each * r;
    return width > o->less ? MIN(window, width - o->less) * PART : 0;
}

uint64_t cpu_widest(const struct cpu_price *p)
{
    uint64_t most = MAX(p->at_least[CPU_BOUND_ISSUE], p->at_least[CPU_BOUND_PORT]);
    return MAX(most, p->at_least[CPU_BOUND_UNIT]);
}

/* Positions of the one inner loop, and in *block which it is; 0: there are none, or several. */
static uint32_t inner_rounds(const struct cpu_path *path, uint32_t *block)
{
    uint32_t rounds = 0;
    for (uint32_t p = 0; p < path->positions; p++) {
        if (!path->inner[p]) continue;
        if (rounds > 0 && path->block[p] != *block) return 0;
        *block = path->block[p];
        rounds++;
    }
    return rounds;
}

static uint32_t parts_of(double ticks) { return (uint32_t)CLAMP(ticks / PART, 0, UINT32_MAX); }

void cpu_price_overlap(const struct cpu_path *path, const struct cpu_price *bounds,
                       struct cpu_price *price)
{
    uint32_t block = 0, rounds = inner_rounds(path, &block), steps = 0;
    if (path->cpu->window == 0 || !path->cyclic || rounds == 0) return;
    if (!(cpu_block_at(path->object, block)->flags & BLOCK_LOOP)) return;
    if (path->loops->rounds[block].known) return;
    for (uint32_t s = 0; s < path->step->len; s++)
        steps += path->inner[cpu_step_at(path, s)->position];
    if (steps == 0) return;
    uint64_t round = price[block].ticks - price[block].miss, width = cpu_widest(&price[block]);
    uint64_t least = MAX(width, bounds->at_least[CPU_BOUND_CHAIN] / rounds);
    least = MAX(least, (uint64_t)path->cpu->taken * CPU_TICKS);
    if (round <= least) return;
    double beside = (double)cpu_widest(bounds) - (double)(rounds * width); /* what is not inner */
    for (uint32_t p = 0; p < path->positions; p++)
        if (!path->inner[p]) beside -= (double)price[path->block[p]].ticks;
    double n = (double)steps / rounds, window = path->cpu->window;
    price[block].overlap = (struct cpu_overlap){
        .most = parts_of((double)round * window / n),
        .half = (uint16_t)MIN((window + path->step->len - steps) / n, UINT16_MAX),
        .each = (uint16_t)MIN(parts_of((double)(round - least)), UINT16_MAX),
        .less = MIN(parts_of(beside), LESS_MOST),
    };
}
