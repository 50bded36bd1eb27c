/* mem: how long processors wait for loads and stores that miss. */
#include "mem_unit.h"
#include "mem/core/core.h"

/* smp's memory at 100 MHz: a line takes 270 ns, a hit 6; the bus is the line's for 24 ns. */
enum { CYCLE_NS = 10, MISS = 270, HIT = 6, SLOT = 24 };

struct scene {
    struct mach *m;
    struct mem_node *node;
    struct mem_cpu *cpu;
    uint8_t *memory;
    double now_s;
};

static struct scene scene_of(struct mach *m)
{
    struct scene s = {.m = m};
    s.node = mem_node_new(s.m, 1);
    s.cpu = mem_node_cpu(s.node, 0);
    s.memory = pages(16);
    return s;
}

static struct scene scene(const char *model, const char *outstanding, const char *stores)
{
    return scene_of(
        machine("smp", "cpu.clock=100MHz", model, "cpu.window=100", outstanding, stores, NULL));
}

static void clear(struct scene *s)
{
    free(s->memory);
    mem_node_free(s->node);
    mach_free(s->m);
}

/* Line i of those that no cache has. */
static void load(struct scene *s, int i, const struct mem_site *site)
{
    UNIT_EQUAL(mem_load(s->cpu, (uintptr_t)s->memory + 64 * (uintptr_t)i, 8, 0x1000, site),
               MEM_DONE);
}

static void store(struct scene *s, int i, const struct mem_site *site)
{
    UNIT_EQUAL(mem_store(s->cpu, (uintptr_t)s->memory + 64 * (uintptr_t)i, 8, 0x1000, site),
               MEM_DONE);
}

static void compute_ns(struct scene *s, double ns) { mem_compute(s->cpu, ns * 1e-9); }

static double waited_ns(struct scene *s)
{
    struct mem_charge c = mem_take(s->cpu);
    s->now_s += c.compute_s + c.memory_s;
    mem_paid(s->cpu, s->now_s);
    return c.memory_s * 1e9;
}

static struct mem_site needed(int cycles, int32_t after)
{
    return (struct mem_site){.slack = cycles << 16, .after = after};
}

/* Two loads that miss, a cycle apart, each needed so many cycles after its issue; then a second of
 * computation. */
static double two_misses_ns(const char *model, const char *outstanding, int slack)
{
    struct scene s = scene(model, outstanding, "mem.store_buffer=0");
    const struct mem_site site = needed(slack, MEM_AFTER_NONE);
    load(&s, 0, &site);
    compute_ns(&s, CYCLE_NS);
    load(&s, 16, &site);
    compute_ns(&s, 1e9);
    double ns = waited_ns(&s);
    clear(&s);
    return ns;
}

static void in_order_a_load_that_misses_costs_what_its_value_comes_later_than_it_is_needed(void)
{
    UNIT_NEAR(two_misses_ns("core.model=blocking", "mem.outstanding=0", 10), 2 * (MISS - HIT), 0.1);
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=0", 10), 2 * (MISS - HIT), 0.1);
    /* One in flight: the second leaves when the first is there, and is needed 100 ns later. */
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=1", 10),
              (MISS - CYCLE_NS) + (MISS - 100), 0.1);
    /* Two in flight: it comes when the bus lets it, behind the first. */
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=2", 10), MISS - 100 + SLOT - 10,
              0.1 + 14);
    /* needed later than they come */
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=2", 50), 0, 0.1);
}

static void out_of_order_loads_that_do_not_depend_on_each_other_are_in_flight_together(void)
{
    /* Ten lines, a cycle apart; the window holds all of them. Bytes of the bus: a slot each. */
    double ns[2];
    for (int dependent = 0; dependent < 2; dependent++) {
        struct scene s =
            scene("core.model=out_of_order", "mem.outstanding=16", "mem.store_buffer=0");
        const struct mem_site site = needed(20, dependent ? 0 : MEM_AFTER_NONE);
        for (int i = 0; i < 10; i++) {
            load(&s, i, &site);
            compute_ns(&s, CYCLE_NS);
        }
        compute_ns(&s, 1e6);
        ns[dependent] = waited_ns(&s);
        clear(&s);
    }
    UNIT_NEAR(ns[0], MISS + 9 * SLOT - 200 - 90, 1);
    UNIT_NEAR(ns[1], 10 * MISS - 200 - 90, 10 * SLOT);
}

