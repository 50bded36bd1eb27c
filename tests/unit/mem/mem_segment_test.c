/* mem's segments: sub-word stores, overlapping registrations, edges, accesses by the engine. */
#include "mem_unit.h"

static struct mach *m;
static struct mem_node *node;
static struct mem_cpu *cpu;
static uint8_t *memory;
static volatile int32_t *x;

static void begin(const char *name, const char *set)
{
    record_clear();
    g_auto(GStrv) sets = g_strsplit(set ? set : "", " ", -1); /* up to four */
    guint n = g_strv_length(sets);
    m = machine(name, n > 0 ? sets[0] : NULL, n > 1 ? sets[1] : NULL, n > 2 ? sets[2] : NULL,
                n > 3 ? sets[3] : NULL, NULL);
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

/* ---- sub-word stores ------------------------------------------------------------------------- */

static void put_byte(int i, uint8_t value, double at_s)
{
    mem_ni_write(node, (uintptr_t)x + (uintptr_t)i, &value, 1, op_writer_id(3, "MPI_Put", 0x33),
                 at_s);
}
static uint8_t memory_byte(int i, double at_s)
{
    uint8_t v;
    mem_ni_read(node, (uintptr_t)x + (uintptr_t)i, &v, 1, at_s);
    return v;
}
static void store_byte(int i, uint8_t value)
{
    UNIT_EQUAL(try_store(cpu, (volatile uint8_t *)x + i, 1), MEM_DONE);
    ((volatile uint8_t *)x)[i] = value;
}

static void a_byte_store_puts_its_neighbours_back_and_loses_a_put_in_between(void)
{
    begin("t3d", NULL);
    int id = segment(node, 0, x, 64);
    mem_paid(cpu, 1e-6);
    store_byte(0, 1);
    put_byte(1, 9, 2e-6); /* after the read of the eight bytes, before their write */
    put_byte(3, 7, 2e-6);
    put_byte(8, 8, 2e-6); /* the next quadword is safe */
    UNIT_EQUAL(memory_byte(1, 2e-6), 9);
    mem_paid(cpu, 3e-6);
    double now_s = 3e-6 + mem_drain(cpu, 3e-6);
    mem_paid(cpu, now_s);
    UNIT_EQUAL(memory_byte(0, now_s), 1);
    UNIT_EQUAL(memory_byte(1, now_s), 0);
    UNIT_EQUAL(memory_byte(8, now_s), 8);
    UNIT_EQUAL(findings_note_count(), 1);
    const struct findings_note *n = findings_note_get(0);
    UNIT_EQUAL(n->kind, FINDINGS_NOTE_LOST_UPDATE);
    UNIT_EQUAL(n->rank, 0);
    UNIT_EQUAL(n->segment, id);
    UNIT_EQUAL(n->offset, 1);
    UNIT_EQUAL(n->bytes, 2); /* one note says how many */
    UNIT_EQUAL(n->site, 0x2000 - 0x800);
    UNIT_EQUAL(op_writer(n->writer).rank, 3);
    end();
}

static void a_byte_store_after_the_put_reads_its_byte_and_loses_nothing(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 64);
    put_byte(1, 9, 1e-6);
    mem_paid(cpu, 2e-6);
    store_byte(0, 1);
    double now_s = pay(cpu, 2e-6);
    now_s += mem_drain(cpu, now_s);
    UNIT_EQUAL(memory_byte(0, now_s), 1);
    UNIT_EQUAL(memory_byte(1, now_s), 9);
    UNIT_EQUAL(findings_note_count(), 0);
    end();
}

static void a_byte_store_through_a_stale_line_undoes_the_put(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 64);
    load_int(cpu, &x[0]);
    put_byte(1, 9, 1e-6);
    mem_paid(cpu, 2e-6);
    store_byte(0, 1);
    double now_s = pay(cpu, 2e-6);
    now_s += mem_drain(cpu, now_s);
    UNIT_EQUAL(memory_byte(1, now_s), 0);
    UNIT_EQUAL(findings_note_count(), 1);
    end();
}

static void whole_longwords_and_native_machines_lose_nothing(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 64);
    store_int(cpu, &x[0], 1);
    put_int(node, &x[1], 2, 1e-6); /* the other half of the quadword */
    mem_paid(cpu, 2e-6);
    mem_drain(cpu, 2e-6);
    mem_paid(cpu, 3e-6);
    UNIT_EQUAL(memory_int(node, &x[1], 3e-6), 2);
    UNIT_EQUAL(findings_note_count(), 0);
    end();
    begin("t3d", "cpu.subword=native");
    segment(node, 0, x, 64);
    store_byte(0, 1);
    put_byte(1, 9, 1e-6);
    mem_paid(cpu, 2e-6);
    mem_drain(cpu, 2e-6);
    mem_paid(cpu, 3e-6);
    UNIT_EQUAL(memory_byte(0, 3e-6), 1);
    UNIT_EQUAL(memory_byte(1, 3e-6), 9);
    UNIT_EQUAL(findings_note_count(), 0);
    end();
}

