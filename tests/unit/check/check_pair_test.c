/* Pairs of accesses that are watched, and forced into order. */
#include "check/history.h"

static const struct check_pair store_and_get = {
    .window = 0,
    .owner = 2,
    .offset = 0,
    .bytes = 8,
    .side = {{2, CHECK_STORE, at_a, 0}, {1, CHECK_GET, at_b, 0}}};

static void a_pair_is_a_word_and_back(void)
{
    struct check_pair pair;
    g_autofree char *text = check_pair_text(&store_and_get);
    UNIT_STRING(text, "0.2.0.8:2.1.100.0:1.10.200.0");
    UNIT_EQUAL(check_pair_read(text, &pair), true);
    g_autofree char *again = check_pair_text(&pair);
    UNIT_STRING(again, text);
    UNIT_EQUAL(check_pair_read("0.2.0.8:2.1.100.0", &pair), false);
    UNIT_EQUAL(check_pair_read("0.2.0.8:2.99.100.0:1.8.200.0", &pair), false);
    UNIT_EQUAL(check_pair_read("0.2.0.8:2.1.100.0:1.8.200.0:", &pair), false);
}

static void carried(uint64_t number, uint64_t value)
{
    check_performed(number);
    check_carried(number, (const uint8_t *)&value, sizeof value);
}

static void watch(const struct check_pair *pair, bool forces)
{
    check_open(RANKS, true, false);
    check_pair_watch(pair, forces);
    windows();
}

static void the_occurrences_are_those_of_the_conflict(void)
{
    watch(&store_and_get, false);
    touch(CHECK_STORE, 2, at_a);
    fence();
    carried(operate(CHECK_GET, 1, 2, at_b), 5);
    fence();
    touch(CHECK_STORE, 2, at_a); /* the second store, and the second get, which conflicts */
    carried(operate(CHECK_GET, 1, 2, at_b), 7);
    touch(CHECK_STORE, 2, at_a); /* again, too late */
    const struct check_seen *seen = check_pair_seen(0);
    UNIT_EQUAL(seen->pair.side[0].times, 2);
    UNIT_EQUAL(seen->pair.side[1].times, 2);
    bool behind;
    UNIT_EQUAL(check_pair_settled(0, seen->pair.side[1].rank, &behind), true);
    UNIT_EQUAL(seen->addr, (uintptr_t)memory[2]);
    UNIT_EQUAL(seen->reads[0], 0);
    UNIT_EQUAL(seen->reads[1], 8);
    UNIT_EQUAL(seen->read[1][0], 7);
    check_close();
}

static struct check_pair forced(uint64_t first, uint64_t then)
{
    struct check_pair pair = store_and_get;
    pair.side[0].times = first, pair.side[1].times = then;
    return pair;
}

static void the_second_side_waits_until_the_first_is_complete(void)
{
    const struct check_pair pair = forced(2, 1);
    watch(&pair, true);
    fence();
    touch(CHECK_STORE, 2, at_a);
    UNIT_EQUAL(check_pair_turn(2), CHECK_TURN_NONE); /* the second store is meant */
    operate(CHECK_GET, 1, 2, at_b);
    UNIT_EQUAL(check_pair_turn(0), CHECK_TURN_NONE);
    UNIT_EQUAL(check_pair_turn(1), CHECK_TURN_THEN);
    UNIT_EQUAL(check_pair_turn(1), CHECK_TURN_NONE);
    UNIT_EQUAL(check_pair_ready(NULL), false);
    touch(CHECK_STORE, 2, at_a);
    UNIT_EQUAL(check_pair_turn(2), CHECK_TURN_FIRST);
    UNIT_EQUAL(check_pair_passed(1), false);
    UNIT_EQUAL(check_pair_passed(2), true);
    check_pair_complete(2);
    UNIT_EQUAL(check_pair_ready(NULL), true);
    UNIT_EQUAL(check_pair_passed(2), false);
    UNIT_EQUAL(check_pair_seen(0)->ordered, true);
    check_close();
}

static void one_that_never_comes_is_given_up(void)
{
    const struct check_pair pair = forced(1, 1);
    watch(&pair, true);
    fence();
    operate(CHECK_GET, 1, 2, at_b);
    UNIT_EQUAL(check_pair_turn(1), CHECK_TURN_THEN);
    check_pair_give_up();
    UNIT_EQUAL(check_pair_ready(NULL), true);
    touch(CHECK_STORE, 2, at_a);
    UNIT_EQUAL(check_pair_turn(2), CHECK_TURN_FIRST);
    check_pair_complete(2);
    UNIT_EQUAL(check_pair_seen(0)->ordered, false);
    check_close();
}

static void a_rank_does_not_wait_for_itself(void)
{
    const struct check_pair pair = {
        .window = -1,
        .owner = -1,
        .bytes = 8,
        .side = {{1, CHECK_STORE, at_a, 1}, {1, CHECK_BUFFER_READ, at_b, 1}}};
    watch(&pair, true);
    fence();
    operate(CHECK_PUT, 1, 2, at_b);
    UNIT_EQUAL(check_pair_turn(1), CHECK_TURN_NONE);
    UNIT_EQUAL(check_pair_seen(0)->ordered, false);
    check_close();
}

/* Rank 1 gets a word, rank 0 puts it, rank 1 puts back what it has got. */
static bool an_update_is_lost(bool gets_again)
{
    const struct check_pair pair = {.window = 0,
                                    .owner = 2,
                                    .bytes = 8,
                                    .side = {{1, CHECK_GET, at_a, 0}, {0, CHECK_PUT, at_b, 0}}};
    watch(&pair, false);
    lock(0, 2, false), lock(1, 2, false);
    carried(operate(CHECK_GET, 1, 2, at_a), 0);
    flush(1, 2, false);
    carried(operate(CHECK_PUT, 0, 2, at_b), 1);
    flush(0, 2, false);
    if (gets_again) carried(operate(CHECK_GET, 1, 2, 0x300), 1), flush(1, 2, false);
    carried(operate(CHECK_PUT, 1, 2, 0x304), 1);
    bool lost = check_pair_seen(0)->lost;
    check_close();
    return lost;
}

static void what_was_read_before_a_write_and_put_back_after_it_is_lost(void)
{
    UNIT_EQUAL(an_update_is_lost(false), true);
    UNIT_EQUAL(an_update_is_lost(true), false);
}

UNIT_SUITE(check_pair, UNIT_TEST(a_pair_is_a_word_and_back),
           UNIT_TEST(the_occurrences_are_those_of_the_conflict),
           UNIT_TEST(the_second_side_waits_until_the_first_is_complete),
           UNIT_TEST(one_that_never_comes_is_given_up), UNIT_TEST(a_rank_does_not_wait_for_itself),
           UNIT_TEST(what_was_read_before_a_write_and_put_back_after_it_is_lost))