static void an_atomic_operation_waits_for_what_is_in_flight_and_nothing_overlaps_it(void)
{
    /* Ten lines that other loads would fetch together; then each once more, from the cache. */
    struct scene s =
        scene_of(machine("smp", "cpu.clock=100MHz", "core.model=out_of_order", "cpu.window=100",
                         "mem.outstanding=16", "mem.store_buffer=4", "cpu.atomic=5cycles", NULL));
    const struct mem_site site = needed(20, MEM_AFTER_NONE);
    double ns[2];
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 10; i++) {
            const uintptr_t addr = (uintptr_t)s.memory + 64 * (uintptr_t)i;
            UNIT_EQUAL(mem_load_to_write(s.cpu, addr, 8, 0x1000, &site), MEM_DONE);
            mem_store_loaded(s.cpu, addr, 8, 0x1004, &site);
        }
        ns[again] = waited_ns(&s);
    }
    clear(&s);
    UNIT_NEAR(ns[0], 10 * (MISS + 5 * CYCLE_NS), 10 * SLOT);
    UNIT_NEAR(ns[1], 10 * 5 * CYCLE_NS, 10 * HIT);
}

static void a_fence_waits_for_what_is_in_flight_and_takes_what_an_atomic_operation_takes(void)
{
    struct scene s =
        scene_of(machine("smp", "cpu.clock=100MHz", "core.model=out_of_order", "cpu.window=100",
                         "mem.outstanding=16", "mem.store_buffer=4", "cpu.atomic=5cycles", NULL));
    const struct mem_site site = needed(20, MEM_AFTER_NONE);
    for (int i = 0; i < 5; i++) {
        load(&s, i, &site);
        mem_fence_all(s.cpu);
    }
    UNIT_NEAR(waited_ns(&s), 5 * (MISS + 5 * CYCLE_NS), 10 * SLOT);
    clear(&s);
}

static void of_two_chases_interleaved_each_waits_for_its_own(void)
{
    /* sites lie beside each other: each address is made of the value loaded there before */
    struct scene s = scene("core.model=out_of_order", "mem.outstanding=16", "mem.store_buffer=0");
    const struct mem_site site[2] = {needed(20, 0), needed(20, 0)};
    for (int i = 0; i < 10; i++) {
        load(&s, i, &site[i % 2]);
        compute_ns(&s, CYCLE_NS);
    }
    compute_ns(&s, 1e6);
    UNIT_NEAR(waited_ns(&s), 5 * MISS - 200 - 80, 6 * SLOT);
    clear(&s);
}

/* Two lists of five elements, each element a line that the one before says. The second begins with
 * what was there before, with what the first ended with, or with what a load has just loaded. */
static void a_chase_that_begins_anew_waits_for_what_it_begins_with_and_not_for_the_last_one(void)
{
    struct scene s = scene("core.model=out_of_order", "mem.outstanding=16", "mem.store_buffer=0");
    struct mem_site site[3] = {needed(20, 0), needed(20, MEM_AFTER_NONE), {0}};
    const struct {
        int32_t after;
        double misses;
    } row[] = {{MEM_AFTER_NONE, 5}, {-2, 10}, {-1, 6}};
    for (int i = 0; i < 3; i++) {
        const struct mem_begun begun = {.matters = 1, .handed = {-2}, .after = row[i].after};
        memcpy(&site[2], &begun, sizeof begun);
        for (int element = 0; element < 10; element++) {
            if (element == 5) {
                load(&s, 16 * i + 10, &site[1]);
                mem_begin(s.cpu, &site[2]);
            }
            load(&s, 16 * i + element, &site[0]);
        }
        compute_ns(&s, 1e6);
        UNIT_NEAR(waited_ns(&s), row[i].misses * MISS - 200, 6 * SLOT);
    }
    clear(&s);
}

static void an_address_is_known_so_much_later_than_the_value_that_it_is_made_of(void)
{
    struct scene s = scene("core.model=out_of_order", "mem.outstanding=16", "mem.store_buffer=0");
    struct mem_site site = needed(20, 0);
    site.between = 7;
    for (int i = 0; i < 5; i++) load(&s, i, &site);
    compute_ns(&s, 1e6);
    UNIT_NEAR(waited_ns(&s), 5 * MISS + 4 * 7 * CYCLE_NS - 200, 6 * SLOT);
    clear(&s);
}

