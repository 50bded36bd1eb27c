/* mem on nodes with several processors: coherence, false sharing, the bus, and when an access asks
 * to be paid first. */
#include "mem_unit.h"

static struct mach *m;
static struct mem_node *node;
static uint8_t *memory;
static volatile int32_t *x;
static double now_s[128];

static void begin(const char *name, int cpus, const char *set)
{
    record_clear();
    m = machine(name, "cpu.cycles_per_access=0", set, NULL);
    node = mem_node_new(m, cpus);
    for (int i = 0; i < cpus; i++) {
        mem_node_cpu(node, i)->rank = i;
        now_s[i] = 0;
    }
    mem_set_quantum(node, 1e3);
    memory = pages(64);
    x = (volatile int32_t *)memory;
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

static struct mem_cpu *cpu(int i) { return mem_node_cpu(node, i); }

/* Nanoseconds of one access, paid at once; all processors stand at the same date afterwards. */
static double ns(int i, const volatile void *at, bool store)
{
    double latest = 0;
    for (int k = 0; k < 64; k++) latest = MAX(latest, now_s[k]);
    mem_paid(cpu(i), latest);
    UNIT_EQUAL(store ? try_store(cpu(i), at, 4) : try_load(cpu(i), at, 4), MEM_DONE);
    now_s[i] = pay(cpu(i), latest);
    return (now_s[i] - latest) * 1e9;
}

/* ---- protocols ------------------------------------------------------------------------------- */

static void a_dirty_line_is_supplied_by_the_other_cache(void)
{
    begin("smp", 2, NULL);
    segment(node, 0, memory, 8192);
    UNIT_NEAR(ns(0, &x[0], true), 270, 0.1);
    UNIT_NEAR(ns(0, &x[1], true), 6, 0.1);
    UNIT_NEAR(ns(1, &x[0], false), 480, 0.1); /* cache to cache */
    UNIT_NEAR(ns(1, &x[0], false), 6, 0.1);
    /* still there: owned, in l2 (l1 does not allocate on stores) */
    UNIT_NEAR(ns(0, &x[0], false), 42, 0.1);
    UNIT_NEAR(ns(0, &x[0], true), 24 + 6, 0.1); /* owned to modified: an upgrade, address only */
    UNIT_NEAR(ns(1, &x[0], false), 480, 0.1);   /* and the copy was invalidated */
    struct mem_cache_count c = mem_cache_count(cpu(1), 1);
    UNIT_EQUAL(c.invalidations, 1);
    UNIT_EQUAL(c.load_misses, 2);
    end();
}

static void mesi_writes_the_dirty_line_back_when_it_is_read_and_moesi_does_not(void)
{
    for (int k = 0; k < 2; k++) {
        begin("smp", 2, k ? "coh.protocol=moesi" : "coh.protocol=mesi");
        segment(node, 0, memory, 4096);
        ns(0, &x[0], true);
        ns(1, &x[0], false);
        UNIT_EQUAL(mem_cache_count(cpu(0), 1).write_backs, k ? 0 : 1);
        end();
    }
}

static void only_msi_pays_an_upgrade_for_data_nobody_else_has(void)
{
    static const struct {
        const char *set;
        double ns;
    } rows[] = {{"coh.protocol=msi", 24 + 6}, {"coh.protocol=mesi", 6}, {"coh.protocol=moesi", 6}};
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        begin("smp", 2, rows[k].set);
        ns(0, &x[0], false);
        UNIT_NEAR(ns(0, &x[0], true), rows[k].ns, 0.1);
        end();
    }
}

