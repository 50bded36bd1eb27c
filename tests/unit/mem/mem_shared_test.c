/* mem: a last level that the processors of a node share. Its machine is smp with small levels of
 * each processor, 1 KiB, and a shared one of 8 KiB, 100 ns away; memory is 270 ns away, the other's
 * cache 480 ns. */
#include "mem_unit.h"
#include "mem/cache/shared.h"

enum { HIT = 6, LINE = 64, OWN = 1024 / LINE, SHARED = 8192 / LINE, BYTES = 1 << 20 };

static struct mach *m;
static struct mem_node *node;
static uint8_t *memory;

static void begin(int cpus, const char *level, const char *bus)
{
    record_clear();
    m = machine("smp", "cache.l1.size=512B", "cache.l2.size=1KiB", level, "cache.l3.line=64B",
                "cache.l3.ways=2", "cache.l3.hit_cycles=100ns", bus, "cache.l3.shared=1", NULL);
    node = mem_node_new(m, cpus);
    for (int i = 0; i < cpus; i++) mem_node_cpu(node, i)->rank = i;
    mem_set_quantum(node, 1e3);
    memory = pages(BYTES / 4096);
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

static struct mem_cpu *cpu(int i) { return mem_node_cpu(node, i); }
static struct mem_cache_count asked(int i) { return mem_cache_count(cpu(i), 2); }

/* Nanoseconds of n lines, one after the other, from line `first` on. */
static double lines_ns(int i, int first, int n, bool store)
{
    mem_take(cpu(i));
    for (int line = first; line < first + n; line++) {
        const uint8_t *at = memory + (size_t)line * LINE;
        UNIT_EQUAL(store ? try_store(cpu(i), at, 4) : try_load(cpu(i), at, 4), MEM_DONE);
    }
    return mem_take(cpu(i)).memory_s * 1e9;
}

static void a_line_comes_from_the_shared_level_when_its_processor_has_lost_it(void)
{
    begin(1, "cache.l3.size=8KiB", "bus.slot=0s");
    UNIT_NEAR(lines_ns(0, 0, SHARED, false), SHARED * (270 - HIT), 0.1);
    UNIT_NEAR(lines_ns(0, 0, SHARED, false), SHARED * (100 - HIT), 0.1);
    UNIT_EQUAL(asked(0).loads, 2 * SHARED);
    UNIT_EQUAL(asked(0).load_misses, SHARED);
    end();
}

static void one_rank_evicts_the_lines_of_another_from_the_level_they_share(void)
{
    begin(2, "cache.l3.size=8KiB", "bus.slot=0s");
    const int other = SHARED, more = 2 * SHARED;
    lines_ns(0, 0, SHARED, false);
    UNIT_NEAR(lines_ns(1, other, more, false), more * (270 - HIT), 0.1);
    UNIT_NEAR(lines_ns(0, 0, SHARED, false), SHARED * (270 - HIT), 0.1);
    /* each is charged with what it asked */
    UNIT_EQUAL(asked(0).load_misses, 2 * SHARED);
    UNIT_EQUAL(asked(1).load_misses, more);
    UNIT_EQUAL(asked(0).loads + asked(1).loads, 2 * SHARED + more);
    end();
}

static void a_line_that_leaves_the_shared_level_stays_with_its_processor(void)
{
    begin(2, "cache.l3.size=8KiB", "bus.slot=0s");
    lines_ns(0, 0, OWN, false);
    lines_ns(1, SHARED, 2 * SHARED, false);
    UNIT_NEAR(lines_ns(0, OWN / 2, OWN / 2, false), 0, 0.1);
    UNIT_EQUAL(asked(0).loads, OWN);
    end();
}

static void what_one_rank_has_fetched_another_finds_in_the_shared_level(void)
{
    begin(2, "cache.l3.size=8KiB", "bus.slot=0s");
    segment(node, 0, memory, BYTES);
    lines_ns(0, 0, SHARED, false);
    const int kept = SHARED - OWN; /* the last ones are still exclusive there */
    UNIT_NEAR(lines_ns(1, 0, kept, false), kept * (100 - HIT), 0.1);
    UNIT_NEAR(lines_ns(1, kept, OWN, false), OWN * (480 - HIT), 0.1);
    UNIT_EQUAL(asked(1).load_misses, 0);
    end();
}

static void a_line_written_back_takes_the_bus_when_the_shared_level_loses_it(void)
{
    begin(1, "cache.l3.size=8KiB", "bus.slot=1ns");
    lines_ns(0, 0, SHARED, true);
    UNIT_EQUAL(mem_bus_count(node).requests, SHARED); /* no line was written to memory */
    UNIT_EQUAL(mem_cache_count(cpu(0), 1).write_backs, SHARED - OWN);
    UNIT_EQUAL(asked(0).write_backs, 0);
    lines_ns(0, SHARED, SHARED, false);
    /* those of its own level came down after the lines around them had gone, and drove out others
     */
    UNIT_EQUAL(mem_bus_count(node).requests, 2 * SHARED + asked(0).write_backs);
    CU_ASSERT(asked(0).write_backs >= SHARED - OWN && asked(0).write_backs <= SHARED);
    end();
}

static void a_store_is_seen_through_the_shared_level(void)
{
    begin(2, "cache.l3.size=8KiB", "bus.slot=0s");
    segment(node, 0, memory, BYTES);
    volatile int32_t *x = (volatile int32_t *)memory;
    lines_ns(1, 0, SHARED, false);
    try_store(cpu(0), x, 4);
    x[0] = 7;
    lines_ns(0, SHARED, 2 * SHARED,
             true); /* it leaves the processor's levels, and the shared one */
    UNIT_EQUAL(load_int(cpu(1), x), 7);
    UNIT_EQUAL(mem_stale_loads(cpu(1)), 0);
    end();
}

static void processors_that_number_their_pages_alike_do_not_meet_in_the_same_sets(void)
{
    enum { PROCESSORS = 8, PAGE = 4096 / LINE };
    begin(PROCESSORS, "cache.l3.size=64KiB", "bus.slot=0s"); /* 8 pages of sets, of two ways */
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PROCESSORS; i++) lines_ns(i, i * PAGE, PAGE, false);
    uint64_t misses = 0;
    for (int i = 0; i < PROCESSORS; i++) misses += asked(i).load_misses;
    UNIT_EQUAL(misses, PROCESSORS * PAGE); /* the second round finds them all */
    end();
}

