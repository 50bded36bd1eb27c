/* What a call of MPI loads and stores beside its buffers, for the check: numbers, flags, lists,
 * statuses; and what functions of C's library do that know how much. Every call that a program
 * makes of another library passes probe's piece of code (probe/foreign.h), which notes its
 * arguments here; what they are is said by a table, a dialect's or probe's. A call that waits for
 * nobody counts where it begins; the others' loads there, and their stores when they are over. */
#ifndef WORLD_BESIDE_H
#define WORLD_BESIDE_H

#include "world/rank/rank.h"

struct world_beside_row {
    const char *name; /* as the program has it: "MPI_Test", "mpi_test_" */
    const char *call;
    bool local; /* waits for nobody */
    /* calls world_beside for each; word: its arguments; over: what it has stored, or what it loads
     */
    void (*judge)(const uintptr_t *word, bool over);
};
/* The last has no name. Static storage; again: nothing happens. */
void world_beside_use(const struct world_beside_row *table);
void world_beside(const void *at, uint64_t bytes, bool stores);

/* A number for the function, which mem_foreign.asked has while it is called; 0: nothing is to be
 * noted of it. */
uint16_t world_beside_number(const char *name);
/* The program's call that the processor has noted begins; its rank's outermost call is over. */
void world_beside_begins(struct mem_cpu *cpu);
void world_beside_over(struct world_rank *rank);

#endif
