/* probe, inside: guards of the blocks of the ranks' heaps, for `run --check-memory`. Not a door. */
#ifndef PROBE_GUARD_H
#define PROBE_GUARD_H

#include "base/base.h"

#pragma GCC visibility push(hidden)

size_t probe_guarded(size_t n); /* bytes of a block for n, with its guard */
/* The running rank's program has allocated n bytes at pc. */
void probe_guard_made(void *p, size_t n, uintptr_t pc);
size_t probe_guard_bytes(void *p); /* that it was allocated with */
/* Is its guard as it was? Bytes of a freed block are kept back for a while, for nobody may store
 * into them. */
void probe_guard_freed(void *p, uintptr_t pc);
/* The running rank's program ends: all its blocks are looked at. */
void probe_guard_end(void);

#pragma GCC visibility pop

#endif
