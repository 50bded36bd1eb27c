/* own: the first store to a line that the level which keeps stores has, and no other processor: it
 * leaves the first level, and keeps the processor waiting if there is no room for it. */
#include "mem/access/flying.h"

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
                 uintptr_t pc)
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
    if (l->memory > before) mem_above.waited(cpu, l->memory - before, pc);
    return is;
}
