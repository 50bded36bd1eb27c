/* foreign: calls that a rank made of code which nobody instrumented, since somebody last looked
 * what they have stored into segments (sim/mem/agent/unseen.c). probe notes them, as cheaply as can
 * be; the bounds are mem's. */
#ifndef MEM_ACCESS_FOREIGN_H
#define MEM_ACCESS_FOREIGN_H

#include "base/base.h"

enum {
    MEM_FOREIGN_MOST = 16,
    MEM_FOREIGN_FILLED = 4,
    MEM_FOREIGN_WORDS = 14,       /* no call of MPI has more */
    MEM_FOREIGN_SMALL = 256 << 10 /* bytes of segments */
};

struct mem_foreign {
    uintptr_t low, bytes; /* all segments of the node lie in so many bytes */
    uintptr_t pc, sp; /* as below, of the last call that may store where it was not pointed to */
    bool reaches;     /* such a call has found, or kept, a pointer into those bytes */
    bool keeps;       /* a library has kept one */
    uintptr_t stack;  /* where the rank's stack begins, its highest address; 0: not known */
    /* the check's: buffers that operations on their way fill lie in so many bytes; what calls were
     * handed of them */
    uintptr_t fills, fills_bytes;
    uint32_t filled;
    struct {
        uintptr_t addr, pc;
    } fill[MEM_FOREIGN_FILLED];
    /* the check's: the call of MPI that is under way, as world/beside/beside.h numbers it, and the
     * words of its arguments; number 0: none is to be known */
    struct {
        uint16_t number;
        uintptr_t pc, sp; /* as below */
        uintptr_t word[MEM_FOREIGN_WORDS];
    } asked;
    uint32_t n;
    struct {
        uintptr_t addr, pc; /* a pointer into those bytes that was handed to the call at pc */
        uintptr_t sp;       /* where its arguments on the stack begin, above its return address;
                               0: it has returned */
        bool mpi;           /* MPI's: it stores there by itself only, and before it returns */
        bool known;         /* the check knows what it loads and stores (asked) */
    } at[MEM_FOREIGN_MOST];
};

/* Has the call noted so not returned yet, where the stack has grown down to `here`? No is certain:
 * its return address is where it was while it lasts. */
static inline bool mem_foreign_lasts(uintptr_t sp, uintptr_t pc, uintptr_t here)
{
    return here < sp && *(const uintptr_t *)(sp - sizeof(uintptr_t)) == pc;
}

#endif
