/* mem's image and view: stale loads and what makes them go away, invalidation by index and by
 * address, own bytes. */
#include "mem_unit.h"

static struct mach *m;
static struct mem_node *node;
static struct mem_cpu *cpu;
static uint8_t *memory;
static volatile int32_t *x;

static void begin(const char *name, const char *set)
{
    record_clear();
    m = machine(name, set, NULL);
    node = mem_node_new(m, 1);
    cpu = mem_node_cpu(node, 0);
    cpu->rank = 0;
    cpu->code_base = 0x800;
    cpu->code_end = 0x4000;
    mem_set_quantum(node, 1e3);
    memory = pages(40);
    x = (volatile int32_t *)(memory + 4096);
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

/* ---- stale loads ----------------------------------------------------------------------------- */

static void a_put_is_not_seen_while_the_line_stays_cached(void)
{
    begin("t3d", NULL);
    int id = segment(node, 0, x, 4096);
    mem_paid(cpu, 1e-6);
    UNIT_EQUAL(load_int(cpu, &x[3]), 0);
    put_int(node, &x[3], 42, 5e-6);
    mem_paid(cpu, 6e-6);
    UNIT_EQUAL(load_int(cpu, &x[3]), 0);
    UNIT_EQUAL(mem_stale_loads(cpu), 1);
    UNIT_EQUAL(load_int(cpu, &x[2]), 0); /* same line, not written */
    UNIT_EQUAL(mem_stale_loads(cpu), 1);
    UNIT_EQUAL(findings_stale_count(), 1);
    const struct findings_stale *s = findings_stale_get(0);
    struct op_writer w = op_writer(s->writer);
    UNIT_EQUAL(s->rank, 0);
    UNIT_EQUAL(s->segment, id);
    UNIT_EQUAL(s->offset, 12);
    UNIT_EQUAL(s->bytes, 4);
    UNIT_EQUAL(s->seen[0], 0);
    UNIT_EQUAL(s->memory[0], 42);
    UNIT_EQUAL(s->load_site, 0x1000 - 0x800);
    UNIT_EQUAL(w.rank, 7);
    CU_ASSERT_STRING_EQUAL(w.call, "MPI_Put");
    UNIT_NEAR(s->write_time_s, 5e-6, 1e-10);
    /* the clock, and what a miss takes longer than a hit is owed */
    UNIT_NEAR(s->time_s, 6e-6 + (37 - 2) / 150e6, 1e-12);
    end();
}

static void a_miss_brings_what_memory_holds(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 16384);
    UNIT_EQUAL(load_int(cpu, &x[0]), 0);
    put_int(node, &x[0], 42, 1e-3);
    mem_paid(cpu, 2e-3);
    UNIT_EQUAL(load_int(cpu, &x[0]), 0);
    load_int(cpu, &x[2048]); /* 8 KiB apart: the line is evicted */
    UNIT_EQUAL(load_int(cpu, &x[0]), 42);
    UNIT_EQUAL(mem_stale_loads(cpu), 1);
    end();
}

static void private_data_evict_lines_of_a_segment_too(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 4096);
    load_int(cpu, &x[0]);
    put_int(node, &x[0], 42, 1e-3);
    for (int page = 0; page < 4; page++) try_load(cpu, memory + 4096 * (20 + page), 8);
    UNIT_EQUAL(load_int(cpu, &x[0]), 42);
    UNIT_EQUAL(mem_stale_loads(cpu), 0);
    end();
}

static void a_refresh_drops_the_lines_of_the_range(void)
{
    begin("t3d", "cache.flush_all_cycles=0");
    segment(node, 0, x, 4096);
    load_int(cpu, &x[0]);
    load_int(cpu, &x[100]);
    put_int(node, &x[0], 1, 1e-3);
    put_int(node, &x[100], 2, 1e-3);
    /* two lines, 23 cycles each */
    UNIT_NEAR(mem_refresh(cpu, (uintptr_t)x, 64, 2e-3) * 150e6, 46, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).flushed_lines, 1);
    UNIT_EQUAL(load_int(cpu, &x[0]), 1);
    UNIT_EQUAL(load_int(cpu, &x[100]), 0);
    UNIT_EQUAL(mem_stale_loads(cpu), 1);
    end();
}

