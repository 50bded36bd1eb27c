/* cli/measure: what is made of measured numbers, and ports of pairs. */
#include "cli/measure_fake.h"
#include "unit.h"

#include "cli/measure/arena.h"
#include "cli/measure/families.h"
#include "cli/measure/file.h"
#include "cli/measure/levels.h"
#include "cli/measure/ports.h"
#include "cli/measure/snippets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Additions have five ports; shifts share both of theirs with them, and multiplications one of
 * these. A floating unit shares nothing. */
static void ports_are_shared_as_pairs_show(void)
{
    struct cli_port_class class[4] = {{.ports = 0}};
    const double with_add[] = {4.9}, with_shift[] = {2, 2}, apart[] = {0.1, 0, -0.1};
    class[0].ports = cli_ports_fit(5, 10, class, 0, with_add);
    UNIT_EQUAL(class[0].ports, 0x1f);
    class[1].ports = cli_ports_fit(2, 10, class, 1, (const double[]){1.8});
    UNIT_EQUAL(class[1].ports, 0x03);
    class[2].ports = cli_ports_fit(1, 10, class, 2, (const double[]){1, 0.1});
    UNIT_EQUAL(class[2].ports, 0x04);
    class[3].ports = cli_ports_fit(2, 10, class, 3, apart);
    UNIT_EQUAL(class[3].ports, 0x60);
    UNIT_EQUAL(cli_ports_fit(2, 10, class, 2, with_shift), 0x03);
}

static void where_all_seems_slow_each_class_has_a_port(void)
{
    struct cli_bench b = {.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row))};
    struct cli_port_class class[] = {{.class = MACH_FP_MULTIPLY, .rate = 0.5},
                                     {.class = MACH_FP_DIVIDE, .rate = 0.2}};
    cli_measure_ports(&b, class, 2);
    CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cpu.ports.fp_multiply")->value, "p0");
    CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cpu.ports.fp_divide")->value, "p0");
    cli_rows_clear(&b);
}

static void snippets_have_bytes_where_they_are_for_this_processor(void)
{
    for (int s = 0; s < CLI_SNIPPETS && cli_snippet(s, 0); s++)
        for (int i = 0; i < CLI_INSTANCES; i++) {
            int length = cli_snippet(s, i)[0];
            CU_ASSERT(length > 0 && length < CLI_SNIPPET_BYTES);
        }
}

/* One more than the machine has whose numbers stand for what is not measured. On a loaded host
 * there may seem to be one. */
