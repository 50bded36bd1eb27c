/* Windows by their registrations, variables by the program's symbols, blocks by their allocations.
 * A variable that was searched for is kept: a range of offsets and its row. */
#include "world/object/object.h"

#include "kern/kern.h"
#include "mem/segment/segment.h"
#include "report/source/source.h"
#include "world/block/block.h"
#include "world/rank/state.h"

#include <string.h>

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
static const struct range *find(uint64_t at)
{
    if (!variables) variables = g_tree_new_full(order, NULL, g_free, NULL);
    GTreeNode *above = g_tree_upper_bound(variables, &at);
    GTreeNode *node = above ? g_tree_node_previous(above) : g_tree_node_last(variables);
    const struct range *range = node ? g_tree_node_value(node) : NULL;
    return range && at - range->from < range->bytes ? range : NULL;
}

static struct range variable(uint64_t offset)
{
    const struct range *range = find(offset);
    if (range) return *range;
    uint64_t within = 0, bytes = 1;
    g_autofree char *name = report_variable(world_one.description.program, offset, &within, &bytes);
    struct profile_object *row =
        name ? profile_object(PROFILE_STATIC, offset - within) : profile_object(PROFILE_REST, 0);
    keep(offset - within, bytes, row);
    return (struct range){offset - within, bytes, row};
}

/* Not of a segment. */
static struct world_piece piece_at(const struct mem_cpu *cpu, uintptr_t addr, op_site site)
{
    if (addr - cpu->code_base < cpu->code_end - cpu->code_base) {
        const struct range range = variable(addr - cpu->code_base);
        const uintptr_t from = cpu->code_base + range.from;
        return (struct world_piece){range.row, from, from + range.bytes, false};
    }
    const struct world_block_part block = world_block_part(addr, true);
    if (block.object)
        return (struct world_piece){block.object, block.from, block.from + block.bytes, false};
    const uintptr_t stack = cpu->foreign.stack;
    if (stack - addr <= KERN_STACK_BYTES)
        return (struct world_piece){profile_object(PROFILE_STACK, site), stack - KERN_STACK_BYTES,
                                    stack + 1, true};
    return (struct world_piece){profile_object(PROFILE_REST, 0), addr, addr + 1, false};
}

struct world_piece world_object(const struct mem_cpu *cpu, uintptr_t addr, op_site site)
{
    const struct mem_node *node = world_one.state[cpu->rank].rank.proc->memory;
    const int segment = mem_segment_at(node, addr);
    struct world_piece piece =
        segment >= 0 ? (struct world_piece){profile_object(PROFILE_WINDOW, (uint64_t)segment), 0,
                                            UINTPTR_MAX, false}
                     : piece_at(cpu, addr, site);
    mem_segment_around(node, addr, &piece.from, &piece.to);
    return piece;
}

/* The buffers of operations that calls started last, as long as no segment is added: variables, and
 * the call's own of the stack. A block may be another one, and is asked for each time. */
enum { BUFFERS = 256 }; /* a power of two */
static struct buffer {
    const struct mem_cpu *cpu;
    uintptr_t pc;
    struct world_piece piece;
} buffers[BUFFERS];
static int buffers_of; /* so many segments */

void world_operates(const struct world_rank *rank, uintptr_t addr)
{
    const struct mem_cpu *cpu = rank->proc->cpu;
    const uintptr_t pc = cpu->call_pc;
    struct buffer *b = &buffers[(pc ^ (uintptr_t)rank->rank * 4) % BUFFERS];
    if (buffers_of != op_segments()) memset(buffers, 0, sizeof buffers);
    buffers_of = op_segments();
    if (b->cpu != cpu || b->pc != pc || addr - b->piece.from >= b->piece.to - b->piece.from) {
        *b = (struct buffer){cpu, pc, world_object(cpu, addr, mem_place(cpu, pc))};
        if (b->piece.row->memory == PROFILE_HEAP) b->cpu = NULL;
    }
    b->piece.row->operations++;
}

void world_objects_clear(void)
{
    g_clear_pointer(&variables, g_tree_unref);
    memset(buffers, 0, sizeof buffers);
}
