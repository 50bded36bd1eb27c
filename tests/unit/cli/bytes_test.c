/* What an error did, judged by what the pair's own bytes were in three runs. */
#include "cli/check/bytes.h"
#include "unit.h"

#define OLD "00000000"
#define NEW "01000000"

static const struct cli_check_sides sides = {.rank = {1, 2}},
                                    own = {.rank = {0, 0}, .buffer = true};
static const struct cli_check_bytes unknown = {.known = false};

static struct cli_check_bytes reads(int side, const char *seen)
{
    struct cli_check_bytes bytes = {.known = true, .memory = NEW, .load = NEW};
    bytes.read[side] = seen;
    return bytes;
}

static struct cli_check_bytes leaves(const char *memory, const char *load)
{
    return (struct cli_check_bytes){.known = true, .memory = memory, .load = load};
}

static void is(const struct cli_check_sides *of, struct cli_check_bytes as_is,
               struct cli_check_bytes first, struct cli_check_bytes second, const char *expected)
{
    const struct cli_check_bytes ordered[2] = {first, second};
    g_autofree char *effect = cli_check_effect(of, &as_is, ordered);
    UNIT_STRING(effect, expected);
}

/* Side 1 reads: behind side 0 it gets the new value, before it the old one. */
static void a_read_is_compared_with_what_it_returns_in_either_order(void)
{
    is(&sides, reads(1, OLD), reads(1, NEW), reads(1, OLD), "stale value (0, not 1)");
    is(&sides, reads(1, NEW), reads(1, NEW), reads(1, OLD), "new value read (1)");
    is(&sides, reads(1, NEW), reads(1, NEW), reads(1, NEW), "harmless here");
    is(&sides, reads(0, OLD), reads(0, OLD), reads(0, NEW), "stale value (0, not 1)");
}

static void what_can_be_forced_one_way_only_is_compared_with_that(void)
{
    is(&sides, reads(1, OLD), reads(1, NEW), unknown, "stale value (0, not 1)");
    is(&sides, reads(1, NEW), reads(1, NEW), unknown, "harmless here");
    is(&sides, reads(1, OLD), unknown, reads(1, OLD), "old value read (0)");
    is(&sides, reads(1, NEW), unknown, unknown, NULL);
    is(&sides, unknown, reads(1, NEW), reads(1, OLD), NULL);
}

static void bytes_of_both_values_are_a_torn_word(void)
{
    is(&sides, reads(1, "00ff00ff"), reads(1, "ffffffff"), reads(1, OLD), "torn word (00ff00ff)");
    is(&sides, leaves("aabb0000", "aabb0000"), leaves("aaaa0000", "aaaa0000"),
       leaves("bbbb0000", "bbbb0000"), "torn word (48042)");
    is(&sides, reads(1, "02000000"), reads(1, NEW), reads(1, OLD), "another value (2, not 1)");
}

static void of_many_bytes_the_first_word_that_differs_is_shown(void)
{
    is(&sides, reads(1, OLD NEW OLD), reads(1, OLD NEW NEW), reads(1, OLD NEW OLD),
       "stale value (0, not 1, at byte 8 of 12)");
    is(&sides, reads(1, OLD OLD "000000000000f03f"), reads(1, OLD OLD "0000000000000040"), unknown,
       "stale value (1, not 2, at byte 8 of 16)");
}

static void an_old_value_that_is_written_back_is_a_lost_update(void)
{
    struct cli_check_bytes as_is = reads(1, OLD);
    as_is.lost = true;
    is(&sides, as_is, reads(1, NEW), reads(1, OLD), "lost update (0, not 1)");
}

static void of_two_writes_that_stays_which_comes_last_when_forced(void)
{
    is(&sides, leaves(NEW, NEW), leaves(NEW, NEW), leaves(OLD, OLD), "rank 2's stays (1)");
    is(&sides, leaves(OLD, OLD), leaves(NEW, NEW), leaves(OLD, OLD), "rank 1's stays (0)");
    is(&sides, leaves(NEW, NEW), leaves(NEW, NEW), leaves(NEW, NEW), "harmless here");
    is(&sides, leaves(OLD, NEW), leaves(NEW, NEW), leaves(OLD, OLD),
       "two values (0 in memory, 1 in a cache)");
    is(&sides, leaves("07000000", "07000000"), leaves(NEW, NEW), leaves(OLD, OLD), NULL);
}

static void of_a_buffer_one_order_is_right(void)
{
    is(&own, reads(1, OLD), reads(1, NEW), unknown, "stale value (0, not 1)");
    is(&own, reads(0, NEW), reads(0, OLD), unknown, "later value sent (1, not 0)");
    is(&own, reads(0, OLD), reads(0, OLD), unknown, "harmless here");
    is(&own, leaves(OLD, OLD), leaves(NEW, NEW), unknown, "lost update (0, not 1)");
}

static void value(const char *hex, const char *expected)
{
    g_autofree char *text = cli_check_value(hex);
    UNIT_STRING(text, expected);
}

static void bytes_are_shown_as_the_number_that_they_may_be(void)
{
    value("ffffffff", "-1");
    value("2a00000000000000", "42");
    value("000000000000f83f", "1.5");
    value("0011", "0011");
    value("000102030405060708090a0b", "0001020304050607...");
    value(NULL, "?");
}

UNIT_SUITE(bytes, UNIT_TEST(a_read_is_compared_with_what_it_returns_in_either_order),
           UNIT_TEST(what_can_be_forced_one_way_only_is_compared_with_that),
           UNIT_TEST(bytes_of_both_values_are_a_torn_word),
           UNIT_TEST(of_many_bytes_the_first_word_that_differs_is_shown),
           UNIT_TEST(an_old_value_that_is_written_back_is_a_lost_update),
           UNIT_TEST(of_two_writes_that_stays_which_comes_last_when_forced),
           UNIT_TEST(of_a_buffer_one_order_is_right),
           UNIT_TEST(bytes_are_shown_as_the_number_that_they_may_be))
