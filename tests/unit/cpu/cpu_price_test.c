/* Prices of blocks: what bounds a loop, in order and out of order, and what a machine lacks. */
#include "cpu/cpu_scene.h"
#include "unit.h"

/* An abstract machine: four operations a cycle, latencies that tell the classes apart. */
#define SIMPLE                                                                                     \
    "cpu.issue=4 cpu.window=0 cpu.predictor=history cpu.branch_miss=0 cpu.latency.fp_add=4 "       \
    "cpu.latency.fp_multiply=4 cpu.latency.load=3 cpu.latency.fp_divide=20 "                       \
    "cpu.repeat.fp_divide=20 cpu.branch_compare=fused cpu.vector=32"
#define SIMPLE_WINDOW SIMPLE " cpu.window=128"
/* A machine file that says nothing of its pipeline. */
#define PLAIN "./tests/unit/cpu/plain.xml"

static const char dot[] = "function dot\n"
                          "block loop -> 0 9900 1 100\n"
                          "phi f8 <5 _\n"
                          "phi i8 <6 _\n"
                          "load f8 scaled _ .1\n"
                          "load f8 scaled _ .1\n"
                          "fp_multiply f8 .2 .3\n"
                          "fp_add f8 live .0 .4\n"
                          "add i8 .1 #2\n"
                          "compare i4 .6 _\n"
                          "branch i4 .7\n"
                          "block\n"
                          "return i4\n";

static struct cpu_price priced(const char *machine, const char *sets, const char *text,
                               uint32_t block)
{
    struct scene s = scene_open(machine, sets, text);
    struct cpu_price p = s.price[block];
    scene_close(&s);
    return p;
}

/* ---- what bounds a loop ---------------------------------------------------------------------- */

static void a_dot_product_out_of_order_is_bound_by_the_latency_of_its_add(void)
{
    struct cpu_price p = priced(PLAIN, SIMPLE_WINDOW, dot, 0);
    UNIT_EQUAL(p.ticks, 4 * CPU_TICKS);
    UNIT_EQUAL(p.bound, CPU_BOUND_CHAIN);
    UNIT_EQUAL(p.steady, true);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.latency.fp_add=7", dot, 0), 7, 0);
}

/* Load 3, multiply 4; the next loads go with the add. */
static void a_dot_product_in_order_waits_for_each_load_and_each_multiply(void)
{
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE, dot, 0), 7, 0);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE " cpu.latency.load=5", dot, 0), 9, 0);
}

static void independent_adds_are_bound_by_the_issue_width(void)
{
    static const char text[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "phi i8 <8 _\nadd i8 _ _\nadd i8 _ _\nadd i8 _ _\nadd i8 _ _\n"
                               "add i8 _ _\nadd i8 _ _\nadd i8 _ _\nadd i8 .0 #2\nbranch i4\n"
                               "block\nreturn i4\n";
    struct cpu_price p = priced(PLAIN, SIMPLE, text, 0);
    UNIT_EQUAL(p.bound, CPU_BOUND_ISSUE);
    UNIT_NEAR((double)p.ticks / CPU_TICKS, 9 / 4.0, 0.01);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW, text, 0), 9 / 4.0, 0.01);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE " cpu.issue=1", text, 0), 9, 0);
}

