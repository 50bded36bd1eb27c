/* What a branch loses that was predicted wrongly. */
#include "cpu/cpu_scene.h"
#include "unit.h"

/* A machine file that says nothing of its pipeline. */
#define PLAIN "./tests/unit/cpu/plain.xml"

static struct cpu_price priced(const char *sets, const char *text)
{
    struct scene s = scene_open(PLAIN, sets, text);
    const struct cpu_price price = s.price[0];
    scene_close(&s);
    return price;
}

/* Out of order a load and what is computed from it overlap with what was before them; behind a
 * wrong prediction nothing is before them. */
static void a_wrong_prediction_costs_the_chain_that_leads_to_the_branch_too(void)
{
    static const char text[] = "function f\nblock loop -> 0 5000 1 5000\n"
                               "load i8 _\nmultiply i8 .0 _\ncompare i4 .1 _\n"
                               "branch i4 predicted .2\nblock\nreturn i4\n";
    static const char out_of_order[] =
        "cpu.branch_miss=10 cpu.issue=4 cpu.window=64 cpu.latency.load=5 "
        "cpu.latency.int_multiply=3 cpu.branch_compare=fused";
    struct cpu_price p = priced(out_of_order, text);
    UNIT_NEAR((double)p.ticks / CPU_TICKS, 1, 0.5);
    UNIT_NEAR((double)(p.lost + p.ticks) / CPU_TICKS, 10 + 5 + 3 + 1, 0.5);
}

/* Numbers of floating point reach the flags late: that a branch on them was predicted wrongly is
 * known so much later. Where it is predicted nothing waits for it. */
static void a_branch_on_floating_point_is_known_so_late_as_the_machine_says(void)
{
    static const char text[] = "function f\nblock loop -> 0 5000 1 5000\n"
                               "load f8 _\nfp_compare f8 .0 _\nbranch i4 predicted .1\n"
                               "block\nreturn i4\n";
    static const char at_once[] = "cpu.branch_miss=10 cpu.issue=4 cpu.window=64 cpu.latency.load=5 "
                                  "cpu.latency.fp_compare=2",
                      late[] = "cpu.branch_miss=10 cpu.issue=4 cpu.window=64 cpu.latency.load=5 "
                               "cpu.latency.fp_compare=2 cpu.latency.fp_branch=8";
    struct cpu_price sooner = priced(at_once, text), later = priced(late, text);
    UNIT_EQUAL(later.ticks, sooner.ticks);
    UNIT_NEAR((double)(later.lost - sooner.lost) / CPU_TICKS, 7, 0);
    UNIT_NEAR((double)(later.lost + later.ticks) / CPU_TICKS, 10 + 5 + 2 + 8, 0.5);
}

UNIT_SUITE(cpu_wrong, UNIT_TEST(a_wrong_prediction_costs_the_chain_that_leads_to_the_branch_too),
           UNIT_TEST(a_branch_on_floating_point_is_known_so_late_as_the_machine_says))
