/* Guards around the blocks of the ranks' heaps: `run --check-memory`.
 *
 * Behind the last byte of a block lies a guard of known bytes, looked at when the block is freed
 * and when the rank ends. A freed block is filled with known bytes and kept back until the rank has
 * freed KEPT_BYTES more, or ends; then they are looked at. Both are done by the simulator and take
 * no simulated time; blocks lie at other addresses than without the check. Left out: stores far
 * behind a block or before it, loads of freed memory, blocks that C's library has allocated. */
#include "probe/guard.h"
#include "probe/access.h"
#include "probe/heap.h"
#include "world/place/place.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 16, GUARD = 0xfd, FREED = 0xdf };
enum { KEPT_BYTES = 16 << 20 };

struct block {
    size_t bytes;
    op_site made, freed; /* freed: 0 while it is in use */
};

/* Of a rank. */
static struct heap {
    GHashTable *block; /* its address: struct block */
    GQueue kept;       /* addresses of freed blocks, the oldest first */
    size_t kept_bytes;
} *heaps;

static struct heap *heap_of(int rank)
{
    if (!heaps) heaps = g_new0(struct heap, world_ranks());
    if (!heaps[rank].block)
        heaps[rank].block = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    return &heaps[rank];
}

/* The program's own line: of C++'s operators and containers, the one that uses them. */
static op_site users(uintptr_t pc) { return world_users_site(world_site_here(pc)); }

size_t probe_guarded(size_t n) { return n <= SIZE_MAX / 2 ? n + GUARD_BYTES : n; }

void probe_guard_made(void *p, size_t n, uintptr_t pc)
{
    struct block *block = g_new(struct block, 1);
    *block = (struct block){.bytes = n, .made = users(pc)};
    memset((char *)p + n, GUARD, GUARD_BYTES);
    g_hash_table_insert(heap_of(probe_rank())->block, p, block);
}

/* A rank may free what another has allocated. */
static struct block *find(void *p, struct heap **heap)
{
    for (int rank = 0; heaps && rank < world_ranks(); rank++) {
        struct block *block = heaps[rank].block ? g_hash_table_lookup(heaps[rank].block, p) : NULL;
        *heap = &heaps[rank];
        if (block) return block;
    }
    return NULL;
}

size_t probe_guard_bytes(void *p)
{
    struct heap *heap;
    struct block *block = find(p, &heap);
    return block ? block->bytes : probe_heap_room(p);
}

/* How many of the bytes are not `value`, and the first one that is not. */
static size_t changed(const unsigned char *p, size_t n, unsigned char value, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] != value && count++ == 0) *first = i;
    return count;
}

static void say(const struct block *block, const char *what, const char *seen)
{
    const struct world_rank *here = world_here();
    g_autofree char *freed =
        block->freed ? g_strdup_printf(", freed at %s", world_place(block->freed)) : NULL;
    g_autofree char *made = g_strdup(world_place(block->made));
    world_say("rank %d stored %s a block of %zu bytes, allocated at %s%s; seen %s",
              here ? here->rank : -1, what, block->bytes, made, freed ? freed : "", seen);
}

static void look_at_guard(const struct block *block, const void *p, const char *seen)
{
    size_t first = 0,
           count = changed((const unsigned char *)p + block->bytes, GUARD_BYTES, GUARD, &first);
    if (!count) return;
    g_autofree char *what =
        first == 0 ? g_strdup("just past the end of")
                   : g_strdup_printf("%zu byte%s past the end of", first, first > 1 ? "s" : "");
    say(block, what, seen);
}

static void look_at_freed(const struct block *block, const void *p, const char *seen)
{
    size_t first = 0, count = changed(p, block->bytes, FREED, &first);
    if (!count) return;
    g_autofree char *what = g_strdup_printf("into a freed block, at byte %zu of", first);
    say(block, what, seen);
}

/* The oldest kept block is given back to the heap. */
static void give_back(struct heap *heap)
{
    void *p = g_queue_pop_head(&heap->kept);
    struct block *block = g_hash_table_lookup(heap->block, p);
    look_at_freed(block, p, "when its memory was about to be used again");
    heap->kept_bytes -= block->bytes;
    g_hash_table_remove(heap->block, p);
    probe_heap_free(p);
}

void probe_guard_freed(void *p, uintptr_t pc)
{
    struct heap *heap;
    struct block *block = find(p, &heap);
    op_site site = users(pc);
    g_autofree char *at = g_strdup_printf("when it was freed at %s", world_place(site));
    if (!block) { /* the heap has its own words for that */
        probe_heap_free(p);
        return;
    }
    if (block->freed) {
        g_autofree char *made = g_strdup(world_place(block->made));
        g_autofree char *freed = g_strdup(world_place(block->freed));
        world_say("rank %d frees a block of %zu bytes twice: at %s and at %s; it was allocated at "
                  "%s",
                  world_here() ? world_here()->rank : -1, block->bytes, freed, world_place(site),
                  made);
        abort();
    }
    look_at_guard(block, p, at);
    block->freed = site ? site : 1;
    memset(p, FREED, block->bytes);
    g_queue_push_tail(&heap->kept, p);
    heap->kept_bytes += block->bytes;
    while (heap->kept_bytes > KEPT_BYTES) give_back(heap);
}

static int by_address(gconstpointer a, gconstpointer b)
{
    uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
    return (left > right) - (left < right);
}

void probe_guard_end(void)
{
    const struct world_rank *here = world_here(); /* after MPI_Finalize, too */
    if (!heaps || !here || !heaps[here->rank].block) return;
    int rank = here->rank;
    guint n;
    g_autofree gpointer *p = g_hash_table_get_keys_as_array(heaps[rank].block, &n);
    qsort(p, n, sizeof *p, by_address); /* or the order of messages would change between runs */
    for (guint i = 0; i < n; i++) {
        const struct block *block = g_hash_table_lookup(heaps[rank].block, p[i]);
        if (block->freed)
            look_at_freed(block, p[i], "at the end of the run");
        else
            look_at_guard(block, p[i], "at the end of the run");
    }
    g_hash_table_remove_all(heaps[rank].block);
    g_queue_clear(&heaps[rank].kept);
}
