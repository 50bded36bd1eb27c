/* probe, inside: blocks of the ranks' heaps. Not a door. */
#ifndef PROBE_HEAP_H
#define PROBE_HEAP_H

#include "base/base.h"

/* glibc's own entrances to its heap, meant for this (glibc manual, Replacing malloc). */
extern void __libc_free(void *p);
extern void *__libc_realloc(void *p, size_t n);

#pragma GCC visibility push(hidden)

bool probe_heap_owns(const void *p);
void probe_heap_free(void *p);
void *probe_heap_realloc(void *p, size_t n); /* n > 0 */

#pragma GCC visibility pop

#endif
