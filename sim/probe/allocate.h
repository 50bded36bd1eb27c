/* probe, inside: freeing and growing a block of a rank's heap, whoever asks. Not a door. */
#ifndef PROBE_ALLOCATE_H
#define PROBE_ALLOCATE_H

#include "base/base.h"

#pragma GCC visibility push(hidden)

/* pc: of the call, for messages */
void probe_release(void *p, uintptr_t pc);
void *probe_resize(void *p, size_t n, uintptr_t pc); /* n > 0 */

#pragma GCC visibility pop

#endif
