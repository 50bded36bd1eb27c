/* Loops in loops, units and ports that several operations want, calls and what functions save. */
#include "cpu/cpu_scene.h"
#include "unit.h"

#define SIMPLE                                                                                     \
    "cpu.issue=4 cpu.window=0 cpu.predictor=history cpu.branch_miss=0 cpu.latency.fp_add=4 "       \
    "cpu.latency.fp_divide=20 cpu.repeat.fp_divide=20 cpu.branch_compare=fused"
#define SIMPLE_WINDOW SIMPLE " cpu.window=128"
/* A machine file that says nothing of its pipeline. */
#define PLAIN "./tests/unit/cpu/plain.xml"

/* A loop of four iterations, a chain each, in an outer loop; or of nobody knows how many. */
#define NEST(first, again, leave)                                                                  \
    "function f\nblock -> 1 10000\nphi f8 1.1 _\nphi i8 _ 2.0\n"                                   \
    "block loop -> 1 " again " 2 " leave "\nphi f8 <1 " first "\nfp_add f8 live .0 _\nbranch i4\n" \
    "block -> 0 9900 3 100\nadd i8 0.1 #2\nbranch i4\nblock\nreturn i4\n"

static double nest(const char *sets, const char *text, double rounds)
{
    struct scene s = scene_open(PLAIN, sets, text);
    double ticks =
        (double)s.price[0].ticks + rounds * (double)s.price[1].ticks + (double)s.price[2].ticks;
    scene_close(&s);
    return ticks / CPU_TICKS;
}

static void iterations_of_an_outer_loop_overlap_in_the_window_and_not_in_order(void)
{
    CU_ASSERT(nest(SIMPLE_WINDOW, NEST("#0", "7500", "2500"), 4) < 4);
    CU_ASSERT(nest(SIMPLE " cpu.window=4", NEST("#0", "7500", "2500"), 4) > 12);
    CU_ASSERT(nest(SIMPLE, NEST("#0", "7500", "2500"), 4) >= 16);
}

/* The same with an inner loop of two blocks, whose sum begins at 0, or where it was left. */
#define NEST_OF_TWO(first) NEST_OF_TWO_ROUNDS(first, "7500", "2500")
#define NEST_OF_TWO_ROUNDS(first, again, leave)                                                    \
    "function f\nblock -> 1 10000\nphi f8 2.0 _\nphi i8 _ 3.0\n"                                   \
    "block -> 2 10000\nphi f8 2.0 " first "\nadd i8 _ _\n"                                         \
    "block -> 1 " again " 3 " leave "\nfp_add f8 live 1.0 _\nbranch i4\n"                          \
    "block -> 0 9900 4 100\nadd i8 0.1 #2\nbranch i4\nblock\nreturn i4\n"

static double nest_of_two(const char *sets, const char *text)
{
    struct scene s = scene_open(PLAIN, sets, text);
    double ticks = (double)s.price[0].ticks + 4 * (double)s.price[1].ticks +
                   4 * (double)s.price[2].ticks + (double)s.price[3].ticks;
    scene_close(&s);
    return ticks / CPU_TICKS;
}

static void executions_of_an_inner_loop_of_several_blocks_overlap_too(void)
{
    CU_ASSERT(nest_of_two(SIMPLE_WINDOW, NEST_OF_TWO("#0")) < 8);
    CU_ASSERT(nest_of_two(SIMPLE_WINDOW " cpu.window=4", NEST_OF_TWO("#0")) > 10);
    UNIT_NEAR(nest_of_two(SIMPLE_WINDOW, NEST_OF_TWO("0.0")), 16, 0.5);
}

/* An inner loop of two blocks and too many rounds to be played in an outer one, left at its head:
 * the pass from there through the outer loop's blocks and once through that head is none. */
static void an_inner_loop_costs_what_its_rounds_take_however_often_others_pass_its_head(void)
{
    static const char text[] =
        "function f\nblock -> 1 10000\nadd i8 live #2\nblock -> 2 10000\nadd i8 live #2\n"
        "block -> 3 9800 4 200\nadd i8 live #2\nadd i8 live #2\nadd i8 live #2\nbranch i4\n"
        "block -> 2 10000\nadd i8 live #2\nadd i8 live #2\nadd i8 live #2\nadd i8 live #2\n"
        "block -> 0 5000 1 4900 5 100\nadd i8 live #2\nbranch i4\nblock\nreturn i4\n";
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW " cpu.taken=1", text);
    UNIT_NEAR((double)(s.price[2].ticks + s.price[3].ticks) / CPU_TICKS, 2, 0.01);
    scene_close(&s);
}