/* A list of one line an element: its first word is looked at before the pointer in it. */
static void a_value_from_a_line_that_is_on_its_way_is_not_there_before_the_line(void)
{
    struct scene s = scene("core.model=out_of_order", "mem.outstanding=16", "mem.store_buffer=0");
    struct mem_site site[2] = {needed(20, 1), needed(20, 0)};
    for (int chained = 0; chained < 2; chained++) {
        site[1].beside = chained ? -1 : 0;
        for (int i = 0; i < 5; i++) {
            load(&s, 8 * chained + i, &site[0]);
            mem_load(s.cpu, (uintptr_t)s.memory + 64 * (uintptr_t)(8 * chained + i) + 8, 8, 0x1000,
                     &site[1]);
            compute_ns(&s, CYCLE_NS);
        }
        compute_ns(&s, 1e6);
        UNIT_NEAR(waited_ns(&s), chained ? 5 * MISS - 200 - 40 : MISS - 200, 6 * SLOT);
    }
    clear(&s);
}
static void an_address_that_is_not_known_waits_for_the_youngest_load(void)
{
    struct scene s = scene("core.model=out_of_order", "mem.outstanding=16", "mem.store_buffer=0");
    const struct mem_site known = needed(20, MEM_AFTER_NONE),
                          unknown = needed(20, MEM_AFTER_YOUNGEST);
    load(&s, 0, &known);
    load(&s, 1, &unknown);
    compute_ns(&s, 1e6);
    UNIT_NEAR(waited_ns(&s), 2 * MISS - 200, 0.1);
    clear(&s);
}

static void stores_that_miss_wait_in_the_store_buffer_while_it_has_room(void)
{
    struct scene s = scene("core.model=in_order", "mem.outstanding=1", "mem.store_buffer=2");
    const struct mem_site site = needed(0, MEM_AFTER_NONE);
    store(&s, 0, &site);
    store(&s, 16, &site);
    UNIT_NEAR(waited_ns(&s), 0, 0.1);
    store(&s, 32, &site); /* the first one's place is free when its line is there */
    UNIT_NEAR(waited_ns(&s), MISS, 0.1);
    clear(&s);
}

static void a_payment_neither_drains_nor_prolongs_what_is_in_flight(void)
{
    static const char *const model[] = {"core.model=in_order", "core.model=out_of_order"};
    for (uint64_t seed = 0; seed < 40; seed++) {
        double ns[2] = {0, 0};
        for (int often = 0; often < 2; often++) {
            struct base_random rnd = {.state = seed};
            struct scene s = scene(model[seed % 2], "mem.outstanding=4", "mem.store_buffer=3");
            for (int i = 0; i < 400; i++) {
                struct mem_site site = needed((int)(base_random_next(&rnd) % 40), MEM_AFTER_NONE);
                int line = (int)(base_random_next(&rnd) % 1000);
                if (base_random_next(&rnd) % 4 == 0)
                    store(&s, line, &site);
                else
                    load(&s, line, &site);
                compute_ns(&s, (double)(base_random_next(&rnd) % 30));
                if (base_random_next(&rnd) % 3 == 0 && often) ns[often] += waited_ns(&s);
            }
            compute_ns(&s, 1e6);
            ns[often] += waited_ns(&s);
            clear(&s);
        }
        UNIT_NEAR(ns[0], ns[1], 0.001);
    }
}

/* The same random accesses on every processor; what each waits in nanoseconds. */
static double random_accesses_ns(const char *model, const char *outstanding, uint64_t seed)
{
    struct scene s =
        scene(model, outstanding, seed % 2 ? "mem.store_buffer=3" : "mem.store_buffer=0");
    struct base_random rnd = {.state = seed};
    for (int i = 0; i < 200; i++) {
        int32_t after = base_random_next(&rnd) % 2 ? MEM_AFTER_NONE : MEM_AFTER_YOUNGEST;
        struct mem_site site = needed((int)(base_random_next(&rnd) % 40), after);
        int line = (int)(base_random_next(&rnd) % 1000);
        if (base_random_next(&rnd) % 4 == 0)
            store(&s, line, &site);
        else
            load(&s, line, &site);
        compute_ns(&s, (double)(base_random_next(&rnd) % 30));
    }
    compute_ns(&s, 1e6);
    double ns = waited_ns(&s);
    clear(&s);
    return ns;
}

static void no_processor_waits_longer_than_one_that_waits_for_each_access(void)
{
    size_t n;
    const struct mem_core_model *const *all = mem_core_all(&n);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_PTR_EQUAL(mem_core_find(all[i]->name), all[i]);
        g_autofree char *model = g_strdup_printf("core.model=%s", all[i]->name);
        for (uint64_t seed = 0; seed < 40; seed++) {
            double waits = random_accesses_ns("core.model=blocking", "mem.outstanding=0", seed),
                   ns = random_accesses_ns(model, "mem.outstanding=4", seed);
            CU_ASSERT(ns <= waits);
            CU_ASSERT(!all[i]->goes_on || ns < 0.95 * waits);
        }
    }
}