static void a_long_range_is_refreshed_by_dropping_the_whole_cache(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 4096);
    load_int(cpu, &x[0]);
    try_load(cpu, memory + 8192, 8);
    UNIT_NEAR(mem_refresh(cpu, (uintptr_t)x, 4096, 0) * 150e6, 23, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).flushed_lines, 2);
    uint64_t missed = mem_cache_count(cpu, 0).load_misses;
    try_load(cpu, memory + 8192, 8); /* private, and gone as well */
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, missed + 1);
    end();
}

static void an_address_invalidation_makes_the_next_load_fresh(void)
{
    begin("t3d", "ni.invalidate=address");
    segment(node, 0, x, 4096);
    load_int(cpu, &x[0]);
    load_int(cpu, &x[8]);
    put_int(node, &x[0], 42, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).invalidations, 1);
    UNIT_EQUAL(load_int(cpu, &x[0]), 42);
    UNIT_EQUAL(mem_stale_loads(cpu), 0);
    UNIT_EQUAL(findings_note_count(), 0);
    end();
}

static void a_put_by_index_kills_innocent_lines(void)
{
    begin("t3d", "ni.invalidate=index");
    segment(node, 0, x, 4096);
    uint8_t *innocent = memory + 4096 * 4, *elsewhere = memory + 4096 * 5;
    load_int(cpu, &x[0]);             /* model page 0 */
    try_load(cpu, elsewhere + 64, 8); /* page 1 */
    try_load(cpu, innocent, 8);       /* page 2: the index of x[0], which it evicts */
    put_int(node, &x[0], 42, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).invalidations, 1);
    UNIT_EQUAL(findings_note_count(), 1);
    const struct findings_note *n = findings_note_get(0);
    UNIT_EQUAL(n->kind, FINDINGS_NOTE_VICTIM);
    UNIT_EQUAL(n->segment, -1);
    UNIT_EQUAL(op_writer(n->writer).rank, 7);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 3);
    try_load(cpu, elsewhere + 64, 8);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 3);
    try_load(cpu, innocent, 8);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 4);
    put_int(node, &x[16], 42, 2e-3); /* nothing lies there */
    UNIT_EQUAL(mem_cache_count(cpu, 0).invalidations, 1);
    end();
}

static void putting_more_lines_than_the_cache_has_kills_all_of_them_once(void)
{
    begin("t3d", "ni.invalidate=index");
    segment(node, 0, x, 32768);
    /* 256 private lines */
    for (int i = 0; i < 256; i++) try_load(cpu, memory + 4096 * 12 + 32 * i, 8);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 256);
    static uint8_t zeros[16384];
    mem_ni_write(node, (uintptr_t)x, zeros, 32 * 10, 1, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).invalidations, 10);
    mem_ni_write(node, (uintptr_t)x, zeros, sizeof zeros, 1, 2e-3); /* 512 lines */
    UNIT_EQUAL(mem_cache_count(cpu, 0).invalidations, 256);
    UNIT_EQUAL(findings_note_count(), 1); /* folded */
    UNIT_EQUAL(findings_note_get(0)->kind, FINDINGS_NOTE_VICTIM);
    UNIT_EQUAL(findings_note_get(0)->count, 256);
    uint64_t missed = mem_cache_count(cpu, 0).load_misses;
    try_load(cpu, memory + 4096 * 12, 8); /* and the filters know */
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, missed + 1);
    end();
}

/* ---- own bytes are never overwritten --------------------------------------------------------- */