/* A load, an addition, a store: 3 + 1 + 1 cycles, and 4 operations. */
static void executions_of_a_function_overlap_out_of_order_and_not_in_order(void)
{
    static const char text[] = "function f\nblock\nload i8 base _\nadd i8 .0 #2\n"
                               "store i8 base .1 _\nreturn i4\n";
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.latency.load=9", text, 0), 1, 0.01);
    CU_ASSERT(scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.window=4 cpu.latency.load=9", text, 0) >= 9);
    CU_ASSERT(scene_cycles(PLAIN, SIMPLE " cpu.latency.load=9", text, 0) >= 9);
}

/* Both ports are wanted in every cycle; when an addition enters, nobody knows what it waits for. */
static void a_step_waits_for_the_port_that_it_was_given_though_another_is_free(void)
{
    static const char text[] = "function f\nblock loop -> 0 9990 1 10\nphi i8 <2 _\n"
                               "load i8 base .0\nadd i8 .0 #2\nadd i8 .1 #2\n"
                               "block\nreturn i4\n";
    static const char two[] = SIMPLE_WINDOW " cpu.latency.load=9 cpu.ports.int_add=p01";
    CU_ASSERT(scene_cycles(PLAIN, two, text, 0) > 1.02);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.ports.int_add=p0123", text, 0), 1, 0.01);
}

/* Two in a round, of a function of the same object. */
static void calls_of_the_programs_own_functions_are_some_cycles_apart(void)
{
    static const char text[] = "function f\nblock -> 1 10000\ncall i4 =g\n"
                               "block -> 2 10000\ncall i4 =g\n"
                               "block -> 0 9000 3 1000\nbranch i4\nblock\nreturn i4\n"
                               "function g\nblock\nreturn i4\n";
    for (int apart = 4; apart <= 8; apart += 2) {
        g_autofree char *sets = g_strdup_printf(SIMPLE_WINDOW " cpu.call=%d", apart);
        struct scene s = scene_open(PLAIN, sets, text);
        uint64_t round = s.price[0].ticks + s.price[1].ticks + s.price[2].ticks;
        UNIT_NEAR((double)round / CPU_TICKS, 2 * apart, 0.1);
        scene_close(&s);
    }
}

static void an_outer_loop_that_carries_the_chain_of_its_inner_loop_waits_for_it(void)
{
    UNIT_NEAR(nest(SIMPLE_WINDOW, NEST("0.0", "7500", "2500"), 4), 16, 0.1);
}

/* Its chain may be longer than any window. */
static void an_inner_loop_that_the_compiler_cannot_count_costs_its_chain(void)
{
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW, NEST("#0", "8900", "1100"), 1), 4, 0.01);
    UNIT_NEAR(nest(SIMPLE_WINDOW, NEST("#0", "8900", "1100"), 9), 36, 1);
}

/* 2 steps a round, 2 of the outer loop, a window of 128: c (W / n) R / (R + (W + 2) / n). */
static void where_an_inner_loop_is_left_it_took_less_by_what_its_executions_overlapped(void)
{
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, NEST("#0", "8900", "1100"));
    for (uint64_t rounds = 16; rounds <= 4096; rounds *= 4) {
        double saved = (double)cpu_overlap_saves(&s.price[1].overlap, rounds) / CPU_TICKS;
        UNIT_NEAR(saved, 4 * 64 * (double)rounds / ((double)rounds + 65) + 0.5, 0.01);
    }
    /* two rounds fill a cycle: less than that they do not take */
    double two = (double)cpu_overlap_saves(&s.price[1].overlap, 2) / CPU_TICKS;
    UNIT_NEAR(two, 2 * (4 - 0.5), 0.01);
    CU_ASSERT(cpu_overlap_saves(&s.price[1].overlap, UINT64_MAX) <= (4 * 64 + 1) * CPU_TICKS);
    CU_ASSERT(cpu_overlap_saves(&s.price[1].overlap, 0) == 0);
    scene_close(&s);
}