static void false_sharing_pays_a_transfer_each_time_and_padding_does_not(void)
{
    begin("smp", 2, NULL);
    segment(node, 0, memory, 4096);
    ns(0, &x[0], true);
    ns(1, &x[1], true);
    for (int i = 0; i < 50; i++) {
        UNIT_NEAR(ns(0, &x[0], true), 480, 0.1);
        UNIT_NEAR(ns(1, &x[1], true), 480, 0.1);
    }
    ns(1, &x[16], true); /* the next line of 64 bytes */
    ns(0, &x[0], true);
    for (int i = 0; i < 50; i++) {
        UNIT_NEAR(ns(0, &x[0], true), 6, 0.1);
        UNIT_NEAR(ns(1, &x[16], true), 6, 0.1);
    }
    UNIT_EQUAL(mem_stale_loads(cpu(0)) + mem_stale_loads(cpu(1)), 0);
    end();
}

static void a_line_is_found_in_any_of_a_hundred_caches(void)
{
    begin("smp", 100, "cpus=128");
    segment(node, 0, memory, 4096);
    for (int i = 0; i < 100; i++) try_load(cpu(i), &x[0], 4);
    try_store(cpu(70), &x[0], 4);
    for (int i = 0; i < 100; i++)
        UNIT_EQUAL(mem_cache_count(cpu(i), 1).invalidations, i == 70 ? 0 : 1);
    try_load(cpu(6), &x[0], 4); /* shares its bit of the hint with 70 */
    mem_take(cpu(70));
    try_store(cpu(70), &x[0], 4);
    UNIT_EQUAL(mem_cache_count(cpu(6), 1).invalidations, 2);
    end();
}

static void a_coherent_interface_invalidates_or_updates_in_place(void)
{
    for (int k = 0; k < 2; k++) {
        begin("now", 1, k ? "ni.invalidate=address" : "ni.invalidate=none");
        segment(node, 0, memory, 4096);
        load_int(cpu(0), &x[0]);
        put_int(node, &x[0], 5, 1e-6);
        mem_paid(cpu(0), 2e-6);
        UNIT_EQUAL(load_int(cpu(0), &x[0]), 5);
        UNIT_EQUAL(mem_cache_count(cpu(0), 0).load_misses, k ? 2 : 1);
        UNIT_EQUAL(mem_stale_loads(cpu(0)), 0);
        end();
    }
}

static void private_data_of_two_ranks_never_share_a_line(void)
{
    /* Ranks are processes: that the simulator keeps both heaps in one must not show. */
    begin("smp", 2, NULL);
    for (int i = 0; i < 20; i++) {
        ns(0, &x[0], true);
        ns(1, &x[1], true);
    }
    UNIT_EQUAL(mem_cache_count(cpu(0), 1).invalidations, 0);
    UNIT_EQUAL(mem_cache_count(cpu(0), 1).store_misses, 1);
    UNIT_EQUAL(mem_cache_count(cpu(1), 1).store_misses, 1);
    end();
}

static void memory_that_becomes_a_segment_keeps_its_owners_lines(void)
{
    begin("smp", 2, NULL);
    ns(0, &x[0], true);
    ns(0, &x[0], true);
    CU_ASSERT_EQUAL(segment(node, 0, memory, 4096) >= 0, true);
    UNIT_NEAR(ns(0, &x[0], true), 6, 0.1);
    UNIT_NEAR(ns(1, &x[0], false), 480, 0.1);
    end();
}

static void a_put_by_the_origins_processor_leaves_the_line_in_its_cache(void)
{
    begin("smp", 2, NULL);
    segment(node, 0, memory, 4096);
    load_int(cpu(0), &x[0]);
    mem_take(cpu(0));
    int32_t v = 99;
    double took_s =
        mem_cpu_write(cpu(1), (uintptr_t)&x[0], &v, 4, op_writer_id(1, "MPI_Put", 1), 1e-6);
    UNIT_NEAR(took_s * 1e9, 480, 0.1); /* read for ownership; the target's copy answers */
    UNIT_NEAR(mem_unpaid(cpu(1)), 0, 0);
    UNIT_EQUAL(x[0], 99);
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6 + took_s), 99);
    mem_paid(cpu(0), 2e-6);
    UNIT_EQUAL(load_int(cpu(0), &x[0]), 99);
    /* the target's first read is a transfer */
    UNIT_NEAR(mem_take(cpu(0)).memory_s * 1e9, 480, 0.1);
    UNIT_EQUAL(mem_stale_loads(cpu(0)), 0);
    end();
}