static void a_fill_leaves_bytes_that_are_dirty_in_a_write_back_cache(void)
{
    begin("cxl-pool", "cache.l1.size=512");
    segment(node, 0, x, 65536);
    store_int(cpu, &x[0], 5);
    put_int(node, &x[1], 6, 1e-6);
    mem_paid(cpu, 2e-6);
    UNIT_EQUAL(load_int(cpu, &x[1]), 0); /* the line was fetched by the store: stale */
    UNIT_EQUAL(mem_stale_loads(cpu), 1);
    UNIT_EQUAL(load_int(cpu, &x[0]), 5);
    UNIT_EQUAL(mem_stale_loads(cpu), 1); /* its own bytes are newer, not stale */
    UNIT_EQUAL(memory_int(node, &x[0], 2e-6), 0);
    mem_refresh(cpu, (uintptr_t)x, 64, 2e-6); /* a dirty line is written back before it goes */
    mem_paid(cpu, 3e-6);
    UNIT_EQUAL(memory_int(node, &x[0], 3e-6), 5);
    UNIT_EQUAL(memory_int(node, &x[1], 3e-6), 6);
    UNIT_EQUAL(load_int(cpu, &x[0]), 5);
    UNIT_EQUAL(load_int(cpu, &x[1]), 6);
    end();
}

static void a_write_back_cache_publishes_only_dirty_bytes(void)
{
    begin("cxl-pool", NULL);
    segment(node, 0, x, 4096);
    for (int i = 0; i < 16; i += 2) store_int(cpu, &x[i], 100 + i);
    for (int i = 1; i < 16; i += 2) put_int(node, &x[i], 200 + i, 1e-6);
    mem_paid(cpu, 1e-6);
    double took_s = mem_publish(cpu, (uintptr_t)x, 4096, 1e-6);
    UNIT_NEAR(took_s, 64 * 40 / 2.5e9, 1e-12); /* line by line, whatever is in the cache */
    UNIT_EQUAL(mem_cache_count(cpu, mem_levels(cpu) - 1).write_backs, 1);
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6 + took_s), 100);
    for (int i = 0; i < 16; i++)
        UNIT_EQUAL(memory_int(node, &x[i], 1e-5), i & 1 ? 200 + i : 100 + i);
    end();
}

static void random_traffic_never_loses_a_byte_of_either_side(const char *name, const char *set)
{
    /* Own bytes at even places, puts at odd ones: after publish and refresh both sides agree on all
     * of them. */
    begin(name, set);
    int n = 4096;
    segment(node, 0, (void *)(x + 3), (uint64_t)(n - 6) * 4);
    g_autofree int32_t *expected = g_new0(int32_t, n);
    struct base_random r = {3};
    double now_s = 1e-6;
    mem_paid(cpu, now_s);
    for (int step = 0; step < 60000; step++) {
        uint64_t z = base_random_next(&r);
        int i = 3 + (int)((z >> 8) % (uint64_t)(n - 6));
        if (z >> 40 & 1) i = 3 + i % 64;
        int32_t value = (int32_t)(z >> 33);
        switch (z % 8) {
        case 0:
        case 1:
        case 2:
            i &= ~1;
            if (i < 3) i += 2;
            store_int(cpu, &x[i], value);
            expected[i] = value;
            break;
        case 3:
            i |= 1;
            put_int(node, &x[i], value, now_s);
            expected[i] = value;
            break;
        case 4:
        case 5:
        case 6:
            value = load_int(cpu, &x[i]);
            if (!(i & 1) && value != expected[i])
                fprintf(stderr, "    step %d: own x[%d] lost\n", step, i);
            if (!(i & 1)) CU_ASSERT_EQUAL(value, expected[i]);
            break;
        default:
            now_s = pay(cpu, now_s);
            if ((z >> 50) % 64 == 0) {
                now_s += mem_publish(cpu, (uintptr_t)x, 16384, now_s);
                now_s += mem_refresh(cpu, (uintptr_t)x, 16384, now_s);
                mem_paid(cpu, now_s);
            }
        }
    }
    now_s = pay(cpu, now_s);
    now_s += mem_publish(cpu, (uintptr_t)x, 16384, now_s);
    now_s += mem_refresh(cpu, (uintptr_t)x, 16384, now_s);
    mem_paid(cpu, now_s);
    CU_ASSERT(mem_stale_loads(cpu) > 100);
    uint64_t stale = mem_stale_loads(cpu);
    int wrong = 0;
    for (int i = 3; i < n - 3; i++)
        wrong +=
            memory_int(node, &x[i], now_s) != expected[i] || load_int(cpu, &x[i]) != expected[i];
    UNIT_EQUAL(wrong, 0);
    UNIT_EQUAL(mem_stale_loads(cpu), stale);
    end();
}

