/* ledger: what a processor owes the clock. The one place where something is added to it.
 *
 * The fast path only counts; its counts are charges too, folded in when somebody wants them apart.
 */
#ifndef MEM_TIME_LEDGER_H
#define MEM_TIME_LEDGER_H

#include "mem/time/ticks.h"

struct mem_ledger {
    /* counts of the fast path, not folded in yet: hits of the first level; line fetches, and their
     * ticks */
    uint64_t loads, stores, misses;
    int64_t missed;
    /* simulated clock at the last payment, and what is owed since */
    int64_t clock, compute, memory;
    int64_t access, access_hit; /* compute of an access; that and a hit of the first level */
};

static inline int64_t mem_owed(const struct mem_ledger *l)
{
    return l->compute + l->memory + l->missed + (int64_t)l->misses * l->access +
           (int64_t)(l->loads + l->stores) * l->access_hit;
}
static inline int64_t mem_now(const struct mem_ledger *l) { return l->clock + mem_owed(l); }

/* n accesses of the program that made the processor wait so long in all. */
static inline void mem_charge(struct mem_ledger *l, int64_t n, int64_t stall)
{
    l->compute += n * l->access;
    l->memory += stall;
}
/* Computation that no access shows. */
void mem_charge_compute(struct mem_ledger *l, int64_t ticks);
/* Turns the counts into charge and returns them: accesses that the caller has to count elsewhere.
 */
struct mem_fold {
    uint64_t loads, stores, misses; /* misses: loads too, not among the loads */
};
struct mem_fold mem_ledger_fold(struct mem_ledger *l);

/* Accesses at another date, on the rank's behalf: what the processor owes is put aside, and comes
 * back at the end, which returns what the accesses took. The counts are folded before. */
struct mem_ledger mem_ledger_begin(struct mem_ledger *l, int64_t at);
int64_t mem_ledger_end(struct mem_ledger *l, struct mem_ledger before);

/* The clock has come there. */
static inline void mem_ledger_set(struct mem_ledger *l, int64_t now) { l->clock = now; }
/* What is owed; it is zero afterwards, and the clock is where it will be when that is paid. */
struct mem_debt {
    int64_t compute, memory;
};
struct mem_debt mem_ledger_take(struct mem_ledger *l);

#endif
