/* A tree of blocks by address. See block.h. */
#include "world/block/block.h"

#include "world/place/place.h"
#include "world/rank/state.h"

struct block {
    uint64_t bytes;
    op_site site;
};
static GTree *blocks; /* address -> struct block */
bool world_blocks_on;

static gint by_address(gconstpointer a, gconstpointer b, gpointer data)
{
    (void)data;
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* The nearest block at or below; NULL: none. */
static GTreeNode *nearest(uintptr_t addr)
{
    if (!blocks) return NULL;
    GTreeNode *above = g_tree_upper_bound(blocks, (gpointer)addr);
    return above ? g_tree_node_previous(above) : g_tree_node_last(blocks);
}

/* Freed blocks whose bytes are those of the new one now. */
static void forget(uintptr_t from, uint64_t bytes)
{
    for (GTreeNode *node; bytes > 0 && (node = nearest(from + bytes - 1));) {
        const uintptr_t addr = (uintptr_t)g_tree_node_key(node);
        const struct block *old = g_tree_node_value(node);
        if (addr + MAX(old->bytes, 1) <= from) return;
        g_tree_remove(blocks, (gpointer)addr);
    }
}

void world_allocated(const void *p, uint64_t bytes, uintptr_t pc)
{
    const struct world_rank_state *state = world_state_here();
    if (!state) return;
    /* what an MPI call allocates for the program is that call's */
    const op_site site =
        state->call ? world_site_of(state, state->pc) : world_users_site(world_site_of(state, pc));
    if (!blocks) blocks = g_tree_new_full(by_address, NULL, NULL, g_free);
    forget((uintptr_t)p, bytes);
    struct block *block = g_new(struct block, 1);
    *block = (struct block){bytes, site};
    g_tree_replace(blocks, (gpointer)(uintptr_t)p, block);
}

op_site world_block_at(uintptr_t addr, uint64_t *within, uint64_t *bytes)
{
    GTreeNode *node = nearest(addr);
    if (!node) return 0;
    const struct block *block = g_tree_node_value(node);
    *within = addr - (uintptr_t)g_tree_node_key(node);
    *bytes = block->bytes;
    return *within < block->bytes ? block->site : 0;
}

void world_blocks_clear(void)
{
    g_clear_pointer(&blocks, g_tree_unref);
    world_blocks_on = false;
    world_marks_clear();
}