/* Two steps, four a cycle: the chain of nine rounds would hide them. */
static void what_is_beside_a_loop_has_its_price_where_the_loop_is_not_gone_into(void)
{
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, NEST("#0", "8900", "1100"));
    UNIT_NEAR((double)(s.price[0].ticks + s.price[2].ticks) / CPU_TICKS, 0.5, 0.01);
    scene_close(&s);
}

/* 3 steps a round, 2 of the outer loop; each of its blocks may be the one that leaves it. */
static void a_loop_of_several_blocks_took_less_where_it_is_left_too(void)
{
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, NEST_OF_TWO_ROUNDS("#0", "8900", "1100"));
    for (uint64_t rounds = 16; rounds <= 4096; rounds *= 4)
        for (int b = 1; b <= 2; b++) {
            double saved = (double)cpu_overlap_saves(&s.price[b].overlap, rounds) / CPU_TICKS;
            UNIT_NEAR(saved, 4 * 128. / 3 * (double)rounds / ((double)rounds + 43) + 0.5, 0.2);
            CU_ASSERT(s.price[b].overlap.several);
        }
    scene_close(&s);
    struct scene chain =
        scene_open(PLAIN, SIMPLE_WINDOW, NEST_OF_TWO_ROUNDS("0.0", "8900", "1100"));
    CU_ASSERT(cpu_overlap_saves(&chain.price[2].overlap, 100) == 0);
    scene_close(&chain);
}

static void loops_that_cannot_overlap_save_nothing(void)
{
    static const char *const sets[] = {SIMPLE_WINDOW, SIMPLE_WINDOW, SIMPLE};
    static const char *const text[] = {NEST("0.0", "8900", "1100"), /* one chain through all */
                                       NEST("#0", "7500", "2500"),  /* is played as it is */
                                       NEST("#0", "8900", "1100")}; /* in order */
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) {
        struct scene s = scene_open(PLAIN, sets[i], text[i]);
        CU_ASSERT(cpu_overlap_saves(&s.price[1].overlap, 100) == 0);
        scene_close(&s);
    }
}

/* Two loops of chains of 4 cycles, 2 operations a round; the second begins with `from`. */
#define TWO(between, from)                                                                         \
    "function f\nblock loop -> 0 8900 1 1100\nphi f8 <1 _\nfp_add f8 live .0 _\nbranch i4\n"       \
    "block -> 2 10000\n" between "block loop -> 2 8900 3 1100\nphi f8 <1 " from                    \
    "\nfp_add f8 live .0 _\nbranch i4\nblock\nreturn i4\n"

static void of_two_loops_one_behind_the_other_the_second_begins_in_the_window_of_the_first(void)
{
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, TWO("add i8 _ #2\n", "_"));
    UNIT_EQUAL(s.price[2].follows, 1);
    UNIT_EQUAL(s.price[0].follows, 0);
    UNIT_EQUAL(s.price[0].overlap.behind, CPU_OVERLAP_FIRST);
    for (int b = 0; b <= 2; b += 2)
        UNIT_NEAR((double)cpu_overlap_saves(&s.price[b].overlap, 64) / CPU_TICKS, 4 * 64 / 2, 0.01);
    scene_close(&s);
}

static void a_loop_that_waits_for_the_one_before_it_or_for_a_call_saves_nothing(void)
{
    static const char *const text[] = {TWO("add i8 _ #2\n", "0.1"), TWO("call i4 =g\n", "_"),
                                       TWO("fp_add f8 live 0.1 _\n", "1.0")};
    for (size_t i = 0; i < G_N_ELEMENTS(text); i++) {
        struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, text[i]);
        UNIT_EQUAL(s.price[2].follows, 0);
        CU_ASSERT(s.price[0].overlap.most == 0 && s.price[2].overlap.most == 0);
        scene_close(&s);
    }
    struct scene in_order = scene_open(PLAIN, SIMPLE, TWO("add i8 _ #2\n", "_"));
    CU_ASSERT(in_order.price[2].overlap.most == 0);
    scene_close(&in_order);
}