static void operations_that_share_a_port_are_bound_by_it(void)
{
    static const char text[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "shift i8 _ #3\nshift i8 _ #3\nshift i8 _ #3\nadd i8 _ _\n"
                               "branch i4\nblock\nreturn i4\n";
    struct cpu_price p = priced(PLAIN, SIMPLE_WINDOW " cpu.ports.shift=p06", text, 0);
    UNIT_EQUAL(p.bound, CPU_BOUND_PORT);
    UNIT_EQUAL(p.ports, 0x41);
    UNIT_NEAR((double)p.ticks / CPU_TICKS, 1.5, 0.01);
}

static void a_divider_that_is_not_pipelined_bounds_a_loop_of_divides(void)
{
    static const char text[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "fp_divide f8 _ _\nfp_divide f8 _ _\nbranch i4\n"
                               "block\nreturn i4\n";
    struct cpu_price p = priced(PLAIN, SIMPLE_WINDOW, text, 0);
    UNIT_EQUAL(p.bound, CPU_BOUND_UNIT);
    UNIT_EQUAL(p.unit, MACH_FP_DIVIDE);
    UNIT_EQUAL(p.ticks, 40 * CPU_TICKS);
    UNIT_EQUAL(priced(PLAIN, SIMPLE, text, 0).ticks, 40 * CPU_TICKS);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.repeat.fp_divide=1", text, 0), 0.75, 0.01);
}

static void a_reduction_with_four_sums_is_four_times_faster_than_with_one(void)
{
    static const char one[] = "function f\nblock loop -> 0 9000 1 1000\n"
                              "phi f8 <4 _\n"
                              "fp_add f8 .0 _\nfp_add f8 .1 _\nfp_add f8 .2 _\nfp_add f8 .3 _\n"
                              "branch i4\nblock\nreturn i4\n";
    static const char four[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "fp_add f8 <0 _\nfp_add f8 <1 _\nfp_add f8 <2 _\nfp_add f8 <3 _\n"
                               "branch i4\nblock\nreturn i4\n";
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW, one, 0), 16, 0);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW, four, 0), 4, 0);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE, one, 0), 16, 0);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE, four, 0), 4, 0);
}

/* Two chains, interleaved only by a window that reaches the second. */
static void a_window_lets_later_chains_overlap_and_a_small_one_does_not(void)
{
    static const char text[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "load f8 _\nfp_add f8 .0 _\nfp_add f8 .1 _\nfp_add f8 .2 _\n"
                               "store f8 .3 _\nbranch i4\nblock\nreturn i4\n";
    double in_order = scene_cycles(PLAIN, SIMPLE, text, 0);
    double small = scene_cycles(PLAIN, SIMPLE " cpu.window=8", text, 0);
    double large = scene_cycles(PLAIN, SIMPLE_WINDOW, text, 0);
    CU_ASSERT(large < small && small < in_order);
    UNIT_NEAR(large, 1.5, 0.01);
    UNIT_NEAR(in_order, 15, 0);
}

static void what_a_loop_of_several_blocks_carries_is_a_chain(void)
{
    static const char text[] = "function f\n"
                               "block -> 1 6000 2 4000\n"
                               "phi f8 2.0 _\nload f8 _\nfp_compare i4 .1 #0\nbranch i4 .2\n"
                               "block -> 2 10000\nfp_add f8 0.0 0.1\n"
                               "block -> 0 9900 3 100\nphi f8 1.0 0.0\nadd i8 <1 #2\nbranch i4\n"
                               "block\nreturn i4\n";
    struct scene s = scene_open(PLAIN, SIMPLE_WINDOW, text);
    double pass = 0;
    for (int b = 0; b < 3; b++) pass += (double)s.price[b].ticks / CPU_TICKS;
    UNIT_NEAR(pass, 4, 0.01);
    UNIT_EQUAL(s.price[0].path_blocks, 3);
    UNIT_EQUAL(s.price[1].bound, CPU_BOUND_CHAIN);
    scene_close(&s);
}

static void iterations_that_the_compiler_joins_share_the_counting(void)
{
    static const char text[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "phi i8 <2 _\nload f8 scaled _ .0\nadd i8 .0 #2\n"
                               "compare i4 .2 _\nbranch i4 .3\nblock\nreturn i4\n";
    static const char alone[] = SIMPLE " cpu.issue=1 cpu.branch_compare=separate";
    UNIT_NEAR(scene_cycles(PLAIN, alone, text, 0), 4, 0);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE " cpu.issue=1 cpu.branch_compare=separate cpu.unroll=4",
                           text, 0),
              7 / 4.0, 0.01);
}

/* ---- straight code --------------------------------------------------------------------------- */

static void a_call_waits_until_what_came_before_it_is_done(void)
{
    static const char text[] = "function f\nblock -> 1 10000\nfp_divide f8 live _ _\ncall i4 =g\n"
                               "block\nreturn i4 0.0\n";
    CU_ASSERT(scene_cycles(PLAIN, SIMPLE, text, 0) >= 20);
    CU_ASSERT(scene_cycles(PLAIN, SIMPLE_WINDOW, text, 0) >= 20);
}

/* The second divide waits for what the call returned, or not even for the first. In a small window:
 * executions of a function overlap. */
