/* mem: structures that answer in a few steps answer as a search through everything would: what is
 * in flight, streams that are read ahead, the calendar of a bus. */
#include "mem/access/processor.h"
#include "mem/core/flight.h"
#include "mem/prefetch/prefetch.h"
#include "mem/time/resource.h"
#include "mem_unit.h"

#include <stdlib.h>

static int64_t below(struct base_random *random, int64_t n)
{
    return (int64_t)(base_random_next(random) % (uint64_t)n);
}

/* ---- what is in flight ----------------------------------------------------------------------- */

/* All that is in flight, in a list; dates as the processor sees them. */
struct naive {
    struct mem_flying load[MEM_FLIGHTS];
    int loads;
};

static void leave(struct naive *n, int i) { n->load[i] = n->load[--n->loads]; }

/* Those needed by `now`, in that order, each in the way of those after it. */
static int64_t naive_settle(struct naive *n, int64_t now)
{
    int64_t waited = 0;
    for (;;) {
        int first = 0;
        for (int i = 1; i < n->loads; i++)
            if (n->load[i].need < n->load[first].need) first = i;
        if (!n->loads || n->load[first].need > now + waited) return waited;
        int64_t stall = MAX(n->load[first].done - n->load[first].need, 0);
        leave(n, first);
        for (int i = 0; i < n->loads; i++) n->load[i].need += stall;
        waited += stall;
    }
}

static int64_t naive_room(struct naive *n, int64_t now)
{
    int64_t soonest = INT64_MAX;
    if (n->loads < MEM_FLIGHTS) return 0;
    for (int i = 0; i < n->loads; i++) soonest = MIN(soonest, n->load[i].done);
    int64_t waited = MAX(soonest - now, 0);
    for (int i = 0; i < n->loads; i++) n->load[i].need += waited;
    for (int i = n->loads - 1; i >= 0; i--)
        if (n->load[i].done <= now + waited) leave(n, i);
    return waited;
}

static int64_t naive_value(const struct naive *n, const struct mem_site *site, int64_t now)
{
    int64_t known = now;
    for (int i = 0; i < n->loads; i++)
        if (n->load[i].site == site) known = MAX(known, n->load[i].done);
    return known;
}

/* Whoever asks for it has another value now, which is there. */
static void naive_begin(struct naive *n, const struct mem_site *site)
{
    for (int i = 0; i < n->loads; i++)
        if (n->load[i].site == site) n->load[i].site = NULL;
}

/* The place of that which is needed last, of those asked for last, of what is there at a date. */
static uintptr_t naive_place(const struct naive *n, int64_t done)
{
    const struct mem_flying *last = NULL;
    for (int i = 0; i < n->loads; i++) {
        const struct mem_flying *load = &n->load[i];
        if (load->done != done) continue;
        if (!last || load->need > last->need || (load->need == last->need && load->pc > last->pc))
            last = load;
    }
    return last ? last->pc : 0;
}

/* slack, latency: at most. Long ones fill what there is. */
static void play_flight(uint64_t seed, int64_t slack, int64_t latency, int64_t work)
{
    enum { LOADS = 3000, SITES = 130 };
    static const struct mem_site site[SITES];
    struct base_random random = {seed};
    struct naive naive = {.loads = 0};
    struct mem_flight *f = mem_flight_new(4, 4, true, MEM_FLIGHTS);
    for (int64_t i = 0, now = 0; i < LOADS; i++, now += below(&random, work)) {
        int64_t waited = mem_flight_settle(f, now);
        UNIT_EQUAL(waited, naive_settle(&naive, now));
        f->waits = 0;
        now += waited;
        const struct mem_site *of = &site[below(&random, i % 3 ? SITES : 2)];
        UNIT_EQUAL(mem_flight_value(f, of, now), naive_value(&naive, of, now));
        struct mem_flying load = {now + 1 + below(&random, slack), now + below(&random, latency),
                                  below(&random, 8) ? of : NULL, (uintptr_t)i + 1};
        int64_t room = naive_room(&naive, now);
        mem_flight_there(f, load.done);
        UNIT_EQUAL(mem_flight_add(f, load.need, load.done, load.site, load.pc, now), room);
        now += room;
        load.need += room;
        naive.load[naive.loads++] = load;
        if (below(&random, 20) == 0) {
            of = &site[below(&random, SITES)];
            mem_flight_begin(f, of, now, now);
            naive_begin(&naive, of);
        }
        const int64_t date = naive.load[below(&random, naive.loads)].done;
        if (date > now) UNIT_EQUAL(mem_flight_place(f, date), naive_place(&naive, date));
        if (below(&random, 500) == 0) {
            int64_t last = now;
            for (int k = 0; k < naive.loads; k++) last = MAX(last, naive.load[k].done);
            UNIT_EQUAL(mem_flight_drain(f, now), last - now);
            now = last;
            naive.loads = 0;
        }
    }
    mem_flight_free(f);
}

