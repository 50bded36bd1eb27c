/* mem on nodes with several processors: the bus, when an access asks to be paid first, the pool. */
#include "mem_node_scene.h"

#include "mem/agent/agent.h"
#include "mem/counters/counters.h"

/* ---- bus ------------------------------------------------------------------------------------- */

/* Mean nanoseconds of a miss when n processors miss all the time. */
static double miss_ns(int n)
{
    begin("smp", n, NULL);
    double latest = 0, sum = 0;
    int rounds = 200, done[64] = {0};
    for (int i = 0; i < rounds * n; i++) {
        int k = 0; /* whoever is first by the clock, as a simulation would have it */
        for (int j = 1; j < n; j++)
            if (now_s[j] < now_s[k]) k = j;
        mem_paid(cpu(k), now_s[k]);
        try_load(cpu(k), memory + 64 * done[k]++, 8); /* private lines: everyone's own */
        double took_s = mem_take(cpu(k)).memory_s;
        now_s[k] += took_s;
        sum += took_s;
        latest = MAX(latest, now_s[k]);
    }
    struct mem_resource_count b = mem_bus_count(node);
    UNIT_EQUAL(b.requests, rounds * n);
    UNIT_EQUAL(b.bytes, (uint64_t)rounds * (uint64_t)n * 64);
    UNIT_NEAR(b.busy_s, rounds * n * 24e-9, 1e-9);
    CU_ASSERT(b.busy_s <= latest * (1 + 1e-9)); /* one bus: never busier than time has passed */
    end();
    return sum / (rounds * n) * 1e9;
}

static void queueing_grows_with_the_processors_and_saturates_the_bus(void)
{
    double one = miss_ns(1), eight = miss_ns(8), sixteen = miss_ns(16), thirty = miss_ns(30);
    UNIT_NEAR(one, 270 - HIT, 0.1);
    CU_ASSERT(eight < 300); /* 8 x 24 < 270: hardly any */
    CU_ASSERT(sixteen > eight && thirty > sixteen);
    UNIT_NEAR(thirty, 30 * 24, 20); /* saturated: one slot each in turn */
}

static void a_processor_that_runs_ahead_does_not_block_the_past(void)
{
    begin("smp", 2, NULL);
    /* slots at 0, 264 and 528 ns, unpaid */
    for (int i = 0; i < 3; i++) try_load(cpu(0), memory + 64 * i, 8);
    UNIT_NEAR(mem_unpaid(cpu(0)) * 1e9, 3 * (270 - HIT), 0.1);
    try_load(cpu(1), memory + 4096, 8); /* at 0: taken, the next begins at 24 */
    UNIT_NEAR(mem_unpaid(cpu(1)) * 1e9, 24 + 270 - HIT, 0.1);
    UNIT_NEAR(mem_bus_count(node).queued_s * 1e9, 24, 0.1);
    end();
}

/* Nanoseconds of a miss when n processors miss all the time and pay when they are asked to. */
static double paying_miss_ns(int n, double quantum_s)
{
    enum { EACH = 400, BYTES = 64 * EACH };
    int done[64] = {0};
    double slowest = 0;
    begin("smp", n, NULL);
    mem_set_quantum(node, quantum_s);
    uint8_t *lines = pages((size_t)n * BYTES / 4096 + 1);
    for (int left = n; left > 0;) {
        int k = -1; /* whoever is first by the clock */
        for (int j = 0; j < n; j++)
            if (done[j] < EACH && (k < 0 || now_s[j] < now_s[k])) k = j;
        mem_paid(cpu(k), now_s[k]);
        while (done[k] < EACH && try_load(cpu(k), lines + k * BYTES + 64 * done[k], 8) == MEM_DONE)
            left -= ++done[k] == EACH;
        struct mem_charge owed = mem_take(cpu(k));
        now_s[k] += owed.compute_s + owed.memory_s;
        slowest = MAX(slowest, now_s[k]);
    }
    free(lines);
    end();
    return slowest / EACH * 1e9;
}

static void processors_that_saturate_a_bus_take_the_same_time_for_every_quantum(void)
{
    UNIT_NEAR(paying_miss_ns(4, 1e-6), 270 - HIT, 3); /* hardly any wait */
    UNIT_NEAR(paying_miss_ns(12, 0), 288, 3);         /* a slot of 24 ns each in turn */
    UNIT_NEAR(paying_miss_ns(12, 1e-6), 288, 6);
    UNIT_NEAR(paying_miss_ns(12, 100e-6), 288, 15);
    UNIT_NEAR(paying_miss_ns(16, 1e-6), 384, 8);
    UNIT_NEAR(paying_miss_ns(30, 1e-6), 720, 14);
}

