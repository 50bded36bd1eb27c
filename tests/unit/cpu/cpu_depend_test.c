/* cpu: whose value the address of a load is made of, and how far a processor goes on behind one. */
#include "cpu/cpu_scene.h"
#include "unit.h"

#include <stdio.h>
#include <time.h>

#define PLAIN  "./tests/unit/cpu/plain.xml"
#define LIMITS "cpu.issue=4 cpu.window=100"

static uint32_t after(const char *text, uint32_t op)
{
    struct scene s = scene_open(PLAIN, NULL, text);
    uint32_t found = s.timing[op].after;
    scene_close(&s);
    return found;
}

static void a_chase_waits_for_its_own_load_of_the_iteration_before(void)
{
    UNIT_EQUAL(after("function f\nblock loop -> 0 9999\nphi i8 _ <1\nload i8 .0\n", 1), 1);
    /* two of them, interleaved */
    static const char two[] = "function f\nblock loop -> 0 9999\nphi i8 _ <2\nphi i8 _ <3\n"
                              "load i8 .0\nload i8 .1\n";
    UNIT_EQUAL(after(two, 2), 2);
    UNIT_EQUAL(after(two, 3), 3);
}

static uint32_t between(const char *limits, const char *text, uint32_t op)
{
    struct scene s = scene_open(PLAIN, limits, text);
    uint32_t cycles = s.timing[op].between;
    scene_close(&s);
    return cycles;
}

static void what_makes_an_address_of_a_value_takes_time_between_two_loads(void)
{
    /* of a value and of one that counts; plain.xml's multiplication takes 3 cycles and a shift 1 */
    static const char hash[] = "function f\nblock loop -> 0 9999\nphi i8 _ <5\nphi i8 _ <6\n"
                               "multiply i8 .0 #40\nshift i8 .2 #5\nadd i8 .3 .1\n"
                               "load i8 scaled _1 .4\nadd i8 .1 #2\nload i8 .0\n";
    UNIT_EQUAL(between(LIMITS " cpu.latency.int_multiply=3", hash, 5), 5);
    UNIT_EQUAL(between(LIMITS, hash, 7), 0);
    UNIT_EQUAL(between("cpu.issue=4 cpu.window=0", hash, 5), 0); /* in order it is issued then */
}

static uint32_t beside(const char *text, uint32_t op)
{
    struct scene s = scene_open(PLAIN, NULL, text);
    uint32_t found = s.timing[op].beside;
    scene_close(&s);
    return found;
}

static void loads_from_one_pointer_have_one_line_and_those_with_an_index_do_not(void)
{
    static const char list[] = "function f\nblock loop -> 0 9999\nphi i8 _ <2\nload i8 .0\n"
                               "load i8 .0\n";
    UNIT_EQUAL(beside(list, 1), CPU_AFTER_NONE);
    UNIT_EQUAL(beside(list, 2), 1);
    static const char arrays[] = "function f\nblock loop -> 0 9999\nphi i8 #1 <3\n"
                                 "load i8 scaled _ .0\nload i8 scaled _ .0\nadd i8 .0 #4\n";
    UNIT_EQUAL(beside(arrays, 2), CPU_AFTER_NONE);
    UNIT_EQUAL(beside("function f\nblock\nload i8 _\nload i8 _\n", 1), CPU_AFTER_NONE);
}

static void loads_of_one_element_of_an_array_of_structures_have_one_line(void)
{
    /* x[2 * p + 1] and x[2 * p] of a pointer or a variable, with another of each */
    static const char list[] = "function f\nblock loop -> 0 9999\nphi i8 _ <6\n"
                               "shift i8 .0 #3\nadd i8 .1 #5\nadd i8 %s .2\nload i8 .3\n"
                               "add i8 %s .1\nload i8 .5\nadd i8 _2 .1\nload i8 .7\n"
                               "add i8 .1 #12\nadd i8 _1 .9\nload i8 .10\n";
    static const char fields[] = "function f\nblock loop -> 0 9999\nphi i8 _ <2\n"
                                 "load i8 scaled %s .0\nload i8 scaled %s .0\n"
                                 "load i8 indexed %s .0\n";
    static const char *const base[] = {"_1", "&1", "_1"}, *const other[] = {"_1", "&1", "&1"};
    for (int i = 0; i < 3; i++) {
        g_autofree char *one = g_strdup_printf(list, base[i], other[i]),
                        *two = g_strdup_printf(fields, base[i], other[i], base[i]);
        UNIT_EQUAL(beside(one, 6), i < 2 ? 4 : CPU_AFTER_NONE);
        UNIT_EQUAL(beside(one, 8), CPU_AFTER_NONE);  /* of another array */
        UNIT_EQUAL(beside(one, 11), CPU_AFTER_NONE); /* far away */
        UNIT_EQUAL(beside(two, 2), i < 2 ? 1 : CPU_AFTER_NONE);
        UNIT_EQUAL(beside(two, 3), CPU_AFTER_NONE);
    }
}

