/* What the blocks of the program cost on the machine of the run. */
#ifndef WORLD_PRICES_H
#define WORLD_PRICES_H

#include "base/base.h"

/* As instrumented code finds it (in_line.h). */
struct world_block {
    int64_t price; /* ticks of mem; WORLD_UNPRICED: the function that it begins has no prices yet */
    uint64_t count;
};
#define WORLD_UNPRICED INT64_MIN

/* An object's blocks, one behind the other; its sites (struct mem_site) lie below, site 0 just
 * there. One table for all ranks, for the whole run. `at`: an address in the program or library
 * that has the object. Ends the run where that has no description. */
const struct world_block *world_prices(uint64_t identity, uint32_t blocks, uint32_t sites,
                                       const void *at);
/* Prices the function of that object which begins with that block. It is entered for the first
 * time: nothing of it has been charged. */
void world_price(uint64_t identity, uint32_t first);
void world_prices_clear(void); /* at the end of a run */
/* Which words of its arguments may hold an address where instrumented objects call the function
 * (BLOCK_WORDS_STACK ...); all, where others may call it too. */
unsigned world_call_words(const char *callee);
/* Ticks of one of many calls of a function that library.def lists; 0: it does not, and outside a
 * run. */
int64_t world_library_ticks(const char *function);
/* Ticks of a comparison of qsort, the comparing function left out, which executes so many
 * operations where the machine does not say what it takes. */
int64_t world_comparison_ticks(uint32_t operations);
/* Ticks of a call of memcpy or memmove, memset, memcmp where the machine says what it takes: words
 * that hit pass beside it. 0: it does not say, and all are charged. */
struct world_beside {
    int64_t copy, fill, compare;
};
struct world_beside world_library_beside(void);
/* Ticks that a loop took less than its rounds were charged, by the second site of its branch; what
 * it leaves in the window is noted there. */
struct mem_site;
struct mem_branches;
/* What is lost where the rounds were not foreseen, 0: nothing, and the entry of who foresees them.
 */
struct world_end {
    int64_t lost;
    uint32_t number;
};
struct world_end world_end(const struct mem_site *site);
uint64_t world_overlap(struct mem_branches *branches, const struct mem_site *site, uint64_t rounds);
/* Ticks that a store took less than was charged for it, because the run it is of began in the
 * window, while the run before went on. The run is that of its place; `stores` counts those of the
 * processor. world_prices_profile knows of it. */
struct mem_runs;
int64_t world_again(struct mem_runs *runs, struct mem_site *site, uint64_t at, uint64_t stores);
/* What all blocks have cost until now goes to the profile, line by line; once: at the end of a run,
 * or where the first rank leaves MPI_Finalize, which all are in by then. What a program does behind
 * it takes no time of the run. */
void world_prices_profile(void);

#endif
