/* Several loops in one: each overlaps with its next execution, and what is beside them has its
 * price. */
#include "cpu/cpu_scene.h"
#include "unit.h"

#define PLAIN "./tests/unit/cpu/plain.xml"
#define WINDOW                                                                                     \
    "cpu.issue=4 cpu.window=128 cpu.predictor=history cpu.branch_miss=0 cpu.latency.fp_add=4 "     \
    "cpu.branch_compare=fused"
/* Two loops of 9 rounds, a chain each, with 8 operations beside them. */
#define ADDS "add i8 _ #2\nadd i8 _ #2\nadd i8 _ #2\nadd i8 _ #2\n"
#define SEVERAL(first, second)                                                                     \
    "function f\nblock -> 1 10000\nphi i8 _ 4.0\nphi f8 _ 3.1\n" ADDS                              \
    "block loop -> 1 8900 2 1100\nphi f8 <1 " first "\nfp_add f8 live .0 _\nbranch i4\n"           \
    "block -> 3 10000\n" ADDS "block loop -> 3 8900 4 1100\nphi f8 <1 " second                     \
    "\nfp_add f8 live .0 _\nbranch i4\n"                                                           \
    "block -> 0 9900 5 100\nadd i8 0.0 #2\nbranch i4\nblock\nreturn i4\n"

/* Ten operations, four a cycle: 18 rounds of 4 cycles would hide them. */
static void what_is_beside_several_loops_has_its_price(void)
{
    struct scene s = scene_open(PLAIN, WINDOW, SEVERAL("#0", "#0"));
    const uint64_t beside = s.price[0].ticks + s.price[2].ticks + s.price[4].ticks;
    UNIT_NEAR((double)beside / CPU_TICKS, 2.5, 0.01);
    scene_close(&s);
}

/* 2 steps a round, a window of 128; beside each 18 steps of the other and 10 others. */
static void each_of_several_loops_overlaps_with_its_next_execution(void)
{
    struct scene s = scene_open(PLAIN, WINDOW, SEVERAL("#0", "#0"));
    for (int b = 1; b <= 3; b += 2)
        for (uint64_t rounds = 64; rounds <= 4096; rounds *= 4) {
            const double saved = (double)cpu_overlap_saves(&s.price[b].overlap, rounds) / CPU_TICKS;
            UNIT_NEAR(saved, 4 * 64 * (double)rounds / ((double)rounds + 78) + 2.5 / 2, 0.05);
            CU_ASSERT(s.price[b].overlap.others);
        }
    scene_close(&s);
}

/* One chain goes through all of them. */
static void loops_that_wait_for_each_other_save_nothing(void)
{
    struct scene s = scene_open(PLAIN, WINDOW, SEVERAL("0.1", "1.1"));
    for (int b = 1; b <= 3; b += 2) CU_ASSERT(cpu_overlap_saves(&s.price[b].overlap, 100) == 0);
    scene_close(&s);
}

UNIT_SUITE(cpu_several, UNIT_TEST(what_is_beside_several_loops_has_its_price),
           UNIT_TEST(each_of_several_loops_overlaps_with_its_next_execution),
           UNIT_TEST(loops_that_wait_for_each_other_save_nothing))