/* Processor seconds in which a block of so many loads, each from an address of its own, is priced.
 */
static double seconds_of(int loads)
{
    g_autoptr(GString) text = g_string_new("function f\nblock\n");
    for (int i = 1; i <= loads; i++)
        g_string_append_printf(text, "load i8 indexed _%d _%d\n", i, i);
    const clock_t begun = clock();
    UNIT_EQUAL(beside(text->str, (uint32_t)loads - 1), CPU_AFTER_NONE);
    return (double)(clock() - begun) / CLOCKS_PER_SEC;
}

static void a_block_of_thousands_of_loads_is_priced_in_a_time_in_proportion_to_them(void)
{
    const double some = seconds_of(1500), many = seconds_of(12000);
    if (many > 24 * some) fprintf(stderr, "1,500 loads: %.3f s, 12,000: %.3f s\n", some, many);
    CU_ASSERT(many <= 24 * some); /* 8 times as many; each against each other is 64 times */
}

/* A list of which a loop around it loads the first element, or has it from elsewhere. */
#define WALK(first, head)                                                                          \
    "function f\nblock -> 1 10000\nphi i8 #1 2.0\n" head                                           \
    "block loop -> 1 8900 2 1100\nphi i8 begun " first " <1\nload i8 .0\nbranch i4 .1\n"           \
    "block -> 0 9900 3 100\nadd i8 0.0 #1\nbranch i4\nblock\nreturn i4\n"

static void a_loop_that_hands_on_what_it_loads_begins_with_what_is_before_it(void)
{
    static const char once[] = "function f\nblock -> 1 10000\nadd i8 _ #1\nadd i8 .0 #1\n"
                               "block loop -> 1 8900 2 1100\nphi i8 begun _ <1\nload i8 .0\n"
                               "branch i4 .1\nblock\nreturn i4\n";
    static const struct {
        const char *text;
        uint32_t after;
    } row[] = {{WALK("0.1", "load i8 scaled _ .0\n"), 1}, /* a table of lists */
               {WALK("#64", "add i8 _ #1\n"), CPU_AFTER_NONE},
               {WALK("_", "add i8 _ #1\n"), CPU_AFTER_NONE}, /* known since before the outer loop */
               {WALK("0.1", "call i8 =g\n"), CPU_AFTER_YOUNGEST},
               {once, CPU_AFTER_YOUNGEST}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        struct scene s = scene_open(PLAIN, LIMITS, row[i].text);
        UNIT_EQUAL(s.timing[2].handed[0], 3);
        UNIT_EQUAL(s.timing[2].handed[1], CPU_AFTER_NONE);
        UNIT_EQUAL(s.timing[2].after, row[i].after);
        scene_close(&s);
    }
    struct scene in_order = scene_open(PLAIN, "cpu.window=0", row[0].text);
    UNIT_EQUAL(in_order.timing[2].handed[0], CPU_AFTER_NONE);
    scene_close(&in_order);
}

static void an_address_computed_from_a_value_waits_for_the_load_of_it(void)
{
    UNIT_EQUAL(after("function f\nblock\nload i8 _\nadd i8 .0 #8\nshift i8 .1 #3\nload f8 .2\n", 3),
               0);
}

static void an_index_that_counts_waits_for_nothing(void)
{
    static const char text[] = "function f\nblock loop -> 0 9999\nphi i8 #1 <2\n"
                               "load f8 scaled _ .0\nadd i8 .0 #4\n";
    UNIT_EQUAL(after(text, 1), CPU_AFTER_NONE);
    UNIT_EQUAL(after("function f\nblock\nload f8 static\n", 0), CPU_AFTER_NONE);
}