static void what_lies_between_two_requests_is_used_and_no_time_is_given_twice(void)
{
    struct mem_resource r = {.scale = mem_scale(1e9)};
    UNIT_EQUAL(mem_resource_book(&r, 0, 24, 64), 0);
    UNIT_EQUAL(mem_resource_book(&r, 34, 24, 64), 34);
    /* 10 before the second, 14 behind it */
    UNIT_EQUAL(mem_resource_book(&r, 20, 24, 64), 72 - 24);
    UNIT_EQUAL(mem_resource_book(&r, 0, 24, 64), 72);
    UNIT_EQUAL(mem_resource_book(&r, 200, 24, 64), 200);
    /* just what is free */
    UNIT_EQUAL(mem_resource_book(&r, 90, 104, 64), 96);
    UNIT_EQUAL(mem_resource_book(&r, 0, 1, 64), 224);
    mem_resource_clear(&r);
}

/* So many requests of one date, in a row and one by one; between them others, anywhere. */
static void requests_of_one_date_take_what_they_take_one_by_one(void)
{
    struct mem_resource row = {.scale = mem_scale(1e9)}, each = row;
    struct base_random rnd = {.state = 7};
    for (int i = 0; i < 2000; i++) {
        const int64_t now = i * 20 + (int64_t)(base_random_next(&rnd) % 500),
                      ticks = (int64_t)i % 30;
        const uint64_t n = base_random_next(&rnd) % 9;
        if (i % 5 == 0) row.latest = each.latest = i * 20;
        mem_resource_book_row(&row, now, ticks, 64, n);
        for (uint64_t k = 0; k < n; k++) mem_resource_book(&each, now, ticks, 64);
        const int64_t other = now + (int64_t)(base_random_next(&rnd) % 300);
        UNIT_EQUAL(mem_resource_book(&row, other, 24, 8), mem_resource_book(&each, other, 24, 8));
    }
    UNIT_EQUAL(memcmp(&row.count, &each.count, sizeof row.count), 0);
    mem_resource_clear(&row);
    mem_resource_clear(&each);
}

/* ---- pay first ------------------------------------------------------------------------------- */

static void only_segments_and_the_bus_ask_to_be_paid(void)
{
    begin("t3d", 1, NULL);
    segment(node, 0, memory, 4096);
    mem_set_quantum(node, 1e-6);
    /* private: never */
    for (int i = 0; i < 100; i++) UNIT_EQUAL(try_load(cpu(0), memory + 8192 + 64 * i, 8), MEM_DONE);
    CU_ASSERT(mem_unpaid(cpu(0)) > 10e-6);
    struct mem_cache_count before = mem_cache_count(cpu(0), 0);
    double owed = mem_unpaid(cpu(0));
    UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_PAY_FIRST);
    UNIT_EQUAL(try_store(cpu(0), &x[0], 4), MEM_PAY_FIRST);
    /* begins outside the line, ends there */
    UNIT_EQUAL(try_store(cpu(0), memory + 4000, 4096), MEM_PAY_FIRST);
    struct mem_cache_count after = mem_cache_count(cpu(0), 0);
    CU_ASSERT(memcmp(&before, &after, sizeof before) == 0); /* nothing was done */
    UNIT_NEAR(mem_unpaid(cpu(0)), owed, 0);
    pay(cpu(0), 0);
    UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_DONE);
    UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_DONE); /* within the quantum */
    end();

    begin("smp", 2, NULL);
    mem_set_quantum(node, 1e-6);
    int asked = 0;
    for (int i = 0; i < 50; i++) {
        if (try_load(cpu(0), memory + 64 * i, 8) == MEM_PAY_FIRST) {
            asked++;
            CU_ASSERT(mem_unpaid(cpu(0)) > 1e-6);
            now_s[0] = pay(cpu(0), now_s[0]);
            UNIT_EQUAL(try_load(cpu(0), memory + 64 * i, 8), MEM_DONE);
        }
        /* hits use no bus */
        for (int k = 0; k < 10; k++) UNIT_EQUAL(try_load(cpu(0), memory + 64 * i, 8), MEM_DONE);
    }
    CU_ASSERT(asked >= 10);
    end();
}