static void a_computer_of_four_cache_levels_has_a_machine_file(void)
{
    struct cli_bench b = {.levels = 4, .row = g_array_new(FALSE, FALSE, sizeof(struct cli_row))};
    for (int l = 1; l <= b.levels; l++) {
        g_autofree char *size = g_strdup_printf("cache.l%d.size", l),
                        *line = g_strdup_printf("cache.l%d.line", l),
                        *ways = g_strdup_printf("cache.l%d.ways", l),
                        *bytes = g_strdup_printf("%dKiB", 8 << 3 * l);
        cli_row_add(&b, size, -1, bytes, "made up");
        cli_row_add(&b, line, -1, "64B", "made up");
        cli_row_add(&b, ways, -1, "8", "made up");
    }
    cli_row_add(&b, "nodes", -1, "1", "made up");
    GError *error = NULL;
    g_autofree char *text = cli_measure_file(&b, &error);
    if (error) fprintf(stderr, "      %s\n", error->message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(g_regex_match_simple("id=.cache.l4.size. *value=.32768KiB", text, 0, 0));
    CU_ASSERT_FALSE(g_regex_match_simple("id=.cache.l3.shared. *value=.1", text, 0, 0));
    cli_rows_clear(&b);
}

/* The value of a key on a processor; the families are run that give it. */
static int measured(struct measure_fake processor, const char *key)
{
    struct cli_bench b = {.quick = true, .line = 64, .levels = 1, .memory = 8 << 20};
    b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
    b.memory_load = (struct cli_figure){1, 1, 0};
    measure_fake = processor;
    cli_measure_issue(&b);
    cli_measure_overlap(&b);
    const struct cli_row *row = cli_row_find(&b, key);
    int value = row ? atoi(row->value) : -1;
    g_free(b.of);
    cli_rows_clear(&b);
    return value;
}

/* As in AMD, Software Optimization Guide for the Zen4 Microarchitecture: two nops, or registers set
 * to 0, may share what else an operation has for itself. */
static const struct measure_fake sharing = {.issue = 6,
                                            .joins_nop = 1,
                                            .window = 320,
                                            .registers = 193,
                                            .stores = 48,
                                            .zeros = 2,
                                            .fp_registers = 153,
                                            .queue = 24};
static const struct measure_fake plain = {.issue = 4,
                                          .window = 512,
                                          .registers = 264,
                                          .stores = 60,
                                          .zeros = 1,
                                          .fp_registers = 600,
                                          .queue = 97};

static void the_issue_width_is_that_of_operations_which_share_nothing(void)
{
    UNIT_EQUAL(measured(sharing, "cpu.issue"), 6);
    UNIT_EQUAL(measured(plain, "cpu.issue"), 4);
}

static void the_window_is_that_of_operations_which_share_nothing(void)
{
    UNIT_EQUAL(measured(sharing, "cpu.window"), 320);
    UNIT_EQUAL(measured(plain, "cpu.window"), 512);
    UNIT_EQUAL(measured(sharing, "mem.store_buffer"), 48);
}

static void results_take_registers_and_what_waits_takes_entries_of_a_queue(void)
{
    UNIT_EQUAL(measured(sharing, "cpu.registers"), 193);
    UNIT_EQUAL(measured(sharing, "cpu.fp_registers"), 153);
    UNIT_EQUAL(measured(sharing, "cpu.queue"), 24);
    UNIT_EQUAL(measured(plain, "cpu.registers"), 264);
    UNIT_EQUAL(measured(plain, "cpu.fp_registers"), 511); /* the window ends there */
    UNIT_EQUAL(measured(plain, "cpu.queue"), 97);
}

/* Others may take lines of a level between two loads of a slow chain: that is not its latency. */
static void the_latency_of_a_level_is_that_of_lines_just_read(void)
{
    struct cli_bench b = {.quick = true, .cycle_s = 1, .l1_cycles = 4};
    b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
    measure_fake = (struct measure_fake){.first_cache = 32 << 10, .last_cache = 1 << 20};
    cli_measure_caches(&b);
    UNIT_EQUAL(b.levels, 2);
    UNIT_EQUAL(b.line, 64);
    const struct cli_row *row = cli_row_find(&b, "cache.l2.hit_cycles");
    CU_ASSERT_STRING_EQUAL(row ? row->value : "none", "40.0cycles");
    UNIT_NEAR(b.last_load.cycles, 40, 0.1);
    UNIT_NEAR(b.memory_load.cycles, 400, 0.1);
    g_free(b.of);
    cli_rows_clear(&b);
}

static void what_a_processor_says_of_a_level_counts_where_it_was_measured_alike(void)
{
    CU_ASSERT(cli_levels_agree(1617 << 10, 512 << 10));
    CU_ASSERT(cli_levels_agree(400 << 10, 512 << 10));
    CU_ASSERT_FALSE(cli_levels_agree(9 << 20, 512 << 10));
    CU_ASSERT_FALSE(cli_levels_agree(100 << 10, 512 << 10));
    CU_ASSERT_FALSE(cli_levels_agree(1 << 20, 0));
    CU_ASSERT(cli_levels_between(512 << 10, 34 << 10, 24 << 20)); /* however it was measured */
    CU_ASSERT_FALSE(cli_levels_between(0, 34 << 10, 24 << 20));
    CU_ASSERT_FALSE(cli_levels_between(32 << 20, 34 << 10, 24 << 20));
}

/* Who shares the core does so for minutes, or not. */
static void of_code_that_is_measured_again_the_least_counts(void)
{
    struct cli_bench b = {.best = cli_best_new()}, none = {.best = NULL};
    UNIT_NEAR(cli_best(&b, 1, (struct cli_figure){2, 2, 0.1}).cycles, 2, 0);
    UNIT_NEAR(cli_best(&b, 2, (struct cli_figure){9, 9, 0}).cycles, 9, 0);
    UNIT_NEAR(cli_best(&b, 1, (struct cli_figure){1, 1, 0.01}).cycles, 1, 0);
    struct cli_figure last = cli_best(&b, 1, (struct cli_figure){2, 2, 0.02});
    UNIT_NEAR(last.cycles, 1, 0);
    UNIT_NEAR(last.spread, 0.01, 0);
    UNIT_NEAR(cli_best(&none, 1, (struct cli_figure){3, 3, 0}).cycles, 3, 0);
    g_hash_table_destroy(b.best);
}

/* One code goes through all rings. */
static void of_a_ring_that_is_measured_again_the_least_counts(void)
{
    struct cli_bench b = {.best = cli_best_new()};
    const struct cli_figure four = {4, 4, 0}, five = {5, 5, 0}, six = {6, 6, 0};
    UNIT_NEAR(cli_best_over(&b, CLI_RING_LINES, 10, five).cycles, 5, 0);
    UNIT_NEAR(cli_best_over(&b, CLI_RING_LINES, 11, four).cycles, 4, 0);
    UNIT_NEAR(cli_best_over(&b, CLI_RING_LINES, 10, six).cycles, 5, 0);
    UNIT_NEAR(cli_best_over(&b, CLI_RING_PAGES, 10, six).cycles, 6, 0);
    b.line = 64; /* the same elements lie elsewhere */
    UNIT_NEAR(cli_best_over(&b, CLI_RING_LINES, 10, six).cycles, 6, 0);
    g_hash_table_destroy(b.best);
}

static void steps_behind_the_levels_that_a_processor_says_are_part_of_its_last_one(void)
{
    struct cli_level level[] = {{4, 1 << 15}, {14, 1 << 19}, {49, 7 << 19}, {70, 1 << 24}};
    UNIT_EQUAL(cli_levels_join(level, 4, 0), 4);
    UNIT_EQUAL(cli_levels_join(level, 3, 4), 3);
    UNIT_EQUAL(cli_levels_join(level, 4, 3), 3);
    UNIT_NEAR(level[2].bytes, 1 << 24, 0);
    UNIT_NEAR(level[2].cycles, 49, 0);
}

/* Zen 3: three jumps in 8 bytes took 5 to 11 cycles, whatever else was on the core; so far apart
 * they take 4 to 5. */
static void calls_are_measured_half_a_line_of_code_apart(void)
{
    if (!cli_snippet(CLI_CODE_CALL, 0)) return; /* another processor */
    CU_ASSERT(cli_snippet(CLI_CODE_CALL, 0)[0] >= 31);
    CU_ASSERT(cli_snippet(CLI_CODE_CALL_OVER_THREE, 0)[0] >= 31);
}

static void of_numbers_measured_again_the_last_stand_in_the_file(void)
{
    struct cli_bench b = {.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row))};
    cli_row_add(&b, "nodes", -1, "1", "made up");
    cli_row_add(&b, "cpu.taken", -1, "2", "made up");
    cli_row_add(&b, "cpu.taken", -1, "1", "made up");
    g_autofree char *text = cli_measure_file(&b, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(g_regex_match_simple("id=.cpu.taken. *value=.1", text, 0, 0));
    cli_rows_clear(&b);
}