static void a_call_of_the_programs_own_is_no_end_out_of_order(void)
{
    static const char text[] =
        "function f\nblock -> 1 10000\nfp_divide f8 live _ _\ncall i4 =%s .0\n"
        "block\nfp_divide f8 %s _\nreturn i4 .0\nfunction g\nblock\nreturn i4\n";
    const char *window = SIMPLE " cpu.window=5 cpu.repeat.fp_divide=1";
    double cycles[3];
    const char *callee[] = {"g", "g", "other"}, *from[] = {"_", "0.1", "_"};
    for (int i = 0; i < 3; i++) {
        g_autofree char *made = g_strdup_printf(text, callee[i], from[i]);
        struct scene s = scene_open(PLAIN, window, made);
        cycles[i] = (double)(s.price[0].ticks + s.price[1].ticks) / CPU_TICKS;
        scene_close(&s);
    }
    CU_ASSERT(cycles[0] < 15 && cycles[1] > 20 && cycles[2] > 20);
}

static void a_branch_predicted_wrongly_costs_as_often_as_its_predictor_is_wrong(void)
{
    static const char text[] = "function f\nblock -> 2 3000 1 7000\nbranch i4 _\n"
                               "block\nreturn i4\nblock\nreturn i4\n";
    static const struct {
        const char *sets;
        double wrong;
    } row[] = {{"cpu.predictor=none", 0.3},
               {"cpu.predictor=static", 0.3},
               {"cpu.predictor=one_bit", 0.42},
               {"cpu.predictor=two_bit", 0.21 / 0.58},
               {"cpu.predictor=history", 0.3}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *sets = g_strdup_printf("%s cpu.branch_miss=10 cpu.issue=4", row[i].sets);
        struct cpu_price p = priced(PLAIN, sets, text, 0);
        UNIT_NEAR((double)p.miss / CPU_TICKS, 10 * row[i].wrong, 0.01);
    }
}

/* What is predicted while the program runs costs nothing beforehand; a loop that counts goes round
 * as every predictor but none expects. */
static void branches_predicted_at_run_time_and_counted_loops_are_in_no_price(void)
{
    static const struct {
        const char *predictor, *kind;
        double wrong;
    } row[] = {{"history", "predicted", 0},
               {"none", "predicted", 0},
               {"history", "counted", 0},
               {"one_bit", "counted", 0},
               {"none", "counted", 0.89}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strdup_printf("function f\nblock loop -> 0 8900 1 1100\n"
                                                "load i8 _\ncompare i4 .0 _\n"
                                                "branch i4 %s .1\nblock\nreturn i4\n",
                                                row[i].kind);
        g_autofree char *sets =
            g_strdup_printf("cpu.branch_miss=10 cpu.issue=4 cpu.predictor=%s", row[i].predictor);
        struct cpu_price p = priced(PLAIN, sets, text, 0);
        UNIT_NEAR((double)p.miss / CPU_TICKS, 10 * row[i].wrong, 0.01);
        UNIT_NEAR((double)p.lost / CPU_TICKS, 10, 0);
    }
}

/* a[i] = a[i - 1] + x, which the compiler leaves in memory: a load of what was just stored. */
static void a_load_waits_for_what_the_iteration_before_has_stored(void)
{
    static const char loop[] = "function f\nblock loop -> 0 9900 1 100\n"
                               "phi i8 <4 _\nload f8 %s .0 %s\nfp_add f8 .1 _\nstore f8 .2 .0\n"
                               "add i8 .0 #5\ncompare i4 .4 _\nbranch i4 counted .5\n"
                               "block\nreturn i4\n";
    static const char machine[] = "cpu.branch_miss=0 cpu.issue=4 cpu.window=128 "
                                  "cpu.latency.load=5 cpu.latency.fp_add=4 "
                                  "cpu.latency.fp_store=%d";
    g_autofree char *through = g_strdup_printf(loop, "stored", "<3");
    g_autofree char *apart = g_strdup_printf(loop, "", "");
    for (int forward = 1; forward < 8; forward += 5) {
        g_autofree char *sets = g_strdup_printf(machine, forward);
        UNIT_NEAR(scene_cycles(PLAIN, sets, through, 0), forward + 4, 0.01);
        CU_ASSERT(scene_cycles(PLAIN, sets, apart, 0) < 3);
        g_autofree char *later = g_strconcat(sets, " cpu.forward=10", NULL);
        UNIT_NEAR(scene_cycles(PLAIN, later, through, 0), 10 + 4, 0.01);
    }
}