static void what_the_processor_waits_is_what_a_search_through_all_loads_in_flight_finds(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        play_flight(seed, 30, 200, 20);
        play_flight(seed, 400, 300, 4);
        play_flight(seed, 5000, 4000, 2); /* as many as there may be are in flight */
        play_flight(seed, 100, 4000, 300);
    }
}

static void a_load_that_is_alone_in_flight_keeps_the_processor_from_its_need_until_it_is_there(void)
{
    static const struct mem_site site;
    struct mem_flight *f = mem_flight_new(1, 0, false, 1);
    for (int64_t now = 0; now < 5000; now += 100) {
        mem_flight_alone(f, (struct mem_flying){now + 10, now + 30, &site, 7});
        UNIT_EQUAL(mem_flight_settle(f, now + 9), 0);
        UNIT_EQUAL(mem_flight_settle(f, now + 15), 20); /* needed at 10, there at 30 */
        UNIT_EQUAL(mem_flight_settle(f, now + 50), 0);
        UNIT_EQUAL(f->waits, 1);
        UNIT_EQUAL(f->waited[0].ticks, 20 * (now / 100 + 1)); /* nobody looks: one sum */
    }
    mem_flight_free(f);
}

/* ---- streams --------------------------------------------------------------------------------- */

enum { MOST = 8 };
struct naive_stream {
    uint64_t next, back;
    int64_t used;
};

/* Which lines are read ahead: those that continue a stream of two, upwards or downwards, of the
 * streams used last. */
static void play_streams(uint64_t seed, uint32_t streams)
{
    enum { READS = 4000, DEPTH = 3, PAGE = 16 };
    struct mem_prefetcher p;
    struct naive_stream naive[MOST];
    uint32_t run[MOST] = {0};
    struct base_random random = {seed};
    for (uint32_t i = 0; i < streams; i++)
        naive[i] = (struct naive_stream){MEM_PREFETCH_NOTHING, MEM_PREFETCH_NOTHING, 0};
    mem_prefetch_init(&p, mem_prefetch_find("stream"), streams, DEPTH, 4);
    uint64_t at[MOST + 2] = {0};
    for (int64_t i = 1; i <= READS; i++) {
        uint64_t *walker = &at[below(&random, MOST + 2)]; /* a line is read again now and then */
        if (below(&random, 12))
            *walker += below(&random, 6) == 0 ? 0 : walker > at + MOST / 2 ? UINT64_MAX : 1;
        else
            *walker = 100 + (uint64_t)below(&random, 4000);
        uint64_t line = *walker;
        uint32_t s = 0, oldest = 0;
        while (s < streams && naive[s].next != line && naive[s].back != line) {
            if (naive[s].used < naive[oldest].used) oldest = s;
            s++;
        }
        if (s == streams) run[s = oldest] = 0;
        bool up = naive[s].next == line, down = naive[s].back == line;
        if ((down ? line + 1 : line) % PAGE == 0) run[s] = 0;
        int64_t there;
        UNIT_EQUAL(mem_prefetch_read(&p, line, i, 1, &there), run[s] >= 2);
        run[s] = MIN(run[s] + 1, DEPTH + 1);
        naive[s] = (struct naive_stream){down ? MEM_PREFETCH_NOTHING : line + 1,
                                         up ? MEM_PREFETCH_NOTHING : line - 1, i};
    }
    mem_prefetch_clear(&p);
}