static void an_address_that_empty_assembly_passes_on_waits_for_what_it_is_made_of(void)
{
    static const char text[] = "function f\nblock loop -> 0 9999\nphi i8 #1 <3\n"
                               "load f8 scaled _ .0\nadd i8 .0 #4\nasm i8 empty .2\n";
    UNIT_EQUAL(after(text, 1), CPU_AFTER_NONE);
    UNIT_EQUAL(after("function f\nblock\nload i8 _\nasm i8 .0\nload f8 .1\n", 2), 0);
}

static void an_argument_a_call_and_the_stack_wait_for_the_youngest(void)
{
    UNIT_EQUAL(after("function f\nblock\nload i8 _\n", 0), CPU_AFTER_YOUNGEST);
    UNIT_EQUAL(after("function f\nblock\nload i8 stack\nload i8 .0\n", 1), CPU_AFTER_YOUNGEST);
    /* nothing of the loop makes what it carries: a call returned it */
    UNIT_EQUAL(after("function f\nblock loop -> 0 9999\nphi i8 _ #64\nload i8 .0\n", 1),
               CPU_AFTER_YOUNGEST);
}

static void out_of_order_a_load_can_wait_until_the_window_is_full_behind_it(void)
{
    static const char text[] = "function f\nblock loop -> 0 9999\nphi i8 #1 <4\n"
                               "load f8 scaled _ .0\nadd i8 _ _\nadd i8 _ _\nadd i8 .0 #4\n";
    struct scene s = scene_open(PLAIN, LIMITS, text);
    double cycles = (double)s.price[0].ticks / CPU_TICKS; /* of four operations */
    UNIT_NEAR(s.timing[1].slack, 100 / 4 * cycles, 1.5);
    scene_close(&s);
}

/* The array's address was loaded before the loop, the index in it. */
static void a_load_before_a_loop_keeps_none_of_its_loads_back(void)
{
    static const char text[] = "function f\nblock -> 1 10000\nload i8 _\n"
                               "block loop -> 1 9999 2 1\nphi i8 _ <3\nload i4 .0\n"
                               "load f8 scaled 0.0 .1\nadd i8 .0 #4\nbranch i4\n"
                               "block\nreturn i4\n";
    UNIT_EQUAL(after(text, 2), CPU_AFTER_NONE);
    UNIT_EQUAL(after(text, 3), 2);
}

/* A histogram, whose addition has 2 cycles. */
static void a_round_that_adds_to_what_the_round_before_stored_takes_the_way_through_the_store(void)
{
    static const char text[] = "function f\nblock loop -> 0 9999 1 1\nphi i8 #1 <5\n"
                               "load i8 scaled _ .0\nload i4 scaled _ .1\nadd i4 .2 #1\n"
                               "store i4 again 2 scaled .3 _ .1\nadd i8 .0 #8\nbranch i4\n"
                               "block\nreturn i4\n";
    static const char limits[] = "cpu.issue=4 cpu.branch_miss=0 cpu.latency.int_add=2 "
                                 "cpu.branch_compare=fused cpu.window=%d cpu.forward=%d";
    for (int forward = 5; forward <= 9; forward += 4) {
        g_autofree char *sets = g_strdup_printf(limits, 128, forward);
        struct scene s = scene_open(PLAIN, sets, text);
        CU_ASSERT(s.price[0].ticks < 3 * CPU_TICKS);
        UNIT_EQUAL(s.price[0].ticks + s.timing[4].again, (uint64_t)(forward + 2) * CPU_TICKS);
        UNIT_EQUAL(s.timing[4].again_way, (uint64_t)(forward + 2) * CPU_TICKS);
        UNIT_EQUAL(s.timing[4].again_rounds, 128 * CPU_AGAIN_PART / 6); /* of six operations */
        scene_close(&s);
    }
    g_autofree char *sets = g_strdup_printf(limits, 0, 5); /* in order */
    struct scene s = scene_open(PLAIN, sets, text);
    UNIT_EQUAL(s.timing[4].again, 0);
    scene_close(&s);
}

