/* What has no statement of its own: registers that are saved, choices that are no branches, against
 * what gcc 12 makes of them for the 21064, the UltraSPARC, the R4400 and x86-64. */
#include "cpu/cpu_scene.h"
#include "unit.h"

#define WINDOW                                                                                     \
    "cpu.issue=4 cpu.window=128 cpu.predictor=history cpu.branch_miss=0 cpu.branch_compare=fused"

/* Operations of the machine that a minimum becomes, and cycles of its chain. */
static void minimum(const char *machine, const char *type, uint32_t steps, double cycles)
{
    g_autofree char *text = g_strdup_printf("function f\nblock loop -> 0 9900 1 100\n"
                                            "minimum %s live <0 _\nbranch i4\nblock\nreturn i4\n",
                                            type);
    struct scene s = scene_open(machine, "cpu.branch_miss=0", text);
    CU_ASSERT_EQUAL(s.timing[0].steps, steps);
    UNIT_NEAR((double)s.price[0].at_least[CPU_BOUND_CHAIN] / CPU_TICKS, cycles, 0.001);
    scene_close(&s);
}

/* minsd takes as long as addsd (LLVM, X86SchedIceLake.td). */
static void x86_has_a_minimum_of_floating_point(void) { minimum("rdma", "f8", 1, 4); }

/* cmptlt, fcmovne: 4 + 2; fcmped, fmovd: 1 + 2 (gcc's ev4.md, ultra1_2.md). */
static void others_compare_and_move_on_the_condition(void)
{
    minimum("t3d", "f8", 2, 6);
    minimum("smp", "f8", 2, 3);
}

/* cmp, cmovl. */
static void integers_are_compared_and_selected(void) { minimum("rdma", "s4", 2, 2); }

/* add, cmovs on x86-64, cmovlt on the 21064: neither compares; SPARC's condition codes need it. */
static void what_is_chosen_by_a_sum_against_0_is_not_compared(void)
{
    static const char text[] = "function f\nblock loop -> 0 9900 1 100\nadd s8 <1 _\n"
                               "minimum s8 live .0 #0\nbranch i4\nblock\nreturn i4\n",
                      choice[] = "function f\nblock loop -> 0 9900 1 100\nlogic s8 _ #2\n"
                                 "compare s8 .0 #0\nselect s8 live .1 <2 _\nbranch i4\nblock\n"
                                 "return i4\n";
    const char *machine[] = {"rdma", "t3d", "smp"};
    const uint32_t steps[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        struct scene s = scene_open(machine[i], "cpu.branch_miss=0", text);
        UNIT_EQUAL(s.timing[1].steps, steps[i]);
        scene_close(&s);
        s = scene_open(machine[i], "cpu.branch_miss=0", choice);
        UNIT_EQUAL(s.timing[1].steps, steps[i] - 1);
        scene_close(&s);
    }
}

/* Two words in one register are one of floating point (movups); without vectors they are two. */
static void a_vector_is_stored_as_floating_point_is(void)
{
    static const char text[] = "function f\nblock loop -> 0 9900 1 100\nstore i8x2 _ _\n"
                               "branch i4\nblock\nreturn i4\n",
                      machine[] = "cpu.branch_miss=0 cpu.repeat.fp_store=5 cpu.repeat.store=2";
    g_autofree char *wide = g_strdup_printf("%s cpu.vector=16B", machine),
                    *narrow = g_strdup_printf("%s cpu.vector=0B", machine);
    UNIT_NEAR(scene_cycles("rdma", wide, text, 0), 5, 0.01);
    UNIT_NEAR(scene_cycles("rdma", narrow, text, 0), 4, 0.01);
}

/* A store and a load each: of ten, x86-64 has six such registers, Alpha seven; SPARC has windows.
 */
static void a_function_saves_as_many_registers_as_the_machine_has_for_that(void)
{
    static const char text[] = "function f\nblock\nsave i8 times 10\nreturn i4\n";
    const char *machine[] = {"rdma", "t3d", "smp"};
    const uint32_t steps[] = {12, 14, 0};
    for (int i = 0; i < 3; i++) {
        struct scene s = scene_open(machine[i], NULL, text);
        CU_ASSERT_EQUAL(s.timing[0].steps, steps[i]);
        scene_close(&s);
    }
}

/* Four loads, each from a sum of the block; what else takes the sum needs it made. */
static void a_sum_is_made_in_the_address_that_takes_it_if_the_machine_has_an_index(void)
{
#define LOADS                                                                                      \
    "add i8 _ .0\nload i8 base .1\nadd i8 _ .0\nload i8 base .3\nadd i8 _ .0\n"                    \
    "load i8 base .5\nadd i8 _ .0\nload i8 base .7\n"
    static const char head[] = "function f\nblock loop -> 0 9000 1 1000\nphi i8 <9 _\n" LOADS;
    static const char tail[] = "add i8 .0 _\nbranch i4\nblock\nreturn i4\n";
    g_autofree char *made_there = g_strconcat(head, tail, NULL);
    g_autofree char *also = g_strconcat(head,
                                        "add i8 .0 _\nlogic i8 live .1 .3\n"
                                        "logic i8 live .5 .7\nbranch i4\n"
                                        "block\nreturn i4\n",
                                        NULL);
    UNIT_NEAR(scene_cycles("./tests/unit/cpu/plain.xml", WINDOW, made_there, 0), 6 / 4., 0.02);
    UNIT_NEAR(scene_cycles("./tests/unit/cpu/plain.xml", WINDOW, also, 0), 12 / 4., 0.02);
    UNIT_NEAR(scene_cycles("./tests/unit/cpu/plain.xml", WINDOW " cpu.lower.indexed=int_add",
                           made_there, 0),
              10 / 4., 0.02);
#undef LOADS
}

/* cmp, setg; on the 21064 cmplt. A branch takes the flags, and so does cmov; a mask is one already.
 */
static void a_comparison_that_is_kept_is_put_into_a_register(void)
{
#define IN_LOOP(operations)                                                                        \
    "function f\nblock loop -> 0 9900 1 100\n" operations "branch i4\nblock\nreturn i4\n"
    static const char *const text[] = {
        IN_LOOP("compare s4 live _ #5\n"), IN_LOOP("compare s4 _ #5\nselect s4 live .0 _ _\n"),
        IN_LOOP("compare s4 _ #5\nlogic i4 live .0 _\n"), IN_LOOP("compare s4x4 live _ _\n")};
    static const uint32_t x86[] = {2, 1, 2, 1};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) {
        struct scene s = scene_open("rdma", "cpu.branch_miss=0", text[i]);
        UNIT_EQUAL(s.timing[0].steps, x86[i]);
        scene_close(&s);
        s = scene_open("t3d", "cpu.branch_miss=0", text[i]);
        UNIT_EQUAL(s.timing[0].steps, i == 3 ? 4 : 1);
        scene_close(&s);
    }
#undef IN_LOOP
}

UNIT_SUITE(cpu_choice, UNIT_TEST(a_comparison_that_is_kept_is_put_into_a_register),
           UNIT_TEST(a_function_saves_as_many_registers_as_the_machine_has_for_that),
           UNIT_TEST(x86_has_a_minimum_of_floating_point),
           UNIT_TEST(others_compare_and_move_on_the_condition),
           UNIT_TEST(integers_are_compared_and_selected),
           UNIT_TEST(a_vector_is_stored_as_floating_point_is),
           UNIT_TEST(what_is_chosen_by_a_sum_against_0_is_not_compared),
           UNIT_TEST(a_sum_is_made_in_the_address_that_takes_it_if_the_machine_has_an_index))
