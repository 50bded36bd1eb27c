/* Loops whose passes go two ways that overlap where they come in turn. */
#include "cpu/cpu_scene.h"
#include "unit.h"

#define WINDOW                                                                                     \
    "cpu.issue=4 cpu.window=128 cpu.predictor=history cpu.branch_miss=0 cpu.latency.fp_add=4 "     \
    "cpu.latency.load=4 cpu.branch_compare=fused"
#define PLAIN "./tests/unit/cpu/plain.xml"

/* A merge of two lists: a pass loads the next element of the one or of the other. */
#define MERGE(first, second)                                                                       \
    "function f\nblock -> 1 " first " 2 " second "\nphi i8 3.0 _\nphi i8 3.1 _\n"                  \
    "branch i4 predicted\n"                                                                        \
    "block -> 3 10000\nload i8 base 0.0\nblock -> 3 10000\nload i8 base 0.1\n"                     \
    "block -> 0 9900 4 100\nphi i8 1.0 0.0\nphi i8 0.1 2.0\nbranch i4 predicted\n"                 \
    "block\nreturn i4\n"

static void ways_that_wait_for_different_chains_take_the_time_of_one_in_turn(void)
{
    struct scene s = scene_open(PLAIN, WINDOW, MERGE("5000", "5000"));
    const uint64_t both = s.price[0].ticks + s.price[3].ticks;
    UNIT_NEAR((double)(both + s.price[1].ticks) / CPU_TICKS, 4, 0.01);
    UNIT_NEAR((double)(both + s.price[2].ticks) / CPU_TICKS, 4, 0.01);
    UNIT_NEAR(s.price[0].ways.saved / 256., 4, 0.01);
    UNIT_EQUAL(s.price[0].ways.gives, 1);
    CU_ASSERT(s.price[0].ways.window >= 16 && s.price[0].ways.window <= 128 / 3);
    UNIT_EQUAL(s.price[3].ways.saved, 0); /* it leaves the loop */
    scene_close(&s);
}

static void ways_do_not_overlap_in_order(void)
{
    struct scene s = scene_open(PLAIN, WINDOW " cpu.window=0", MERGE("5000", "5000"));
    UNIT_EQUAL(s.price[0].ways.saved, 0);
    scene_close(&s);
}

/* Both load the next element of one list. */
static void ways_of_one_chain_take_in_turn_what_each_takes(void)
{
    static const char text[] = "function f\nblock -> 1 5000 2 5000\nphi i8 3.0 _\n"
                               "branch i4 predicted\n"
                               "block -> 3 10000\nload i8 base 0.0\n"
                               "block -> 3 10000\nload i8 base 0.0\nadd i8 live #2\n"
                               "block -> 0 9900 4 100\nphi i8 1.0 2.0\nbranch i4 predicted\n"
                               "block\nreturn i4\n";
    struct scene s = scene_open(PLAIN, WINDOW, text);
    UNIT_EQUAL(s.price[0].ways.saved, 0);
    scene_close(&s);
}

/* Four additions one behind the other, or none: while those of one pass go on, passes of the other
 * way are done beside them. The way that has them gives, whichever is the likelier. */
static void one_long_pass_lies_beside_several_short_ones(void)
{
    static const char *const ways[] = {"1 5500 3 4500", "1 4500 3 5500"};
    for (int against = 0; against < 2; against++) {
        g_autofree char *text = g_strdup_printf(
            "function f\nblock -> %s\nphi i8 3.0 _\nphi f8 3.1 _\nbranch i4 predicted\n"
            "block -> 3 10000\nfp_add f8 0.1 _\nfp_add f8 .0 _\nfp_add f8 .1 _\n"
            "fp_add f8 .2 _\nblock\nreturn i4\n"
            "block -> 0 9900 2 100\nadd i8 0.0 #2\nphi f8 1.3 0.1\nadd i8 live #2\n"
            "add i8 live #2\nadd i8 live #2\nadd i8 live #2\nadd i8 live #2\n"
            "add i8 live #2\nbranch i4 predicted\n",
            ways[against]);
        struct scene s = scene_open(PLAIN, WINDOW, text);
        const struct cpu_ways *w = &s.price[0].ways;
        CU_ASSERT(w->gives >= 4);
        CU_ASSERT(w->saved / 256. > 1 && w->saved / 256. < 2.5);
        UNIT_EQUAL(w->against, against);
        scene_close(&s);
    }
}

UNIT_SUITE(cpu_ways, UNIT_TEST(ways_that_wait_for_different_chains_take_the_time_of_one_in_turn),
           UNIT_TEST(ways_do_not_overlap_in_order),
           UNIT_TEST(ways_of_one_chain_take_in_turn_what_each_takes),
           UNIT_TEST(one_long_pass_lies_beside_several_short_ones))
