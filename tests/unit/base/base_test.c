/* base: quantities read and written, names guessed, random numbers. */
#include "base/base.h"
#include "base/ranges/ranges.h"

#include <string.h>

#include "unit.h"

/* The value of `text`, or a failed assertion. */
static double parsed(const char *text, enum base_unit unit, double clock_hz)
{
    double value = -1;
    g_autoptr(GError) error = NULL;
    bool ok = base_parse(text, unit, clock_hz, &value, &error);
    UNIT_STRING(ok ? "" : error->message, "");
    return value;
}

static void every_suffix_is_worth_what_it_says(void)
{
    static const struct {
        const char *text;
        enum base_unit unit;
        double value;
    } table[] = {
        {"7", BASE_COUNT, 7},
        {"0.5", BASE_NUMBER, 0.5},
        {"512", BASE_BYTES, 512},
        {"512B", BASE_BYTES, 512},
        {"8KiB", BASE_BYTES, 8192},
        {"2MiB", BASE_BYTES, 2097152},
        {"1GiB", BASE_BYTES, 1 << 30},
        {"3kB", BASE_BYTES, 3000},
        {"3MB", BASE_BYTES, 3e6},
        {"3GB", BASE_BYTES, 3e9},
        {"2s", BASE_SECONDS, 2},
        {"2ms", BASE_SECONDS, 2e-3},
        {"5us", BASE_SECONDS, 5e-6},
        {"7ns", BASE_SECONDS, 7e-9},
        {"9ps", BASE_SECONDS, 9e-12},
        {"50Hz", BASE_HERTZ, 50},
        {"50kHz", BASE_HERTZ, 50e3},
        {"150MHz", BASE_HERTZ, 150e6},
        {"2GHz", BASE_HERTZ, 2e9},
        {"9600Bps", BASE_BYTES_PER_S, 9600},
        {"38MBps", BASE_BYTES_PER_S, 38e6},
        {"3kBps", BASE_BYTES_PER_S, 3e3},
        {"2GBps", BASE_BYTES_PER_S, 2e9},
        {"2KiBps", BASE_BYTES_PER_S, 2048},
        {"2MiBps", BASE_BYTES_PER_S, 2097152},
        {"1GiBps", BASE_BYTES_PER_S, 1 << 30},
        {"23", BASE_CYCLES, 23},
        {"23cycles", BASE_CYCLES, 23},
        {"1cycle", BASE_CYCLES, 1},
        {"0", BASE_SECONDS, 0},
        {"1.5us", BASE_SECONDS, 1.5e-6},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        UNIT_NEAR(parsed(table[i].text, table[i].unit, 0), table[i].value, table[i].value * 1e-15);
}

static void cycles_and_time_convert_where_a_clock_is_known(void)
{
    UNIT_NEAR(parsed("15cycles", BASE_SECONDS, 150e6), 100e-9, 1e-20);
    UNIT_NEAR(parsed("100ns", BASE_CYCLES, 150e6), 15, 1e-12);
}

static void what_is_not_a_quantity_is_refused_and_the_message_says_what_is(void)
{
    static const struct {
        const char *text;
        enum base_unit unit;
    } table[] = {
        {"", BASE_BYTES},       {"KiB", BASE_BYTES},       {"8 KiB", BASE_BYTES},
        {"8kib", BASE_BYTES},   {"8KiBs", BASE_BYTES},     {"5", BASE_SECONDS},
        {"5mus", BASE_SECONDS}, {"5cycles", BASE_SECONDS}, {"1.5", BASE_COUNT},
        {"4B", BASE_COUNT},     {"150", BASE_HERTZ},       {"nan", BASE_NUMBER},
        {"inf", BASE_NUMBER},   {"1e999", BASE_NUMBER},    {"38MB", BASE_BYTES_PER_S},
        {"5ns", BASE_CYCLES},   {"0", BASE_WORD},          {"0xKiB", BASE_BYTES},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        double value = 42;
        g_autoptr(GError) error = NULL;
        bool ok = base_parse(table[i].text, table[i].unit, 0, &value, &error);
        UNIT_STRING(ok ? table[i].text : "refused", "refused");
        UNIT_NEAR(value, 42, 0);
        if (!ok) UNIT_EQUAL(strstr(error->message, base_unit_accepts(table[i].unit)) != NULL, true);
    }
}

static void a_quantity_too_large_for_a_number_is_refused(void)
{
    double value = 42;
    g_autoptr(GError) error = NULL;
    UNIT_EQUAL(base_parse("1e290GiB", BASE_BYTES, 0, &value, &error), true);
    UNIT_EQUAL(base_parse("1e308GHz", BASE_HERTZ, 0, &value, &error), false);
    UNIT_EQUAL(g_error_matches(error, BASE_ERROR, BASE_ERROR_RANGE), true);
}

static void formatting_gives_the_shortest_text(void)
{
    static const struct {
        double value;
        enum base_unit unit;
        const char *text;
    } table[] = {
        {8192, BASE_BYTES, "8KiB"},
        {1000, BASE_BYTES, "1kB"},
        {0, BASE_BYTES, "0B"},
        {100, BASE_COUNT, "100"},
        {0.1, BASE_NUMBER, "0.1"},
        {5e-6, BASE_SECONDS, "5us"},
        {150e6, BASE_HERTZ, "150MHz"},
        {38e6, BASE_BYTES_PER_S, "38MBps"},
        {1, BASE_CYCLES, "1cycle"},
        {23, BASE_CYCLES, "23cycles"},
        {10.4, BASE_CYCLES, "10.4cycles"},
        {1048576, BASE_COUNT, "1048576"},
        {1e-6, BASE_NUMBER, "1e-06"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *text = base_format(table[i].value, table[i].unit);
        UNIT_STRING(text, table[i].text);
    }
}

static void what_is_formatted_reads_back_equal(void)
{
    static const enum base_unit units[] = {BASE_NUMBER, BASE_BYTES,       BASE_SECONDS,
                                           BASE_HERTZ,  BASE_BYTES_PER_S, BASE_CYCLES};
    struct base_random r = {1};
    for (int i = 0; i < 3000; i++) {
        double value = (double)(base_random_next(&r) >> (i % 60)) * (i % 2 ? 1 : 1e-12);
        enum base_unit unit = units[i % G_N_ELEMENTS(units)];
        g_autofree char *text = base_format(value, unit);
        UNIT_NEAR(parsed(text, unit, 0), value, 0);
    }
}

static void the_nearest_name_is_offered_and_an_unlike_one_is_not(void)
{
    static const char *const names[] = {"cache.l1.size", "cache.l1.line", "net.latency", "t3d"};
    UNIT_STRING(base_nearest("cache.l1.sise", names, 4), "cache.l1.size");
    UNIT_STRING(base_nearest("net.latancy", names, 4), "net.latency");
    /* two of three letters are wrong; neighbours exchanged are one mistake */
    UNIT_STRING(base_nearest("3dt", names, 4) ? "t3d" : "none", "none");
    UNIT_STRING(base_nearest("td3", names, 4), "t3d");
    UNIT_STRING(base_nearest("t3", names, 4), "t3d");
    UNIT_EQUAL(base_nearest("completely.different", names, 4) == NULL, true);
    static const char *const longer[] = {"ni.overhead", "net.overhead_send"};
    UNIT_STRING(base_nearest("net.overhead", longer, 2), "net.overhead_send");
}

static void random_numbers_are_the_published_sequence(void)
{
    /* First outputs of splitmix64 from seed 1234567, as in the reference implementation's test
     * (Vigna, prng.di.unimi.it). */
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    struct base_random r = {1234567};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++)
        UNIT_EQUAL(base_random_next(&r), expected[i]);
}

static void a_resource_that_gave_more_than_it_has_is_reported(void)
{
    struct base_use use = {"link", 10, 1000, 1000, 1000, 1, false, 0};
    UNIT_EQUAL(base_use_breach(&use, 1) == NULL, true);
    use.busy_s = 1.1;
    g_autofree char *busy = base_use_breach(&use, 1);
    UNIT_STRING(busy, "the link was busy for 1.1 s of 1 s");
    use.busy_s = 1, use.bytes = 1100;
    g_autofree char *carried = base_use_breach(&use, 1);
    UNIT_STRING(carried, "the link carried 1100 bytes in 1 s, at 1000 bytes a second");
    use.bytes = 999;
    g_autofree char *missing = base_use_breach(&use, 1);
    UNIT_STRING(missing, "the link carried 999 bytes of the 1000 that operations moved over it");
    use.bytes = 1000, use.busy_s = 1.1, use.behind_s = 0.1; /* stores that are behind the last */
    UNIT_EQUAL(base_use_breach(&use, 1) == NULL, true);
    use.busy_s = 1.11;
    g_autofree char *behind = base_use_breach(&use, 1);
    UNIT_STRING(behind, "the link was busy for 1.11 s of 1 s");
}

static bool counted(struct base_range *range, void *data)
{
    (void)range;
    ++*(int *)data;
    return false;
}

/* Against a list of all: of every size, many in one place, of two owners. */
static void ranges_that_meet_one_are_found_however_large_they_are(void)
{
    enum { ALL = 300, ROUNDS = 4000 };
    static struct base_range range[ALL];
    static bool there[ALL];
    struct base_ranges *all = base_ranges_new();
    struct base_random random = {7};
    for (int round = 0, wrong = 0; round < ROUNDS; round++) {
        const uint64_t i = base_random_next(&random) % ALL;
        struct base_range *r = &range[i];
        if (there[i])
            base_ranges_remove(all, r);
        else {
            r->base = 1 + base_random_next(&random) % (UINT64_C(1) << 20);
            r->end = r->base + 1 +
                     base_random_next(&random) % (UINT64_C(1) << base_random_next(&random) % 24);
            r->owner = base_random_next(&random) % 2;
            base_ranges_add(all, r);
        }
        there[i] = !there[i];
        const uintptr_t from = base_random_next(&random) % (UINT64_C(1) << 20),
                        to = from + base_random_next(&random) % 5000;
        int found = 0, meet = 0;
        base_ranges_each(all, 1, from, to, counted, &found);
        for (int k = 0; k < ALL; k++)
            meet += there[k] && range[k].owner == 1 && range[k].base < to && from < range[k].end;
        wrong += from < to && found != meet;
        if (round == ROUNDS - 1) UNIT_EQUAL(wrong, 0);
    }
    base_ranges_free(all);
}

/* Its places alone are 2^38: to look into each would take hours. */
static void a_long_look_among_few_short_ranges_takes_a_time_by_their_number(void)
{
    struct base_range near = {.base = 4096, .end = 4100, .owner = 1}, others = near, far = near;
    struct base_ranges *all = base_ranges_new();
    others.owner = 2;
    far.base += UINT64_C(1) << 47, far.end = far.base + 4;
    base_ranges_add(all, &near);
    base_ranges_add(all, &others);
    base_ranges_add(all, &far);
    int found = 0;
    base_ranges_each(all, 1, 4099, UINT64_C(1) << 46, counted, &found);
    UNIT_EQUAL(found, 1);
    base_ranges_remove(all, &others);
    base_ranges_remove(all, &near);
    UNIT_EQUAL(base_ranges_one(all) == &far, true);
    base_ranges_remove(all, &far);
    UNIT_EQUAL(base_ranges_one(all) == NULL, true);
    base_ranges_free(all);
}

UNIT_SUITE(base, UNIT_TEST(every_suffix_is_worth_what_it_says),
           UNIT_TEST(cycles_and_time_convert_where_a_clock_is_known),
           UNIT_TEST(what_is_not_a_quantity_is_refused_and_the_message_says_what_is),
           UNIT_TEST(a_quantity_too_large_for_a_number_is_refused),
           UNIT_TEST(formatting_gives_the_shortest_text),
           UNIT_TEST(what_is_formatted_reads_back_equal),
           UNIT_TEST(the_nearest_name_is_offered_and_an_unlike_one_is_not),
           UNIT_TEST(ranges_that_meet_one_are_found_however_large_they_are),
           UNIT_TEST(a_long_look_among_few_short_ranges_takes_a_time_by_their_number),
           UNIT_TEST(a_resource_that_gave_more_than_it_has_is_reported),
           UNIT_TEST(random_numbers_are_the_published_sequence))
