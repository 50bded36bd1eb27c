/* What calls of the functions that library.def lists cost. */
#include "cpu/cpu_scene.h"
#include "unit.h"

/* A call each round, with what a load brought (.1), or with the call before (.0). */
#define ROUND(callee, from)                                                                        \
    "function f\nblock loop -> 0 9900 1 100\nphi f8 <2 _\nload f8 scaled _ _\n"                    \
    "call f8 live =" callee " " from "\nblock\nreturn i4\n"

static double round_cycles(const char *machine, const char *text)
{
    return scene_cycles(machine, NULL, text, 0);
}

static void in_order_a_call_costs_its_longest_chain_or_its_issue(void)
{
    static const char call[] = "function f\nblock\ncall f8 =exp _\n";
    static const char other[] = "function f\nblock\ncall f8 =mine _\n";
    struct scene s = scene_open("t3d", NULL, call);
    uint32_t cycles = cpu_library_cycles(s.cpu, cpu_library_find("exp"));
    CU_ASSERT_PTR_NULL(cpu_library_find("mine"));
    scene_close(&s);
    double apart = scene_cycles("t3d", NULL, call, 0) - scene_cycles("t3d", NULL, other, 0);
    CU_ASSERT(apart >= cycles && apart <= cycles + 2);
    /* two additions, six multiplications and additions of four cycles each, five loads of three */
    CU_ASSERT_EQUAL(cycles, 2 * 4 + 6 * 2 * 4 + 5 * 3);
}

/* exp executes some 60 operations: ten cycles at six a cycle, in a chain of more than 40. */
static void out_of_order_calls_overlap_unless_one_takes_the_others_result(void)
{
    double apart = round_cycles("rdma", ROUND("exp", ".1"));
    double chained = round_cycles("rdma", ROUND("exp", ".0"));
    CU_ASSERT(apart >= 10 && apart <= 20);
    CU_ASSERT(chained >= 40 && chained <= 70);
}

/* strtod executes more than the window holds: what follows enters behind it. */
static void a_call_of_many_operations_overlaps_with_nothing(void)
{
    struct scene s = scene_open("rdma", NULL, ROUND("strtod", ".1"));
    double cycles = cpu_library_cycles(s.cpu, cpu_library_find("strtod"));
    scene_close(&s);
    CU_ASSERT(cycles > 60);
    CU_ASSERT(round_cycles("rdma", ROUND("strtod", ".1")) >= cycles);
}

static void a_function_of_the_program_is_not_the_librarys_of_its_name(void)
{
    double listed = round_cycles("rdma", ROUND("rand", ".1"));
    double own = round_cycles("rdma", ROUND("rand", ".1") "function rand\nblock\nreturn i4\n");
    CU_ASSERT(own < listed / 2);
}

UNIT_SUITE(cpu_library, UNIT_TEST(in_order_a_call_costs_its_longest_chain_or_its_issue),
           UNIT_TEST(out_of_order_calls_overlap_unless_one_takes_the_others_result),
           UNIT_TEST(a_call_of_many_operations_overlaps_with_nothing),
           UNIT_TEST(a_function_of_the_program_is_not_the_librarys_of_its_name))
