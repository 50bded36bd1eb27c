/* cli/measure: levels of latencies by size. */
#include "unit.h"

#include "cli/measure/levels.h"
#include "cli/measure/passes.h"

#include <math.h>

/* Latencies at sizes from 4 KiB to 256 MiB, four an octave, that rise from one level's to the
 * next's within an octave around its size. */
static int latencies(struct cli_point *point, const struct cli_level *level, int levels)
{
    int n = 0;
    for (double bytes = 4096; bytes <= 256 << 20; bytes *= exp2(0.25)) {
        double cycles = level[0].cycles;
        for (int l = 0; l + 1 < levels; l++) {
            double share = log2(bytes / level[l].bytes) + 1.0 / 3;
            cycles += CLAMP(share, 0, 1) * (level[l + 1].cycles - level[l].cycles);
        }
        point[n++] = (struct cli_point){bytes, cycles};
    }
    return n;
}

static void levels_are_found_where_the_latency_rises(void)
{
    static const struct cli_level real[] = {{5, 48 << 10}, {15, 2 << 20}, {70, 32 << 20}, {300, 0}};
    struct cli_point point[100];
    struct cli_level level[CLI_LEVELS];
    int n = latencies(point, real, 4);
    UNIT_EQUAL(cli_levels_find(point, n, level), 4);
    for (int l = 0; l < 4; l++) UNIT_NEAR(level[l].cycles, real[l].cycles, 0.05 * real[l].cycles);
    for (int l = 0; l < 3; l++) UNIT_NEAR(level[l].bytes, real[l].bytes, 0.1 * real[l].bytes);
    UNIT_EQUAL(level[3].bytes, 0);
}

static void a_few_cycles_of_translations_are_no_level(void)
{
    static const struct cli_level real[] = {
        {5, 48 << 10}, {15, 400 << 10}, {22, 2 << 20}, {350, 0}};
    struct cli_point point[100];
    struct cli_level level[CLI_LEVELS];
    int n = latencies(point, real, 4);
    UNIT_EQUAL(cli_levels_find(point, n, level), 3);
    UNIT_NEAR(level[1].bytes, 2 << 20, 200 << 10);
}

static void a_size_that_was_measured_badly_hides_no_level(void)
{
    static const struct cli_level real[] = {{5, 48 << 10}, {15, 2 << 20}, {300, 0}};
    struct cli_point point[100];
    struct cli_level level[CLI_LEVELS];
    int n = latencies(point, real, 3);
    point[2].cycles *= 40;
    point[20].cycles *= 3;
    UNIT_EQUAL(cli_levels_find(point, n, level), 3);
    UNIT_NEAR(level[0].bytes, 48 << 10, 5 << 10);
}

/* Its latency is nearly memory's, but lines in ascending order come twice as fast. */
static void a_level_that_only_passes_show_is_found_by_them(void)
{
    static const struct cli_level real[] = {{9, 16 << 20}, {20, 0}},
                                  none[] = {{18, 16 << 20}, {20, 0}};
    struct cli_point point[100];
    struct cli_level level;
    int n = latencies(point, real, 2);
    CU_ASSERT_FATAL(cli_levels_by_passes(point + 40, n - 40, &level));
    UNIT_NEAR(level.cycles, 9, 0.1);
    UNIT_NEAR(level.bytes, 16 << 20, 2 << 20);
    n = latencies(point, none, 2);
    CU_ASSERT_FALSE(cli_levels_by_passes(point + 40, n - 40, &level));
    CU_ASSERT_FALSE(cli_levels_by_passes(point, 3, &level));
    CU_ASSERT(cli_levels_alike(46.6, 55.1)); /* no level of its own: the one before ends there */
    CU_ASSERT_FALSE(cli_levels_alike(14, 47));
}

static void sizes_are_those_that_caches_have(void)
{
    UNIT_EQUAL(cli_levels_round(2121 << 10), 2 << 20);
    UNIT_EQUAL(cli_levels_round(50e3), 48 << 10);
    UNIT_EQUAL(cli_levels_round(31e6), 28 << 20);
    UNIT_EQUAL(cli_levels_round(33e6), 32 << 20);
    UNIT_EQUAL(cli_levels_round(1.2 * (1 << 20)), 1280 << 10);
}

static void ways_leave_a_power_of_two_of_sets(void)
{
    UNIT_EQUAL(cli_levels_ways(2 << 20, 64, 16), 16);
    UNIT_EQUAL(cli_levels_ways(1280 << 10, 64, 16), 10);
    UNIT_EQUAL(cli_levels_ways(28 << 20, 64, 16), 14);
    UNIT_EQUAL(cli_levels_ways(48 << 10, 64, 16), 12);
}

UNIT_SUITE(measure_levels, UNIT_TEST(levels_are_found_where_the_latency_rises),
           UNIT_TEST(a_few_cycles_of_translations_are_no_level),
           UNIT_TEST(a_size_that_was_measured_badly_hides_no_level),
           UNIT_TEST(a_level_that_only_passes_show_is_found_by_them),
           UNIT_TEST(sizes_are_those_that_caches_have),
           UNIT_TEST(ways_leave_a_power_of_two_of_sets))