static void of_the_first_level_counts_what_the_processor_says_where_it_is_near(void)
{
    struct cli_bench b = {.quick = true, .cycle_s = 1, .l1_cycles = 4};
    b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
    measure_fake = (struct measure_fake){
        .first_cache = 32 << 10, .last_cache = 1 << 20, .first_said = {48 << 10, 64, 12}};
    cli_measure_caches(&b);
    CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cache.l1.size")->value, "48KiB");
    CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cache.l1.ways")->value, "12");
    g_free(b.of);
    cli_rows_clear(&b);
}

static void lines_of_one_set_that_take_longer_than_others_wait_for_it(void)
{
    static const struct {
        double cycles;
        const char *measured;
    } row[] = {{9, "9.0cycles"}, {2.5, "0.0cycles"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        struct cli_bench b = {.quick = true, .cycle_s = 1, .l1_cycles = 4};
        b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
        measure_fake = (struct measure_fake){
            .first_cache = 32 << 10, .last_cache = 1 << 20, .set = row[i].cycles};
        cli_measure_caches(&b);
        CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cache.l1.set_cycles")->value, row[i].measured);
        g_free(b.of);
        cli_rows_clear(&b);
    }
}

static void a_predictor_has_room_for_as_many_outcomes_as_most_of_are_predicted(void)
{
    static const struct {
        int outcomes;
        const char *measured;
    } row[] = {{1024, "1024"}, {5000, "4096"}, {65536, "65536"}, {1 << 19, "262144"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        struct cli_bench b = {.quick = true, .cycle_s = 1, .l1_cycles = 4};
        b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
        measure_fake = (struct measure_fake){.outcomes = row[i].outcomes};
        cli_measure_branches(&b);
        CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cpu.branch_outcomes")->value, row[i].measured);
        CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cpu.branch_miss")->value, "15.0cycles");
        cli_rows_clear(&b);
    }
}

static void a_branch_on_floating_point_is_known_later_by_what_a_wrong_one_costs_more(void)
{
    static const struct {
        double later;
        const char *measured;
    } row[] = {{0, "1"}, {10, "9"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        struct cli_bench b = {.quick = true, .cycle_s = 1, .l1_cycles = 4};
        b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
        cli_row_add(&b, "cpu.latency.fp_compare", 0, "2", "made up");
        measure_fake = (struct measure_fake){.outcomes = 1024, .floats_later = row[i].later};
        cli_measure_branches(&b);
        CU_ASSERT_STRING_EQUAL(cli_row_find(&b, "cpu.latency.fp_branch")->value, row[i].measured);
        cli_rows_clear(&b);
    }
}

/* A family whose spreads are these, one a run; what it finds is how often it ran. */
static double spread_of_run[2];
static int runs;
static void family(struct cli_bench *b)
{
    g_autofree char *value = g_strdup_printf("%d", runs + 1);
    cli_row_add(b, "cpu.taken", spread_of_run[runs], value, "made up");
    b->levels = ++runs;
}

/* A level that is found once, and not again, leaves no row. */
static void of_a_family_that_comes_again_no_row_stands_before(void)
{
    struct cli_bench b = {.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row))};
    cli_row_add(&b, "cpu.issue", 0.02, "4", "made up");
    spread_of_run[0] = 0.5;
    runs = 0;
    cli_measure_early(&b, family);
    UNIT_EQUAL(b.levels, 1);
    UNIT_EQUAL(b.row->len, 1);
    UNIT_NEAR(b.spread, 0.02, 0);
    CU_ASSERT_STRING_EQUAL(b.of, "cpu.issue");
    cli_rows_clear(&b);
}

static void numbers_with_a_large_spread_are_measured_again_and_the_better_ones_count(void)
{
    static const struct {
        double spread[2];
        bool quick;
        int runs, kept;
    } row[] = {{{0.5, 0.01}, false, 2, 2},
               {{0.5, 0.6}, false, 2, 1},
               {{0.05, 0.01}, false, 1, 1},
               {{0.5, 0.01}, true, 1, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        struct cli_bench b = {.quick = row[i].quick};
        b.row = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
        cli_row_add(&b, "cpu.issue", 0.02, "4", "made up");
        memcpy(spread_of_run, row[i].spread, sizeof spread_of_run);
        runs = 0;
        cli_measure_family(&b, family);
        UNIT_EQUAL(runs, row[i].runs);
        UNIT_EQUAL(b.levels, row[i].kept);
        UNIT_EQUAL(b.row->len, 2);
        UNIT_EQUAL(atoi(cli_row_find(&b, "cpu.taken")->value), row[i].kept);
        UNIT_NEAR(b.spread, MAX(0.02, row[i].spread[row[i].kept - 1]), 1e-9);
        CU_ASSERT_STRING_EQUAL(b.of, b.spread > 0.02 ? "cpu.taken" : "cpu.issue");
        cli_rows_clear(&b);
    }
}

/* Zen 4: cvtsi2sd behind xorps, 1.49 cycles. */
static void a_conversion_in_one_and_a_half_cycles_is_nearer_to_two_than_to_one(void)
{
    UNIT_EQUAL(cli_nearest(1.49), 2);
    UNIT_EQUAL(cli_nearest(1.4), 1);
    UNIT_EQUAL(cli_nearest(0.25), 1);
    UNIT_EQUAL(cli_nearest(4.4), 4);
    UNIT_EQUAL(cli_nearest(4.6), 5);
}

UNIT_SUITE(measure,
           UNIT_TEST(numbers_with_a_large_spread_are_measured_again_and_the_better_ones_count),
           UNIT_TEST(what_a_processor_says_of_a_level_counts_where_it_was_measured_alike),
           UNIT_TEST(of_the_first_level_counts_what_the_processor_says_where_it_is_near),
           UNIT_TEST(lines_of_one_set_that_take_longer_than_others_wait_for_it),
           UNIT_TEST(of_code_that_is_measured_again_the_least_counts),
           UNIT_TEST(of_a_family_that_comes_again_no_row_stands_before),
           UNIT_TEST(of_a_ring_that_is_measured_again_the_least_counts),
           UNIT_TEST(steps_behind_the_levels_that_a_processor_says_are_part_of_its_last_one),
           UNIT_TEST(calls_are_measured_half_a_line_of_code_apart),
           UNIT_TEST(of_numbers_measured_again_the_last_stand_in_the_file),
           UNIT_TEST(ports_are_shared_as_pairs_show),
           UNIT_TEST(a_conversion_in_one_and_a_half_cycles_is_nearer_to_two_than_to_one),
           UNIT_TEST(where_all_seems_slow_each_class_has_a_port),
           UNIT_TEST(snippets_have_bytes_where_they_are_for_this_processor),
           UNIT_TEST(a_computer_of_four_cache_levels_has_a_machine_file),
           UNIT_TEST(the_issue_width_is_that_of_operations_which_share_nothing),
           UNIT_TEST(the_window_is_that_of_operations_which_share_nothing),
           UNIT_TEST(results_take_registers_and_what_waits_takes_entries_of_a_queue),
           UNIT_TEST(the_latency_of_a_level_is_that_of_lines_just_read),
           UNIT_TEST(a_predictor_has_room_for_as_many_outcomes_as_most_of_are_predicted),
           UNIT_TEST(a_branch_on_floating_point_is_known_later_by_what_a_wrong_one_costs_more))
