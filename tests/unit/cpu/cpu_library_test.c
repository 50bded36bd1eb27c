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

/* Whatever its operations are: 64 of exp and 898 of strtod. */
static void what_a_machine_says_that_a_call_takes_it_takes(void)
{
    static const char said[] = "cpu.library.exp=30cycles cpu.library_result.exp=40cycles "
                               "cpu.library.strtod=300cycles";
    const double apart = scene_cycles("rdma", said, ROUND("exp", ".1"), 0),
                 chained = scene_cycles("rdma", said, ROUND("exp", ".0"), 0),
                 many = scene_cycles("rdma", said, ROUND("strtod", ".1"), 0);
    CU_ASSERT(apart >= 30 && apart <= 31);
    CU_ASSERT(chained >= 40 && chained <= 43);
    CU_ASSERT(many >= 300 && many <= 310);
    CU_ASSERT(scene_cycles("t3d", "cpu.library.exp=300cycles", ROUND("exp", ".1"), 0) >= 300);
}

/* Its own code is fetched one behind the other, too. */
static void what_is_fetched_before_such_a_call_comes_on_top(void)
{
    static const char said[] = "cpu.library.exp=30cycles",
                      begin[] = "function f\nblock loop -> 0 9900 1 100\n";
    g_autoptr(GString) text = g_string_new(begin);
    for (int i = 0; i < 60; i++) g_string_append(text, "add i8 _ _\n");
    g_string_append(text, "call f8 live =exp _\nblock\nreturn i4\n");
    const double cycles = scene_cycles("rdma", said, text->str, 0);
    CU_ASSERT(cycles >= 30 + 60 / 5 - 2 && cycles <= 30 + 60 / 5 + 6);
}

/* A comparison of qsort is no function: its operations are in probe/sort.c. */
static void each_function_that_a_machine_may_speak_of_is_listed(void)
{
    for (int f = 0; f < MACH_FUNCTIONS; f++)
        UNIT_EQUAL(cpu_library_find(mach_function_word((enum mach_function)f)) != NULL,
                   f != MACH_FUNCTION_sort_comparison);
}

UNIT_SUITE(cpu_library, UNIT_TEST(in_order_a_call_costs_its_longest_chain_or_its_issue),
           UNIT_TEST(out_of_order_calls_overlap_unless_one_takes_the_others_result),
           UNIT_TEST(a_call_of_many_operations_overlaps_with_nothing),
           UNIT_TEST(a_function_of_the_program_is_not_the_librarys_of_its_name),
           UNIT_TEST(what_a_machine_says_that_a_call_takes_it_takes),
           UNIT_TEST(what_is_fetched_before_such_a_call_comes_on_top),
           UNIT_TEST(each_function_that_a_machine_may_speak_of_is_listed))
