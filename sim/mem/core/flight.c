/* flight: what the processor waits for what is in flight: see flight.h. */
#include "mem/core/flight.h"
#include "mem/time/ticks.h"

/* Loads whose value comes before it is needed, by more than a payment may bring the date back
 * (mem_flight_value). Nobody ever waits for them, since a processor that stands still needs
 * everything later: they stand in no order. A ring of the last ones, for who asks when the value of
 * a site is there, or what comes at a date. */
enum { EARLY = 16 }; /* a power of two */
struct early {
    uint32_t next;
    int64_t latest; /* when the last of all is there */
    struct mem_flying load[EARLY];
};
/* Behind the known sites, where several loads are in flight. */
static struct early *early_of(const struct mem_flight *f)
{
    return (struct early *)(void *)(f->known + MEM_FLIGHT_SITES);
}
static bool together(const struct mem_flight *f) { return (void *)f->known != (void *)f->done; }

static size_t padded(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

struct mem_flight *mem_flight_new(uint32_t places, uint32_t stores, bool together, uint32_t kept)
{
    const uint32_t ring = together ? MEM_FLIGHT_RING : 1;
    /* a processor without a store buffer has one place, which nobody fills */
    const size_t sizes[] = {padded(sizeof(struct mem_flight)),
                            padded(ring * sizeof(struct mem_flying)),
                            padded(places * sizeof(int64_t)),
                            padded(MAX(stores, 1) * sizeof(int64_t)),
                            padded(kept * sizeof(struct mem_waited)),
                            together ? padded(MEM_FLIGHT_DATES * sizeof(int64_t)) : 0,
                            together ? padded(MEM_FLIGHT_SITES * sizeof(struct mem_known)) : 0,
                            together ? padded(sizeof(struct early)) : 0};
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
                             .done = (void *)part[5],
                             .known = (void *)part[6]};
    for (uint32_t i = 0; together && i < MEM_FLIGHT_SITES; i++)
        f->known[i].done = INT64_MIN / 2; /* before any date */
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
    if (together(f)) done = MAX(done, early_of(f)->latest);
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
    for (uint32_t i = 0; together(f) && i < EARLY; i++) {
        const struct mem_flying *load = &early_of(f)->load[(early_of(f)->next + i) % EARLY];
        if (load->done == done && (!last || load->need >= last->need)) last = load;
    }
    return last ? last->pc : 0;
}

static uint32_t number_of(const struct mem_site *site)
{
    return (uint32_t)((uintptr_t)site >> 4) % MEM_FLIGHT_SITES;
}

static int64_t look_at_all(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    int64_t known = now;
    for (uint32_t i = 0; i < f->loads; i++) {
        const struct mem_flying *load = &f->load[(f->first + i) % MEM_FLIGHT_RING];
        if (load->site == site) known = MAX(known, load->done);
    }
    for (uint32_t i = 0; i < EARLY; i++) {
        const struct mem_flying *load = &early_of(f)->load[i];
        if (load->site == site) known = MAX(known, load->done);
    }
    return known;
}

/* A payment may bring `now` back by what rounding takes: what is there by so little may be in
 * flight no more. */
int64_t mem_flight_value(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    if (!site) return MAX(f->youngest, now);
    const struct mem_known *k = &f->known[number_of(site)];
    if (k->done <= now) return now;
    if (k->site == site && k->done > now + MEM_TICK_SLACK) return k->done;
    return look_at_all(f, site, now);
}

static void know(struct mem_flight *f, const struct mem_site *site, int64_t done, int64_t now)
{
    struct mem_known *k = &f->known[number_of(site)];
    if (k->done + MEM_TICK_SLACK <= now)
        *k = (struct mem_known){site, done};
    else
        *k = (struct mem_known){k->site == site ? site : NULL, MAX(k->done, done)};
}

