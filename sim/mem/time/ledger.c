/* ledger: what a processor owes the clock: see ledger.h. */
#include "mem/time/ledger.h"

void mem_charge_compute(struct mem_ledger *l, int64_t ticks)
{
    l->work = MIN(l->work + ticks, MEM_TICKS_MAX);
}

struct mem_fold mem_ledger_fold(struct mem_ledger *l)
{
    struct mem_fold n = {l->loads, l->stores};
    l->folded_loads += n.loads;
    l->folded_stores += n.stores;
    l->loads = l->stores = 0;
    return n;
}

struct mem_ledger mem_ledger_begin(struct mem_ledger *l, int64_t at)
{
    struct mem_ledger before = *l;
    l->clock = at;
    l->work = l->memory = 0;
    return before;
}

struct mem_debt mem_ledger_end(struct mem_ledger *l, struct mem_ledger before)
{
    const struct mem_debt took = {l->work, l->memory};
    *l = before;
    return took;
}

struct mem_debt mem_ledger_take(struct mem_ledger *l)
{
    struct mem_debt debt = {l->work, l->memory};
    if (mem_owed(l) <= 0) return (struct mem_debt){0};
    l->clock += debt.work + debt.memory;
    l->work = l->memory = 0;
    return debt;
}
