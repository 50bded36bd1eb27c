/* probe, inside: calls of code that nobody instrumented. Not a door.
 *
 * Every call that a program makes of another library goes by an address which the dynamic linker
 * has put into the program's own table (System V ABI, global offset table). Where that library is
 * not instrumented, the address is replaced by that of a short piece of code of ours, which notes
 * the addresses of segments among the arguments and goes on to the function: arguments, return
 * address and stack are as they were. What the function has stored is looked for later
 * (sim/world/unseen/unseen.c). Left out: functions that the program finds by dlsym, and virtual
 * functions.
 */
#ifndef PROBE_FOREIGN_H
#define PROBE_FOREIGN_H

#include "probe/access.h"
#include "world/beside/beside.h"

#pragma GCC visibility push(hidden)

enum probe_foreign_kind {
    PROBE_FOREIGN_PLAIN, /* stores where its arguments point, directly or by memory they point to */
    PROBE_FOREIGN_KEEPS, /* and later calls store there */
    PROBE_FOREIGN_MPI,   /* stores where its arguments point, before it returns */
};
/* One function. Which of its arguments may hold an address: bit k is the k-th register. What the
 * code asks of the registers begins at `arguments`, and at `leads` where memory may lead on. */
struct probe_foreign_slot {
    void *function;
    uint16_t beside;                  /* world_beside_number */
    uint8_t kind;                     /* enum probe_foreign_kind */
    uint8_t registers, stack, called; /* called: it was, once at least */
    const char *arguments, *leads;
};
/* The i-th slot, and its code: those up to the next one are there already. (foreign_x86_64.c) */
struct probe_foreign_slot *probe_foreign_slot(size_t i);
void *probe_foreign_code(size_t i);
/* Its function's arguments are `words` (BLOCK_WORDS_STACK ...). (foreign_x86_64.c) */
void probe_foreign_words(size_t i, unsigned words);
/* More descriptions of instrumented objects were read: which words functions are handed. */
void probe_foreign_described(void);
/* Those of the program or library that was loaded at base, where its ELF header is, by the running
 * rank. */
void probe_foreign_calls(uintptr_t base, uintptr_t end);

/* What a program calls instead of a function that starts threads; NULL: this one does not.
 * (threads.c) */
void *probe_thread_call(const char *name, void *function);
/* The same instead of a function of C++'s library: `code`, or what plays its loads and stores and
 * goes on there. (cplusplus.c) */
void *probe_cplusplus_call(const char *symbol, void *code);
/* What functions of C's library load and store (beside.c); the last row has no name. */
extern const struct world_beside_row probe_beside[];
/* The library or program in [base, end) is instrumented. */
void probe_foreign_instrumented(uintptr_t base, uintptr_t end);

#pragma GCC visibility pop

#endif
