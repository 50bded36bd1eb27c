/* Prices: plays each path (play.c) and divides its cycles among its blocks.
 *
 * The price of a loop is the mean of the passes that count, as is out of order that of another
 * path, whose passes share no values; in order that one runs dry at its end. A block costs what the
 * end of its last operation is later than that of the block before: its issue in order, its leaving
 * of the window out of order. Branches predicted wrongly come on top.
 */
#include "cpu/parts.h"

#include <string.h>

struct pricing {
    const struct cpu *cpu;
    const struct cpu_object *object;
    struct cpu_price *price;
    struct cpu_timing *timing;
    struct cpu_ring *ring; /* NULL: in order */
};

/* ---- bounds ---------------------------------------------------------------------------------- */

static void bound_by_units(const struct cpu_path *path, struct cpu_price *p)
{
    uint64_t busy[MACH_CLASSES] = {0}, lines = 0;
    for (uint32_t s = 0; s < path->step->len; s++) {
        const struct cpu_class *class = &path->cpu->class[cpu_step_at(path, s)->class];
        lines += cpu_step_at(path, s)->line;
        if (class->repeat > 1) busy[class->unit] += class->repeat;
    }
    if (path->cpu->window > 0 && path->cpu->store_lines > 0)
        busy[MACH_STORE] += lines / path->cpu->store_lines;
    for (int c = 0; c < MACH_CLASSES; c++)
        if (busy[c] * CPU_TICKS > p->at_least[CPU_BOUND_UNIT]) {
            p->at_least[CPU_BOUND_UNIT] = busy[c] * CPU_TICKS;
            p->unit = c;
        }
}

/* Does no class before this one name the set? */
static bool is_first(const struct cpu *cpu, int class, int i)
{
    for (int c = 0; c < class; c++)
        for (int k = 0; k < cpu->class[c].ports.sets; k++)
            if (cpu->class[c].ports.set[k] == cpu->class[class].ports.set[i]) return false;
    return true;
}

/* Steps that can only go to the ports of a set, over the ports it has. */
static void bound_by_ports(const struct cpu_path *path, uint16_t set, struct cpu_price *p)
{
    uint64_t steps = 0;
    for (uint32_t s = 0; s < path->step->len; s++) {
        const struct mach_ports *ports = &path->cpu->class[cpu_step_at(path, s)->class].ports;
        for (int i = 0; i < ports->sets; i++) steps += !(ports->set[i] & ~set);
    }
    uint64_t ticks = steps * CPU_TICKS / (uint64_t)__builtin_popcount(set);
    if (ticks <= p->at_least[CPU_BOUND_PORT]) return;
    p->at_least[CPU_BOUND_PORT] = ticks;
    p->ports = set;
}

static void find_bounds(const struct cpu_path *path, const uint32_t *order, struct cpu_price *p)
{
    p->at_least[CPU_BOUND_ISSUE] = (uint64_t)path->step->len * CPU_TICKS / path->cpu->issue;
    bound_by_units(path, p);
    for (int c = 0; c < MACH_CLASSES; c++)
        for (int i = 0; i < path->cpu->class[c].ports.sets; i++)
            if (is_first(path->cpu, c, i))
                bound_by_ports(path, path->cpu->class[c].ports.set[i], p);
    struct cpu_play chain = cpu_play_new(path, order, true);
    p->at_least[CPU_BOUND_CHAIN] =
        cpu_play_cycles(path, &chain) * CPU_TICKS / (chain.passes - chain.first);
    cpu_play_clear(&chain);
    for (int b = 0; b < CPU_BOUNDS; b++)
        if (p->at_least[b] > p->at_least[p->bound]) p->bound = b;
}

/* ---- timings --------------------------------------------------------------------------------- */

static bool is_memory(enum mach_class c)
{
    return c == MACH_LOAD || c == MACH_LOAD_SIGNED || c == MACH_STORE || c == MACH_FP_STORE;
}