/* Its test comes last in the code, but stands in front of its other blocks. */
static void a_loop_is_one_in_whatever_order_its_blocks_stand(void)
{
    static const char text[] = "function f\nblock -> 2 10000\n"
                               "block -> 2 10000\nfp_add f8 live 2.0 _\n"
                               "block -> 1 9900 3 100\nphi f8 1.0 _\nbranch i4\n"
                               "block\nreturn i4\n";
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, text);
    CU_ASSERT(s.price[1].steady && s.price[2].steady);
    UNIT_NEAR((double)(s.price[1].ticks + s.price[2].ticks) / CPU_TICKS, 4, 0.01);
    scene_close(&s);
}

/* A division, and another of what it gives: the next one goes between the two. */
static void a_divider_takes_what_is_ready_before_what_is_older(void)
{
    static const char text[] =
        "function f\nblock loop -> 0 9000 1 1000\n"
        "fp_divide f8 _ _\nfp_add f8 .0 _\nfp_add f8 .1 _\nfp_add f8 .2 _\n"
        "fp_add f8 .3 _\nfp_add f8 .4 _\nfp_divide f8 .5 _\nbranch i4\nblock\nreturn i4\n";
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW, text, 0), 40, 0.1);
}

/* A loop of blocks 0 and 2, and beside it block 1, into which what it carries goes or does not. */
#define BESIDE(carried, from)                                                                      \
    "function f\nblock -> 2 6000 1 4000\nphi f8 _ " carried "\nphi i8 _ 2.1\nload i8 .1\nbranch "  \
    "i4 .2\nblock -> 2 10000\nload f8 0.1\nfp_add f8 live " from " .0\nblock -> 0 9900 3 100\n"    \
    "phi f8 0.0 1.1\nadd i8 0.1 #2\nbranch i4\nblock\nreturn i4\n"

static void a_block_beside_the_path_costs_what_it_makes_a_pass_longer(void)
{
    const char *window = SIMPLE_WINDOW " cpu.latency.load=5";
    CU_ASSERT(scene_cycles(PLAIN, window, BESIDE("_", "_"), 1) < 1);
    UNIT_NEAR(scene_cycles(PLAIN, window, BESIDE("2.0", "0.0"), 1), 4 - 1, 0.5);
    CU_ASSERT(scene_cycles(PLAIN, SIMPLE " cpu.latency.load=5", BESIDE("_", "_"), 1) > 5);
}

/* A chain in block 1, which the branch of block 0 may go over. */
#define OVER                                                                                       \
    "function f\nblock -> 1 6000 2 4000\nphi f8 _ 2.0\nphi i8 _ 2.1\nload i8 .1\nbranch i4 .2\n"   \
    "block -> 2 10000\nfp_add f8 live 0.0 _\nblock -> 0 9900 3 100\nphi f8 0.0 1.0\n"              \
    "add i8 0.1 #2\nbranch i4\nblock\nreturn i4\n"

static void a_pass_that_leaves_out_a_block_costs_what_it_takes_by_itself(void)
{
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW " cpu.latency.load=5", OVER);
    double without = (double)(s.price[0].ticks + s.price[2].ticks) / CPU_TICKS;
    UNIT_NEAR(without, 1, 0.01); /* four operations, four a cycle */
    UNIT_NEAR(without + (double)s.price[1].ticks / CPU_TICKS, 4, 0.01);
    scene_close(&s);
}

static void branches_that_are_taken_are_some_cycles_apart(void)
{
    static const char loop[] = "function f\nblock loop -> 0 9900 1 100\nphi i8 _ <1\n"
                               "add i8 .0 #2\nbranch i4\nblock\nreturn i4\n";
    const char *wide = SIMPLE_WINDOW " cpu.taken=2", *over = SIMPLE_WINDOW " cpu.taken=3";
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW, loop, 0), 1, 0.01);
    UNIT_NEAR(scene_cycles(PLAIN, wide, loop, 0), 2, 0.01);
    /* one that goes over block 1, and the one back */
    struct scene s = scene_open(PLAIN, over, OVER);
    UNIT_NEAR((double)(s.price[0].ticks + s.price[2].ticks) / CPU_TICKS, 4, 0.01);
    UNIT_NEAR((double)s.price[1].ticks, 0, CPU_TICKS / 8);
    scene_close(&s);
}

