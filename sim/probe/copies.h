/* probe, inside: assignments of more than a word. Not a door. */
#ifndef PROBE_COPIES_H
#define PROBE_COPIES_H

#include "base/base.h"

/* Does the statement whose store hook returns to pc still have its load before it? */
__attribute__((visibility("hidden"))) bool probe_copy_follows(uintptr_t pc);

/* An assignment of many bytes is announced by hooks; in Fortran a call of memcpy or memset then
 * does it, which is not to be played again. from: NULL: zeros are assigned. */
struct probe_announced {
    const void *to, *from;
    uint64_t bytes;
    uintptr_t pc; /* of the last of its hooks */
};
extern struct probe_announced probe_announced __attribute__((visibility("hidden")));
/* Is a call that returns to pc the one? Once only. */
static inline bool probe_was_announced(const void *to, const void *from, size_t n, uintptr_t pc)
{
    enum { NEAR = 64 }; /* bytes of code that pass the arguments */
    const struct probe_announced *a = &probe_announced;
    bool yes = a->to == to && a->from == from && a->bytes == n && pc > a->pc && pc - a->pc <= NEAR;
    if (yes) probe_announced.pc = 0;
    return yes;
}

#endif