/* The set says a part of a line's number, and what is kept the rest: in 32 bits or in more. */
static void lines_of_a_set_are_told_apart_by_the_rest_of_their_numbers(void)
{
    const char *size[] = {"cache.l3.size=128B", "cache.l3.size=8KiB", "cache.l3.size=32MiB"};
    const uint64_t way[] = {64, 4096, 16 << 20}, top = UINT64_C(1) << 43; /* of two ways */
    for (size_t i = 0; i < G_N_ELEMENTS(size); i++) {
        begin(1, size[i], "bus.slot=0s");
        struct mem_shared_level *s = mem_shared_level_new(m);
        for (int far = 0; far < 2; far++) {
            const uint64_t a = far ? top : 0, b = a + way[i], c = b + way[i];
            CU_ASSERT_FALSE(mem_shared_level_fill(s, a, true));
            mem_shared_level_fill(s, b, false);
            CU_ASSERT_TRUE(mem_shared_level_hit(s, a));
            CU_ASSERT_TRUE(mem_shared_level_hit(s, b));
            CU_ASSERT_FALSE(mem_shared_level_hit(s, c));
            CU_ASSERT_FALSE(mem_shared_level_hit(s, a ^ top));
            CU_ASSERT_TRUE(mem_shared_level_fill(s, c, false)); /* for `a`, used before `b` */
            mem_shared_level_free(s);
            s = mem_shared_level_new(m);
        }
        mem_shared_level_free(s);
        end();
    }
}

UNIT_SUITE(mem_shared, UNIT_TEST(lines_of_a_set_are_told_apart_by_the_rest_of_their_numbers),
           UNIT_TEST(a_line_comes_from_the_shared_level_when_its_processor_has_lost_it),
           UNIT_TEST(one_rank_evicts_the_lines_of_another_from_the_level_they_share),
           UNIT_TEST(a_line_that_leaves_the_shared_level_stays_with_its_processor),
           UNIT_TEST(what_one_rank_has_fetched_another_finds_in_the_shared_level),
           UNIT_TEST(a_line_written_back_takes_the_bus_when_the_shared_level_loses_it),
           UNIT_TEST(a_store_is_seen_through_the_shared_level),
           UNIT_TEST(processors_that_number_their_pages_alike_do_not_meet_in_the_same_sets))
