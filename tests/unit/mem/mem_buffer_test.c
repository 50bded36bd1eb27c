/* mem's write buffer, DRAM pages and read-ahead, with the T3D's numbers; time in its cycles
 * of 6.667 ns. */
#include "mem_unit.h"
#include "mem/cache/write_buffer.h"

static struct mach *m;
static struct mem_node *node;
static struct mem_cpu *cpu;
static uint8_t *memory;
enum { PAGES = 40 };

static void begin(const char *set)
{
    m = machine("t3d", set, NULL);
    node = mem_node_new(m, 1);
    cpu = mem_node_cpu(node, 0);
    mem_set_quantum(node, 1e3);
    memory = pages(PAGES);
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
}

/* cycles of a hit: the price of its block has them, so a miss costs so much less here */
enum { HIT = 2 };

static double cycles(double s) { return s * 150e6; }
static double owed(void) { return cycles(mem_unpaid(cpu)); }

/* ---- write buffer ---------------------------------------------------------------------------- */

static void stores_to_one_line_merge_and_cost_nothing(void)
{
    begin(NULL);
    for (int i = 0; i < 100; i++) try_store(cpu, memory + 8 * (i % 3), 8);
    UNIT_NEAR(owed(), 0, 0);
    UNIT_NEAR(cycles(mem_drain(cpu, 0)), 10.4, 1e-3); /* one entry, however many stores */
    end();
}

static void full_lines_leave_at_462_MB_a_second(void)
{
    begin(NULL);
    int lines = 1000;
    for (int i = 0; i < 4 * lines; i++) try_store(cpu, memory + 8 * i, 8);
    double drained = mem_drain(cpu, mem_unpaid(cpu));
    UNIT_NEAR(cycles(mem_unpaid(cpu) + drained), 10.4 * lines, 0.1);
    /* 462 MB/s: McCalpin */
    UNIT_NEAR(32.0 * lines / (mem_unpaid(cpu) + drained) / 1e6, 461.5, 0.5);
    end();
}

/* Bytes that memory has of a word that the processor stored at `stored_ns` and reads at `read_ns`.
 */
static int32_t memory_has(double stored_ns, double ran_ahead_ns, double read_ns, const char *set)
{
    int32_t value = 0;
    begin(set);
    segment(node, 0, memory, 4096);
    mem_compute(cpu, stored_ns * 1e-9);
    try_store(cpu, memory, 4);
    *(volatile int32_t *)memory = 7;
    mem_compute(cpu, ran_ahead_ns * 1e-9); /* not paid: the clock is still at 0 */
    mem_ni_read(node, (uintptr_t)memory, &value, sizeof value, read_ns * 1e-9);
    end();
    return value;
}

static void an_entry_leaves_by_itself_when_it_has_been_open_for_the_timeout(void)
{
    double leaves = 256 / 0.15 + 10.4 / 0.15; /* ns: timeout and write */
    const double ahead[] = {0, 1e3, 1e6};
    for (size_t i = 0; i < G_N_ELEMENTS(ahead); i++) {
        UNIT_EQUAL(memory_has(100, ahead[i], 100 + leaves - 1, "wb.timeout=256cycles"), 0);
        UNIT_EQUAL(memory_has(100, ahead[i], 100 + leaves + 1, "wb.timeout=256cycles"), 7);
        UNIT_EQUAL(memory_has(100, ahead[i], 1e9, NULL), 0);
    }
}

static void a_store_does_not_merge_into_an_entry_that_has_left(void)
{
    begin("wb.timeout=256cycles");
    segment(node, 0, memory, 4096);
    volatile int32_t *x = (volatile int32_t *)memory;
    int32_t has[2] = {0, 0};
    try_store(cpu, &x[0], 4);
    x[0] = 1;
    mem_compute(cpu, 2e-6);
    try_store(cpu, &x[1], 4);
    x[1] = 2;
    mem_ni_read(node, (uintptr_t)memory, has, sizeof has, 3e-6);
    UNIT_EQUAL(has[0], 1);
    UNIT_EQUAL(has[1], 0);
    UNIT_NEAR(cycles(mem_drain(cpu, 3e-6)), 10.4, 1e-3); /* only the second is left to write */
    mem_ni_read(node, (uintptr_t)memory, has, sizeof has, 4e-6);
    UNIT_EQUAL(has[1], 2);
    end();
}

