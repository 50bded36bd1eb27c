/* own: the first store to a line that the level which keeps stores has, and no other processor: it
 * leaves the first level, and keeps the processor waiting if there is no room for it. And a store
 * to a line that the first level has not got, and the next one, the last, has. */
#include "mem/access/flying.h"
#include "mem/access/held.h"
#include "mem/access/line.h"

bool mem_make_own(struct mem_core *core, const struct mem_site *site, struct mem_line *keeps)
{
    const struct mem_domain *d = &core->node->domain;
    const struct mem_cache *first = core->peer.levels.first,
                           *c = first->write_back ? first : first->next;
    struct mem_ledger *l = &core->cpu->ledger;
    mem_settle(core->cpu);
    if (d->long_owed && mem_owed(l) > d->quantum) return false;
    const bool buffered = core->cpu->flight && core->cpu->flight->stores;
    if (!mem_own_unasked(core, c, keeps)) return false;
    keeps->key |= MEM_LINE_DIRTY;
    if (!buffered) return true;
    int64_t now = mem_now(l) + (site ? 0 : l->store_word);
    int64_t done = mem_store_leaves(core, now) + core->first_hit;
    mem_stand_still(core, mem_store_waits(core, now, done));
    return true;
}

bool mem_ask_own(struct mem_core *core, const struct mem_site *site, struct mem_line *keeps,
                 uintptr_t addr, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    const struct mem_flight *f = cpu->flight;
    if (mem_missed_any(&cpu->missed)) return false;
    if (f && f->waits) return false;
    l->work -= site->rest;
    mem_settle(cpu);
    const int64_t before = l->memory;
    const bool is = mem_make_own(core, site, keeps);
    l->work += site->rest;
    if (l->memory > before) mem_above.waited(cpu, l->memory - before, addr, pc);
    return is;
}

struct mem_line *mem_comes_own(const struct mem_core *core, uint64_t model)
{
    const struct mem_levels *l = &core->peer.levels;
    const struct mem_cache *first = l->first, *next = first->next;
    if (!next || next != l->last || !next->write_back || !first->allocate_write) return NULL;
    return mem_cache_find_further(next, model);
}

bool mem_come_own(struct mem_core *core, struct mem_line *below, int64_t work, uintptr_t addr,
                  uint64_t model)
{
    const struct mem_domain *d = &core->node->domain;
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    struct mem_cache *first = core->peer.levels.first, *next = first->next;
    if (d->long_owed && mem_owed(l) > d->quantum) return false;
    if (!mem_own_unasked(core, next, below)) return false;
    const bool buffered = cpu->flight && cpu->flight->stores;
    const int64_t now = mem_now(l) + work;
    const int64_t begun = buffered ? mem_store_leaves(core, now) : now,
                  there = mem_way_gives(&next->way, model, begun),
                  done = mem_way_into_set(&first->way, model, there);
    first->count.store_misses++;
    next->count.stores++;
    if (next->ordered) mem_cache_used(&core->peer.levels, next, below);
    mem_line_place(&core->peer, first, below, model, addr, COH_I, done)->key |= MEM_LINE_DIRTY;
    l->work += work;
    mem_stand_still(core, buffered ? mem_store_waits(core, now, done)
                                   : MAX(done - now - core->first_hit, 0));
    const uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
    mem_filter_know_store(&cpu->filter, line);
    mem_hold(core, line, model);
    return true;
}
