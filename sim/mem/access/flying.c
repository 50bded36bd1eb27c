/* flying: dates of loads and stores that the processor goes on behind: see flying.h. */
#include "mem/access/flying.h"

/* ---- loads ----------------------------------------------------------------------------------- */

enum { HOPS = 4 };

int64_t mem_address_known(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    for (int i = 0; i < HOPS && site->after != MEM_AFTER_NONE; i++) {
        const struct mem_site *from = site->after == MEM_AFTER_YOUNGEST ? NULL : site + site->after;
        int64_t known = mem_flight_value(f, from, now);
        if (known > now || !from || from == site) return known;
        site = from;
    }
    return now;
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* A line that the level which keeps stores has for itself takes one more at once. */
bool mem_store_buffered(const struct mem_core *core, uint64_t model)
{
    const struct mem_cache *c = core->peer.levels.first;
    if (!core->cpu->flight || !core->cpu->flight->stores) return false;
    while (!c->write_back) c = c->next;
    const struct mem_line *e = mem_cache_find(c, model);
    return !e || !(e->key & MEM_LINE_DIRTY);
}

int64_t mem_store_leaves(const struct mem_core *core, int64_t now)
{
    const struct mem_flight *f = core->cpu->flight;
    return core->model->overtakes ? mem_flight_leaves(f, now) : MAX(f->last_stored, now);
}

int64_t mem_store_waits(struct mem_core *core, int64_t now, int64_t done)
{
    struct mem_flight *f = core->cpu->flight;
    if (done <= now + core->first_hit) return 0;
    if (core->model->overtakes) mem_flight_there(f, done);
    return mem_flight_store(f, done, now);
}

int64_t mem_store_seen(const struct mem_core *core, int64_t done)
{
    const struct mem_flight *f = core->cpu->flight;
    return f ? MAX(f->last_stored, done) : done;
}

void mem_fence(struct mem_cpu *cpu)
{
    if (!cpu->flight) return;
    int64_t wait = MAX(cpu->flight->last_stored - mem_date(cpu), 0);
    mem_flight_shift(cpu->flight, wait);
    mem_charge(&cpu->ledger, 0, wait);
}