void mem_flight_begin(struct mem_flight *f, const struct mem_site *site, int64_t done, int64_t now)
{
    struct mem_known *k = &f->known[number_of(site)];
    if (!together(f)) return;
    if (k->done > now) {
        for (uint32_t i = 0; i < f->loads; i++)
            if (mem_flight_at(f, i)->site == site) mem_flight_at(f, i)->site = NULL;
        for (uint32_t i = 0; i < EARLY; i++)
            if (early_of(f)->load[i].site == site) early_of(f)->load[i].site = NULL;
        if (k->site == site) *k = (struct mem_known){NULL, INT64_MIN / 2};
    }
    if (done > now) know(f, site, done, now);
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

static void forget_dones(struct mem_flight *f, int64_t now)
{
    while (f->dones && f->done[f->first_done] <= now) {
        f->first_done++;
        f->dones--;
    }
}

/* As many as there may be are on their way: the processor waits for the first to come. */
static __attribute__((noinline)) int64_t wait_for_room(struct mem_flight *f, int64_t now)
{
    forget_dones(f, now);
    if (f->dones < MEM_FLIGHTS) return 0;
    int64_t waited = f->done[f->first_done] - now;
    mem_flight_shift(f, waited);
    forget_dones(f, now + waited);
    return waited;
}

/* The dates have come to the end of their room: they begin at its beginning again. */
static __attribute__((noinline)) void move_dones(struct mem_flight *f)
{
    memmove(f->done, f->done + f->first_done, f->dones * sizeof *f->done);
    f->first_done = 0;
}
/* Among the last dates, where most belong. */
static inline void insert_done(struct mem_flight *f, int64_t done)
{
    if (MEM_UNLIKELY(f->first_done + f->dones == MEM_FLIGHT_DATES)) move_dones(f);
    int64_t *const first = f->done + f->first_done, *at = first + f->dones++;
    for (; at != first && at[-1] > done; at--) *at = at[-1];
    *at = done;
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

/* One whose value is there before it is needed. False: those that it would take the place of are
 * not there yet. */
static inline bool is_early(struct mem_flight *f, int64_t need, int64_t done,
                            const struct mem_site *site, uintptr_t pc, int64_t now)
{
    struct early *early = early_of(f);
    struct mem_flying *load = &early->load[early->next % EARLY];
    if (done + MEM_TICK_SLACK > need || load->done > now) return false;
    *load = (struct mem_flying){need - f->late, done, site, pc};
    early->next++;
    early->latest = MAX(early->latest, done);
    return true;
}

/* It is in flight, whatever its place. */
static inline void is_on_its_way(struct mem_flight *f, int64_t done, const struct mem_site *site,
                                 int64_t now)
{
    f->youngest = done;
    insert_done(f, done);
    if (site) know(f, site, done, now);
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
/* Apart, so that those that are early save no registers for it. */
static __attribute__((noinline)) int64_t add_late(struct mem_flight *f, int64_t need, int64_t done,
                                                  const struct mem_site *site, uintptr_t pc,
                                                  int64_t now)
{
    add_in_order(f, need, done, site, pc, now);
    is_on_its_way(f, done, site, now);
    return 0;
}
static __attribute__((noinline)) int64_t add_when_room(struct mem_flight *f, int64_t need,
                                                       int64_t done, const struct mem_site *site,
                                                       uintptr_t pc, int64_t now)
{
    const int64_t waited = wait_for_room(f, now);
    mem_flight_add(f, need + waited, done, site, pc, now + waited);
    return waited;
}

int64_t mem_flight_add(struct mem_flight *f, int64_t need, int64_t done,
                       const struct mem_site *site, uintptr_t pc, int64_t now)
{
    if (MEM_UNLIKELY(f->dones == MEM_FLIGHTS)) return add_when_room(f, need, done, site, pc, now);
    if (!is_early(f, need, done, site, pc, now)) return add_late(f, need, done, site, pc, now);
    is_on_its_way(f, done, site, now);
    return 0;
}

/* ---- stores ---------------------------------------------------------------------------------- */

int64_t mem_flight_store(struct mem_flight *f, int64_t done, int64_t now)
{
    int64_t waited = MAX(f->stored[f->store] - now, 0);
    f->last_stored = f->stored[f->store] = MAX(done, f->last_stored);
    if (++f->store == f->stores) f->store = 0;
    return waited;
}
