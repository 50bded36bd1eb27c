/* ledger: what a processor owes the clock: see ledger.h. */
#include "mem/time/ledger.h"

void mem_charge_compute(struct mem_ledger *l, int64_t ticks) { l->compute += ticks; }

struct mem_fold mem_ledger_fold(struct mem_ledger *l)
{
    struct mem_fold n = {l->loads, l->stores, l->misses};
    int64_t hits = (int64_t)(n.loads + n.stores);
    l->compute += ((int64_t)n.misses + hits) * l->access;
    l->memory += l->missed + hits * (l->access_hit - l->access);
    l->loads = l->stores = l->misses = 0;
    l->missed = 0;
    return n;
}

struct mem_ledger mem_ledger_begin(struct mem_ledger *l, int64_t at)
{
    struct mem_ledger before = *l;
    l->clock = at;
    l->compute = l->memory = 0;
    return before;
}

int64_t mem_ledger_end(struct mem_ledger *l, struct mem_ledger before)
{
    int64_t took = l->compute + l->memory;
    *l = before;
    return took;
}

struct mem_debt mem_ledger_take(struct mem_ledger *l)
{
    struct mem_debt debt = {l->compute, l->memory};
    l->clock += debt.compute + debt.memory;
    l->compute = l->memory = 0;
    return debt;
}
