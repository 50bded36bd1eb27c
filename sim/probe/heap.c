/* The ranks' heaps: where a block lies inside its page depends on the rank's own calls and on
 * nothing else.
 *
 * Pages are mapped first-touch by mem, so a block's offset in its page is all that timing can see
 * of its address. C's library shares one heap between the simulator and all ranks, where that
 * offset would follow path lengths and the environment. So each rank has an arena out of one
 * reserved range. Small blocks lie as glibc lays them: stride a multiple of 16, the block's size in
 * the 8 bytes before it; freed ones are kept in lists by stride. Blocks from 128 KiB on are runs of
 * pages, 16 bytes into the first, as glibc maps them, and their pages go back to the host when
 * freed. Left out: joining freed small blocks.
 *
 * A pointer's owner is known by its address, whoever frees it.
 */
#include "probe/heap.h"
#include "probe/access.h"
#include "probe/stand_ins.h"
#include "mem/mem.h"
#include "world/block/block.h"
#include "world/rank/rank.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 16, HEAD = 8, SMALL_BINS = 64, BINS = SMALL_BINS + 4 * 7 };
enum { PAGE = 4096 }; /* mem's page; the host's is a multiple */
enum { FIRST = 784 }; /* bytes of a page before the first small block, whatever we keep of a heap */
static const size_t large_bytes = (size_t)128 << 10; /* glibc's M_MMAP_THRESHOLD and M_TOP_PAD */
static const size_t mapped_most = (size_t)32 << 20;  /* its DEFAULT_MMAP_THRESHOLD_MAX */
static const size_t arena_most = (size_t)64 << 30, arena_least = (size_t)64 << 20;

/* The word before a block: its stride or run length in bytes, and what it is. */
/* ALIGNED: the word is the distance back to the block it lies in; MAPPED: large, and glibc would
 * have asked the system for it alone */
enum { LARGE = 1, ALIGNED = 2, FREED = 4, MAPPED = 8, KIND = 15 };

struct run {
    size_t bytes;
    struct run *next;
    bool clean; /* all of it has gone back to the system */
}; /* a freed run, in its first page; the list is in address order */

/* In the arena's first page; small blocks begin in the next one, runs fill the upper half. */
struct arena {
    char *small, *small_end; /* never used: [small, small_end) */
    char *runs, *runs_end;
    struct run *free_run;
    size_t mapped;   /* blocks of so many bytes and more are */
    size_t kept;     /* of freed blocks that were not, which the system has not got back */
    void *bin[BINS]; /* freed blocks of a stride; each begins with the next one's address */
};

_Static_assert(sizeof(struct arena) <= PAGE, "it has a page");

static char *base;
static size_t arena_bytes, arenas;
static bool tried;

/* ---- arenas ---------------------------------------------------------------------------------- */