/* The first step of an operation is its issue, of an access the first that goes to memory. */
static void find_issues(const struct pricing *pricing, const struct cpu_path *path,
                        const struct cpu_play *play, uint32_t pass)
{
    for (uint32_t s = path->step->len; s-- > 0;) {
        const struct cpu_step *step = cpu_step_at(path, s);
        if (path->inner[step->position] || (path->joined && step->position > 0)) continue;
        struct cpu_timing *t = &pricing->timing[step->op];
        uint64_t begin = cpu_play_begins(path, play, pass, step->position);
        uint64_t when = play->issue[(size_t)pass * path->step->len + s];
        bool beside = cpu_is_access(cpu_op_at(path->object, step->op)) && !is_memory(step->class);
        if (!beside) t->issue = when > begin ? (uint32_t)MIN(when - begin, UINT32_MAX) : 0;
        t->steps++;
    }
}

static void find_slacks(const struct pricing *pricing, const struct cpu_path *path,
                        const struct cpu_play *play, uint32_t pass)
{
    size_t steps = path->step->len;
    for (uint32_t s = 0; s < steps; s++) {
        const struct cpu_step *step = cpu_step_at(path, s);
        for (uint32_t i = 0; i < step->deps; i++) {
            const struct cpu_dep *d = cpu_dep_at(path, step->first_dep + i);
            if (d->step == CPU_NO_STEP || d->distance > pass) continue;
            struct cpu_timing *from = &pricing->timing[cpu_step_at(path, d->step)->op];
            if (from == &pricing->timing[step->op]) continue;
            uint64_t slack =
                play->issue[pass * steps + s] - play->issue[(pass - d->distance) * steps + d->step];
            from->slack = (uint32_t)MIN(from->slack, slack);
        }
    }
}

/* Steps of a path behind one that does not go on: until the window is full, or registers run out.
 */
static uint32_t window_of(const struct cpu_path *path)
{
    uint64_t written[CPU_FILES + 1] = {0}, window = path->cpu->window;
    for (uint32_t s = 0; s < path->step->len; s++) written[cpu_step_at(path, s)->writes]++;
    for (int f = 0; f < CPU_FILES; f++)
        if (written[f] > 0)
            window = MIN(window, path->cpu->registers[f] * path->step->len / written[f]);
    return (uint32_t)window;
}

/* Cycles in which steps of a path fill the window at the rate of its passes. */
static uint32_t window_cycles(const struct cpu_path *path, const struct cpu_play *play)
{
    uint64_t steps = (uint64_t)(play->passes - play->first) * path->step->len;
    uint64_t window = window_of(path),
             cycles = window * cpu_play_cycles(path, play) / MAX(steps, 1);
    return (uint32_t)CLAMP(cycles, window / path->cpu->issue, CPU_SLACK - 1);
}

/* A value that nothing along the path needs is needed at the path's end, or after it. */
static void find_timings(const struct pricing *pricing, const struct cpu_path *path,
                         const struct cpu_play *play)
{
    const bool in_order = path->cpu->window == 0;
    uint32_t slack = in_order ? CPU_SLACK : window_cycles(path, play);
    g_autoptr(GHashTable) lines = cpu_lines_new(path);
    for (uint32_t p = 0; p < path->positions; p++) {
        if (path->inner[p]) continue;
        const struct cpu_block *block = cpu_block_at(path->object, path->block[p]);
        for (uint32_t i = block->first_op; i < block->first_op + block->ops; i++) {
            const struct cpu_op *op = cpu_op_at(path->object, i);
            bool jumps = op->class == BLOCK_BRANCH || op->flags & BLOCK_PREDICTED;
            bool waits = cpu_is_access(op) || jumps;
            uint32_t after = waits ? cpu_address_after(path, path->block[p], op) : CPU_AFTER_NONE;
            if (jumps && after == CPU_AFTER_YOUNGEST) after = CPU_AFTER_NONE;
            const uint32_t k = i - block->first_op, beside = cpu_beside(lines, path, p, k),
                           between = op->class == BLOCK_LOAD ? cpu_between(path, p, k, after) : 0;
            pricing->timing[i] = (struct cpu_timing){.slack = slack,
                                                     .after = after,
                                                     .between = between,
                                                     .beside = beside,
                                                     .handed = {CPU_AFTER_NONE, CPU_AFTER_NONE}};
            if (op->flags & BLOCK_BEGUN)
                cpu_time_begun(path, path->block[p], op, &pricing->timing[i]);
        }
    }
    find_issues(pricing, path, play, play->first);
    for (uint32_t pass = play->first; in_order && pass < play->passes; pass++)
        find_slacks(pricing, path, play, pass);
}

