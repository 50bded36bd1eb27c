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

/* Steps of the operations of a block, one after the other. */
static void has_steps(const char *machine, const char *text, const uint32_t *steps, uint32_t n)
{
    struct scene s = scene_open(machine, NULL, text);
    for (uint32_t i = 0; i < n; i++) UNIT_EQUAL(s.timing[i].steps, steps[i]);
    scene_close(&s);
}

/* t[i], t[i + 1]; x86 has base, index times 8 and constant; the 21064 multiplies and adds. */
static void an_index_is_multiplied_in_the_address_that_takes_it_if_the_machine_can(void)
{
    static const char text[] = "function f\nblock\nload i4 _\nconvert i8 from i4 .0\n"
                               "shift i8 times 8 .1 #4\nadd i8 _ .2\nload f8 base .3\n"
                               "add i8 .2 #5\nadd i8 _ .5\nload f8 base .6\nreturn i4\n";
    static const uint32_t x86[] = {1, 0, 0, 0, 1, 0, 0, 1}, alpha[] = {1, 0, 1, 1, 1, 1, 1, 1};
    has_steps("rdma", text, x86, 8);
    has_steps("t3d", text, alpha, 8);
}

/* lea for both; a product of 16, or one that is needed itself; an address has one index. */
static void an_index_is_multiplied_before_where_one_address_does_not_take_it_alone(void)
{
    static const char both[] = "function f\nblock\nload i8 _\nshift i8 times 8 .0 #4\nadd i8 _ .1\n"
                               "load i8 base .2\nstore i8 base .3 .2\nreturn i4\n",
                      far[] = "function f\nblock\nload i8 _\nshift i8 times 16 .0 #5\nadd i8 _ .1\n"
                              "load i8 base .2\nreturn i4\n",
                      kept[] = "function f\nblock\nload i8 _\nshift i8 times 8 .0 #4\nadd i8 _ .1\n"
                               "load i8 base .2\nlogic i8 live .1 .3\nreturn i4\n",
                      two[] = "function f\nblock\nload i8 _\nshift i8 times 8 .0 #4\n"
                              "shift i8 times 4 .0 #3\nadd i8 .1 .2\nload i8 base .3\nreturn i4\n";
    static const uint32_t one_more[] = {1, 1, 0, 1}, one_of_two[] = {1, 0, 1, 0, 1};
    has_steps("rdma", both, one_more, 4);
    has_steps("rdma", far, one_more, 4);
    has_steps("rdma", kept, one_more, 4);
    has_steps("rdma", two, one_of_two, 5);
}

/* x86: shr of 32 bits; not of 16, nor where a sign is to be extended, nor on SPARC. */
static void a_number_without_a_sign_that_was_just_made_is_wide_already(void)
{
    static const char plain[] = "function f\nblock\nshift i4 _ #6\nconvert i8 from i4 .0\n"
                                "logic i8 live .1 _\nreturn i4\n",
                      narrow[] = "function f\nblock\nshift i2 _ #6\nconvert i8 from i2 .0\n"
                                 "logic i8 live .1 _\nreturn i4\n",
                      sign[] = "function f\nblock\nshift s4 _ #6\nconvert s8 from s4 .0\n"
                               "logic i8 live .1 _\nreturn i4\n";
    static const uint32_t none[] = {1, 0, 1}, one[] = {1, 1, 1};
    has_steps("rdma", plain, none, 3);
    has_steps("rdma", narrow, one, 3);
    has_steps("rdma", sign, one, 3);
    has_steps("smp", plain, one, 3);
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
           UNIT_TEST(a_sum_is_made_in_the_address_that_takes_it_if_the_machine_has_an_index),
           UNIT_TEST(an_index_is_multiplied_in_the_address_that_takes_it_if_the_machine_can),
           UNIT_TEST(an_index_is_multiplied_before_where_one_address_does_not_take_it_alone),
           UNIT_TEST(a_number_without_a_sign_that_was_just_made_is_wide_already))
