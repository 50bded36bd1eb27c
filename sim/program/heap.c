/* Stand-ins for allocation: the rank's own heap. C++'s are in cplusplus_new.cc. */
#include "program/program.h"

#include <errno.h>
#include <malloc.h>
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
