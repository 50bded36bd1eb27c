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
 * price at least, and the window saves so much more. It may wait for what the loop does not need: a
 * divider, a chain of its own. Its blocks are priced as without the loop, and what they wait more
 * than the loop lets them is hidden by its rounds, of a loop that width bounds, too: a pass takes
 * as long as the longer of the two. That is only where the loop tells its rounds.
 *
 * Of several inner loops each overlaps with its next execution behind the others, which are beside
 * it. A branch that one of them predicts wrongly ends what has begun of all. They share what is
 * beside them by their lengths.
 *
 * W is what registers let be in flight (price.c). Left out: that one of them overlaps with another
 * of the same pass (behind.c has some); the scheduler, which is smaller. */
#include "cpu/parts.h"

enum { PART = CPU_OVERLAP_PART };

uint64_t cpu_overlap_saves(const struct cpu_overlap *o, uint64_t rounds)
{
    if (rounds == 0) return 0;
    uint64_t r = MIN(rounds, INT32_MAX); /* half of `most` is far behind then */
    uint64_t window = o->most * r / (r + o->half), width = o->each * r, all = o->round * r;
    return MIN(MIN(window + o->beside, width + o->apart), all) * PART;
}

uint64_t cpu_widest(const struct cpu_price *p)
{
    uint64_t most = MAX(p->at_least[CPU_BOUND_ISSUE], p->at_least[CPU_BOUND_PORT]);
    return MAX(most, p->at_least[CPU_BOUND_UNIT]);
}

struct inner {
    uint32_t head, rounds, positions;
    uint64_t ticks; /* of all its positions, but for branches predicted wrongly */
    uint32_t steps;
    uint32_t jumps; /* branches taken, in all */
};
/* The inner loops of a path. */
struct inners {
    struct inner loop[CPU_PATH_BLOCKS];
    uint32_t loops;
    uint64_t ticks; /* of all */
};

static uint32_t head_of(const struct cpu_path *path, uint32_t b)
{
    return path->loops->head[b] ? b : path->loops->within[b];
}

static struct inner *inner_of(struct inners *in, uint32_t head)
{
    for (uint32_t i = 0; i < in->loops; i++)
        if (in->loop[i].head == head) return &in->loop[i];
    in->loop[in->loops] = (struct inner){.head = head};
    return &in->loop[in->loops++];
}

/* False: there are none. Blocks beside a loop's way are in its own. */
static bool find_inner(const struct cpu_path *path, const struct cpu_price *price,
                       struct inners *in)
{
    *in = (struct inners){.loops = 0};
    for (uint32_t p = 0; p < path->positions; p++) {
        if (!path->inner[p]) continue;
        const uint32_t b = path->block[p], head = head_of(path, b);
        if (head == path->object->blocks || path->loops->rounds[head].times == 0) return false;
        if (cpu_is_in(path->loops, head, path->block[0])) return false;
        struct inner *loop = inner_of(in, head);
        loop->rounds += b == head;
        loop->positions++;
        loop->jumps += loop->positions > 1 && !cpu_follows(path, p);
        loop->ticks += price[b].ticks - price[b].miss;
        in->ticks += price[b].ticks - price[b].miss;
    }
    for (uint32_t s = 0; s < path->step->len; s++) {
        const uint32_t p = cpu_step_at(path, s)->position;
        if (path->inner[p]) inner_of(in, head_of(path, path->block[p]))->steps++;
    }
    for (uint32_t i = 0; i < in->loops; i++)
        if (in->loop[i].rounds == 0 || in->loop[i].steps == 0) return false;
    return in->ticks > 0;
}

static uint32_t parts_of(double ticks) { return (uint32_t)CLAMP(ticks / PART, 0, UINT32_MAX); }

/* What a round takes at least, however its executions overlap. */
static double least_of_round(const struct cpu_path *path, const struct cpu_price *bounds,
                             const struct inners *in, const struct inner *loop,
                             const struct cpu_price *price)
{
    const double jumps = loop->rounds > 1 ? (double)loop->jumps / (loop->rounds - 1) : 1,
                 width = (double)cpu_widest(&price[loop->head]),
                 taken = path->cpu->taken * jumps * CPU_TICKS,
                 share = (double)loop->ticks / (double)in->ticks,
                 chain = (double)bounds->at_least[CPU_BOUND_CHAIN] * share / loop->rounds;
    return MAX(MAX(width, taken), chain);
}

/* What the blocks that are not of inner loops are priced. */
static double price_beside(const struct cpu_path *path, const struct cpu_price *price)
{
    double has = 0;
    for (uint32_t p = 0; p < path->positions; p++)
        if (!path->inner[p]) has += (double)price[path->block[p]].ticks;
    return has;
}

/* What a pass takes at least for what is not its inner loops, more than its blocks are priced. */
static double what_is_beside(const struct cpu_path *path, const struct cpu_price *bounds,
                             const struct inners *in, const struct cpu_price *price)
{
    double width = (double)cpu_widest(bounds), jumps = 0;
    for (uint32_t p = 0; p < path->positions; p++) jumps += !cpu_follows(path, p);
    for (uint32_t i = 0; i < in->loops; i++) {
        width -= in->loop[i].rounds * (double)cpu_widest(&price[in->loop[i].head]);
        jumps -= in->loop[i].jumps;
    }
    return MAX(MAX(width, jumps * path->cpu->taken * CPU_TICKS) - price_beside(path, price), 0);
}