/* A word of a long product: the carry is the upper half of what the round before made. */
static void a_carry_between_words_is_no_shift(void)
{
    static const char loop[] = "function f\nblock loop -> 0 9900 1 100\n"
                               "phi i8 <6 _\nphi i8 <8 _\nload i8 _\nconvert i16 from i8 .2\n"
                               "convert i16 from i8 .0\nadd i16 .3 .4\nshift i16 .5 #%d\n"
                               "store i8 .5 _\nadd i8 .1 #2\ncompare i4 .8 _\n"
                               "branch i4 counted .9\nblock\nreturn i4\n";
    static const char machine[] = "cpu.branch_miss=0 cpu.issue=8 cpu.window=128 "
                                  "cpu.latency.int_add=2 cpu.latency.shift=5";
    g_autofree char *carry = g_strdup_printf(loop, 8), *within = g_strdup_printf(loop, 7);
    UNIT_NEAR(scene_cycles(PLAIN, machine, carry, 0), 2, 0.5);
    CU_ASSERT(scene_cycles(PLAIN, machine, within, 0) >= 7);
}

/* ---- machines -------------------------------------------------------------------------------- */

/* ev4.md: an integer operation and a floating one go together, two of a kind do not; a load goes
 * with either; two loads do not go together. */
static void pairs_of_the_21064_are_those_of_its_description(void)
{
    static const struct {
        const char *a, *b;
        double cycles;
    } row[] = {{"add i8 _ _", "fp_add f8 _ _", 2},   {"add i8 _ _", "add i8 _ _", 2},
               {"load i8 _", "add i8 _ _", 2},       {"load i8 _", "fp_add f8 _ _", 2},
               {"load i8 _", "load i8 _", 2},        {"store i8 _ _", "add i8 _ _", 2},
               {"store i8 _ _", "fp_add f8 _ _", 2}, {"store f8 _ _", "fp_add f8 _ _", 2}};
    static const bool together[] = {true, false, true, true, false, true, false, true};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strdup_printf("function f\nblock loop -> 0 9000 1 1000\n"
                                                "%s\n%s\n%s\n%s\nblock\nreturn i4\n",
                                                row[i].a, row[i].b, row[i].a, row[i].b);
        double cycles = scene_cycles("t3d", "cpu.branch_miss=0", text, 0);
        UNIT_NEAR(cycles, together[i] ? 2 : 4, 0);
    }
}

