/* Out of order, iterations of an outer loop overlap in the window: while the chain of an inner loop
 * runs, the rounds of its next execution enter behind it, and their chain begins. Of an inner loop
 * of R rounds, each of n operations and c cycles of chain, there are 1 + W / (n R) executions in a
 * window of W operations, so one takes c n R R / (n R + W) cycles and not c R: it saves
 * c (W / n) R / (R + W / n). A round takes at least what width, ports, units, branches taken, and
 * a chain that goes through the outer loop let it.
 *
 * R is known where the loop is left (branch.cc). Loops whose rounds the compiler knows are played
 * as they are (price.c). Behind a branch predicted wrongly nothing has begun: an execution of a
 * loop of one block whose end was, and one of several blocks since whose predecessor any was, saves
 * nothing (probe/hooks.c, world/prices).
 *
 * What is beside the loop fills the width, which the chain leaves: so it is hidden in long
 * executions, and not in short ones, nor where the loop is not gone into. Its blocks have that
 * price at least, and the window saves so much more.
 *
 * W is what registers let be in flight (price.c). Left out: paths with several inner loops
 * (behind.c has some); the scheduler, which is smaller. */
#include "cpu/parts.h"

enum { PART = CPU_OVERLAP_PART, BESIDE_MOST = (1 << 23) - 1 };

uint64_t cpu_overlap_saves(const struct cpu_overlap *o, uint64_t rounds)
{
    if (o->most == 0) return 0;
    uint64_t r = MIN(rounds, UINT32_MAX); /* half of `most` is far behind then */
    uint64_t window = o->most * r / (r + o->half), width = o->each * r;
    return MIN(window + o->beside, width) * PART;
}

uint64_t cpu_widest(const struct cpu_price *p)
{
    uint64_t most = MAX(p->at_least[CPU_BOUND_ISSUE], p->at_least[CPU_BOUND_PORT]);
    return MAX(most, p->at_least[CPU_BOUND_UNIT]);
}

/* The one inner loop of a path. */
struct inner {
    uint32_t head, rounds, positions;
    uint64_t ticks; /* of all its positions, but for branches predicted wrongly */
    uint32_t steps;
    uint32_t jumps; /* branches taken, in all */
};

static uint32_t head_of(const struct cpu_path *path, uint32_t b)
{
    return path->loops->head[b] ? b : path->loops->within[b];
}

/* False: there is none, or there are several. Blocks beside a loop's way are in its own. */
static bool find_inner(const struct cpu_path *path, const struct cpu_price *price, struct inner *in)
{
    *in = (struct inner){.head = path->object->blocks};
    for (uint32_t p = 0; p < path->positions; p++) {
        if (!path->inner[p]) continue;
        const uint32_t b = path->block[p], head = head_of(path, b);
        if (head == path->object->blocks || path->loops->rounds[head].times == 0) return false;
        if (in->positions > 0 && head != in->head) return false;
        in->head = head;
        in->rounds += b == head;
        in->positions++;
        in->jumps += in->positions > 1 && !cpu_follows(path, p);
        in->ticks += price[b].ticks - price[b].miss;
    }
    for (uint32_t s = 0; s < path->step->len; s++)
        in->steps += path->inner[cpu_step_at(path, s)->position];
    return in->rounds > 0 && in->steps > 0 && !cpu_is_in(path->loops, in->head, path->block[0]);
}

static uint32_t parts_of(double ticks) { return (uint32_t)CLAMP(ticks / PART, 0, UINT32_MAX); }

/* What a round takes at least, however its executions overlap. */
static double least_of_round(const struct cpu_path *path, const struct cpu_price *bounds,
                             const struct inner *in, const struct cpu_price *price)
{
    const double jumps = in->rounds > 1 ? (double)in->jumps / (in->rounds - 1) : 1,
                 width = (double)cpu_widest(&price[in->head]),
                 taken = path->cpu->taken * jumps * CPU_TICKS,
                 chain = (double)bounds->at_least[CPU_BOUND_CHAIN] / in->rounds;
    return MAX(MAX(width, taken), chain);
}

/* What a pass takes at least for what is not its inner loop. */
static double what_is_beside(const struct cpu_path *path, const struct cpu_price *bounds,
                             const struct inner *in, const struct cpu_price *price)
{
    uint32_t jumps = 0;
    for (uint32_t p = 0; p < path->positions; p++) jumps += !cpu_follows(path, p);
    const double width =
        (double)cpu_widest(bounds) - in->rounds * (double)cpu_widest(&price[in->head]);
    return MAX(width, (double)(jumps - in->jumps) * path->cpu->taken * CPU_TICKS);
}

/* Adds to the blocks beside the loop, each by its steps. */
static void add_beside(const struct cpu_path *path, double ticks, struct cpu_price *price)
{
    uint64_t steps[CPU_PATH_BLOCKS] = {0}, all = 0;
    for (uint32_t s = 0; s < path->step->len; s++) {
        const uint32_t position = cpu_step_at(path, s)->position;
        if (path->inner[position]) continue;
        steps[position]++;
        all++;
    }
    for (uint32_t p = 0; p < path->positions; p++)
        if (steps[p] > 0) price[path->block[p]].ticks += (uint64_t)(ticks * steps[p] / all);
}

void cpu_price_overlap(const struct cpu_path *path, const struct cpu_price *bounds,
                       struct cpu_price *price)
{
    struct inner in;
    if (path->cpu->window == 0 || !path->cyclic || !find_inner(path, price, &in)) return;
    if (path->loops->rounds[in.head].known) return;
    const double round = (double)in.ticks / in.rounds,
                 least = least_of_round(path, bounds, &in, price);
    if (round <= least) return;
    double beside = what_is_beside(path, bounds, &in, price);
    for (uint32_t p = 0; p < path->positions; p++)
        if (!path->inner[p]) beside -= (double)price[path->block[p]].ticks;
    beside = MAX(beside, 0);
    add_beside(path, beside, price);
    const double n = (double)in.steps / in.rounds, window = bounds->window;
    const struct cpu_overlap overlap = {
        .most = parts_of(round * window / n),
        .half = (uint16_t)MIN((window + path->step->len - in.steps) / n, UINT16_MAX),
        .each = (uint16_t)MIN(parts_of(round - least), UINT16_MAX),
        .beside = MIN(parts_of(beside), BESIDE_MOST),
        .several = !(cpu_block_at(path->object, in.head)->flags & BLOCK_LOOP),
    };
    for (uint32_t p = 0; p < path->positions; p++)
        if (path->inner[p]) price[path->block[p]].overlap = overlap;
}
