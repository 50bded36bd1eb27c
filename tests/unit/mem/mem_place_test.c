/* mem: nothing depends on where the host put the memory, also when others than the program use it.
 */
#include "mem_unit.h"

/* A processor alone that has loaded from two pages `apart` pages away from each other, and then
 * `lines` lines of the first. */
struct place {
    struct mach *m;
    struct mem_node *node;
    struct mem_cpu *cpu;
    char *first;
};

static struct place place_at(size_t apart, int lines)
{
    struct place p = {.m = machine("t3d", NULL), .first = pages(80)};
    p.node = mem_node_new(p.m, 1);
    p.cpu = mem_node_cpu(p.node, 0);
    try_load(p.cpu, p.first, 8);
    try_load(p.cpu, p.first + apart * 4096, 8);
    for (int line = 1; line < lines; line++) try_load(p.cpu, p.first + line * 32, 8);
    return p;
}

static double place_left(struct place p, double seconds)
{
    mem_node_free(p.node);
    mach_free(p.m);
    free(p.first);
    return seconds;
}

/* Somebody's access on the rank's behalf, at a later date than the processor's, keeps memory busy.
 */
static double owed_behind(size_t apart)
{
    struct place p = place_at(apart, 1);
    char byte;
    mem_cpu_read(p.cpu, (uintptr_t)p.first + 256, &byte, 1, 10e-6);
    try_load(p.cpu, p.first + 512, 8);
    return place_left(p, mem_unpaid(p.cpu));
}

/* And one at a date the processor, ahead of the clock, has passed. */
static double cost_before(size_t apart)
{
    struct place p = place_at(apart, 64);
    char byte;
    return place_left(p, mem_charge_s(mem_cpu_read(p.cpu, (uintptr_t)p.first + 3072, &byte, 1, 0)));
}

static void what_an_access_costs_behind_anothers_does_not_depend_on_the_address(void)
{
    double next_s = owed_behind(1);
    CU_ASSERT(next_s > 0);
    for (size_t apart = 2; apart < 80; apart++) UNIT_NEAR(owed_behind(apart), next_s, 0);
}

static void what_an_access_costs_at_a_date_already_passed_does_not_depend_on_the_address(void)
{
    double next_s = cost_before(1);
    CU_ASSERT(next_s > 0);
    for (size_t apart = 2; apart < 80; apart++) UNIT_NEAR(cost_before(apart), next_s, 0);
}

/* ---- in a pool ------------------------------------------------------------------------------- */

static double line_from(struct mem_cpu *cpu, const char *at)
{
    double before_s = mem_unpaid(cpu);
    try_load(cpu, at, 8);
    return mem_unpaid(cpu) - before_s;
}

static void memory_put_into_the_pool_costs_what_a_segments_does_until_it_is_taken_out(void)
{
    struct mach *m = machine("cxl-pool", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    char *memory = pages(3);
    mem_set_quantum(node, 2); /* nobody pays */
    mem_pool(cpu, (uintptr_t)memory, 4096, true);
    double pool_s = line_from(cpu, memory), own_s = line_from(cpu, memory + 4096);
    mem_segment_add(node, op_segment_add(0, (uintptr_t)memory + 8192, 4096, ""),
                    (uintptr_t)memory + 8192, 4096);
    UNIT_NEAR(pool_s, line_from(cpu, memory + 8192), 1e-12);
    CU_ASSERT(pool_s > own_s + 200e-9);
    mem_pool(cpu, (uintptr_t)memory, 4096, false);
    CU_ASSERT(line_from(cpu, memory + 64) <= own_s);
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

UNIT_SUITE(mem_place,
           UNIT_TEST(what_an_access_costs_behind_anothers_does_not_depend_on_the_address),
           UNIT_TEST(what_an_access_costs_at_a_date_already_passed_does_not_depend_on_the_address),
           UNIT_TEST(memory_put_into_the_pool_costs_what_a_segments_does_until_it_is_taken_out))