static void a_byte_store_beside_a_protected_segment_leaves_its_bytes_to_memory(void)
{
    for (int restore = 0; restore < 2; restore++) {
        begin("t3d", restore ? NULL : "cpu.subword_restore=0");
        int id = segment(node, 0, x, 4);
        mem_segment_protect(node, id);
        mem_paid(cpu, 1e-6);
        store_byte(5, 1); /* private, in the same eight bytes */
        put_byte(1, 9, 2e-6);
        mem_paid(cpu, 3e-6);
        double now_s = 3e-6 + mem_drain(cpu, 3e-6);
        mem_paid(cpu, now_s);
        UNIT_EQUAL(memory_byte(1, now_s), restore ? 9 : 0);
        UNIT_EQUAL(((volatile uint8_t *)x)[1], restore ? 9 : 0); /* no cache has the line */
        UNIT_EQUAL(((volatile uint8_t *)x)[5], 1);
        UNIT_EQUAL(findings_note_count(), 1);
        UNIT_EQUAL(findings_note_get(0)->kind,
                   restore ? FINDINGS_NOTE_RESTORED : FINDINGS_NOTE_LOST_UPDATE);
        UNIT_EQUAL(findings_note_get(0)->bytes, 1);
        CU_ASSERT_EQUAL(mem_segment_restore(node, id) > 0, restore);
        CU_ASSERT(mem_segment_restore(node, id) == 0);
        end();
    }
}

static void a_store_inside_a_protected_segment_loses_what_shares_its_word(void)
{
    begin("t3d", NULL);
    int id = segment(node, 0, x, 8);
    mem_segment_protect(node, id);
    mem_paid(cpu, 1e-6);
    store_byte(5, 1);
    put_byte(1, 9, 2e-6); /* MPI-2 11.7: erroneous, in one window */
    mem_paid(cpu, 3e-6);
    double now_s = 3e-6 + mem_drain(cpu, 3e-6);
    mem_paid(cpu, now_s);
    UNIT_EQUAL(memory_byte(1, now_s), 0);
    UNIT_EQUAL(findings_note_get(0)->kind, FINDINGS_NOTE_LOST_UPDATE);
    end();
}

static void neighbours_outside_the_segment_are_not_touched(void)
{
    begin("t3d", NULL);
    uint8_t *bytes = (uint8_t *)(uintptr_t)x;
    bytes[2] = 77;
    mem_segment_add(node, op_segment_add(0, (uintptr_t)bytes + 3, 2, ""), (uintptr_t)bytes + 3, 2);
    store_byte(3, 1);
    bytes[2] = 78; /* private, stored by a hook that never reached the buffer */
    mem_paid(cpu, 1e-6);
    mem_drain(cpu, 1e-6);
    mem_paid(cpu, 1e-3);
    UNIT_EQUAL(bytes[2], 78);
    UNIT_EQUAL(memory_byte(3, 1e-3), 1);
    end();
}

/* ---- segments -------------------------------------------------------------------------------- */

static void overlapping_segments_have_one_image(void)
{
    begin("t3d", NULL);
    int a = segment(node, 0, &x[0], 400), b = segment(node, 0, &x[50], 400);
    put_int(node, &x[60], 5, 1e-6);
    UNIT_EQUAL(memory_int(node, &x[60], 1e-6), 5);
    mem_segment_remove(node, a);
    UNIT_EQUAL(memory_int(node, &x[60], 1e-6), 5);
    load_int(cpu, &x[61]);
    put_int(node, &x[60], 6, 2e-6);
    mem_paid(cpu, 3e-6);
    UNIT_EQUAL(load_int(cpu, &x[60]), 5); /* still a segment: stale */
    UNIT_EQUAL(findings_stale_get(0)->segment, b);
    UNIT_EQUAL(findings_stale_get(0)->offset, 40);
    put_int(node, &x[10], 7, 3e-6); /* plain memory now */
    UNIT_EQUAL(x[10], 7);
    mem_segment_remove(node, b);
    UNIT_EQUAL(x[60], 6); /* what memory held is what there is */
    end();
}

