/* mem: nothing depends on where the host put the memory, also when others than the program use it. */
#include "mem_unit.h"

/* Loads from two pages `apart` pages away from each other; between them somebody's access on the rank's behalf, at a later
 * date than the processor's, keeps memory busy. */
static double owed_with_pages_apart(size_t apart)
{
    struct mach *m = machine("t3d", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    char *first = pages(80), *second = first + apart * 4096, byte;
    try_load(cpu, first, 8);
    try_load(cpu, second, 8);
    mem_cpu_read(cpu, (uintptr_t)first + 256, &byte, 1, 10e-6);
    try_load(cpu, first + 512, 8);
    double owed_s = mem_unpaid(cpu);
    mem_node_free(node);
    mach_free(m);
    free(first);
    return owed_s;
}

static void what_an_access_costs_behind_anothers_does_not_depend_on_the_address(void)
{
    double next_s = owed_with_pages_apart(1);
    CU_ASSERT(next_s > 0);
    for (size_t apart = 2; apart < 80; apart++) UNIT_NEAR(owed_with_pages_apart(apart), next_s, 0);
}

/* Somebody's access on the rank's behalf at a date the processor, ahead of the clock, has passed. */
static double costs_before_with_pages_apart(size_t apart)
{
    struct mach *m = machine("t3d", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    char *first = pages(80), *second = first + apart * 4096, byte;
    try_load(cpu, first, 8);
    try_load(cpu, second, 8);
    for (int line = 1; line < 64; line++) try_load(cpu, first + line * 32, 8);
    double cost_s = mem_cpu_read(cpu, (uintptr_t)first + 3072, &byte, 1, 0);
    mem_node_free(node);
    mach_free(m);
    free(first);
    return cost_s;
}

static void what_an_access_costs_at_a_date_already_passed_does_not_depend_on_the_address(void)
{
    double next_s = costs_before_with_pages_apart(1);
    CU_ASSERT(next_s > 0);
    for (size_t apart = 2; apart < 80; apart++) UNIT_NEAR(costs_before_with_pages_apart(apart), next_s, 0);
}

UNIT_SUITE(mem_place, UNIT_TEST(what_an_access_costs_behind_anothers_does_not_depend_on_the_address),
           UNIT_TEST(what_an_access_costs_at_a_date_already_passed_does_not_depend_on_the_address))
