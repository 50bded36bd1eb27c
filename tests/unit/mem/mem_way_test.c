/* mem: how lines come from a cache level to the one above it, and which lines meet in a level. The
 * machine is smp with levels of 1, 2 and 64 KiB, the last one shared or not, 100 ns away. */
#include "mem_unit.h"

#include "mem/address/page.h"
#include "mem/cache/way.h"

enum { LINE = 64, LINES = 512 };
enum { HIT_NS = 100 - 6, ABOVE_NS = 50 - 6 };

static bool writes; /* the passes store to each line that they have loaded */

static double pass_ns(const char *shared, const char *ahead, const char *busy, int step)
{
    struct mach *m =
        machine("smp", "cache.l1.size=1KiB", "cache.l2.size=2KiB", "cache.l2.hit_cycles=50ns",
                "cache.l3.size=64KiB", "cache.l3.line=64B", "cache.l3.ways=1",
                "cache.l3.hit_cycles=100ns", "prefetch.model=stream", "prefetch.streams=4",
                "prefetch.depth=8", "bus.slot=0s", shared, ahead, busy, NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(LINES * LINE / 4096);
    double ns = 0;
    mem_set_quantum(node, 1e3);
    for (int pass = 0; pass < 2; pass++) {
        mem_take(cpu);
        for (int i = 0, line = 0; i < LINES; i++, line = (line + step) % LINES) {
            try_load(cpu, memory + (size_t)line * LINE, 8);
            if (writes) try_store(cpu, memory + (size_t)line * LINE, 8);
        }
        ns = mem_take(cpu).memory_s * 1e9 / LINES;
    }
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return ns; /* without the hit of the first level, 6 ns, which is its block's */
}

static void a_stream_out_of_a_level_costs_less_than_lines_in_any_order(void)
{
    static const char *const shared[] = {"cache.l3.shared=0", "cache.l3.shared=1"};
    for (int i = 0; i < 2; i++) {
        UNIT_NEAR(pass_ns(shared[i], "cache.l3.readahead=0", "cache.l3.busy_cycles=0", 1), HIT_NS,
                  1);
        /* two lines of the 64 in a page are not ahead */
        UNIT_NEAR(pass_ns(shared[i], "cache.l3.readahead=1", "cache.l3.busy_cycles=0", 1),
                  (62 * ABOVE_NS + 2 * HIT_NS) / 64.0, 1);
        UNIT_NEAR(pass_ns(shared[i], "cache.l3.readahead=1", "cache.l3.busy_cycles=0", 67), HIT_NS,
                  1);
    }
}

static void a_narrow_way_holds_a_stream_back_and_not_lines_that_come_seldom(void)
{
    UNIT_NEAR(pass_ns("cache.l3.shared=0", "cache.l3.readahead=1", "cache.l3.busy_cycles=80ns", 1),
              80, 2);
    UNIT_NEAR(pass_ns("cache.l3.shared=0", "cache.l3.readahead=0", "cache.l3.busy_cycles=80ns", 1),
              HIT_NS, 1);
}

static void a_line_that_is_asked_for_later_keeps_none_back_that_is_asked_for_before(void)
{
    struct mach *m = machine("smp", "cpu.clock=100MHz", "cache.l2.hit_cycles=50ns",
                             "cache.l2.busy_cycles=40ns", NULL);
    const int64_t cycle = 1 << MEM_TICK_BITS; /* of 10 ns */
    struct mem_way w = {0};
    mem_way_init(&w, m, 1);
    /* known late, as the address of a load that waits for another */
    UNIT_EQUAL(mem_way_gives(&w, 1 << 12, 100 * cycle), 105 * cycle);
    for (int i = 0; i < 3; i++)
        UNIT_EQUAL(mem_way_gives(&w, (uint64_t)i << 14, 0), MAX(4 * (i + 1), 5) * cycle);
    UNIT_EQUAL(mem_way_gives(&w, 2 << 12, 100 * cycle), 108 * cycle);
    mem_way_clear(&w);
    mach_free(m);
}

static void lines_that_go_down_keep_none_back_that_comes_up(void)
{
    static const char *const narrow = "cache.l3.busy_cycles=80ns";
    double read = pass_ns("cache.l3.shared=0", "cache.l3.readahead=1", narrow, 1);
    writes = true;
    UNIT_NEAR(pass_ns("cache.l3.shared=0", "cache.l3.readahead=1", narrow, 1), read, 2);
    writes = false;
}

/* Lines `apart` bytes from each other, twice as many as a set has ways, each loaded or stored to
 * several times; ns of one. */
static double set_ns(const char *core, const char *busy, int apart, bool stores)
{
    enum { WAYS = 4, PASSES = 200 }; /* many more than are in flight */
    struct mach *m =
        machine("smp", "cache.l1.size=8KiB", "cache.l1.ways=4", "cache.l1.line=64B",
                "cache.l1.write=back", "cache.l1.allocate=both", "cache.l2.size=256KiB",
                "cache.l2.line=64B", "cache.l2.ways=16", "cache.l2.hit_cycles=10ns",
                "mem.outstanding=8", "mem.store_buffer=8", "bus.slot=0s", core, busy, NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(2 * WAYS + 1);
    mem_set_quantum(node, 1e6);
    for (int pass = 0; pass <= PASSES; pass++) {
        if (pass == 1) mem_take(cpu);
        for (int i = 0; i < 2 * WAYS; i++)
            if (stores)
                try_store(cpu, memory + (size_t)i * (size_t)apart, 8);
            else
                try_load(cpu, memory + (size_t)i * (size_t)apart, 8);
    }
    double ns = mem_take(cpu).memory_s * 1e9 / (2 * WAYS * PASSES);
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return ns;
}

static void lines_of_one_set_come_one_after_the_other_and_one_that_was_written_leaves_it_first(void)
{
    static const char *const core[] = {"core.model=out_of_order", "core.model=blocking"};
    enum { SET = 2048 };
    for (int i = 0; i < 2; i++) {
        double any = set_ns(core[i], "cache.l1.set_cycles=0", SET, false);
        CU_ASSERT(any < 20);
        UNIT_NEAR(set_ns(core[i], "cache.l1.set_cycles=80ns", SET, false), 80, 8);
        UNIT_NEAR(set_ns(core[i], "cache.l1.set_cycles=80ns", SET, true), 160, 16);
        UNIT_NEAR(set_ns(core[i], "cache.l1.set_cycles=80ns", SET + 64, false),
                  set_ns(core[i], "cache.l1.set_cycles=0", SET + 64, false), .1);
    }
}

/* The same in every run, and no two alike. */
static void scattered_pages_are_all_different_and_units_of_them_stay_together(void)
{
    enum { PAGES = 5000, WITHIN = 2 };
    const uint32_t unit[] = {0, 1, WITHIN + 1};
    struct mem_shared_pages shared = {0};
    mem_shared_pages_init(&shared, 1);
    for (size_t u = 0; u < G_N_ELEMENTS(unit); u++) {
        g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
        struct mem_pages p = {0}, again = {0};
        uint64_t before = 0, next = 0;
        mem_pages_init(&p, &shared, 3, unit[u]);
        mem_pages_init(&again, &shared, 3, unit[u]);
        for (uint64_t host = 0; host < PAGES; host++) {
            uint64_t number = mem_page_touch(&p, 7 * host) >> 32;
            UNIT_EQUAL(mem_page_touch(&again, 9 * host) >> 32, number);
            UNIT_EQUAL(number >> MEM_PAGE_OWNER, 3);
            CU_ASSERT(g_hash_table_add(seen, GSIZE_TO_POINTER(number)));
            if (unit[u] > 1 && host % (1 << WITHIN)) UNIT_EQUAL(number, before + 1);
            next += number == before + 1;
            before = number;
        }
        UNIT_EQUAL(next > PAGES / 2, unit[u] != 1);
        mem_pages_clear(&p);
        mem_pages_clear(&again);
    }
    mem_shared_pages_clear(&shared);
}

/* A line in each of 16 places 64 KiB apart, in a level of four ways of 64 KiB. */
static double far_apart_ns(const char *frames)
{
    struct mach *m = machine("smp", "cache.l1.size=1KiB", "cache.l2.size=256KiB", "cache.l2.ways=4",
                             "cache.l2.hit_cycles=50ns", frames, NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(16 * 16);
    mem_set_quantum(node, 1e3);
    for (int page = 0; page < 16 * 16; page++) try_load(cpu, memory + 4096 * (size_t)page, 8);
    for (int pass = 0; pass < 2; pass++) {
        mem_take(cpu);
        for (int i = 0; i < 16; i++) try_load(cpu, memory + 65536 * (size_t)i, 8);
    }
    double ns = mem_take(cpu).memory_s * 1e9 / 16;
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return ns;
}

static void lines_that_are_a_way_apart_meet_in_a_cache_unless_pages_lie_anywhere(void)
{
    CU_ASSERT(far_apart_ns("page.frames=in_order") > 200);
    CU_ASSERT(far_apart_ns("page.frames=scattered") < 200);
}

UNIT_SUITE(
    mem_way, UNIT_TEST(a_stream_out_of_a_level_costs_less_than_lines_in_any_order),
    UNIT_TEST(a_narrow_way_holds_a_stream_back_and_not_lines_that_come_seldom),
    UNIT_TEST(a_line_that_is_asked_for_later_keeps_none_back_that_is_asked_for_before),
    UNIT_TEST(lines_that_go_down_keep_none_back_that_comes_up),
    UNIT_TEST(lines_of_one_set_come_one_after_the_other_and_one_that_was_written_leaves_it_first),
    UNIT_TEST(scattered_pages_are_all_different_and_units_of_them_stay_together),
    UNIT_TEST(lines_that_are_a_way_apart_meet_in_a_cache_unless_pages_lie_anywhere))
