/* malloc and its family, as C's library promises them: in a rank, blocks of its heap (heap.c), with
 * guards where `run --check-memory` wants them (guard.c); outside a rank C's library does the work.
 */
#include "base/floating/floating.h"
#include "probe/access.h"
#include "probe/allocate.h"
#include "probe/guard.h"
#include "probe/heap.h"
#include "probe/stand_ins.h"
#include "world/block/block.h"
#include "world/hits/hits.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

static size_t wanted(size_t n) { return G_UNLIKELY(world_checks_heap) ? probe_guarded(n) : n; }

static void named(void *p, size_t n, uintptr_t pc)
{
    size_t bytes;
    const unsigned floating = base_sse_begin(); /* how large a table of objects is to be */
    const uintptr_t block = (uintptr_t)probe_heap_block(p, &bytes);
    const bool changed = world_block_made(block, bytes, pc);
    if (G_UNLIKELY(world_blocks_on)) world_allocated(p, n, pc);
    if (G_UNLIKELY(profile_hits_on) && changed) world_hits_allocated(world_cpu());
    base_sse_end(floating);
}

static void *made(void *p, size_t n, uintptr_t pc)
{
    if (G_UNLIKELY(world_checks_heap) && p) probe_guard_made(p, n, pc);
    if (p) named(p, n, pc);
    return p;
}

static void *allocate(size_t n, uintptr_t pc)
{
    void *p;
    bool fresh;
    return probe_heap_new(wanted(n), &p, &fresh) ? made(p, n, pc) : __libc_malloc(n);
}

void *probe_malloc(size_t n) { return allocate(n, PROBE_CALLER); }

void *probe_calloc(size_t n, size_t bytes)
{
    void *p;
    size_t all;
    bool fresh, over = __builtin_mul_overflow(n, bytes, &all);
    if (!probe_heap_new(over ? SIZE_MAX : wanted(all), &p, &fresh)) return __libc_calloc(n, bytes);
    if (p && !fresh) probe_memset(p, 0, all);
    return made(p, all, PROBE_CALLER);
}

void *probe_memalign(size_t alignment, size_t n)
{
    if (alignment & (alignment - 1) || alignment == 0) {
        errno = EINVAL;
        return NULL;
    }
    void *p;
    if (!probe_heap_new_aligned(alignment, wanted(n), &p)) return __libc_memalign(alignment, n);
    return made(p, n, PROBE_CALLER);
}

void probe_release(void *p, uintptr_t pc)
{
    if (G_UNLIKELY(world_checks_heap))
        probe_guard_freed(p, pc);
    else
        probe_heap_free(p);
}

void probe_free(void *p)
{
    if (p && probe_heap_owns(p)) {
        if (__builtin_expect(check_on, 0))
            world_freed((uintptr_t)p, probe_heap_room(p), "free", PROBE_CALLER);
        probe_release(p, PROBE_CALLER);
    } else
        __libc_free(p);
}

/* A checked block moves always: its guard lies right behind its last byte. */
static void *move(void *p, size_t n, uintptr_t pc)
{
    void *q = allocate(n, pc);
    if (!q) return NULL;
    probe_copy(q, p, MIN(n, probe_guard_bytes(p)), pc);
    probe_guard_freed(p, pc);
    return q;
}

void *probe_resize(void *p, size_t n, uintptr_t pc)
{
    size_t room = probe_heap_room(p);
    void *q = G_UNLIKELY(world_checks_heap) ? move(p, n, pc) : probe_heap_realloc(p, n, pc);
    if (G_UNLIKELY(check_on) && q && q != p) world_freed((uintptr_t)p, room, "realloc", pc);
    if (q && !world_checks_heap) named(q, n, pc);
    return q;
}

void *probe_realloc(void *p, size_t n)
{
    if (!p) return allocate(n, PROBE_CALLER);
    if (!probe_heap_owns(p)) return __libc_realloc(p, n);
    if (n > 0) return probe_resize(p, n, PROBE_CALLER);
    if (G_UNLIKELY(check_on))
        world_freed((uintptr_t)p, probe_heap_room(p), "realloc", PROBE_CALLER);
    probe_release(p, PROBE_CALLER);
    return NULL;
}

size_t probe_malloc_usable_size(void *p)
{
    if (!p) return 0;
    if (!probe_heap_owns(p)) return PROBE_LIBRARY(malloc_usable_size)(p);
    return G_UNLIKELY(world_checks_heap) ? probe_guard_bytes(p) : probe_heap_room(p);
}

/* ---- pages of the program's own ---------------------------------------------------------------
 */

static void given_back(void *p, size_t n)
{
    if (probe_active()) mem_given_back(world_cpu(), (uintptr_t)p, n);
}

/* Pages that an operation still has stay, and the check's report is written at the run's end. */
int probe_munmap(void *p, size_t n)
{
    const bool used = G_UNLIKELY(check_on) && world_freed((uintptr_t)p, n, "munmap", PROBE_CALLER);
    int code = used ? madvise(p, n, MADV_DONTNEED) : munmap(p, n);
    if (code == 0) given_back(p, n);
    return code;
}

int probe_madvise(void *p, size_t n, int advice)
{
    int code = madvise(p, n, advice);
    if (code == 0 && advice == MADV_DONTNEED) given_back(p, n);
    return code;
}