/* Fog, Zen 2: 32 or 64 bits, of a general register. */
static void renamed_memory_lets_a_load_wait_for_what_was_stored_and_for_no_store(void)
{
    static const char loop[] = "function f\nblock loop -> 0 9900 1 100\n"
                               "phi i8 <4 _\nload %s stored .0 <3\n%s .1 _\nstore %s .2 .0\n"
                               "add i8 .0 #8\ncompare i4 .4 _\nbranch i4 counted .5\n"
                               "block\nreturn i4\n";
    static const struct {
        const char *type, *add;
        double cycles; /* of a round: the addition, and what forwards where memory is not renamed */
    } row[] = {
        {"i8", "add i8", 3}, {"i4", "add i4", 3}, {"i1", "add i4", 10}, {"f8", "fp_add f8", 12}};
    static const char machine[] = "cpu.branch_miss=0 cpu.issue=8 cpu.window=%d cpu.forward=7 "
                                  "cpu.latency.int_add=3 cpu.latency.fp_add=5 "
                                  "cpu.memory_renaming=%d";
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = g_strdup_printf(loop, row[i].type, row[i].add, row[i].type);
        g_autofree char *with = g_strdup_printf(machine, 128, 1),
                        *without = g_strdup_printf(machine, 128, 0),
                        *in_order = g_strdup_printf(machine, 0, 1),
                        *alike = g_strdup_printf(machine, 0, 0);
        UNIT_NEAR(scene_cycles(PLAIN, with, text, 0), row[i].cycles, 0.01);
        UNIT_NEAR(scene_cycles(PLAIN, without, text, 0), row[i].add[0] == 'f' ? 12 : 10, 0.01);
        UNIT_NEAR(scene_cycles(PLAIN, in_order, text, 0), scene_cycles(PLAIN, alike, text, 0), 0);
    }
}

/* A loop that stores what it has loaded, which is what it stored the round before. */
static void a_value_that_goes_round_through_memory_alone_is_priced(void)
{
    static const char loop[] = "function f\nblock loop -> 0 9900 1 100\n"
                               "phi i8 <3 _\nload i8 stored .0 <2\nstore i8 .1 .0\n"
                               "add i8 .0 #8\ncompare i4 .3 _\nbranch i4 counted .4\n"
                               "block\nreturn i4\n";
    static const char machine[] = "cpu.branch_miss=0 cpu.issue=8 cpu.window=128 cpu.forward=7";
    g_autofree char *renames = g_strconcat(machine, " cpu.memory_renaming=1", NULL);
    UNIT_NEAR(scene_cycles(PLAIN, machine, loop, 0), 7, 0.01);
    CU_ASSERT(scene_cycles(PLAIN, renames, loop, 0) <= 7);
}

UNIT_SUITE(
    cpu_depend, UNIT_TEST(a_loop_that_hands_on_what_it_loads_begins_with_what_is_before_it),
    UNIT_TEST(a_value_that_goes_round_through_memory_alone_is_priced),
    UNIT_TEST(renamed_memory_lets_a_load_wait_for_what_was_stored_and_for_no_store),
    UNIT_TEST(a_round_that_adds_to_what_the_round_before_stored_takes_the_way_through_the_store),
    UNIT_TEST(a_load_before_a_loop_keeps_none_of_its_loads_back),
    UNIT_TEST(a_chase_waits_for_its_own_load_of_the_iteration_before),
    UNIT_TEST(loads_from_one_pointer_have_one_line_and_those_with_an_index_do_not),
    UNIT_TEST(what_makes_an_address_of_a_value_takes_time_between_two_loads),
    UNIT_TEST(loads_of_one_element_of_an_array_of_structures_have_one_line),
    UNIT_TEST(a_block_of_thousands_of_loads_is_priced_in_a_time_in_proportion_to_them),
    UNIT_TEST(an_address_computed_from_a_value_waits_for_the_load_of_it),
    UNIT_TEST(an_index_that_counts_waits_for_nothing),
    UNIT_TEST(an_address_that_empty_assembly_passes_on_waits_for_what_it_is_made_of),
    UNIT_TEST(an_argument_a_call_and_the_stack_wait_for_the_youngest),
    UNIT_TEST(out_of_order_a_load_can_wait_until_the_window_is_full_behind_it))
