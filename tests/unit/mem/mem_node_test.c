/* mem on nodes with several processors: coherence and false sharing. */
#include "mem_node_scene.h"

/* ---- protocols ------------------------------------------------------------------------------- */

static void a_dirty_line_is_supplied_by_the_other_cache(void)
{
    begin("smp", 2, NULL);
    segment(node, 0, memory, 8192);
    UNIT_NEAR(ns(0, &x[0], true), 270 - HIT, 0.1);
    UNIT_NEAR(ns(0, &x[1], true), 0, 0.1);
    /* cache to cache; the line has come to the first one a hit's time after that went on */
    UNIT_NEAR(ns(1, &x[0], false), 480, 0.1);
    UNIT_NEAR(ns(1, &x[0], false), 0, 0.1);
    /* still there: owned, in l2 (l1 does not allocate on stores) */
    UNIT_NEAR(ns(0, &x[0], false), 42 - HIT, 0.1);
    UNIT_NEAR(ns(0, &x[0], true), 24, 0.1); /* owned to modified: an upgrade, address only */
    UNIT_NEAR(ns(1, &x[0], false), 480 - HIT, 0.1); /* and the copy was invalidated */
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
    } rows[] = {{"coh.protocol=msi", 24}, {"coh.protocol=mesi", 0}, {"coh.protocol=moesi", 0}};
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
        UNIT_NEAR(ns(0, &x[0], true), 480, 0.1); /* HIT for the line to come, 480 - HIT */
        UNIT_NEAR(ns(1, &x[1], true), 480, 0.1);
    }
    ns(1, &x[16], true); /* the next line of 64 bytes */
    ns(0, &x[0], true);
    for (int i = 0; i < 50; i++) {
        UNIT_NEAR(ns(0, &x[0], true), 0, 0.1);
        UNIT_NEAR(ns(1, &x[16], true), 0, 0.1);
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
    UNIT_NEAR(ns(0, &x[0], true), 0, 0.1);
    UNIT_NEAR(ns(1, &x[0], false), 480 - HIT, 0.1);
    end();
}

static void a_put_by_the_origins_processor_leaves_the_line_in_its_cache(void)
{
    begin("smp", 2, NULL);
    segment(node, 0, memory, 4096);
    load_int(cpu(0), &x[0]);
    mem_take(cpu(0));
    int32_t v = 99;
    const uint32_t writer = op_writer_id(1, "MPI_Put", 1);
    const double took_s =
        mem_charge_s(mem_cpu_write(cpu(1), (uintptr_t)&x[0], &v, 4, writer, 1e-6));
    UNIT_NEAR(took_s * 1e9, WORD + 480 - HIT,
              0.1); /* read for ownership; the target's copy answers */
    UNIT_NEAR(mem_unpaid(cpu(1)), 0, 0);
    UNIT_EQUAL(x[0], 99);
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6 + took_s), 99);
    mem_paid(cpu(0), 2e-6);
    UNIT_EQUAL(load_int(cpu(0), &x[0]), 99);
    /* the target's first read is a transfer */
    UNIT_NEAR(mem_take(cpu(0)).memory_s * 1e9, 480 - HIT, 0.1);
    UNIT_EQUAL(mem_stale_loads(cpu(0)), 0);
    end();
}

static void a_store_is_not_seen_by_the_interface_before_its_time(void)
{
    begin("now", 1, NULL);
    segment(node, 0, memory, 4096);
    mem_paid(cpu(0), 1e-6);
    load_int(cpu(0), &x[0]);
    store_int(cpu(0), &x[0], 5);
    double stored_s = 1e-6 + mem_unpaid(cpu(0));
    CU_ASSERT(stored_s > 1.2e-6); /* after the load, which was a miss */
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6), 0);
    UNIT_EQUAL(memory_int(node, &x[0], stored_s - 1e-9), 0);
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
           UNIT_TEST(coherent_processors_always_agree))
