/* mem: how long processors wait for loads that miss. */
#include "mem_unit.h"

/* Nanoseconds of two independent loads that miss, each needed so many cycles of 10 ns after its
 * issue. */
static double two_misses_ns(const char *model, const char *outstanding, int slack)
{
    struct mach *m = machine("smp", "cpu.clock=100MHz", model, outstanding, NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(1);
    const struct mem_site site = {0, (int64_t)slack << 16};
    UNIT_EQUAL(mem_load(cpu, (uintptr_t)memory, 8, 0x1000, &site), MEM_DONE);
    UNIT_EQUAL(mem_load(cpu, (uintptr_t)memory + 1024, 8, 0x1000, &site), MEM_DONE);
    double ns = mem_take(cpu).memory_s * 1e9;
    free(memory);
    mem_node_free(node);
    mach_free(m);
    return ns;
}

static void in_order_a_load_that_misses_costs_what_its_value_comes_later_than_it_is_needed(void)
{
    /* 270 ns a miss; a hit takes 6, and there is a bus of 24 ns a line */
    UNIT_NEAR(two_misses_ns("core.model=blocking", "mem.outstanding=0", 10), 2 * (270 - 6), 0.1);
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=0", 10), 2 * (270 - 6), 0.1);
    /* needed 100 ns after the issue */
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=1", 10), 170 + 100 + 170, 0.1);
    /* two in flight: the second need not wait for the first */
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=2", 10), 2 * 170, 0.1);
    /* needed later than they come: the one in flight is what the next waits for */
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=1", 50), 270, 0.1);
    UNIT_NEAR(two_misses_ns("core.model=in_order", "mem.outstanding=2", 50), 0, 0.1);
}

UNIT_SUITE(
    mem_core,
    UNIT_TEST(in_order_a_load_that_misses_costs_what_its_value_comes_later_than_it_is_needed))