static void no_byte_is_lost_between_stores_and_puts(void)
{
    random_traffic_never_loses_a_byte_of_either_side("t3d", NULL);
    random_traffic_never_loses_a_byte_of_either_side("t3d", "cache.l1.ways=2");
    random_traffic_never_loses_a_byte_of_either_side("t3d", "wb.entries=0");
    random_traffic_never_loses_a_byte_of_either_side("t3d", "cache.l1.allocate=both");
    random_traffic_never_loses_a_byte_of_either_side("cxl-pool", "cache.l2.size=16KiB");
}

static void several_ranges_are_refreshed_together_by_line_or_whole_whichever_is_cheaper(void)
{
    begin("t3d", "cache.flush_all_cycles=60");
    const struct mem_range range[] = {
        {(uintptr_t)x, 4}, {(uintptr_t)&x[100], 4}, {(uintptr_t)&x[200], 4}};
    segment(node, 0, x, 4096);
    load_int(cpu, &x[0]);
    load_int(cpu, &x[100]);
    load_int(cpu, &x[300]);
    UNIT_NEAR(mem_refresh_all(cpu, range, 2, 0) * 150e6, 46, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).flushed_lines, 2);
    /* three lines are more than the whole */
    UNIT_NEAR(mem_refresh_all(cpu, range, 3, 1e-3) * 150e6, 60, 1e-3);
    UNIT_EQUAL(mem_cache_count(cpu, 0).flushed_lines, 3); /* x[300]'s */
    UNIT_EQUAL(mem_refresh_all(cpu, range, 0, 2e-3), 0);
    end();
}

static void a_byte_store_keeps_what_a_library_has_stored_beside_it(void)
{
    begin("t3d", NULL);
    volatile uint8_t *byte = (volatile uint8_t *)x;
    uint8_t got[8];
    mem_segment_protect(node, segment(node, 0, x, 4)); /* two windows in one word of eight bytes */
    mem_segment_protect(node, segment(node, 0, &x[1], 4));
    mem_paid(cpu, 1e-6);
    byte[5] = 7; /* nobody announced it */
    UNIT_EQUAL(try_store(cpu, &byte[1], 1), MEM_DONE);
    byte[1] = 1;
    const double now_s = 2e-6 + mem_drain(cpu, 2e-6);
    mem_paid(cpu, now_s);
    mem_ni_read(node, (uintptr_t)x, got, sizeof got, now_s);
    UNIT_EQUAL(got[1], 1);
    UNIT_EQUAL(got[5], 7);
    UNIT_EQUAL(byte[5], 7);
    UNIT_EQUAL(findings_note_count(), 0);
    end();
}

UNIT_SUITE(mem_view, UNIT_TEST(a_put_is_not_seen_while_the_line_stays_cached),
           UNIT_TEST(a_miss_brings_what_memory_holds),
           UNIT_TEST(private_data_evict_lines_of_a_segment_too),
           UNIT_TEST(a_refresh_drops_the_lines_of_the_range),
           UNIT_TEST(a_long_range_is_refreshed_by_dropping_the_whole_cache),
           UNIT_TEST(several_ranges_are_refreshed_together_by_line_or_whole_whichever_is_cheaper),
           UNIT_TEST(an_address_invalidation_makes_the_next_load_fresh),
           UNIT_TEST(a_put_by_index_kills_innocent_lines),
           UNIT_TEST(putting_more_lines_than_the_cache_has_kills_all_of_them_once),
           UNIT_TEST(a_fill_leaves_bytes_that_are_dirty_in_a_write_back_cache),
           UNIT_TEST(a_write_back_cache_publishes_only_dirty_bytes),
           UNIT_TEST(no_byte_is_lost_between_stores_and_puts),
           UNIT_TEST(a_byte_store_keeps_what_a_library_has_stored_beside_it))
