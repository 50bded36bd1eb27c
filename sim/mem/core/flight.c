/* flight: what the processor waits for what is in flight: see flight.h. */
#include "mem/core/flight.h"

void mem_flight_init(struct mem_flight *f, uint32_t places, uint32_t stores)
{
    *f = (struct mem_flight){.due = INT64_MAX, .places = places, .stores = stores};
}

/* ---- loads ----------------------------------------------------------------------------------- */

void mem_flight_note(struct mem_flight *f, uintptr_t pc, int64_t ticks)
{
    if (f->waits == G_N_ELEMENTS(f->waited))
        f->waited[f->waits - 1].ticks += ticks;
    else
        f->waited[f->waits++] = (struct mem_waited){pc, ticks};
}

static void look(struct mem_flight *f)
{
    f->due = f->loads ? f->load[f->first].need + f->late : INT64_MAX;
}

/* Each stands in the way of those needed after it. */
int64_t mem_flight_settle_due(struct mem_flight *f, int64_t now)
{
    int64_t waited = 0, due = f->due;
    const int64_t late = f->late;
    while (due <= now + waited) {
        const struct mem_flying *load = &f->load[f->first];
        int64_t stall = load->done - due;
        if (stall > 0) {
            mem_flight_note(f, load->pc, stall);
            waited += stall;
        }
        f->first = (f->first + 1) % MEM_FLIGHTS;
        due = --f->loads ? f->load[f->first].need + late + waited : INT64_MAX;
    }
    f->due = due;
    f->late = late + waited;
    return waited;
}

int64_t mem_flight_drain(struct mem_flight *f, int64_t now)
{
    int64_t done = MAX(f->last_stored, now);
    for (uint32_t i = 0; i < f->loads; i++) done = MAX(done, mem_flight_at(f, i)->done);
    f->loads = f->waits = 0;
    look(f);
    return done - now;
}

int64_t mem_flight_value(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    if (!site) return MAX(f->youngest, now);
    int64_t known = now;
    for (uint32_t i = 0; i < f->loads; i++) {
        const struct mem_flying *load = &f->load[(f->first + i) % MEM_FLIGHTS];
        if (load->site == site) known = MAX(known, load->done);
    }
    return known;
}

/* Those that have come in the meantime wait for nobody. */
static void forget_done(struct mem_flight *f, int64_t now)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->loads; i++)
        if (mem_flight_at(f, i)->done > now) *mem_flight_at(f, n++) = *mem_flight_at(f, i);
    f->loads = n;
    look(f);
}

int64_t mem_flight_room(struct mem_flight *f, int64_t now)
{
    int64_t soonest = INT64_MAX;
    for (uint32_t i = 0; i < f->loads; i++) soonest = MIN(soonest, mem_flight_at(f, i)->done);
    int64_t waited = MAX(soonest - now, 0);
    mem_flight_shift(f, waited);
    forget_done(f, now + waited);
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