/* In a loop that goes through the likelier of two ways, by its number or its address. */
static void what_a_switch_goes_to_is_some_cycles_behind_it(void)
{
    static const char switches[] =
        "function f\nblock -> 1 6000 2 4000\nphi i8 _ 1.0 2.0\nswitch i8 .0\n"
        "block -> 0 10000\nadd i8 0.0 #2\nblock -> 0 10000\nadd i8 0.0 #3\n";
    const char *taken = SIMPLE_WINDOW " cpu.taken=1",
               *jump = SIMPLE_WINDOW " cpu.taken=1 cpu.jump=7";
    for (int i = 0; i < 2; i++) {
        struct scene s = scene_open(PLAIN, i ? jump : taken, switches);
        const double way = (double)(s.price[0].ticks + s.price[1].ticks) / CPU_TICKS;
        if (i)
            UNIT_NEAR(way, 8, 0.01);
        else
            CU_ASSERT(way <= 2);
        scene_close(&s);
    }
}

/* Its test stands behind its body: only the branch to that is taken. */
static void a_loop_that_is_entered_in_its_midst_takes_one_branch_a_round(void)
{
    static const char loop[] = "function f\nblock -> 2 10000\nadd i8 _ #1\n"
                               "block -> 2 9900 3 100\nadd i8 2.0 #2\nbranch i4\n"
                               "block -> 1 9900 3 100\nphi i8 1.0 _\nadd i8 _ _\nbranch i4\n"
                               "block\nreturn i4\n";
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW " cpu.taken=3", loop);
    UNIT_NEAR((double)(s.price[1].ticks + s.price[2].ticks) / CPU_TICKS, 3, 0.01);
    scene_close(&s);
}

/* A loop that begins with two variables; `next` follows. */
#define CARRIES(next)                                                                              \
    "function f\nblock loop -> 0 9900 1 100\nphi i8 <" next "\nadd i8 live .0 .1\nbranch i4\n"     \
    "block\nreturn i4\n"

/* t = a + b, a = b, b = t: two copies beside the addition, which gcc leaves on each machine. */
static void a_variable_that_takes_the_place_of_another_is_copied(void)
{
    const char *one = SIMPLE " cpu.issue=1";
    CU_ASSERT_EQUAL(scene_cycles(PLAIN, one, CARRIES("1 _\nphi i8 <2 _"), 0), 4);
    /* a = a + b: none; b stays, or comes from memory */
    CU_ASSERT_EQUAL(scene_cycles(PLAIN, one, CARRIES("2 _\nphi i8 <1 _"), 0), 2);
    /* a = b, b from memory: only a */
    CU_ASSERT_EQUAL(scene_cycles(PLAIN, one, CARRIES("1 _\nphi i8 <2 _\nload i8 _"), 0), 4);
    /* joined iterations give the registers other names: once in both */
    CU_ASSERT(scene_cycles(PLAIN, SIMPLE " cpu.issue=1 cpu.unroll=2", CARRIES("1 _\nphi i8 <2 _"),
                           0) < 3.5);
}

/* Agner Fog, microarchitecture, and Intel's manual of Ice Lake: two stores a cycle go to the first
 * level where their line is the same. So c[i] and d[i] take two cycles, and c[i], c[i + 1] one. */
