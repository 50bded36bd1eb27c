/* ledger: what a processor owes the clock. The one place where something is added to it.
 *
 * Instrumented code adds its blocks' prices here, and its accesses: what hits the first level is in
 * the price. Counts are folded in when somebody wants them.
 */
#ifndef MEM_TIME_LEDGER_H
#define MEM_TIME_LEDGER_H

#include "mem/time/ticks.h"

struct mem_ledger {
    /* counts of instrumented code, not folded in yet: hits of the first level */
    uint64_t loads, stores;
    /* owed: what the program computes, of which instrumented code charges its blocks itself; below
     * 0 where a loop took less than was charged, and paid, for its rounds */
    int64_t work;
    /* simulated clock at the last payment; owed since, beside work: what memory makes it wait */
    int64_t clock, memory;
    int64_t load_word, store_word; /* work of a word that a library or an agent loads or stores */
    uint64_t folded_loads, folded_stores; /* counts of instrumented code that were folded in */
};

static inline int64_t mem_owed(const struct mem_ledger *l) { return l->work + l->memory; }
static inline int64_t mem_now(const struct mem_ledger *l) { return l->clock + mem_owed(l); }

/* An access that is so much work and makes the processor wait so long. */
static inline void mem_charge(struct mem_ledger *l, int64_t work, int64_t stall)
{
    l->work += work;
    l->memory += stall;
}
/* Computation that no block shows. */
void mem_charge_compute(struct mem_ledger *l, int64_t ticks);
/* Returns the counts, which are 0 afterwards: accesses that the caller has to count elsewhere. */
struct mem_fold {
    uint64_t loads, stores;
};
struct mem_fold mem_ledger_fold(struct mem_ledger *l);

/* The clock has come there. */
static inline void mem_ledger_set(struct mem_ledger *l, int64_t now) { l->clock = now; }
/* What is owed, if it is more than nothing; it is zero afterwards, and the clock is where it will
 * be when that is paid. */
struct mem_debt {
    int64_t work, memory;
};
struct mem_debt mem_ledger_take(struct mem_ledger *l);

/* Accesses at another date, on the rank's behalf: what the processor owes is put aside, and comes
 * back at the end, which returns what the accesses took. The counts are folded before. */
struct mem_ledger mem_ledger_begin(struct mem_ledger *l, int64_t at);
struct mem_debt mem_ledger_end(struct mem_ledger *l, struct mem_ledger before);

#endif
