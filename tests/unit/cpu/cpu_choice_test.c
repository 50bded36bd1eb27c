/* What has no statement of its own: registers that are saved, choices that are no branches, against
 * what gcc 12 makes of them for the 21064, the UltraSPARC, the R4400 and x86-64. */
#include "cpu/cpu_scene.h"
#include "unit.h"

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

UNIT_SUITE(cpu_choice, UNIT_TEST(a_function_saves_as_many_registers_as_the_machine_has_for_that),
           UNIT_TEST(x86_has_a_minimum_of_floating_point),
           UNIT_TEST(others_compare_and_move_on_the_condition),
           UNIT_TEST(integers_are_compared_and_selected))
