/* probe, inside: blocks of the ranks' heaps. Not a door. */
#ifndef PROBE_HEAP_H
#define PROBE_HEAP_H

#include "base/base.h"

/* glibc's own entrances to its heap, meant for this (glibc manual, Replacing malloc). */
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t n);
extern void __libc_free(void *p);
extern void *__libc_realloc(void *p, size_t n);

#pragma GCC visibility push(hidden)

bool probe_heap_owns(const void *p);
/* A block of the running rank's in *p, NULL with ENOMEM: there is no room. *fresh: nobody has used
 * its bytes before; they are zero. False: no rank is running, and C's library shall do it. */
bool probe_heap_new(size_t n, void **p, bool *fresh);
bool probe_heap_new_aligned(size_t alignment, size_t n, void **p);
/* Where the block begins that has p, and how many bytes it takes. */
void *probe_heap_block(void *p, size_t *bytes);
size_t probe_heap_room(void *p); /* bytes from p to the end of its block */
void probe_heap_free(void *p);
/* Grows or shrinks a block, for the call at pc; n > 0. */
void *probe_heap_realloc(void *p, size_t n, uintptr_t pc);

#pragma GCC visibility pop

#endif