static void a_store_is_not_seen_by_the_interface_before_its_time(void)
{
    begin("now", 1, NULL);
    segment(node, 0, memory, 4096);
    mem_paid(cpu(0), 1e-6);
    load_int(cpu(0), &x[0]);
    double after_s = 1e-6 + mem_unpaid(cpu(0));
    store_int(cpu(0), &x[0], 5);
    double stored_s = 1e-6 + mem_unpaid(cpu(0));
    CU_ASSERT(stored_s > after_s);
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6), 0);
    UNIT_EQUAL(memory_int(node, &x[0], stored_s), 5);
    end();
}

static void a_put_does_not_undo_a_store_made_later(void)
{
    begin("now", 1, NULL);
    segment(node, 0, memory, 4096);
    mem_paid(cpu(0), 1e-6);
    load_int(cpu(0), &x[32]);
    store_int(cpu(0), &x[0], 5); /* some 270 ns after 1 us */
    put_int(node, &x[0], 6, 1e-6 + 10e-9);
    put_int(node, &x[1], 7, 1e-6 + 10e-9);
    UNIT_EQUAL(x[0], 5);
    UNIT_EQUAL(x[1], 7);
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6 + 20e-9), 6);
    pay(cpu(0), 1e-6);
    UNIT_EQUAL(memory_int(node, &x[0], 2e-6), 5);
    put_int(node, &x[0], 8, 3e-6);
    UNIT_EQUAL(x[0], 8);
    UNIT_EQUAL(load_int(cpu(0), &x[0]), 8);
    UNIT_EQUAL(mem_stale_loads(cpu(0)), 0);
    end();
}

static void random_sharing_keeps_one_writer_and_no_stale_load(const char *set)
{
    begin("smp", 4, set);
    segment(node, 0, memory, 8192);
    struct base_random r = {11};
    for (int i = 0; i < 40000; i++) {
        uint64_t z = base_random_next(&r);
        int who = (int)(z & 3), at = (int)((z >> 8) % 2048);
        if (z >> 30 & 1) at %= 64;
        if (z >> 32 & 1) {
            store_int(cpu(who), &x[at], (int32_t)(z >> 33));
        } else {
            int32_t held = x[at];
            UNIT_EQUAL(load_int(cpu(who), &x[at]), held);
        }
        if ((z >> 40 & 31) == 0) now_s[who] = pay(cpu(who), now_s[who]);
        /* After a store by `who` an immediate second store costs a first-level hit at most: it owns
         * the line. */
        if (z >> 32 & 1) {
            double before = mem_unpaid(cpu(who));
            store_int(cpu(who), &x[at], 1);
            CU_ASSERT(mem_unpaid(cpu(who)) - before < 6.1e-9);
        }
    }
    double last = 0;
    for (int i = 0; i < 4; i++) last = MAX(last, now_s[i] + mem_unpaid(cpu(i)));
    for (int i = 0; i < 2048; i++) UNIT_EQUAL(memory_int(node, &x[i], last + 1e-3), x[i]);
    uint64_t stale = 0;
    for (int i = 0; i < 4; i++) stale += mem_stale_loads(cpu(i));
    UNIT_EQUAL(stale, 0);
    end();
}

static void coherent_processors_always_agree(void)
{
    random_sharing_keeps_one_writer_and_no_stale_load("coh.protocol=msi");
    random_sharing_keeps_one_writer_and_no_stale_load("coh.protocol=mesi");
    random_sharing_keeps_one_writer_and_no_stale_load("coh.protocol=moesi");
    random_sharing_keeps_one_writer_and_no_stale_load("cache.l2.size=4KiB");
    random_sharing_keeps_one_writer_and_no_stale_load("cache.l2.ways=4");
}

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
    struct mem_bus_count b = mem_bus_count(node);
    UNIT_EQUAL(b.transactions, rounds * n);
    UNIT_EQUAL(b.bytes, (uint64_t)rounds * (uint64_t)n * 64);
    UNIT_NEAR(b.busy_s, rounds * n * 24e-9, 1e-9);
    CU_ASSERT(b.busy_s <= latest * (1 + 1e-9)); /* one bus: never busier than time has passed */
    end();
    return sum / (rounds * n) * 1e9;
}

