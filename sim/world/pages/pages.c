/* Memory that the library itself gives to ranks: windows, MPI_Alloc_mem.
 *
 * Host pages become model pages in the order of first touch (mem/page.c), so it shows in a run's
 * times which block lies where an earlier one lay. Therefore it is not taken from the heap of C's
 * library, which the simulator and all ranks share, and whose holes follow path lengths and the
 * environment: blocks are the kernel's, and one that is freed is kept for its rank. A block's size
 * is rounded up to one of four a doubling; its bytes go back to the host meanwhile.
 */
#include "world/pages/pages.h"

#include <sys/mman.h>

enum { PAGE_BYTES = 4096 }; /* mem's; the host's is a multiple, and a mapping whole pages */

struct block {
    int rank;
    size_t bytes;
    void *memory;
    bool used;
    struct block *next; /* freed ones of that size, the last one first */
};

static GHashTable *given; /* memory -> its block, in use or freed */
static GHashTable **kept; /* by rank: size -> freed blocks */

static size_t rounded(size_t bytes)
{
    size_t step = PAGE_BYTES;
    while (bytes > 8 * step) step *= 2;
    return MAX((bytes + step - 1) / step, 1) * step;
}

static struct block *block_new(int rank, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    struct block *block = g_new(struct block, 1);
    *block = (struct block){.rank = rank, .bytes = bytes, .memory = memory};
    g_hash_table_insert(given, memory, block);
    return block;
}

void *world_pages_new(const struct world_rank *rank, uint64_t bytes)
{
    if (bytes > SIZE_MAX / 2) return NULL;
    size_t size = rounded(bytes);
    if (!given) {
        given = g_hash_table_new(NULL, NULL);
        kept = g_new0(GHashTable *, world_ranks());
    }
    GHashTable **sizes = &kept[rank->rank];
    struct block *block = *sizes ? g_hash_table_lookup(*sizes, GSIZE_TO_POINTER(size)) : NULL;
    if (block)
        g_hash_table_insert(*sizes, GSIZE_TO_POINTER(size), block->next);
    else
        block = block_new(rank->rank, size);
    if (!block) return NULL;
    block->used = true;
    return block->memory;
}

bool world_pages_free(void *memory)
{
    struct block *block = given ? g_hash_table_lookup(given, memory) : NULL;
    if (!block || !block->used) return false;
    block->used = false;
    GHashTable **sizes = &kept[block->rank];
    madvise(memory, block->bytes, MADV_DONTNEED); /* zeros when it is used again */
    if (!*sizes) *sizes = g_hash_table_new(NULL, NULL);
    block->next = g_hash_table_lookup(*sizes, GSIZE_TO_POINTER(block->bytes));
    g_hash_table_insert(*sizes, GSIZE_TO_POINTER(block->bytes), block);
    return true;
}

uint64_t world_pages_bytes(const void *memory)
{
    const struct block *block = given ? g_hash_table_lookup(given, memory) : NULL;
    return block && block->used ? block->bytes : 0;
}
