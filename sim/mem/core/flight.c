/* flight: what the processor waits for what is in flight: see flight.h. */
#include "mem/core/flight.h"

static size_t padded(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

struct mem_flight *mem_flight_new(uint32_t places, uint32_t stores, bool together, uint32_t kept)
{
    /* a processor without a store buffer has one place, which nobody fills */
    const size_t sizes[] = {
        padded(sizeof(struct mem_flight)),
        padded(together ? sizeof(struct mem_flights) : sizeof(struct mem_flying)),
        padded(places * sizeof(int64_t)), padded(MAX(stores, 1) * sizeof(int64_t)),
        padded(kept * sizeof(struct mem_waited))};
    char *part[G_N_ELEMENTS(sizes)];
    size_t all = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) all += sizes[i];
    char *block = g_malloc0(all);
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); block += sizes[i++]) part[i] = block;
    struct mem_flight *f = (struct mem_flight *)(void *)part[0];
    *f = (struct mem_flight){.due = INT64_MAX,
                             .load = (void *)part[1],
                             .places = places,
                             .there = (void *)part[2],
                             .stores = stores,
                             .stored = (void *)part[3],
                             .waits_kept = kept,
                             .waited = (void *)part[4],
                             .several = together};
    for (uint32_t i = 0; together && i < MEM_FLIGHT_SITES; i++)
        mem_flight_several(f)->known[i].done = INT64_MIN / 2; /* before any date */
    return f;
}

void mem_flight_free(struct mem_flight *f) { g_free(f); }

/* ---- loads ----------------------------------------------------------------------------------- */

void mem_flight_note(struct mem_flight *f, uintptr_t pc, int64_t ticks)
{
    if (f->waits == f->waits_kept)
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
        if (--f->loads == 0) { /* one that is alone has one place */
            f->first = 0;
            due = INT64_MAX;
        } else {
            f->first = (f->first + 1) % MEM_FLIGHT_RING;
            due = f->load[f->first].need + late + waited;
        }
    }
    f->due = due;
    f->late = late + waited;
    return waited;
}

int64_t mem_flight_drain(struct mem_flight *f, int64_t now)
{
    int64_t done = MAX(f->last_stored, now);
    for (uint32_t i = 0; i < f->loads; i++) done = MAX(done, mem_flight_at(f, i)->done);
    if (f->several) done = MAX(done, f->latest); /* of stores, too, which are last_stored's */
    f->first = f->loads = f->waits = f->dones = 0;
    look(f);
    return done - now;
}

uintptr_t mem_flight_place(const struct mem_flight *f, int64_t done)
{
    const struct mem_flying *last = NULL;
    for (uint32_t i = 0; i < f->loads; i++) {
        const struct mem_flying *load = &f->load[(f->first + i) % MEM_FLIGHT_RING];
        if (load->done == done) last = load;
    }
    for (uint32_t i = 0; f->several && i < MEM_FLIGHT_EARLY; i++) {
        const struct mem_flying *load =
            &mem_flight_several(f)->early[(f->next_early + i) % MEM_FLIGHT_EARLY];
        if (load->done == done && (!last || load->need >= last->need)) last = load;
    }
    return last ? last->pc : 0;
}

static int64_t look_at_all(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    int64_t known = now;
    for (uint32_t i = 0; i < f->loads; i++) {
        const struct mem_flying *load = &f->load[(f->first + i) % MEM_FLIGHT_RING];
        if (load->site == site) known = MAX(known, load->done);
    }
    for (uint32_t i = 0; i < MEM_FLIGHT_EARLY; i++) {
        const struct mem_flying *load = &mem_flight_several(f)->early[i];
        if (load->site == site) known = MAX(known, load->done);
    }
    return known;
}

/* A payment may bring `now` back by what rounding takes: what is there by so little may be in
 * flight no more. */
int64_t mem_flight_value(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    if (!site) return MAX(f->youngest, now);
    const struct mem_known *k = mem_flight_known(f, site);
    if (k->done <= now) return now;
    if (k->site == site && k->done > now + MEM_TICK_SLACK) return k->done;
    return look_at_all(f, site, now);
}