/* Only the oldest may leave: the first is written before those that filled up behind it. */
static void a_partial_entry_is_not_overtaken_by_younger_full_ones(void)
{
    begin(NULL);
    volatile int32_t *x = (volatile int32_t *)memory;
    segment(node, 0, memory, 4096);
    mem_paid(cpu, 1e-6);
    store_int(cpu, &x[0], 5);
    for (int i = 0; i < 4000; i++) try_store(cpu, memory + 8192 + 8 * i, 8);
    double now_s = pay(cpu, 1e-6);
    UNIT_EQUAL(memory_int(node, &x[0], now_s), 5);
    end();
}

static void entries_behind_one_that_leaves_by_itself_leave_with_it(void)
{
    begin("wb.timeout=256cycles");
    volatile int64_t *x = (volatile int64_t *)memory;
    segment(node, 0, memory, 4096);
    try_store(cpu, (void *)&x[0], 8);
    x[0] = 1;
    mem_compute(cpu, 100 / 150e6);
    for (int i = 4; i < 8; i++) {
        try_store(cpu, (void *)&x[i], 8);
        x[i] = i;
    }
    int64_t seen[2] = {0, 0};
    mem_ni_read(node, (uintptr_t)&x[7], &seen[0], 8, (256 + 2 * 10.4 - 0.1) / 150e6);
    mem_ni_read(node, (uintptr_t)&x[7], &seen[1], 8, (256 + 2 * 10.4 + 0.1) / 150e6);
    UNIT_EQUAL(seen[0], 0);
    UNIT_EQUAL(seen[1], 7);
    end();
}

static void a_partial_entry_costs_a_whole_slot(void)
{
    begin(NULL);
    for (int i = 0; i < 1000; i++) try_store(cpu, memory + 32 * i, 8);
    double drained = mem_drain(cpu, mem_unpaid(cpu));
    UNIT_NEAR(cycles(mem_unpaid(cpu) + drained), 10.4 * 1000, 0.1);
    end();
}

static void three_partial_entries_wait_and_the_fourth_retires_the_oldest(void)
{
    begin(NULL);
    for (int i = 0; i < 4; i++) try_store(cpu, memory + 32 * i, 8);
    UNIT_NEAR(owed(), 0, 0);
    /* these three still merge */
    for (int i = 1; i < 4; i++) try_store(cpu, memory + 32 * i + 8, 8);
    UNIT_NEAR(owed(), 0, 0);
    try_store(cpu, memory + 32 * 4, 8); /* every entry is taken: wait for the first */
    UNIT_NEAR(owed(), 10.4, 1e-3);
    try_store(cpu, memory + 32 * 5, 8); /* the second went when the fifth came */
    UNIT_NEAR(owed(), 20.8, 1e-3);
    end();
}

static void a_load_passes_waiting_entries_but_not_the_one_being_written(void)
{
    begin(NULL);
    for (int i = 0; i < 16; i++) try_store(cpu, memory + 8 * i, 8); /* four full lines */
    UNIT_NEAR(owed(), 0, 0);
    try_load(cpu, memory + 8192, 8);
    UNIT_NEAR(owed(), 10.4 + 14 + 23 - HIT, 1e-3);
    /* the others had to wait until the line had come */
    UNIT_NEAR(cycles(mem_drain(cpu, mem_unpaid(cpu))), HIT + 3 * 10.4, 1e-3);
    end();
}

static void without_a_buffer_each_store_waits_for_memory(void)
{
    begin("wb.entries=0");
    for (int i = 0; i < 10; i++) try_store(cpu, memory + 8 * i, 8);
    UNIT_NEAR(owed(), 104, 1e-3);
    UNIT_NEAR(mem_drain(cpu, 1e-6), 0, 0);
    end();
}

static void a_buffer_that_holds_nothing_back_never_merges(void)
{
    begin("wb.hold=0");
    for (int i = 0; i < 8; i++) try_store(cpu, memory + 8 * (i & 1), 8);
    UNIT_NEAR(owed(), 4 * 10.4, 1e-3); /* the fifth to eighth each wait for one */
    end();
}