static void queueing_grows_with_the_processors_and_saturates_the_bus(void)
{
    double one = miss_ns(1), eight = miss_ns(8), sixteen = miss_ns(16), thirty = miss_ns(30);
    UNIT_NEAR(one, 270, 0.1);
    CU_ASSERT(eight < 300); /* 8 x 24 < 270: hardly any */
    CU_ASSERT(sixteen > eight && thirty > sixteen);
    UNIT_NEAR(thirty, 30 * 24, 20); /* saturated: one slot each in turn */
}

static void a_processor_that_runs_ahead_does_not_block_the_past(void)
{
    begin("smp", 2, NULL);
    /* slots at 0, 270 and 540 ns, unpaid */
    for (int i = 0; i < 3; i++) try_load(cpu(0), memory + 64 * i, 8);
    UNIT_NEAR(mem_unpaid(cpu(0)) * 1e9, 3 * 270, 0.1);
    try_load(cpu(1), memory + 4096, 8); /* at 0: taken, the next begins at 24 */
    UNIT_NEAR(mem_unpaid(cpu(1)) * 1e9, 24 + 270, 0.1);
    UNIT_NEAR(mem_bus_count(node).queued_s * 1e9, 24, 0.1);
    end();
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
        UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_PAY_FIRST);
        now_s[0] = pay(cpu(0), now_s[0]);
        UNIT_EQUAL(try_load(cpu(0), &x[0], 4), MEM_DONE);
    }
    end();
}

/* ---- a pool without coherence ---------------------------------------------------------------- */

static void lines_of_a_segment_come_from_the_pool(void)
{
    begin("cxl-pool", 1, NULL);
    segment(node, 0, memory, 4096);
    UNIT_NEAR(ns(0, &x[0], false), 350, 0.1);
    UNIT_NEAR(ns(0, memory + 8192, false), 95, 0.1); /* private: local memory */
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

UNIT_SUITE(mem_node, UNIT_TEST(a_dirty_line_is_supplied_by_the_other_cache),
           UNIT_TEST(mesi_writes_the_dirty_line_back_when_it_is_read_and_moesi_does_not),
           UNIT_TEST(only_msi_pays_an_upgrade_for_data_nobody_else_has),
           UNIT_TEST(false_sharing_pays_a_transfer_each_time_and_padding_does_not),
           UNIT_TEST(a_line_is_found_in_any_of_a_hundred_caches),
           UNIT_TEST(a_coherent_interface_invalidates_or_updates_in_place),
           UNIT_TEST(private_data_of_two_ranks_never_share_a_line),
           UNIT_TEST(memory_that_becomes_a_segment_keeps_its_owners_lines),
           UNIT_TEST(a_put_by_the_origins_processor_leaves_the_line_in_its_cache),
           UNIT_TEST(a_store_is_not_seen_by_the_interface_before_its_time),
           UNIT_TEST(a_put_does_not_undo_a_store_made_later),
           UNIT_TEST(coherent_processors_always_agree),
           UNIT_TEST(queueing_grows_with_the_processors_and_saturates_the_bus),
           UNIT_TEST(a_processor_that_runs_ahead_does_not_block_the_past),
           UNIT_TEST(only_segments_and_the_bus_ask_to_be_paid),
           UNIT_TEST(with_quantum_zero_every_segment_access_pays_first),
           UNIT_TEST(lines_of_a_segment_come_from_the_pool),
           UNIT_TEST(charges_of_a_compute_block_are_compute))