static void segments_that_meet_inside_a_word_keep_their_dirty_bytes_when_they_are_united(void)
{
    begin("t3d", "cache.l1.write=back cache.l1.allocate=both");
    segment(node, 0, &x[0], 12);
    segment(node, 0, &x[3], 12); /* from the middle of an 8-byte word */
    store_int(cpu, &x[2], 5);
    store_int(cpu, &x[3], 6);
    segment(node, 0, &x[0], 24);
    double now_s = pay(cpu, 1e-6);
    now_s += mem_publish(cpu, (uintptr_t)x, 24, now_s);
    UNIT_EQUAL(memory_int(node, &x[2], now_s), 5);
    UNIT_EQUAL(memory_int(node, &x[3], now_s), 6);
    end();
}

static void dirty_bytes_of_a_removed_segment_are_not_dirty_in_one_that_comes_later(void)
{
    begin("t3d", "cache.l1.write=back cache.l1.allocate=both");
    segment(node, 0, &x[0], 12);
    int both = segment(node, 0, &x[0], 24);
    store_int(cpu, &x[3], 6);
    mem_segment_remove(node, both);
    segment(node, 0, &x[3], 12);
    segment(node, 0, &x[0], 24);
    double now_s = pay(cpu, 1e-6);
    put_int(node, &x[3], 9, now_s);
    now_s += mem_refresh(cpu, (uintptr_t)x, 24, now_s);
    mem_paid(cpu, now_s);
    UNIT_EQUAL(load_int(cpu, &x[3]), 9);
    end();
}

static void many_segments_come_and_go_in_any_order(void)
{
    begin("t3d", NULL);
    int id[40];
    struct base_random r = {5};
    for (int i = 0; i < 40; i++) {
        uint64_t z = base_random_next(&r);
        id[i] = segment(node, 0, memory + z % 20000, 1 + (z >> 32) % 3000);
    }
    for (int i = 0; i < 40; i++) {
        int32_t v = 1000 + i, seen;
        uintptr_t at = (uintptr_t)memory + base_random_next(&r) % 23000;
        mem_ni_write(node, at, &v, 4, 1, 1e-6 * i);
        mem_ni_read(node, at, &seen, 4, 1e-6 * i);
        UNIT_EQUAL(seen, v);
        mem_segment_remove(node, id[(i * 7) % 40]);
        mem_ni_read(node, at, &seen, 4, 1e-6 * i);
        UNIT_EQUAL(seen, v);
    }
    uint8_t seen[24000];
    mem_ni_read(node, (uintptr_t)memory, seen, sizeof seen, 1);
    CU_ASSERT(memcmp(seen, memory, sizeof seen) == 0);
    end();
}

static void a_line_at_the_edge_moves_only_bytes_of_the_segment(void)
{
    begin("t3d", NULL);
    x[0] = 1, x[1] = 2, x[2] = 3;
    segment(node, 0, &x[1], 4);
    put_int(node, &x[1], 9, 1e-6);
    x[0] = 10, x[2] = 30; /* private stores; the image never knew them */
    UNIT_EQUAL(load_int(cpu, &x[1]), 9);
    UNIT_EQUAL(x[0], 10);
    UNIT_EQUAL(x[2], 30);
    end();
}

static void lines_of_a_segment_never_enter_the_filters(void)
{
    begin("t3d", NULL);
    segment(node, 0, &x[0], 4);
    for (int i = 0; i < 3; i++) load_int(cpu, &x[4]); /* private, in the segment's line */
    CU_ASSERT_FALSE(mem_fast_load(cpu, (uintptr_t)&x[4]));
    for (int i = 0; i < 3; i++) load_int(cpu, &x[8]); /* the next line of that page */
    CU_ASSERT_TRUE(mem_fast_load(cpu, (uintptr_t)&x[8]));
    segment(node, 0, &x[8], 4);
    CU_ASSERT_FALSE(mem_fast_load(cpu, (uintptr_t)&x[8]));
    end();
}

static void a_buffered_word_gives_way_to_a_later_one_in_the_cache(void)
{
    /* A write-back cache that does not allocate on stores: the first store is buffered, the second
     * is kept by the line that a load brought in between. The buffered value must not come out
     * last. */
    begin("cxl-pool", "cache.l1.allocate=read cache.l2.allocate=read wb.entries=4 wb.hold=3");
    segment(node, 0, x, 64);
    store_int(cpu, &x[0], 1);
    UNIT_EQUAL(load_int(cpu, &x[0]), 1);
    store_int(cpu, &x[0], 2);
    double now_s = pay(cpu, 1e-6);
    now_s += mem_publish(cpu, (uintptr_t)x, 64, now_s);
    UNIT_EQUAL(memory_int(node, &x[0], now_s + 1e-6), 2);
    end();
}