static void buffered_values_are_not_in_memory_until_their_entry_retires(void)
{
    begin(NULL);
    volatile int32_t *x = (volatile int32_t *)memory;
    segment(node, 0, memory, 4096);
    store_int(cpu, &x[0], 11);
    double now_s = pay(cpu, 1e-6);
    UNIT_EQUAL(memory_int(node, &x[0], now_s), 0);
    /* forwarded: the miss does not bring the old value back */
    UNIT_EQUAL(load_int(cpu, &x[0]), 11);
    now_s = pay(cpu, now_s);
    UNIT_EQUAL(memory_int(node, &x[0], now_s + 1), 0); /* nothing pushes it out */
    double at_s = now_s + 1;
    mem_paid(cpu, at_s);
    double drained = mem_drain(cpu, at_s);
    UNIT_NEAR(cycles(drained), 10.4, 1e-3);
    UNIT_EQUAL(memory_int(node, &x[0], at_s + drained / 2), 0);
    UNIT_EQUAL(memory_int(node, &x[0], at_s + drained), 11);
    end();
}

static void an_entry_that_retires_early_shows_its_values_when_it_is_done(void)
{
    begin(NULL);
    volatile int32_t *x = (volatile int32_t *)memory;
    segment(node, 0, memory, 4096);
    mem_paid(cpu, 1e-6);
    for (int i = 0; i < 4; i++) store_int(cpu, &x[8 * i], i + 1);
    mem_paid(cpu, 1e-6); /* nothing was owed */
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6 + 10.3 / 150e6), 0);
    UNIT_EQUAL(memory_int(node, &x[0], 1e-6 + 10.5 / 150e6), 1);
    UNIT_EQUAL(memory_int(node, &x[8], 1e-6 + 1), 0);
    end();
}

static void a_put_to_buffered_bytes_is_overwritten_when_they_retire(void)
{
    begin(NULL);
    volatile int32_t *x = (volatile int32_t *)memory;
    segment(node, 0, memory, 4096);
    mem_paid(cpu, 1e-6);
    store_int(cpu, &x[0], 5);
    put_int(node, &x[0], 6, 2e-6);
    put_int(node, &x[1], 7, 2e-6);
    UNIT_EQUAL(memory_int(node, &x[0], 2e-6), 6);
    mem_paid(cpu, 3e-6);
    mem_drain(cpu, 3e-6);
    mem_paid(cpu, 4e-6);
    UNIT_EQUAL(memory_int(node, &x[0], 4e-6), 5);
    UNIT_EQUAL(memory_int(node, &x[1], 4e-6), 7); /* only the stored bytes are written */
    end();
}

static void a_long_range_stored_at_once_reaches_memory_whole(void)
{
    begin(NULL);
    segment(node, 0, memory + 100, 5000);
    mem_paid(cpu, 1e-6);
    /* memset by the program: the hook comes first */
    UNIT_EQUAL(try_store(cpu, memory + 50, 5100), MEM_DONE);
    memset(memory + 50, 0xa5, 5100);
    double now_s = pay(cpu, 1e-6);
    now_s += mem_drain(cpu, now_s);
    uint8_t seen[5000];
    mem_ni_read(node, (uintptr_t)memory + 100, seen, sizeof seen, now_s);
    int wrong = 0;
    for (int i = 0; i < 5000; i++) wrong += seen[i] != 0xa5;
    UNIT_EQUAL(wrong, 0);
    end();
}

/* ---- DRAM ------------------------------------------------------------------------------------ */

static void misses_cost_by_page_and_by_stream(void)
{
    begin(NULL);
    try_load(cpu, memory, 8);
    UNIT_NEAR(owed(), 37 - HIT, 1e-3); /* another page */
    mem_take(cpu);
    try_load(cpu, memory + 64, 8);
    UNIT_NEAR(owed(), 21 - HIT, 1e-3); /* same page */
    mem_take(cpu);
    try_load(cpu, memory + 96, 8);
    UNIT_NEAR(owed(), 15 - HIT, 1e-3); /* read ahead */
    mem_take(cpu);
    try_load(cpu, memory + 100, 4);
    UNIT_NEAR(owed(), 0, 0); /* hit */
    mem_take(cpu);
    try_load(cpu, memory + 4096, 8);
    UNIT_NEAR(owed(), 37 - HIT, 1e-3);
    end();
}

