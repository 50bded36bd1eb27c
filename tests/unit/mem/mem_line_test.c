/* mem when several processors of a node want one line at once, and when one flushes long ranges. */
#include "mem_unit.h"

/* ns of a hit on smp, which the price of its block has; of a word of a library's or an agent's */
enum { HIT = 6 };
#define WORD (1e3 / 167)

static struct mach *m;
static struct mem_node *node;
static uint8_t *memory;
static volatile int32_t *x;

static void begin(int cpus)
{
    record_clear();
    m = machine("smp", NULL);
    node = mem_node_new(m, cpus);
    for (int i = 0; i < cpus; i++) mem_node_cpu(node, i)->rank = i;
    mem_set_quantum(node, 1e3);
    memory = pages(1);
    x = (volatile int32_t *)(memory + 64);
    segment(node, 0, memory, 4096);
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

static struct mem_cpu *cpu(int i) { return mem_node_cpu(node, i); }

static void a_line_on_its_way_to_a_writer_is_handed_on_after_it_has_come(void)
{
    /* HARDWARE's dirty transfer each time, for processors that ask at the same date: one line, one
     * holder at a time. */
    begin(4);
    try_store(cpu(0), &x[0], 4);
    pay(cpu(0), 0);
    for (int i = 0; i < 4; i++) mem_paid(cpu(i), 1e-6);
    for (int i = 1; i < 4; i++) {
        try_store(cpu(i), &x[i], 4);
        UNIT_NEAR(mem_unpaid(cpu(i)) * 1e9, 480 * i - HIT, 0.1);
    }
    try_load(cpu(0), &x[0], 4); /* a reader waits for the last writer too */
    UNIT_NEAR(mem_unpaid(cpu(0)) * 1e9, 480 * 4 - HIT, 0.1);
    /* not for another line, but for the bus, which the second writer's transfer takes a HIT after
     * this one's date: that much of its slot lies before */
    try_store(cpu(1), &x[16], 4);
    UNIT_NEAR(mem_unpaid(cpu(1)) * 1e9, 480 + 24 + 270 - HIT - HIT, 0.1);
    end();
}

static void one_that_asked_at_an_earlier_date_does_not_wait_for_a_later_writer(void)
{
    begin(2);
    mem_paid(cpu(0), 1e-6);
    mem_paid(cpu(1), 1e-6);
    mem_compute(cpu(1), 200e-9); /* runs ahead of the clock */
    try_store(cpu(1), &x[1], 4);
    try_store(cpu(0), &x[0], 4);
    UNIT_NEAR(mem_unpaid(cpu(0)) * 1e9, 480 - HIT, 0.1);
    end();
}

static void a_read_modify_write_asks_for_its_line_once(void)
{
    begin(2);
    try_store(cpu(0), &x[0], 4);
    pay(cpu(0), 0);
    int32_t v = 0;
    const double took_s =
        mem_charge_s(mem_cpu_read_to_write(cpu(1), (uintptr_t)&x[0], &v, 4, 1e-6));
    UNIT_NEAR(took_s * 1e9, WORD + 480 - HIT, 0.1);
    /* no upgrade */
    UNIT_NEAR(mem_charge_s(mem_cpu_write(cpu(1), (uintptr_t)&x[0], &v, 4, 0, 1e-6 + took_s)) * 1e9,
              WORD, 0.1);
    end();
}

static void a_line_that_two_processors_write_in_turn_is_accessed_at_exact_dates(void)
{
    /* "k >= 2 processors alternately writing words of one line pay a dirty transfer each time":
     * none keeps it for as long as it may run ahead. */
    begin(2);
    mem_set_quantum(node, 1e-6);
    for (int i = 0; i < 2; i++) mem_paid(cpu(i), 1e-6);
    mem_compute(cpu(0), 100e-9);
    /* nobody else has written it: within the quantum */
    UNIT_EQUAL(try_store(cpu(0), &x[0], 4), MEM_DONE);
    CU_ASSERT_FALSE(mem_contended(cpu(0), (uintptr_t)&x[0], 4));
    pay(cpu(0), 1e-6);
    mem_paid(cpu(1), 2e-6);
    UNIT_EQUAL(try_store(cpu(1), &x[1], 4), MEM_DONE);      /* it changes writers */
    UNIT_EQUAL(try_store(cpu(1), &x[1], 4), MEM_PAY_FIRST); /* 480 ns ahead */
    CU_ASSERT_TRUE(mem_contended(cpu(0), (uintptr_t)&x[0], 4));
    UNIT_EQUAL(try_store(cpu(1), &x[16], 4), MEM_PAY_FIRST); /* another line, by the bus of both */
    /* begins in another line, ends in this one */
    UNIT_EQUAL(mem_store(cpu(1), (uintptr_t)&x[0] - 32, 64, 0x2000, &site_of_block), MEM_PAY_FIRST);
    UNIT_EQUAL(mem_load(cpu(1), (uintptr_t)&x[0] - 32, 64, 0x2000, &site_of_block), MEM_PAY_FIRST);
    pay(cpu(1), 2e-6);
    UNIT_EQUAL(try_store(cpu(1), &x[1], 4), MEM_DONE);
    /* and after a while only copies still come at exact dates */
    mem_paid(cpu(1), 1e-3);
    mem_compute(cpu(1), 100e-9);
    UNIT_EQUAL(try_store(cpu(1), &x[1], 4), MEM_DONE);
    CU_ASSERT_TRUE(mem_contended(cpu(1), (uintptr_t)&x[0], 4));
    CU_ASSERT_FALSE(mem_contended(cpu(1), (uintptr_t)&x[16], 4));
    end();
}

/* ---- long ranges ----------------------------------------------------------------------------- */

enum { LONG = 400 * 4096, LINE = 64 };

/* Stores here and there, then writes all of it back or drops it, as one range or by line; returns
 * the time, and what memory holds at *sum. */
static double flushed(bool by_line, bool drop, uint64_t *sum)
{
    static struct mem_range range[LONG / LINE];
    m = machine("cxl-pool", NULL);
    node = mem_node_new(m, 1);
    mem_set_quantum(node, 1e3);
    memory = pages(LONG / 4096);
    segment(node, 0, memory, LONG);
    for (uint64_t i = 0; i < 300; i++)
        store_int(cpu(0), (volatile int32_t *)(memory + i * i * 7 % LONG / 4 * 4), (int32_t)i + 1);
    size_t n = by_line ? LONG / LINE : 1;
    for (size_t i = 0; i < n; i++)
        range[i] = (struct mem_range){(uintptr_t)memory + i * LINE, by_line ? LINE : LONG};
    double now_s = pay(cpu(0), 1e-6);
    double s =
        drop ? mem_refresh_all(cpu(0), range, n, now_s) : mem_publish_all(cpu(0), range, n, now_s);
    *sum = 0;
    for (size_t i = 0; i < LONG / 4; i++) {
        int32_t value = memory_int(node, (volatile int32_t *)memory + i, now_s + s);
        *sum = (*sum ^ (uint64_t)value) * UINT64_C(0x100000001b3);
    }
    struct mem_cache_count count = mem_cache_count(cpu(0), mem_levels(cpu(0)) - 1);
    *sum ^= count.flushed_lines << 32 ^ count.write_backs;
    end();
    return s;
}

static void a_long_range_is_flushed_as_its_lines_are_one_by_one(void)
{
    for (int drop = 0; drop < 2; drop++) {
        uint64_t whole = 0, lines = 1;
        double s = flushed(false, drop, &whole);
        CU_ASSERT(s > 0 && s == flushed(true, drop, &lines));
        UNIT_EQUAL(whole, lines);
    }
}

UNIT_SUITE(mem_line, UNIT_TEST(a_line_on_its_way_to_a_writer_is_handed_on_after_it_has_come),
           UNIT_TEST(one_that_asked_at_an_earlier_date_does_not_wait_for_a_later_writer),
           UNIT_TEST(a_read_modify_write_asks_for_its_line_once),
           UNIT_TEST(a_line_that_two_processors_write_in_turn_is_accessed_at_exact_dates),
           UNIT_TEST(a_long_range_is_flushed_as_its_lines_are_one_by_one))
