/* Windows by their registrations, variables by the program's symbols, blocks by their allocations.
 * A variable that was searched for is kept: a range of offsets and its row. */
#include "world/object/object.h"

#include "kern/kern.h"
#include "mem/segment/segment.h"
#include "report/source/source.h"
#include "world/block/block.h"
#include "world/rank/state.h"

/* [from, from + bytes) is one variable: offsets in the program. */
struct range {
    uint64_t from, bytes;
    struct profile_object *row;
};

static GTree *variables; /* struct range by from */

static int order(gconstpointer a, gconstpointer b, gpointer none)
{
    (void)none;
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void keep(uint64_t from, uint64_t bytes, struct profile_object *row)
{
    const struct range fresh = {.from = from, .bytes = bytes, .row = row};
    struct range *kept = g_memdup2(&fresh, sizeof fresh);
    g_tree_replace(variables, kept, kept); /* from is its first member */
}

/* NULL: none that is kept has the byte */
static struct profile_object *find(uint64_t at)
{
    if (!variables) variables = g_tree_new_full(order, NULL, g_free, NULL);
    GTreeNode *above = g_tree_upper_bound(variables, &at);
    GTreeNode *node = above ? g_tree_node_previous(above) : g_tree_node_last(variables);
    const struct range *range = node ? g_tree_node_value(node) : NULL;
    return range && at - range->from < range->bytes ? range->row : NULL;
}

static struct profile_object *variable(uint64_t offset)
{
    struct profile_object *row = find(offset);
    if (row) return row;
    uint64_t within = 0, bytes = 1;
    g_autofree char *name = report_variable(world_one.description.program, offset, &within, &bytes);
    row = name ? profile_object(PROFILE_STATIC, offset - within) : profile_object(PROFILE_REST, 0);
    keep(offset - within, bytes, row);
    return row;
}

struct profile_object *world_object(const struct mem_cpu *cpu, uintptr_t addr, op_site site)
{
    const struct world_rank_state *state = &world_one.state[cpu->rank];
    int segment = mem_segment_at(state->rank.proc->memory, addr);
    if (segment >= 0) return profile_object(PROFILE_WINDOW, (uint64_t)segment);
    if (addr - cpu->code_base < cpu->code_end - cpu->code_base)
        return variable(addr - cpu->code_base);
    uint64_t within;
    const op_site made = world_block_at(addr, &within);
    if (made) return profile_object(PROFILE_HEAP, made);
    if (cpu->foreign.stack - addr <= KERN_STACK_BYTES) return profile_object(PROFILE_STACK, site);
    return profile_object(PROFILE_REST, 0);
}

void world_objects_clear(void) { g_clear_pointer(&variables, g_tree_unref); }