static void a_faster_processor_does_not_make_memory_faster(void)
{
    for (int doubled = 0; doubled < 2; doubled++) {
        begin(doubled ? "cpu.clock=300MHz" : NULL);
        try_load(cpu, memory, 8);
        UNIT_NEAR(mem_take(cpu).memory_s * 1e9, 37 / 0.15 - 2 / 0.15 / (1 + doubled),
                  1e-2); /* a hit is covered */
        try_store(cpu, memory, 8);
        UNIT_NEAR(mem_drain(cpu, 1e-3) * 1e9, 10.4 / 0.15, 1e-2);
        end();
    }
}

static double stream_cycles_a_line(int streams)
{
    for (int i = 0; i < 512; i++)
        for (int s = 0; s < streams; s++) try_load(cpu, memory + s * 16384 + 32 * i + s * 1024, 8);
    return cycles(mem_take(cpu).memory_s) / (512 * streams);
}

static void one_ascending_stream_is_read_ahead_and_two_keep_their_pages_open(void)
{
    begin(NULL);
    UNIT_NEAR(stream_cycles_a_line(1), 15 - HIT, 0.2); /* 320 MB/s: McCalpin */
    end();
    begin("dram.banks=1");
    UNIT_NEAR(stream_cycles_a_line(2), 37 - HIT, 0.2);
    end();
    begin(NULL);
    UNIT_NEAR(stream_cycles_a_line(2), 21 - HIT, 0.3);
    end();
    begin("dram.readahead=0");
    UNIT_NEAR(stream_cycles_a_line(1), 21 - HIT, 0.3); /* 228 MB/s */
    end();
}

static void an_entry_whose_bytes_are_forgotten_does_not_cover_them(void)
{
    struct mem_dram_port port = {0};
    struct mem_write_buffer b = {
        .entries = 2, .hold = 2, .shift = 5, .timeout = INT64_MAX, .port = &port};
    int64_t now = 0;
    mem_buffer_init(&b);
    mem_buffer_open(&b, 7, 7 << 5, &now)->mask = 0xffff;
    CU_ASSERT(mem_buffer_covers(&b, (7 << 5) + 8, 8));
    mem_buffer_forget(&b, (7 << 5) + 8, 4);
    CU_ASSERT(!mem_buffer_covers(&b, (7 << 5) + 8, 8));
    CU_ASSERT(mem_buffer_covers(&b, 7 << 5, 8));
    mem_buffer_drain(&b, now);
    mem_buffer_clear(&b);
}

static void a_descending_stream_is_not_read_ahead(void)
{
    begin(NULL);
    for (int i = 511; i >= 0; i--) try_load(cpu, memory + 32 * i, 8);
    CU_ASSERT(owed() > 512 * (21 - HIT));
    end();
}

UNIT_SUITE(mem_buffer, UNIT_TEST(stores_to_one_line_merge_and_cost_nothing),
           UNIT_TEST(full_lines_leave_at_462_MB_a_second),
           UNIT_TEST(a_partial_entry_costs_a_whole_slot),
           UNIT_TEST(a_partial_entry_is_not_overtaken_by_younger_full_ones),
           UNIT_TEST(entries_behind_one_that_leaves_by_itself_leave_with_it),
           UNIT_TEST(an_entry_leaves_by_itself_when_it_has_been_open_for_the_timeout),
           UNIT_TEST(a_store_does_not_merge_into_an_entry_that_has_left),
           UNIT_TEST(three_partial_entries_wait_and_the_fourth_retires_the_oldest),
           UNIT_TEST(a_load_passes_waiting_entries_but_not_the_one_being_written),
           UNIT_TEST(without_a_buffer_each_store_waits_for_memory),
           UNIT_TEST(a_buffer_that_holds_nothing_back_never_merges),
           UNIT_TEST(buffered_values_are_not_in_memory_until_their_entry_retires),
           UNIT_TEST(an_entry_that_retires_early_shows_its_values_when_it_is_done),
           UNIT_TEST(a_put_to_buffered_bytes_is_overwritten_when_they_retire),
           UNIT_TEST(a_long_range_stored_at_once_reaches_memory_whole),
           UNIT_TEST(an_entry_whose_bytes_are_forgotten_does_not_cover_them),
           UNIT_TEST(misses_cost_by_page_and_by_stream),
           UNIT_TEST(a_faster_processor_does_not_make_memory_faster),
           UNIT_TEST(one_ascending_stream_is_read_ahead_and_two_keep_their_pages_open),
           UNIT_TEST(a_descending_stream_is_not_read_ahead))