static void the_stream_that_gives_way_is_that_not_used_for_longest_whatever_their_number(void)
{
    for (uint32_t streams = 1; streams <= MOST; streams++) play_streams(streams, streams);
}

/* ---- a calendar ------------------------------------------------------------------------------ */

/* A processor that never pays for its private lines: how often is it asked to, what is owed or paid
 * in all, of so many misses? */
static int asked_to_pay(double quantum_s, int misses, double *all_s)
{
    struct mach *m = machine("rdma", "core.model=out_of_order", "cache.l3.size=2MiB", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(1 << 10);
    double now_s = 0;
    int asked = 0;
    cpu->rank = 0;
    mem_set_quantum(node, quantum_s);
    for (int i = 0; i < misses; i++) {
        const uint8_t *at = memory + (size_t)i * 4160 % (1 << 22);
        mem_compute(cpu, 20e-9);
        while (try_load(cpu, at, 8) == MEM_PAY_FIRST) {
            now_s = pay(cpu, now_s);
            asked++;
        }
    }
    *all_s = pay(cpu, now_s);
    free(memory);
    mem_node_free(node);
    mach_free(m);
    return asked;
}

static void a_processor_alone_pays_only_when_its_bus_would_keep_very_much_and_nothing_changes(void)
{
    double never_s, now_and_then_s;
    UNIT_EQUAL(asked_to_pay(1e3, 200000, &never_s), 0);
    UNIT_EQUAL(asked_to_pay(1e-7, 60000, &now_and_then_s), 0);
    int asked = asked_to_pay(1e-7, 200000, &now_and_then_s);
    UNIT_EQUAL(asked, 3); /* every 65,536 */
    UNIT_NEAR(now_and_then_s, never_s, 1e-12 * never_s);
}

static void a_request_takes_the_first_ticks_that_are_free_from_its_date_on(void)
{
    enum { REQUESTS = 3000, AHEAD = 60 };
    static bool taken[1 << 17];
    for (int crowd = 1; crowd <= 12; crowd++) {
        struct mem_resource r = {.scale = mem_scale(1e9)};
        struct base_random random = {(uint64_t)crowd};
        memset(taken, 0, sizeof taken);
        for (int64_t i = 0, clock = 0; i < REQUESTS; i++, clock += below(&random, crowd)) {
            int64_t now = clock + below(&random, AHEAD), ticks = 1 + below(&random, 9), at = now;
            r.latest = clock;
            for (int64_t left = ticks; left > 0; at++)
                if (!taken[at]) {
                    taken[at] = true;
                    left--;
                }
            UNIT_EQUAL(mem_resource_book(&r, now, ticks, 0), at - ticks);
        }
        mem_resource_clear(&r);
    }
}

/* Fill buffers are given back one by one, in whatever order lines come. */
static void the_next_line_takes_the_place_of_the_first_that_is_there(void)
{
    struct base_random random = {7};
    enum { PLACES = 5 };
    struct mem_flight *f = mem_flight_new(PLACES, 1, true, 1);
    int64_t there[PLACES] = {0}, now = 0;
    for (int n = 0; n < 2000; n++) {
        int first = 0;
        for (int i = 1; i < PLACES; i++)
            if (there[i] < there[first]) first = i;
        now += below(&random, 40);
        UNIT_EQUAL(mem_flight_leaves(f, now), MAX(now, there[first]));
        there[first] = mem_flight_leaves(f, now) + 5 + below(&random, 2) * 130;
        mem_flight_there(f, there[first]);
    }
    mem_flight_free(f);
}

UNIT_SUITE(
    mem_flight, UNIT_TEST(the_next_line_takes_the_place_of_the_first_that_is_there),
    UNIT_TEST(what_the_processor_waits_is_what_a_search_through_all_loads_in_flight_finds),
    UNIT_TEST(a_load_that_is_alone_in_flight_keeps_the_processor_from_its_need_until_it_is_there),
    UNIT_TEST(the_stream_that_gives_way_is_that_not_used_for_longest_whatever_their_number),
    UNIT_TEST(a_request_takes_the_first_ticks_that_are_free_from_its_date_on),
    UNIT_TEST(a_processor_alone_pays_only_when_its_bus_would_keep_very_much_and_nothing_changes))