/* What they take without the loops, more than that. */
static double what_is_apart(const struct cpu_path *path, const struct cpu_price *price,
                            double beside)
{
    struct cpu_path alone = {.cpu = path->cpu,
                             .object = path->object,
                             .loops = path->loops,
                             .ring = path->ring,
                             .cyclic = true};
    for (uint32_t p = 0; p < path->positions; p++)
        if (!path->inner[p]) alone.block[alone.positions++] = path->block[p];
    const double ticks = (double)cpu_play_ticks(&alone);
    return MAX(ticks - beside - price_beside(path, price), 0);
}

/* Is it asked how many rounds it went where it is left? */
static bool tells(const struct cpu_path *path, const struct inner *loop)
{
    const struct cpu_rounds *rounds = &path->loops->rounds[loop->head];
    const struct cpu_block *from = cpu_block_at(path->object, rounds->from);
    if (rounds->known || rounds->exit == path->object->blocks || from->ops == 0) return false;
    return cpu_op_at(path->object, from->first_op + from->ops - 1)->flags & BLOCK_ROUNDS;
}

/* Adds to the blocks beside the loops, each by its steps. */
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

/* Is it as long as its executions make it? Not where width bounds it, or it was played. */
static bool overlaps(const struct cpu_path *path, const struct cpu_price *bounds,
                     const struct inners *in, const struct inner *loop,
                     const struct cpu_price *price)
{
    return !path->loops->rounds[loop->head].known &&
           (double)loop->ticks / loop->rounds > least_of_round(path, bounds, in, loop, price);
}

/* Of the inner loops' ticks, those that one of both kinds shares what is beside them by. */
struct shared {
    double beside, apart;        /* what is hidden by loops that overlap, and by those that tell */
    double overlapping, telling; /* ticks of theirs */
};

static struct shared find_shared(const struct cpu_path *path, const struct cpu_price *bounds,
                                 const struct inners *in, const struct cpu_price *price)
{
    struct shared shared = {0};
    const double beside = what_is_beside(path, bounds, in, price);
    for (uint32_t i = 0; i < in->loops; i++) {
        const struct inner *loop = &in->loop[i];
        const double ticks = (double)loop->ticks;
        if (overlaps(path, bounds, in, loop, price)) shared.overlapping += ticks;
        if (tells(path, loop)) shared.telling += ticks;
    }
    if (shared.overlapping > 0) shared.beside = beside;
    if (shared.telling > 0) shared.apart = what_is_apart(path, price, shared.beside);
    return shared;
}

static struct cpu_overlap overlap_of(const struct cpu_path *path, const struct cpu_price *bounds,
                                     const struct inners *in, const struct inner *loop,
                                     const struct shared *shared, const struct cpu_price *price)
{
    const double round = (double)loop->ticks / loop->rounds, window = bounds->window,
                 least = least_of_round(path, bounds, in, loop, price),
                 n = (double)loop->steps / loop->rounds, ticks = (double)loop->ticks;
    const double apart = tells(path, loop) ? shared->apart * ticks / shared->telling : 0;
    struct cpu_overlap o = {
        .apart = parts_of(apart),
        .round = parts_of(round),
        .beside = parts_of(apart),
        .several = !(cpu_block_at(path->object, loop->head)->flags & BLOCK_LOOP),
        .others = in->loops > 1,
    };
    if (!overlaps(path, bounds, in, loop, price)) return o.apart > 0 ? o : (struct cpu_overlap){0};
    o.most = parts_of(round * window / n);
    o.half = (uint32_t)((window + path->step->len - loop->steps) / n);
    o.each = parts_of(round - least);
    o.beside = parts_of(apart + shared->beside * ticks / shared->overlapping);
    return o;
}

/* Where a loop is left from this block, does it go on where it is left most often? If it does not,
 * what is beside the loop may not be executed. */
static bool goes_on(const struct cpu_path *path, uint32_t b)
{
    enum { FAR = 16 };
    const uint32_t head = head_of(path, b), exit = path->loops->rounds[head].exit,
                   none = path->object->blocks;
    const struct cpu_block *block = cpu_block_at(path->object, b);
    for (uint32_t i = block->first_successor; i < block->first_successor + block->successors; i++) {
        uint32_t to = g_array_index(path->object->successor, struct cpu_successor, i).block;
        if (cpu_is_in(path->loops, head, to)) continue;
        for (int k = 0; k < FAR && to != exit && to != none && to != head; k++)
            to = cpu_likelier(path->object, to);
        if (to != exit) return false;
    }
    return true;
}

void cpu_price_overlap(const struct cpu_path *path, const struct cpu_price *bounds,
                       struct cpu_price *price)
{
    struct inners in;
    struct cpu_overlap overlap[CPU_PATH_BLOCKS] = {{0}};
    if (path->cpu->window == 0 || !path->cyclic || !find_inner(path, price, &in)) return;
    const struct shared shared = find_shared(path, bounds, &in, price);
    for (uint32_t i = 0; i < in.loops; i++)
        overlap[i] = overlap_of(path, bounds, &in, &in.loop[i], &shared, price);
    add_beside(path, shared.beside + shared.apart, price);
    for (uint32_t p = 0; p < path->positions; p++) {
        const uint32_t b = path->block[p];
        if (!path->inner[p]) continue;
        struct cpu_overlap o = overlap[inner_of(&in, head_of(path, b)) - in.loop];
        if (!goes_on(path, b)) o.beside -= o.apart, o.apart = 0;
        price[b].overlap = o.most > 0 || o.apart > 0 ? o : (struct cpu_overlap){0};
    }
}
