/* Passes of a loop that leave out blocks of its path.
 *
 * Out of order a block costs by how much later it leaves the window than the one before: where an
 * operation waits, its block costs what all of the pass takes, and the others nothing. A pass that
 * goes around that block would be free. So it is played as a loop of its own, and the blocks that
 * it has cost at least what it takes; what they cost more, those that it leaves out cost less: the
 * whole path costs what it did.
 *
 * Played are the pass of the fewest blocks and those that leave out what one branch goes over. */
#include "cpu/parts.h"

struct pass {
    bool has[CPU_PATH_BLOCKS]; /* positions of the path */
};

/* Does the block of a position lead to that of another, or (all positions) around to the first? */
static bool leads(const struct cpu_path *path, uint32_t from, uint32_t to)
{
    const struct cpu_block *block = cpu_block_at(path->object, path->block[from]);
    uint32_t target = path->block[to % path->positions];
    for (uint32_t i = block->first_successor; i < block->first_successor + block->successors; i++)
        if (g_array_index(path->object->successor, struct cpu_successor, i).block == target)
            return true;
    return false;
}

/* Where the branch of a position goes farthest to; the next one if it goes over none. */
static uint32_t farthest(const struct cpu_path *path, uint32_t from)
{
    for (uint32_t to = path->positions; to > from + 1; to--)
        if (leads(path, from, to)) return to;
    return from + 1;
}

static uint64_t ticks_of(const struct cpu_path *path, const struct pass *pass)
{
    struct cpu_path less = {.cpu = path->cpu,
                            .object = path->object,
                            .loops = path->loops,
                            .ring = path->ring,
                            .cyclic = true};
    for (uint32_t p = 0; p < path->positions; p++) {
        if (!pass->has[p]) continue;
        less.inner[less.positions] = path->inner[p];
        less.block[less.positions++] = path->block[p];
    }
    return cpu_play_ticks(&less);
}

/* How much of what the pass lacks falls to a block: by its operations. */
static double weight_of(const struct cpu_path *path, uint32_t position)
{
    return path->inner[position]
               ? 0
               : 1 + (double)cpu_block_at(path->object, path->block[position])->ops;
}

static void level(const struct cpu_path *path, const struct pass *pass, struct cpu_price *price)
{
    double has = 0, left_out = 0, weight = 0;
    for (uint32_t p = 0; p < path->positions; p++) {
        double ticks = (double)price[path->block[p]].ticks;
        if (pass->has[p])
            has += ticks, weight += weight_of(path, p);
        else if (path->inner[p])
            return;
        else
            left_out += ticks;
    }
    if (left_out <= 0 || weight <= 0) return;
    double more = MIN((double)ticks_of(path, pass) - has, left_out);
    for (uint32_t p = 0; more > 0 && p < path->positions; p++) {
        uint64_t *ticks = &price[path->block[p]].ticks;
        if (pass->has[p])
            *ticks += (uint64_t)(more * weight_of(path, p) / weight);
        else
            *ticks -= (uint64_t)((double)*ticks * more / left_out);
    }
}

static bool is_path(const struct cpu_path *path, const struct pass *pass)
{
    for (uint32_t p = 0; p < path->positions; p++)
        if (!pass->has[p]) return false;
    return true;
}

void cpu_price_shorter(const struct cpu_path *path, struct cpu_price *price)
{
    struct pass shortest = {{false}};
    if (path->cpu->window == 0 || !path->cyclic || path->joined) return;
    for (uint32_t p = 0; p < path->positions; p = farthest(path, p)) shortest.has[p] = true;
    if (is_path(path, &shortest)) return;
    level(path, &shortest, price);
    for (uint32_t from = 0; from < path->positions; from++) {
        struct pass pass;
        uint32_t to = farthest(path, from);
        for (uint32_t p = 0; p < path->positions; p++) pass.has[p] = p <= from || p >= to;
        if (to > from + 1) level(path, &pass, price);
    }
}