void mem_flight_begin(struct mem_flight *f, const struct mem_site *site, int64_t done, int64_t now)
{
    if (!f->several) return;
    struct mem_known *k = mem_flight_known(f, site);
    if (k->done > now) {
        for (uint32_t i = 0; i < f->loads; i++)
            if (mem_flight_at(f, i)->site == site) mem_flight_at(f, i)->site = NULL;
        for (uint32_t i = 0; i < MEM_FLIGHT_EARLY; i++)
            if (mem_flight_several(f)->early[i].site == site)
                mem_flight_several(f)->early[i].site = NULL;
        if (k->site == site) *k = (struct mem_known){NULL, INT64_MIN / 2};
    }
    if (done > now) mem_flight_know(f, site, done, now);
}

/* Those that have come in the meantime wait for nobody. */
static __attribute__((noinline)) void forget_done(struct mem_flight *f, int64_t now)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->loads; i++)
        if (mem_flight_at(f, i)->done > now) *mem_flight_at(f, n++) = *mem_flight_at(f, i);
    f->loads = n;
    look(f);
}

/* The first date of those that have not come by `now`, which stay. */
static int64_t forget_dones(struct mem_flight *f, int64_t now)
{
    int64_t first = INT64_MAX;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->dones; i++) {
        const int64_t done = mem_flight_several(f)->done[i];
        if (done <= now) continue;
        mem_flight_several(f)->done[n++] = done;
        first = MIN(first, done);
    }
    f->dones = n;
    return first;
}

/* As many as there may be are on their way: the processor waits for the first to come. */
static int64_t wait_for_room(struct mem_flight *f, int64_t now)
{
    const int64_t first = forget_dones(f, now);
    if (f->dones < MEM_FLIGHTS) return 0;
    mem_flight_shift(f, first - now);
    forget_dones(f, first);
    return first - now;
}

void mem_flight_there_before(struct mem_flight *f, int64_t done)
{
    const uint32_t places = f->places, middle = f->place + places / 2;
    uint32_t at = f->place;
    /* from the end that is nearer to its date */
    if (done < f->there[middle < places ? middle : middle - places]) {
        for (;;) {
            const uint32_t behind = at + 1 == places ? 0 : at + 1;
            if (f->there[behind] >= done) break;
            f->there[at] = f->there[behind];
            at = behind;
        }
    } else {
        f->place = at + 1 == places ? 0 : at + 1;
        while (at != f->place) {
            const uint32_t before = (at ? at : places) - 1;
            if (f->there[before] <= done) break;
            f->there[at] = f->there[before];
            at = before;
        }
    }
    f->there[at] = done;
}

/* Where one that is needed then belongs. */
static inline struct mem_flying *place_for(struct mem_flight *f, int64_t need)
{
    uint32_t i = f->loads++;
    struct mem_flying *at = mem_flight_at(f, i);
    for (; i > 0; i--) {
        struct mem_flying *before = mem_flight_at(f, i - 1);
        if (before->need <= need) break;
        *at = *before;
        at = before;
    }
    return at;
}

/* It stands among those that somebody may wait for, in the order in which they are needed. */
static inline void add_in_order(struct mem_flight *f, int64_t need, int64_t done,
                                const struct mem_site *site, uintptr_t pc, int64_t now)
{
    if (MEM_UNLIKELY(f->loads == MEM_FLIGHT_RING)) forget_done(f, now);
    need -= f->late;
    struct mem_flying *load = place_for(f, need);
    load->need = need;
    load->done = done;
    load->site = site;
    load->pc = pc;
    f->due = f->load[f->first].need + f->late;
}
int64_t mem_flight_add_late(struct mem_flight *f, int64_t need, int64_t done,
                            const struct mem_site *site, uintptr_t pc, int64_t now)
{
    const int64_t waited = f->dones == MEM_FLIGHTS ? wait_for_room(f, now) : 0;
    need += waited;
    now += waited;
    if (mem_flight_is_early(f, need, done, now)) {
        mem_flight_add_early(f, need, done, site, pc, now);
    } else {
        add_in_order(f, need, done, site, pc, now);
        mem_flight_on_its_way(f, done, site, now);
    }
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