static void groups_of_the_ultrasparc_have_one_load_and_two_integer_operations(void)
{
    static const char four[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "load f8 _\nadd i8 _ _\nshift i8 _ #2\nfp_add f8 _ _\n"
                               "block\nreturn i4\n";
    static const char integers[] = "function f\nblock loop -> 0 9000 1 1000\n"
                                   "add i8 _ _\nadd i8 _ _\nadd i8 _ _\nadd i8 _ _\n"
                                   "block\nreturn i4\n";
    static const char loads[] = "function f\nblock loop -> 0 9000 1 1000\n"
                                "load f8 _\nload f8 _\nblock\nreturn i4\n";
    UNIT_NEAR(scene_cycles("smp", NULL, four, 0), 1, 0.1);
    UNIT_NEAR(scene_cycles("smp", NULL, integers, 0), 2, 0.1);
    UNIT_NEAR(scene_cycles("smp", NULL, loads, 0), 2, 0.1);
}

static void what_a_machine_lacks_becomes_operations_it_has(void)
{
    static const char byte[] = "function f\nblock\nload i1 _\n";
    static const char word[] = "function f\nblock\nload i8 _\n";
    static const char divide[] = "function f\nblock\ndivide i8 _ _\n";
    static const char root[] = "function f\nblock\nfp_sqrt f8 _\n";
    struct scene s = scene_open("t3d", NULL, byte);
    UNIT_EQUAL(s.timing[0].steps, 2);
    scene_close(&s);
    UNIT_NEAR(scene_cycles("t3d", NULL, word, 0), 3, 0);
    UNIT_NEAR(scene_cycles("t3d", NULL, byte, 0), 5, 0);
    UNIT_NEAR(scene_cycles("t3d", NULL, root, 0), 100, 0);
    CU_ASSERT(scene_cycles("t3d", NULL, divide, 0) > 63);
    UNIT_NEAR(scene_cycles("challenge", NULL, divide, 0), 133, 0);
}

static void vectors_are_priced_lane_by_lane_where_there_are_none(void)
{
    static const char text[] = "function f\nblock loop -> 0 9000 1 1000\n"
                               "fp_add f8x4 _ _\nblock\nreturn i4\n";
    struct scene s = scene_open("rdma", NULL, text);
    UNIT_EQUAL(s.timing[0].steps, 1);
    scene_close(&s);
    s = scene_open("smp", NULL, text);
    UNIT_EQUAL(s.timing[0].steps, 4);
    scene_close(&s);
    UNIT_NEAR(scene_cycles("smp", NULL, text, 0), 4, 0);
}

static void a_pointer_is_kept_for_each_address_that_the_machine_cannot_make(void)
{
    struct scene s = scene_open("t3d", NULL, dot);
    UNIT_EQUAL(s.timing[2].steps, 2); /* load, and the pointer's advance */
    UNIT_EQUAL(s.timing[3].steps, 1); /* the same address */
    scene_close(&s);
    s = scene_open("rdma", NULL, dot);
    UNIT_EQUAL(s.timing[2].steps, 1);
    scene_close(&s);
}

/* ---- slack and dates of accesses ------------------------------------------------------------- */

static void slack_is_what_passes_from_a_load_to_the_first_use_of_its_value(void)
{
    static const char text[] = "function f\nblock\n"
                               "load f8 _\nload f8 _\nfp_divide f8 .0 _\nfp_add f8 .2 .1\n"
                               "load f8 live _\n";
    struct scene s = scene_open(PLAIN, SIMPLE, text);
    UNIT_EQUAL(s.timing[0].slack, 3);
    UNIT_EQUAL(s.timing[1].slack, 23);
    UNIT_EQUAL(s.timing[4].slack, CPU_SLACK);
    scene_close(&s);
}

static void an_access_has_a_date_within_its_block(void)
{
    static const char text[] = "function f\nblock\n"
                               "fp_divide f8 _ _\nstore f8 .0 _\n";
    struct scene s = scene_open(PLAIN, SIMPLE, text);
    UNIT_EQUAL(s.timing[1].issue, 20);
    scene_close(&s);
}

UNIT_SUITE(cpu_price, UNIT_TEST(a_dot_product_out_of_order_is_bound_by_the_latency_of_its_add),
           UNIT_TEST(a_dot_product_in_order_waits_for_each_load_and_each_multiply),
           UNIT_TEST(independent_adds_are_bound_by_the_issue_width),
           UNIT_TEST(operations_that_share_a_port_are_bound_by_it),
           UNIT_TEST(a_divider_that_is_not_pipelined_bounds_a_loop_of_divides),
           UNIT_TEST(a_reduction_with_four_sums_is_four_times_faster_than_with_one),
           UNIT_TEST(a_window_lets_later_chains_overlap_and_a_small_one_does_not),
           UNIT_TEST(what_a_loop_of_several_blocks_carries_is_a_chain),
           UNIT_TEST(iterations_that_the_compiler_joins_share_the_counting),
           UNIT_TEST(a_call_waits_until_what_came_before_it_is_done),
           UNIT_TEST(a_call_of_the_programs_own_is_no_end_out_of_order),
           UNIT_TEST(a_branch_predicted_wrongly_costs_as_often_as_its_predictor_is_wrong),
           UNIT_TEST(branches_predicted_at_run_time_and_counted_loops_are_in_no_price),
           UNIT_TEST(a_load_waits_for_what_the_iteration_before_has_stored),
           UNIT_TEST(a_carry_between_words_is_no_shift),
           UNIT_TEST(pairs_of_the_21064_are_those_of_its_description),
           UNIT_TEST(groups_of_the_ultrasparc_have_one_load_and_two_integer_operations),
           UNIT_TEST(what_a_machine_lacks_becomes_operations_it_has),
           UNIT_TEST(vectors_are_priced_lane_by_lane_where_there_are_none),
           UNIT_TEST(a_pointer_is_kept_for_each_address_that_the_machine_cannot_make),
           UNIT_TEST(slack_is_what_passes_from_a_load_to_the_first_use_of_its_value),
           UNIT_TEST(an_access_has_a_date_within_its_block))