/* ---- prices ---------------------------------------------------------------------------------- */

/* The iterations that the compiler joined of a loop of one block. */
static void join(struct cpu_path *path)
{
    if (!path->cyclic || path->positions != 1) return;
    const struct cpu_block *block = cpu_block_at(path->object, path->block[0]);
    if (block->ops == 0) return;
    if (cpu_op_at(path->object, block->first_op + block->ops - 1)->class != BLOCK_BRANCH) return;
    uint32_t iterations = MIN(path->cpu->unroll, CPU_PATH_BLOCKS);
    for (; path->positions < iterations; path->positions++)
        path->block[path->positions] = path->block[0];
    path->joined = iterations > 1;
}

static bool is_known(const struct cpu_path *path, uint32_t p)
{
    uint32_t b = path->block[p], head = path->loops->head[b] ? b : path->loops->within[b];
    return path->inner[p] && head < path->object->blocks && path->loops->rounds[head].known;
}

static bool was_before(const struct cpu_path *path, uint32_t p)
{
    for (uint32_t i = 0; i < p; i++)
        if (path->block[i] == path->block[p]) return true;
    return false;
}

/* An outer loop takes what its passes take, less what its inner loops are priced already; so does a
 * block beside a loop's path. Where inner loops are shorter than the window, iterations of theirs
 * overlap that wait for each other in a long loop: then the inner loop is cheaper, if it is known
 * to be short. What its mispredicted branches cost stays. */
static void balance(const struct pricing *pricing, const struct cpu_path *path, uint64_t ticks)
{
    double inner = 0, known = 0, own = 0, all = (double)ticks;
    uint32_t outer = 0;
    for (uint32_t p = 0; p < path->positions; p++) {
        const struct cpu_price *its = &pricing->price[path->block[p]];
        double price = (double)(its->ticks - its->miss);
        *(path->inner[p] ? &inner : &own) += price;
        outer += !path->inner[p];
        if (is_known(path, p)) known += price;
    }
    if (outer == path->positions) return;
    double left = MAX(all - inner, 0), less = MIN(MAX(inner - all, 0), known);
    for (uint32_t p = 0; p < path->positions; p++) {
        struct cpu_price *its = &pricing->price[path->block[p]];
        if (!path->inner[p])
            its->ticks = (uint64_t)(own > 0 ? (double)its->ticks / own * left : left / outer);
        else if (known > 0 && is_known(path, p) && !was_before(path, p))
            its->ticks -= (uint64_t)((double)(its->ticks - its->miss) / known * less);
    }
}

static void price_blocks(const struct pricing *pricing, const struct cpu_path *path,
                         const struct cpu_play *play, const struct cpu_price *bounds)
{
    uint64_t passes = play->passes - play->first, drain = 0;
    uint64_t last = play->end[(size_t)play->passes * path->positions - 1];
    if (!cpu_repeats(path) && play->done > last) drain = play->done - last;
    for (uint32_t p = 0; p < path->positions; p++)
        if (!path->inner[p]) pricing->price[path->block[p]] = *bounds;
    for (uint32_t p = 0; p < path->positions; p++) {
        if (path->inner[p]) continue;
        uint64_t cycles = p + 1 == path->positions ? drain : 0;
        for (uint32_t pass = play->first; pass < play->passes; pass++)
            cycles += play->end[(size_t)pass * path->positions + p] -
                      cpu_play_begins(path, play, pass, p);
        if (path->joined) passes = (uint64_t)(play->passes - play->first) * path->positions;
        pricing->price[path->block[p]].ticks += (cycles * CPU_TICKS + passes / 2) / passes;
    }
    balance(pricing, path, cpu_play_cycles(path, play) * CPU_TICKS / passes);
}

