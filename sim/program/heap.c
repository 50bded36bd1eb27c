/* Stand-ins for allocation, C's and C++'s: the rank's own heap. */
#include "program/program.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

OF_THE_RANK void *malloc(size_t n) { return probe_calls.malloc(n); }
OF_THE_RANK void *calloc(size_t n, size_t bytes) { return probe_calls.calloc(n, bytes); }
OF_THE_RANK void *realloc(void *p, size_t n) { return probe_calls.realloc(p, n); }
OF_THE_RANK void free(void *p) { probe_calls.free(p); }
OF_THE_RANK void cfree(void *p);
OF_THE_RANK void cfree(void *p) { probe_calls.free(p); }
OF_THE_RANK void *memalign(size_t alignment, size_t n)
{
    return probe_calls.memalign(alignment, n);
}
OF_THE_RANK void *aligned_alloc(size_t alignment, size_t n)
{
    return probe_calls.memalign(alignment, n);
}
OF_THE_RANK void *valloc(size_t n) { return probe_calls.memalign(4096, n); }
OF_THE_RANK size_t malloc_usable_size(void *p) { return probe_calls.malloc_usable_size(p); }

OF_THE_RANK void *reallocarray(void *p, size_t n, size_t bytes)
{
    size_t all;
    if (!__builtin_mul_overflow(n, bytes, &all)) return probe_calls.realloc(p, all);
    errno = ENOMEM;
    return NULL;
}

OF_THE_RANK int posix_memalign(void **p, size_t alignment, size_t n)
{
    int kept = errno;
    if (alignment < sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
    void *block = probe_calls.memalign(alignment, n);
    errno = kept;
    if (!block) return ENOMEM;
    *p = block;
    probe_calls.gave(p, sizeof *p, (uintptr_t)__builtin_return_address(0));
    return 0;
}

/* ---- operator new and delete, by their names in the C++ ABI (Itanium, 5.1.4)
 * ------------------------------------- libstdc++'s call the malloc of C's library. Weak in the
 * standard's sense too: a program may replace them. */

static void *new_or_die(void *p, size_t n)
{
    if (p) return p;
    /* std::bad_alloc needs the C++ runtime, which a C program does not have. */
    fprintf(stderr, "sidewinder: operator new: no memory for %zu bytes\n", n);
    abort();
}

#define NEW(name)                                                                                  \
    OF_THE_RANK void *name(size_t n);                                                              \
    OF_THE_RANK void *name(size_t n) { return new_or_die(probe_calls.malloc(n), n); }
#define NEW_TRY(name)                                                                              \
    OF_THE_RANK void *name(size_t n, const void *tag);                                             \
    OF_THE_RANK void *name(size_t n, const void *tag)                                              \
    {                                                                                              \
        (void)tag;                                                                                 \
        return probe_calls.malloc(n);                                                              \
    }
#define NEW_ALIGNED(name)                                                                          \
    OF_THE_RANK void *name(size_t n, size_t alignment);                                            \
    OF_THE_RANK void *name(size_t n, size_t alignment)                                             \
    {                                                                                              \
        return new_or_die(probe_calls.memalign(alignment, n), n);                                  \
    }
#define NEW_ALIGNED_TRY(name)                                                                      \
    OF_THE_RANK void *name(size_t n, size_t alignment, const void *tag);                           \
    OF_THE_RANK void *name(size_t n, size_t alignment, const void *tag)                            \
    {                                                                                              \
        (void)tag;                                                                                 \
        return probe_calls.memalign(alignment, n);                                                 \
    }
/* Size, alignment and tag do not matter: the block knows. */
#define DELETE(name)                                                                               \
    OF_THE_RANK void name(void *p);                                                                \
    OF_THE_RANK void name(void *p) { probe_calls.free(p); }

NEW(_Znwm)
NEW(_Znam)
NEW_TRY(_ZnwmRKSt9nothrow_t)
NEW_TRY(_ZnamRKSt9nothrow_t)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
NEW_ALIGNED_TRY(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW_ALIGNED_TRY(_ZnamSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvRKSt9nothrow_t)
DELETE(_ZdaPvRKSt9nothrow_t)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t)