static void without_caches_every_load_sees_memory(void)
{
    begin("t3d", "cache.l1.size=0");
    segment(node, 0, x, 64);
    UNIT_EQUAL(load_int(cpu, &x[0]), 0);
    put_int(node, &x[0], 5, 1e-6);
    mem_paid(cpu, 2e-6);
    UNIT_EQUAL(load_int(cpu, &x[0]), 5);
    store_int(cpu, &x[0], 6);
    UNIT_EQUAL(load_int(cpu, &x[0]), 6);
    UNIT_EQUAL(mem_levels(cpu), 0);
    double now_s = pay(cpu, 3e-6);
    now_s += mem_publish(cpu, (uintptr_t)x, 64, now_s);
    UNIT_EQUAL(memory_int(node, &x[0], now_s), 6);
    end();
}

/* ---- accesses by the engine ------------------------------------------------------------------ */

static void engine_accesses_return_their_time_and_owe_nothing(void)
{
    begin("t3d", NULL);
    segment(node, 0, x, 4096);
    mem_paid(cpu, 1e-6);
    load_int(cpu, &x[0]);
    double before = mem_unpaid(cpu);
    double word = 1; /* cycles: one load or store a cycle */
    int32_t v = 0;
    struct mem_charge took = mem_cpu_read(cpu, (uintptr_t)&x[64], &v, 4, 2e-6);
    UNIT_NEAR(took.compute_s * 150e6, word, 1e-3);
    UNIT_NEAR(took.memory_s * 150e6, 21 - 2, 1e-3);
    took = mem_cpu_read(cpu, (uintptr_t)&x[64], &v, 4, 3e-6);
    UNIT_NEAR(mem_charge_s(took) * 150e6, word, 1e-3);
    UNIT_NEAR(mem_unpaid(cpu), before, 0);
    v = 5;
    /* into the buffer */
    took = mem_cpu_write(cpu, (uintptr_t)&x[65], &v, 4, 0, 4e-6);
    UNIT_NEAR(mem_charge_s(took) * 150e6, word, 1e-3);
    UNIT_EQUAL(x[65], 5);
    UNIT_EQUAL(memory_int(node, &x[65], 5e-6), 0);
    double took_s = mem_publish(cpu, (uintptr_t)x, 4096, 5e-6);
    UNIT_EQUAL(memory_int(node, &x[65], 5e-6 + took_s), 5);
    end();
}

static void bytes_a_library_stored_in_place_survive_their_own_fill(void)
{
    static const char *const names[] = {"t3d", "cxl-pool"};
    for (int k = 0; k < 2; k++) {
        begin(names[k], NULL);
        segment(node, 0, x, 4096);
        for (int i = 1; i < 500; i++) x[i] = i; /* MPI_Recv into the segment */
        mem_touched_store(cpu, (uintptr_t)&x[1], 499 * 4, 0, 1e-6);
        for (int i = 1; i < 500; i++) CU_ASSERT_EQUAL(load_int(cpu, &x[i]), i);
        UNIT_EQUAL(mem_stale_loads(cpu), 0);
        mem_publish(cpu, (uintptr_t)x, 4096, 1e-3);
        for (int i = 0; i < 500; i++) CU_ASSERT_EQUAL(memory_int(node, &x[i], 1), i);
        end();
    }
}

UNIT_SUITE(mem_segment, UNIT_TEST(a_byte_store_puts_its_neighbours_back_and_loses_a_put_in_between),
           UNIT_TEST(a_byte_store_after_the_put_reads_its_byte_and_loses_nothing),
           UNIT_TEST(a_byte_store_through_a_stale_line_undoes_the_put),
           UNIT_TEST(whole_longwords_and_native_machines_lose_nothing),
           UNIT_TEST(a_byte_store_beside_a_protected_segment_leaves_its_bytes_to_memory),
           UNIT_TEST(a_store_inside_a_protected_segment_loses_what_shares_its_word),
           UNIT_TEST(neighbours_outside_the_segment_are_not_touched),
           UNIT_TEST(overlapping_segments_have_one_image),
           UNIT_TEST(segments_that_meet_inside_a_word_keep_their_dirty_bytes_when_they_are_united),
           UNIT_TEST(dirty_bytes_of_a_removed_segment_are_not_dirty_in_one_that_comes_later),
           UNIT_TEST(many_segments_come_and_go_in_any_order),
           UNIT_TEST(a_line_at_the_edge_moves_only_bytes_of_the_segment),
           UNIT_TEST(lines_of_a_segment_never_enter_the_filters),
           UNIT_TEST(a_buffered_word_gives_way_to_a_later_one_in_the_cache),
           UNIT_TEST(without_caches_every_load_sees_memory),
           UNIT_TEST(engine_accesses_return_their_time_and_owe_nothing),
           UNIT_TEST(bytes_a_library_stored_in_place_survive_their_own_fill))