static void with_quantum_zero_every_segment_access_pays_first(void)
{
    begin("t3d", 1, NULL);
    segment(node, 0, memory, 4096);
    mem_set_quantum(node, 0);
    UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_DONE); /* nothing owed yet */
    for (int i = 0; i < 5; i++) {
        mem_compute(cpu(0), 1e-9);
        UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_PAY_FIRST);
        now_s[0] = pay(cpu(0), now_s[0]);
        UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_DONE);
    }
    end();
}

/* ---- block stores ---------------------------------------------------------------------------- */

enum { COPIED = 16 * 64 };

/* Transactions of the bus for a copy of 16 lines out of the cache. */
static uint64_t transactions(uintptr_t to, uint64_t bytes, uint64_t announced)
{
    uint64_t before = mem_bus_count(node).requests;
    mem_copy_begin(cpu(0), to, announced);
    for (uint64_t done = 0; done < bytes; done += 256)
        mem_cpu_write(cpu(0), to + done, memory, MIN(256, bytes - done), 1, 0);
    mem_copy_end(cpu(0));
    return mem_bus_count(node).requests - before;
}

static void a_copy_by_block_stores_carries_each_line_over_the_bus_once_and_fetches_none(void)
{
    const uint64_t lines = COPIED / 64;
    begin("smp", 2, NULL);
    const uintptr_t to = (uintptr_t)memory + 8192;
    memory[0] = 7;
    UNIT_EQUAL(transactions(to, COPIED, COPIED), lines);
    UNIT_EQUAL(((uint8_t *)to)[0], 7);
    UNIT_EQUAL(transactions(to, COPIED, COPIED), lines);              /* no cache has them */
    UNIT_EQUAL(transactions(to + 32, COPIED, COPIED), lines - 1 + 2); /* two halves are fetched */
    UNIT_EQUAL(transactions(to + 4096, 256, 256), 256 / 64); /* too short: each is fetched */
    UNIT_EQUAL(transactions(to + 4096, COPIED, COPIED), lines - 256 / 64); /* it has the others */
    end();
    begin("smp", 2, "mem.block_store=0B");
    UNIT_EQUAL(transactions((uintptr_t)memory + 8192, COPIED, COPIED), lines);
    UNIT_EQUAL(transactions((uintptr_t)memory + 8192, COPIED, COPIED), 0); /* its cache has them */
    end();
}

static void a_block_store_drops_the_dirty_copies_of_others(void)
{
    begin("smp", 2, NULL);
    segment(node, 0, memory, 16384);
    const uintptr_t to = (uintptr_t)memory + 8192;
    UNIT_EQUAL(try_store(cpu(1), (void *)to, 8), MEM_DONE);
    UNIT_EQUAL(transactions(to, COPIED, COPIED), COPIED / 64);
    uint64_t before = mem_bus_count(node).requests;
    UNIT_EQUAL(try_load(cpu(1), (void *)to, 8), MEM_DONE);
    UNIT_EQUAL(mem_bus_count(node).requests - before, 1); /* it comes again, from memory */
    end();
}

/* ---- a pool without coherence ---------------------------------------------------------------- */

static void lines_of_a_segment_come_from_the_pool(void)
{
    begin("cxl-pool", 1, NULL);
    segment(node, 0, memory, 4096);
    double hit = 4 / 2.5;
    UNIT_NEAR(ns(0, &x[0], false), 350 - hit, 0.1);
    UNIT_NEAR(ns(0, memory + 8192, false), 95 - hit, 0.1); /* private: local memory */
    end();
}

static void charges_of_a_compute_block_are_compute(void)
{
    begin("t3d", 1, NULL);
    mem_compute(cpu(0), 3e-6);
    UNIT_NEAR(mem_unpaid(cpu(0)), 3e-6, 1e-12);
    struct mem_charge c = mem_take(cpu(0));
    UNIT_NEAR(c.compute_s, 3e-6, 1e-12);
    UNIT_NEAR(c.memory_s, 0, 0);
    end();
}

/* ---- what memory gave ------------------------------------------------------------------------ */