/* How often so many ends of loops of `least` to `most` rounds were not foreseen; each costs that.
 */
static int not_foreseen(const char *machine_name, int least, int most)
{
    enum { LOST = 17 << 16, LOOPS = 20000 };
    struct mach *m = machine(machine_name, NULL, NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    struct profile_stall row = {0};
    struct base_random rnd = {.state = 1};
    int times = 0;
    mem_know_row(cpu, 1, &row, 0, 0);
    const int64_t before = cpu->ledger.work;
    for (int i = 0; i < LOOPS; i++) {
        const uint64_t rounds =
            (uint64_t)least + base_random_next(&rnd) % (uint64_t)(most - least + 1);
        times += mem_leaves_loop(rounds, 7, LOST, cpu, 1);
    }
    CU_ASSERT(cpu->ledger.work - before == (int64_t)times * LOST);
    CU_ASSERT(row.wrong_ticks == (int64_t)times * LOST);
    mem_node_free(node);
    mach_free(m);
    return times;
}

static void the_rounds_of_a_loop_are_foreseen_where_they_are_as_before(void)
{
    UNIT_EQUAL(not_foreseen("rdma", 400, 400), 1); /* the first */
    CU_ASSERT(not_foreseen("rdma", 3, 11) > 15000);
    UNIT_EQUAL(not_foreseen("t3d", 3, 11), 0); /* they lose at each end, which is charged there */
}

/* Memory's time of three lines with one place in the cache; dirty: the first is stored to. The
 * third is asked for when the second is there, that is while the first is still written. */
static double three_lines_s(const char *model, bool dirty)
{
    struct mach *m =
        machine("t3d", "cache.l1.size=4KiB", "cache.l1.write=back", "cache.l1.allocate=both",
                "wb.entries=0", "dram.readahead=0", model, "mem.outstanding=1", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(3);
    try_load(cpu, memory, 8);
    if (dirty) try_store(cpu, memory, 8);
    try_load(cpu, memory + 4096, 8);
    try_load(cpu, memory + 8192, 8);
    mem_compute(cpu, 1e-3);
    double seconds = mem_take(cpu).memory_s;
    free(memory);
    mem_node_free(node);
    mach_free(m);
    return seconds;
}

static void a_dirty_line_that_is_evicted_keeps_memory_from_the_next_read(void)
{
    /* a line's 14 cycles; one that waits for each access goes on a hit's two before memory is done
     */
    static const struct {
        const char *model;
        double cycles;
    } way[] = {{"core.model=blocking", 14 + 2}, {"core.model=in_order", 14}};
    for (int i = 0; i < 2; i++)
        UNIT_NEAR(three_lines_s(way[i].model, true) - three_lines_s(way[i].model, false),
                  way[i].cycles / 150e6, 1e-10);
}

UNIT_SUITE(
    mem_core, UNIT_TEST(the_rounds_of_a_loop_are_foreseen_where_they_are_as_before),
    UNIT_TEST(in_order_a_load_that_misses_costs_what_its_value_comes_later_than_it_is_needed),
    UNIT_TEST(out_of_order_loads_that_do_not_depend_on_each_other_are_in_flight_together),
    UNIT_TEST(an_atomic_operation_waits_for_what_is_in_flight_and_nothing_overlaps_it),
    UNIT_TEST(a_fence_waits_for_what_is_in_flight_and_takes_what_an_atomic_operation_takes),
    UNIT_TEST(of_two_chases_interleaved_each_waits_for_its_own),
    UNIT_TEST(a_chase_that_begins_anew_waits_for_what_it_begins_with_and_not_for_the_last_one),
    UNIT_TEST(an_address_is_known_so_much_later_than_the_value_that_it_is_made_of),
    UNIT_TEST(a_value_from_a_line_that_is_on_its_way_is_not_there_before_the_line),
    UNIT_TEST(an_address_that_is_not_known_waits_for_the_youngest_load),
    UNIT_TEST(stores_that_miss_wait_in_the_store_buffer_while_it_has_room),
    UNIT_TEST(a_payment_neither_drains_nor_prolongs_what_is_in_flight),
    UNIT_TEST(no_processor_waits_longer_than_one_that_waits_for_each_access),
    UNIT_TEST(a_dirty_line_that_is_evicted_keeps_memory_from_the_next_read))