static void stores_of_a_cycle_go_to_as_many_lines_as_the_machine_says(void)
{
    static const char loop[] = "function f\nblock loop -> 0 9900 1 100\n"
                               "phi i8 <%d _\n%s"
                               "add i8 .0 #5\ncompare i4 .%d _\nbranch i4 counted .%d\n"
                               "block\nreturn i4\n";
    static const struct {
        const char *stores;
        int n;
        double any, one, two; /* cycles a pass, by lines of a cycle */
    } row[] = {{"store f8 _ .0\n", 1, 1, 1, 1},
               {"store f8 _ .0\nstore f8 _ .0\n", 2, 1, 1, 1},
               {"store f8 _ .0 _\nstore f8 _ .0\n", 2, 1, 2, 1},
               {"store f8 _ .0 _\nstore f8 _ .0\nstore f8 _ .0 _\nstore f8 _ .0\n", 4, 2, 4, 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const double want[] = {row[i].any, row[i].one, row[i].two};
        int n = row[i].n;
        g_autofree char *text = g_strdup_printf(loop, n + 1, row[i].stores, n + 1, n + 2);
        for (int lines = 0; lines < 3; lines++) {
            g_autofree char *sets = g_strdup_printf(
                "cpu.branch_miss=0 cpu.issue=8 cpu.window=128 cpu.ports.fp_store=p01 "
                "cpu.branch_compare=fused cpu.store_lines=%d",
                lines);
            struct scene s = scene_open(PLAIN, sets, text);
            UNIT_NEAR((double)s.price[0].ticks / CPU_TICKS, want[lines], 0.05);
            CU_ASSERT(s.price[0].at_least[CPU_BOUND_UNIT] <= s.price[0].ticks);
            scene_close(&s);
        }
    }
}

/* s = s * x + y takes the latencies of both, s = s + x the bypass: Golden Cove passes an addition's
 * value to an addition in 2 cycles, to others in 3 (Intel's manual; uops.info, ADDSD, Alder Lake).
 */
static void an_addition_has_the_value_of_an_addition_sooner_than_that_of_others(void)
{
    static const char sum[] = "function f\nblock loop -> 0 9900 1 100\nphi f8 <1 _\n"
                              "fp_add f8 .0 _\nbranch i4 counted\nblock\nreturn i4\n";
    static const char horner[] = "function f\nblock loop -> 0 9900 1 100\nphi f8 <2 _\n"
                                 "fp_multiply f8 .0 _\nfp_add f8 .1 _\nbranch i4 counted\n"
                                 "block\nreturn i4\n";
    static const char machine[] = "cpu.branch_miss=0 cpu.issue=6 cpu.latency.fp_add=3 "
                                  "cpu.latency.fp_multiply=4 cpu.window=%d cpu.fp_add_bypass=%d";
    for (int window = 0; window <= 128; window += 128)
        for (int bypass = 0; bypass <= 2; bypass += 2) {
            g_autofree char *sets = g_strdup_printf(machine, window, bypass);
            UNIT_NEAR(scene_cycles(PLAIN, sets, sum, 0), bypass ? bypass : 3, 0);
            UNIT_NEAR(scene_cycles(PLAIN, sets, horner, 0), 3 + 4, 0);
        }
}

UNIT_SUITE(
    cpu_nest, UNIT_TEST(a_variable_that_takes_the_place_of_another_is_copied),
    UNIT_TEST(a_block_beside_the_path_costs_what_it_makes_a_pass_longer),
    UNIT_TEST(a_pass_that_leaves_out_a_block_costs_what_it_takes_by_itself),
    UNIT_TEST(branches_that_are_taken_are_some_cycles_apart),
    UNIT_TEST(what_a_switch_goes_to_is_some_cycles_behind_it),
    UNIT_TEST(a_loop_that_is_entered_in_its_midst_takes_one_branch_a_round),
    UNIT_TEST(stores_of_a_cycle_go_to_as_many_lines_as_the_machine_says),
    UNIT_TEST(an_addition_has_the_value_of_an_addition_sooner_than_that_of_others),
    UNIT_TEST(iterations_of_an_outer_loop_overlap_in_the_window_and_not_in_order),
    UNIT_TEST(executions_of_an_inner_loop_of_several_blocks_overlap_too),
    UNIT_TEST(an_inner_loop_costs_what_its_rounds_take_however_often_others_pass_its_head),
    UNIT_TEST(executions_of_a_function_overlap_out_of_order_and_not_in_order),
    UNIT_TEST(a_step_waits_for_the_port_that_it_was_given_though_another_is_free),
    UNIT_TEST(calls_of_the_programs_own_functions_are_some_cycles_apart),
    UNIT_TEST(an_outer_loop_that_carries_the_chain_of_its_inner_loop_waits_for_it),
    UNIT_TEST(an_inner_loop_that_the_compiler_cannot_count_costs_its_chain),
    UNIT_TEST(where_an_inner_loop_is_left_it_took_less_by_what_its_executions_overlapped),
    UNIT_TEST(what_is_beside_a_loop_has_its_price_where_the_loop_is_not_gone_into),
    UNIT_TEST(a_loop_of_several_blocks_took_less_where_it_is_left_too),
    UNIT_TEST(loops_that_cannot_overlap_save_nothing),
    UNIT_TEST(of_two_loops_one_behind_the_other_the_second_begins_in_the_window_of_the_first),
    UNIT_TEST(a_loop_that_waits_for_the_one_before_it_or_for_a_call_saves_nothing),
    UNIT_TEST(a_loop_is_one_in_whatever_order_its_blocks_stand),
    UNIT_TEST(a_divider_takes_what_is_ready_before_what_is_older))