static void memory_gives_no_more_lines_than_it_can_and_says_how_many(void)
{
    enum { LINES = 64 };
    struct base_use use;
    begin("t3d", 1, NULL);
    CU_ASSERT_FALSE(mem_memory_use(node, &use));
    for (int i = 0; i < LINES; i++) try_load(cpu(0), memory + 32 * i, 8);
    /* and a hit each, which the prices of blocks have */
    const double took_s = mem_unpaid(cpu(0)) + LINES * m->cache[0].hit_cycles / m->cpu_clock;
    CU_ASSERT_TRUE(mem_memory_use(node, &use));
    UNIT_EQUAL(use.messages, LINES);
    UNIT_EQUAL(use.bytes, LINES * 32);
    CU_ASSERT_TRUE(use.busy_s > 0 && use.busy_s <= took_s);
    CU_ASSERT_PTR_NULL(base_use_breach(&use, took_s));
    UNIT_NEAR(use.behind_s, 0, 0); /* it waits for each */
    g_autofree char *breach = base_use_breach(&use, use.busy_s / 2);
    CU_ASSERT_PTR_NOT_NULL(breach);
    CU_ASSERT_FALSE(mem_pool_use(node, &use));
    end();
    begin("smp", 1, NULL);
    try_load(cpu(0), memory, 8);
    CU_ASSERT_FALSE(mem_memory_use(node, &use)); /* its bus stands before */
    end();
    begin("now", 1, "core.model=in_order");
    try_load(cpu(0), memory, 8);
    CU_ASSERT_TRUE(mem_memory_use(node, &use)); /* of one line; so many may still come at the end */
    UNIT_NEAR(use.behind_s, (m->mem_outstanding + m->mem_store_buffer) * use.busy_s, 1e-12);
    end();
}

static void the_link_to_a_pool_carries_loads_of_the_pool_and_operations(void)
{
    struct base_use use;
    begin("cxl-pool", 1, NULL);
    segment(node, 0, memory, 4096);
    try_load(cpu(0), memory, 8);
    mem_pool_access(cpu(0), 16, 1000);
    CU_ASSERT_TRUE(mem_pool_use(node, &use));
    UNIT_EQUAL(use.bytes, 64 + 1000);
    UNIT_EQUAL(use.messages, 2);
    UNIT_NEAR(use.busy_s, 1064 / m->pool_bandwidth, 1e-10);
    CU_ASSERT_FALSE(mem_memory_use(node, &use)); /* no line came from the node's own */
    end();
}

/* Nanoseconds of stores of four processors to one line, all at one date, and of loads behind them.
 */
static double contended_ns(const char *slot)
{
    double sum = 0;
    begin("smp", 4, slot);
    segment(node, 0, memory, 4096);
    for (int i = 0; i < 8; i++) {
        if (i < 4)
            try_store(cpu(i), memory, 8);
        else
            try_load(cpu(i % 4), memory + 64, 8);
    }
    for (int i = 0; i < 4; i++) sum += mem_unpaid(cpu(i)) * 1e9;
    end();
    return sum;
}

static void a_bus_that_takes_no_time_is_the_limit_of_one_that_takes_little(void)
{
    UNIT_NEAR(contended_ns("bus.slot=0s"), contended_ns("bus.slot=0.001ns"), 0.1);
}

UNIT_SUITE(mem_bus, UNIT_TEST(a_bus_that_takes_no_time_is_the_limit_of_one_that_takes_little),
           UNIT_TEST(queueing_grows_with_the_processors_and_saturates_the_bus),
           UNIT_TEST(a_processor_that_runs_ahead_does_not_block_the_past),
           UNIT_TEST(what_lies_between_two_requests_is_used_and_no_time_is_given_twice),
           UNIT_TEST(requests_of_one_date_take_what_they_take_one_by_one),
           UNIT_TEST(processors_that_saturate_a_bus_take_the_same_time_for_every_quantum),
           UNIT_TEST(only_segments_and_the_bus_ask_to_be_paid),
           UNIT_TEST(with_quantum_zero_every_segment_access_pays_first),
           UNIT_TEST(a_copy_by_block_stores_carries_each_line_over_the_bus_once_and_fetches_none),
           UNIT_TEST(a_block_store_drops_the_dirty_copies_of_others),
           UNIT_TEST(lines_of_a_segment_come_from_the_pool),
           UNIT_TEST(memory_gives_no_more_lines_than_it_can_and_says_how_many),
           UNIT_TEST(the_link_to_a_pool_carries_loads_of_the_pool_and_operations),
           UNIT_TEST(charges_of_a_compute_block_are_compute))
