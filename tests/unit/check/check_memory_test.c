/* What the check needs of the host's memory, and what it says where it would need too much. */
#include "check/history.h"

enum { BIG = 1 << 16 };

static _Alignas(4096) char big[RANKS][BIG];

static void windows_of(uint64_t bytes)
{
    check_open(RANKS, true, false);
    for (int i = 0; i < RANKS; i++) check_win_begin(win, RANKS, everybody, false);
    for (int i = 0; i < RANKS; i++) {
        check_attach(win, i, (uintptr_t)big[i], bytes, "MPI_Win_create", 0);
        check_win_arrive(win, i, "MPI_Win_create", 0);
    }
    for (int i = 0; i < RANKS; i++) check_win_made(win, i);
    fence();
}

/* The rank's own lines, `lines` of them, store each every word of its window. */
static void stores(int rank, uint64_t bytes, int lines)
{
    for (int line = 0; line < lines; line++)
        for (uint64_t at = 0; at < bytes; at += 8)
            check_access(rank, (uintptr_t)big[rank] + at, 8, CHECK_STORE, NULL,
                         0x1000 + (op_site)line * 8, 0);
}

static void puts_there(int rank, uint64_t offset, op_site site)
{
    const struct op_piece there = {(int64_t)offset, 8}, here = {0, 8};
    const struct op_layout target = {&there, 1, 8, (int64_t)offset, (int64_t)offset + 8},
                           origin = {&here, 1, 8, 0, 8};
    check_operation(&(struct check_operation){.kind = CHECK_PUT,
                                              .win = win,
                                              .win_rank = rank,
                                              .target = 0,
                                              .call = "MPI_Put",
                                              .site = site,
                                              .there = {(uintptr_t)big[0], &target},
                                              .origin = {(uintptr_t)own[rank], &origin}});
}

static double times_the_window(int lines, int epochs)
{
    size_t before = unit_heap();
    windows_of(BIG);
    for (int i = 0; i < epochs; i++) {
        if (i > 0) fence();
        stores(0, BIG, lines);
    }
    size_t after = unit_heap();
    check_close();
    return ((double)after - (double)before) / BIG;
}

static void sixteen_lines_of_code_cost_at_most_four_times_the_window(void)
{
    CU_ASSERT(times_the_window(16, 1) <= 4);
}

static void whatever_they_did_before_the_last_fence(void)
{
    CU_ASSERT(times_the_window(16, 3) <= 4);
}

static void and_ever_so_many_sixteen_times(void)
{
    CU_ASSERT(times_the_window(90, 1) <= 16);
    CU_ASSERT(times_the_window(90, 1) > 4); /* it is seen what they take */
    CU_ASSERT(times_the_window(400, 1) <= 16);
}

static void what_was_coarsened_is_said_and_has_no_verdict(void)
{
    windows_of(2 * 4096);
    stores(0, 4096, 400); /* the first page; the second has one line */
    check_access(0, (uintptr_t)big[0] + 4096, 8, CHECK_STORE, NULL, at_a, 0);
    UNIT_EQUAL(check_totals().coarse_bytes, 4096);
    puts_there(1, 0, at_b);
    UNIT_EQUAL(check_findings(), 0);
    puts_there(1, 4096, at_b);
    UNIT_EQUAL(found(CHECK_ERROR), 1);
    check_close();
}

/* One line puts to each word from every second byte on, and flushes in between. */
static void flushed_puts(int rank, uint64_t bytes, op_site site)
{
    const struct check_call call = {.win = win, .win_rank = rank, .site = site};
    for (uint64_t at = 0; at < bytes; at += 2) {
        puts_there(rank, at, site);
        check_flush(&call, 0, false);
        check_returned(&call);
    }
}

static void one_line_s_many_puts_are_judged_however_often_it_flushes(void)
{
    windows_of(4096);
    for (int i = 1; i <= 2; i++)
        check_lock(&(struct check_call){.win = win, .win_rank = i}, -1, false);
    flushed_puts(1, 2816, at_a);
    UNIT_EQUAL(check_totals().coarse_bytes, 0);
    UNIT_EQUAL(check_totals().folded_bytes, 4096);
    puts_there(2, 3000, at_b); /* nobody else was there */
    UNIT_EQUAL(check_findings(), 0);
    puts_there(2, 2040, at_b);
    UNIT_EQUAL(found(CHECK_ERROR), 1);
    check_close();
}

static void hundreds_of_lines_are_judged_that_touch_a_word_each(void)
{
    windows_of(4096);
    for (int line = 0; line < 400; line++)
        check_access(0, (uintptr_t)big[0] + (uint64_t)line * 8, 8, CHECK_STORE, NULL,
                     0x1000 + (op_site)line * 8, 0);
    UNIT_EQUAL(check_totals().coarse_bytes, 0);
    puts_there(1, 8 * 399, at_b);
    UNIT_EQUAL(found(CHECK_ERROR), 1);
    check_close();
}

static void what_was_coarsened_is_judged_again_behind_a_fence(void)
{
    windows_of(4096);
    stores(0, 4096, 400);
    UNIT_EQUAL(check_totals().coarse_bytes, 4096);
    fence();
    puts_there(1, 0, at_b);
    check_access(0, (uintptr_t)big[0], 8, CHECK_STORE, NULL, at_a, 0);
    UNIT_EQUAL(found(CHECK_ERROR), 1);
    check_close();
}

UNIT_SUITE(check_memory, UNIT_TEST(sixteen_lines_of_code_cost_at_most_four_times_the_window),
           UNIT_TEST(whatever_they_did_before_the_last_fence),
           UNIT_TEST(and_ever_so_many_sixteen_times),
           UNIT_TEST(what_was_coarsened_is_said_and_has_no_verdict),
           UNIT_TEST(one_line_s_many_puts_are_judged_however_often_it_flushes),
           UNIT_TEST(hundreds_of_lines_are_judged_that_touch_a_word_each),
           UNIT_TEST(what_was_coarsened_is_judged_again_behind_a_fence))
