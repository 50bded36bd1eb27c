/* What a program has looked at, and what one of two that replace has seen. */
#include "check/history.h"

static int flag;

/* Rank 1 tests a receive of rank 0's message, which is there. */
static void tests_successfully(void)
{
    message(0, 1);
    check_tested(1);
    check_watch(1, (uintptr_t)&flag, sizeof flag);
}

static void rank_0_has_put(void)
{
    begin(), lock(0, 2, false), lock(1, 2, false);
    operate(CHECK_PUT, 0, 2, at_a), flush(0, 2, false);
}

static void tests_that_nobody_looks_at_order_nothing_however_many_there_are(void)
{
    rank_0_has_put();
    for (int i = 0; i < 200; i++) check_test(1), tests_successfully();
    operate(CHECK_PUT, 1, 2, at_b);
    expect(1, 0);
}

static void a_look_at_the_flag_orders(void)
{
    rank_0_has_put();
    check_test(1), tests_successfully();
    check_access(1, (uintptr_t)&flag, sizeof flag, CHECK_LOAD, NULL, 0x500, 0);
    operate(CHECK_PUT, 1, 2, at_b);
    expect(0, 0);
}

static void so_does_a_wait_after_the_flag_is_written_anew(void)
{
    rank_0_has_put();
    check_test(1), tests_successfully();
    check_test(1), check_tested(1), check_watch(1, (uintptr_t)&flag, sizeof flag);
    check_waits(1);
    operate(CHECK_PUT, 1, 2, at_b);
    expect(0, 0);
}

static void the_last_request_of_several_shows_that_all_are_complete(void)
{
    rank_0_has_put();
    check_test(1), tests_successfully();
    check_test(1), check_test_last(1), check_tested(1);
    check_watch(1, (uintptr_t)&flag, sizeof flag);
    check_access(1, (uintptr_t)&flag, sizeof flag, CHECK_LOAD, NULL, 0x500, 0);
    operate(CHECK_PUT, 1, 2, at_b);
    expect(0, 0);
}

static void replaces(int rank, int64_t offset, op_site site)
{
    static const char replace[1], type[1];
    const struct op_piece there = {offset, 8}, here = {0, 8};
    const struct op_layout target = {&there, 1, 8, offset, offset + 8},
                           origin = {&here, 1, 8, 0, 8};
    check_operation(&(struct check_operation){.kind = CHECK_ACCUMULATE,
                                              .win = win,
                                              .win_rank = rank,
                                              .target = 2,
                                              .call = "MPI_Accumulate",
                                              .site = site,
                                              .there = {(uintptr_t)memory[2], &target},
                                              .origin = {(uintptr_t)own[rank], &origin},
                                              .op = replace,
                                              .type = type,
                                              .replace = true});
}

static void who_has_seen_one_replacing_line_has_not_seen_its_next_word(void)
{
    begin(), lock(0, 2, false), lock(1, 2, false);
    replaces(0, 0, at_a), message(0, 1), replaces(0, 8, at_a);
    replaces(1, 0, at_b);
    UNIT_EQUAL(found(CHECK_NOTE), 0);
    replaces(1, 8, at_b);
    UNIT_EQUAL(found(CHECK_NOTE), 1);
    check_close();
}

UNIT_SUITE(check_look, UNIT_TEST(tests_that_nobody_looks_at_order_nothing_however_many_there_are),
           UNIT_TEST(a_look_at_the_flag_orders),
           UNIT_TEST(so_does_a_wait_after_the_flag_is_written_anew),
           UNIT_TEST(the_last_request_of_several_shows_that_all_are_complete),
           UNIT_TEST(who_has_seen_one_replacing_line_has_not_seen_its_next_word))