static void reserve(void)
{
    tried = true;
    size_t ranks = (size_t)world_ranks();
    for (size_t each = arena_most; each >= arena_least; each /= 2) {
        if (each > ((size_t)1 << 46) / ranks) continue; /* half of what the processor can address */
        void *p = mmap(NULL, each * ranks, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        madvise(p, each * ranks, MADV_NOHUGEPAGE); /* a huge page a rank would be 2 MiB a rank */
        arena_bytes = each;
        arenas = ranks;
        base = p;
        world_heaps((uintptr_t)p, (uint32_t)__builtin_ctzll(each), ranks);
        return;
    }
    fputs("sidewinder: no address space for the ranks' heaps; times may differ from run to run\n",
          stderr);
}

bool probe_heap_owns(const void *p)
{
    return (size_t)((const char *)p - base) < arena_bytes * arenas;
}

static struct arena *arena_of(const void *p)
{
    return (struct arena *)(base + (size_t)((const char *)p - base) / arena_bytes * arena_bytes);
}

/* Of the rank whose code is running; NULL: C's library shall do it. */
static struct arena *arena_here(void)
{
    int rank = probe_rank();
    if (rank < 0) return NULL;
    if (!tried) reserve();
    if ((size_t)rank >= arenas) return NULL;
    struct arena *a = (struct arena *)(base + (size_t)rank * arena_bytes);
    if (!a->small) {
        a->small = (char *)a + PAGE + FIRST + HEAD;
        a->runs = a->small_end = (char *)a + arena_bytes / 2;
        a->runs_end = (char *)a + arena_bytes;
        a->mapped = large_bytes;
    }
    return a;
}

static size_t *head(void *p) { return (size_t *)p - 1; }

/* ---- small blocks ---------------------------------------------------------------------------- */

static size_t stride_of(size_t n)
{
    size_t stride = (n + HEAD + ALIGN - 1) / ALIGN * ALIGN;
    if (stride < 2 * ALIGN) return 2 * ALIGN; /* glibc's least */
    if (stride <= SMALL_BINS * ALIGN) return stride;
    size_t quarter = ALIGN; /* above 1 KiB: four strides from each power of two to the next */
    while (stride > 8 * quarter) quarter *= 2;
    return (stride + quarter - 1) / quarter * quarter;
}

static int bin_of(size_t stride)
{
    if (stride <= SMALL_BINS * ALIGN) return (int)(stride / ALIGN) - 1;
    int bin = SMALL_BINS;
    size_t quarter = SMALL_BINS * ALIGN / 4;
    while (stride > 8 * quarter) {
        quarter *= 2;
        bin += 4;
    }
    return bin + (int)(stride / quarter) - 5;
}

/* *fresh: nobody has used these bytes before; they are zero. */
static void *small_new(struct arena *a, size_t n, bool *fresh)
{
    size_t stride = stride_of(n);
    void **bin = &a->bin[bin_of(stride)];
    void *p = *bin;
    *fresh = !p;
    if (p) {
        memcpy(bin, p, sizeof *bin);
    } else {
        if ((size_t)(a->small_end - a->small) < stride) return NULL;
        p = a->small + HEAD;
        a->small += stride;
    }
    *head(p) = stride;
    return p;
}

static void small_free(struct arena *a, void *p)
{
    void **bin = &a->bin[bin_of(*head(p))];
    memcpy(p, bin, sizeof *bin);
    *bin = p;
    *head(p) |= FREED;
}

/* ---- runs of pages --------------------------------------------------------------------------- */

static void *run_new(struct arena *a, size_t n, bool *fresh)
{
    size_t bytes = (n + ALIGN + PAGE - 1) / PAGE * PAGE;
    char *run = NULL;
    *fresh = true;
    for (struct run **link = &a->free_run; *link; link = &(*link)->next) {
        struct run *free_run = *link;
        if (free_run->bytes < bytes) continue;
        run = (char *)free_run;
        struct run *next = free_run->next;
        if (free_run->bytes > bytes) {
            struct run *rest = (struct run *)(run + bytes);
            *rest = (struct run){free_run->bytes - bytes, next, free_run->clean};
            next = rest;
        }
        *link = next;
        *fresh = free_run->clean;
        memset(run, 0, sizeof(struct run));
        break;
    }
    if (!run) {
        if ((size_t)(a->runs_end - a->runs) < bytes) return NULL;
        run = a->runs;
        a->runs += bytes;
    }
    void *p = run + ALIGN;
    *head(p) = bytes | LARGE | (n + ALIGN >= a->mapped ? MAPPED : 0);
    if (n + ALIGN < a->mapped) a->kept -= MIN(a->kept, bytes);
    return p;
}

static void give_back(struct run *run, size_t from)
{
    mem_given_back(world_cpu(), (uintptr_t)run + from, run->bytes - from);
}

/* glibc gives a block back at once that it has mapped, and maps none as small as that from then on
 * (its manual: M_MMAP_THRESHOLD); others when twice as much lies at the end of the heap. */
static void returned(struct arena *a, struct run *freed, bool mapped, size_t bytes)
{
    if (mapped && bytes > a->mapped && bytes <= mapped_most) a->mapped = bytes;
    if (!mapped) a->kept += bytes;
    if (mapped || freed->clean || (char *)freed + freed->bytes < a->runs) return;
    if (a->kept + large_bytes < 2 * a->mapped || freed->bytes <= large_bytes) return;
    give_back(freed, large_bytes);
    a->kept = large_bytes;
}

static void run_free(struct arena *a, void *p)
{
    size_t bytes = *head(p) & ~(size_t)KIND;
    bool mapped = *head(p) & MAPPED;
    char *start = (char *)p - ALIGN;
    madvise(start, bytes, MADV_DONTNEED);
    struct run **link = &a->free_run, *before = NULL;
    while (*link && (char *)*link < start) {
        before = *link;
        link = &(*link)->next;
    }
    struct run *after = *link, *freed = (struct run *)start;
    *freed = (struct run){bytes, after, mapped};
    *link = freed;
    if (mapped) give_back(freed, 0);
    if (after && start + bytes == (char *)after) {
        *freed = (struct run){bytes + after->bytes, after->next, mapped && after->clean};
        memset(after, 0, sizeof *after);
    }
    if (before && (char *)before + before->bytes == start) {
        *before =
            (struct run){before->bytes + freed->bytes, freed->next, before->clean && freed->clean};
        memset(freed, 0, sizeof *freed);
        freed = before;
    }
    returned(a, freed, mapped, bytes);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void *new_block(struct arena *a, size_t n, bool *fresh)
{
    void *p = NULL;
    if (n < arena_bytes) p = n >= large_bytes ? run_new(a, n, fresh) : small_new(a, n, fresh);
    if (!p) errno = ENOMEM;
    return p;
}

bool probe_heap_new(size_t n, void **p, bool *fresh)
{
    struct arena *a = arena_here();
    if (a) *p = new_block(a, n, fresh);
    return a != NULL;
}

bool probe_heap_new_aligned(size_t alignment, size_t n, void **q)
{
    struct arena *a = arena_here();
    if (!a) return false;
    bool fresh;
    if (n >= arena_bytes || alignment >= arena_bytes) n = SIZE_MAX - alignment;
    char *p = alignment <= ALIGN ? new_block(a, n, &fresh) : new_block(a, n + alignment, &fresh);
    *q = p;
    if (!p || (uintptr_t)p % alignment == 0) return true;
    char *aligned = (char *)(((uintptr_t)p + alignment - 1) & ~(uintptr_t)(alignment - 1));
    *head(aligned) = (size_t)(aligned - p) | ALIGNED;
    *q = aligned;
    return true;
}

/* The block that p, perhaps an aligned place inside, belongs to. */
static void *block_of(void *p)
{
    return *head(p) & ALIGNED ? (char *)p - (*head(p) & ~(size_t)KIND) : p;
}

void *probe_heap_block(void *p, size_t *bytes)
{
    char *block = block_of(p);
    *bytes = *head(block) & ~(size_t)KIND;
    return *head(block) & LARGE ? block - ALIGN : block;
}

size_t probe_heap_room(void *p)
{
    char *block = block_of(p);
    size_t bytes = *head(block) & ~(size_t)KIND;
    char *end = *head(block) & LARGE ? block - ALIGN + bytes : block - HEAD + bytes;
    return (size_t)(end - (char *)p);
}

void probe_heap_free(void *p)
{
    struct arena *a = arena_of(p);
    void *block = block_of(p);
    size_t bytes = *head(block) & ~(size_t)KIND;
    if ((uintptr_t)p % ALIGN || bytes == 0 || bytes > arena_bytes / 2) {
        fputs("sidewinder: the program frees a pointer that malloc did not return\n", stderr);
        abort();
    }
    if (*head(block) & FREED) {
        fputs("sidewinder: the program frees a pointer twice\n", stderr);
        abort();
    }
    if (*head(block) & LARGE)
        run_free(a, block);
    else
        small_free(a, block);
}

void *probe_heap_realloc(void *p, size_t n, uintptr_t pc)
{
    size_t room = probe_heap_room(p);
    if (n <= room && (n >= room / 2 || room < 2 * large_bytes)) return p;
    bool fresh, large = *head(block_of(p)) & LARGE;
    void *q = new_block(arena_of(p), n, &fresh);
    if (!q) return NULL;
    if (large) {
        memcpy(q, p, MIN(n, room)); /* glibc moves the pages */
        mem_moved(world_cpu(), (uintptr_t)q - ALIGN, MIN(n, room) + ALIGN);
    } else
        probe_copy(q, p, MIN(n, room), pc);
    const size_t kept = arena_of(p)->kept;
    probe_heap_free(p);
    if (large) arena_of(p)->kept = kept; /* glibc's last block grows where it is */
    return q;
}