/* Ticks until the branch of a position is known to go elsewhere, when the pipeline was empty where
 * the path begins, beyond those that the path is priced: loads and chains that otherwise overlap
 * with what is before them (Karkhanis and Smith, ISCA 2004: branch resolution time). In order there
 * is no such overlap. */
static uint64_t resolves(const struct cpu_path *path, const struct cpu_play *play,
                         const struct cpu_price *price, uint32_t position)
{
    if (path->cpu->window == 0 || path->cpu->miss_ticks == 0) return 0;
    uint64_t priced = 0, known = 0;
    for (uint32_t p = 0; p <= position; p++) priced += price[path->block[p]].ticks;
    for (uint32_t s = 0; s < path->step->len; s++) {
        const struct cpu_step *step = cpu_step_at(path, s);
        bool branch = step->class == MACH_BRANCH || step->class == MACH_FP_BRANCH;
        if (branch && step->position == position)
            known = (play->issue[s] + cpu_completes(path->cpu, step)) * CPU_TICKS;
    }
    return known > priced ? known - priced : 0;
}

static void add_misses(const struct pricing *pricing, const struct cpu_path *path,
                       const struct cpu_play *play, uint32_t blocks)
{
    for (uint32_t p = 0; p < blocks; p++)
        if (!path->inner[p])
            pricing->price[path->block[p]].lost =
                pricing->cpu->miss_ticks + resolves(path, play, pricing->price, p);
    for (uint32_t p = 0; p < blocks; p++) {
        if (path->inner[p]) continue;
        struct cpu_price *price = &pricing->price[path->block[p]];
        uint64_t often = cpu_mispredicted(pricing->cpu, pricing->object, path->block[p]);
        price->miss = often * price->lost / BLOCK_PROBABILITY;
        price->ticks += price->miss;
    }
}

static void price_path(const struct pricing *pricing, struct cpu_path *path)
{
    struct cpu_price bounds = {.path_blocks = path->positions, .steady = path->cyclic};
    uint32_t blocks = path->positions;
    path->cpu = pricing->cpu;
    path->ring = pricing->ring;
    join(path);
    cpu_lower(path);
    g_autofree uint32_t *order = cpu_order(path);
    struct cpu_play play = cpu_play_new(path, order, false);
    find_bounds(path, order, &bounds);
    bounds.window = window_of(path);
    if (path->joined)
        for (int b = 0; b < CPU_BOUNDS; b++) bounds.at_least[b] /= path->positions;
    price_blocks(pricing, path, &play, &bounds);
    cpu_price_shorter(path, pricing->price);
    cpu_price_overlap(path, &bounds, pricing->price);
    add_misses(pricing, path, &play, blocks);
    if (pricing->timing) find_timings(pricing, path, &play);
    if (pricing->timing) cpu_time_again(path, pricing->price, pricing->timing);
    cpu_play_clear(&play);
    cpu_path_clear(path);
}

void cpu_price(const struct cpu *cpu, const struct cpu_object *object, struct cpu_price *price,
               struct cpu_timing *timing)
{
    struct cpu_ring *ring = cpu->ring;
    struct pricing pricing = {cpu, object, price, timing, ring};
    g_autofree bool *taken = g_new0(bool, object->blocks + 1);
    struct cpu_loops loops;
    struct cpu_search search = {
        .object = object, .loops = &loops, .taken = taken, .overlap = cpu->window > 0};
    struct cpu_path path;
    cpu_find_loops(object, &loops);
    while (cpu_next_path(&search, &path)) price_path(&pricing, &path);
    if (ring) cpu_price_ways(cpu, object, &loops, ring, price);
    cpu_price_behind(cpu, object, &loops, price);
    cpu_loops_clear(&loops);
}
