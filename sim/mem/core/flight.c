/* flight: what the processor waits for what is in flight: see flight.h. */
#include "mem/core/flight.h"

void mem_flight_init(struct mem_flight *f, uint32_t places, uint32_t stores)
{
    *f = (struct mem_flight){.due = INT64_MAX, .places = places, .stores = stores};
}

void mem_flight_note(struct mem_flight *f, uintptr_t pc, int64_t ticks)
{
    if (f->waits == G_N_ELEMENTS(f->waited))
        f->waited[f->waits - 1].ticks += ticks;
    else
        f->waited[f->waits++] = (struct mem_waited){pc, ticks};
}

/* ---- loads ----------------------------------------------------------------------------------- */

static void remove_load(struct mem_flight *f, uint32_t i)
{
    memmove(f->load + i, f->load + i + 1, (--f->loads - i) * sizeof *f->load);
}

static uint32_t first_needed(const struct mem_flight *f)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < f->loads; i++)
        if (f->load[i].need < f->load[first].need) first = i;
    return first;
}

static void look(struct mem_flight *f)
{
    f->due = f->loads ? f->load[first_needed(f)].need : INT64_MAX;
}

void mem_flight_shift(struct mem_flight *f, int64_t ticks)
{
    if (!f->loads || !ticks) return;
    for (uint32_t i = 0; i < f->loads; i++) f->load[i].need += ticks;
    f->due += ticks;
}

/* Each stands in the way of those needed after it. */
int64_t mem_flight_settle_due(struct mem_flight *f, int64_t now)
{
    int64_t waited = 0;
    while (f->due <= now + waited) {
        uint32_t i = first_needed(f);
        struct mem_flying load = f->load[i];
        int64_t stall = MAX(load.done - load.need, 0);
        remove_load(f, i);
        look(f);
        mem_flight_shift(f, stall);
        if (stall) mem_flight_note(f, load.pc, stall);
        waited += stall;
    }
    return waited;
}

int64_t mem_flight_drain(struct mem_flight *f, int64_t now)
{
    int64_t done = MAX(f->last_stored, now);
    for (uint32_t i = 0; i < f->loads; i++) done = MAX(done, f->load[i].done);
    f->loads = f->waits = 0;
    f->due = INT64_MAX;
    return done - now;
}

int64_t mem_flight_address(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    for (uint32_t i = f->loads; i-- > 0;)
        if (!site || f->load[i].site == site) return MAX(f->load[i].done, now);
    return now;
}

/* Those that have come in the meantime wait for nobody. */
static void forget_done(struct mem_flight *f, int64_t now)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->loads; i++)
        if (f->load[i].done > now) f->load[n++] = f->load[i];
    f->loads = n;
    look(f);
}

int64_t mem_flight_add(struct mem_flight *f, struct mem_flying load, int64_t now)
{
    int64_t waited = 0;
    if (f->loads == MEM_FLIGHTS) forget_done(f, now);
    if (f->loads == MEM_FLIGHTS) {
        int64_t first = INT64_MAX;
        for (uint32_t i = 0; i < f->loads; i++) first = MIN(first, f->load[i].done);
        waited = first - now;
        mem_flight_shift(f, waited);
        load.need += waited;
        forget_done(f, first);
    }
    f->load[f->loads++] = load;
    f->due = MIN(f->due, load.need);
    return waited;
}

/* ---- stores ---------------------------------------------------------------------------------- */

int64_t mem_flight_store(struct mem_flight *f, int64_t done, int64_t now)
{
    int64_t waited = MAX(f->stored[f->store] - now, 0);
    f->last_stored = f->stored[f->store] = MAX(done, f->last_stored);
    if (++f->store == f->stores) f->store = 0;
    return waited;
}
