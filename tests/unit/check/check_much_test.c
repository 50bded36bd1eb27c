/* What the check needs where many ranks learn of each other by values and by locks: never above 16
 * times the windows, and where it keeps less it says so, and blames nobody who did nothing. */
#include "check/history.h"

enum { MANY = 512, FEW = 16, WINDOW = 4096 };

static _Alignas(4096) char big[MANY][WINDOW];
static int all[MANY];
static const char sum[1], type[1];

static void windows_of(int ranks)
{
    check_open(ranks, true, false);
    for (int i = 0; i < ranks; i++) all[i] = i;
    for (int i = 0; i < ranks; i++) check_win_begin(win, ranks, all, false);
    for (int i = 0; i < ranks; i++) {
        check_attach(win, i, (uintptr_t)big[i], WINDOW, "MPI_Win_create", 0);
        check_win_arrive(win, i, "MPI_Win_create", 0);
    }
    for (int i = 0; i < ranks; i++) check_win_made(win, i);
}

static struct check_call call(int rank)
{
    return (struct check_call){.win = win, .win_rank = rank, .site = 0x900};
}

static void add(enum check_kind kind, int rank, int target, int64_t offset, uint64_t bytes)
{
    static char result[MANY];
    const struct op_piece there = {offset, bytes}, here = {0, bytes};
    const struct op_layout target_layout = {&there, 1, bytes, offset, offset + (int64_t)bytes},
                           own_layout = {&here, 1, bytes, 0, (int64_t)bytes};
    check_performed(
        check_operation(&(struct check_operation){.kind = kind,
                                                  .win = win,
                                                  .win_rank = rank,
                                                  .target = target,
                                                  .call = "MPI_Fetch_and_op",
                                                  .site = at_a,
                                                  .there = {(uintptr_t)big[target], &target_layout},
                                                  .origin = {(uintptr_t)big[rank], NULL},
                                                  .result = {(uintptr_t)&result[rank], &own_layout},
                                                  .op = sum,
                                                  .type = type}));
}

static void locked(int rank, int target)
{
    const struct check_call me = call(rank);
    check_lock(&me, target, true);
    add(CHECK_FETCH, rank, target, 0, 8);
    check_unlock(&me, target);
    check_returned(&me);
}

static void flushed(int rank, int target, int64_t offset)
{
    const struct check_call me = call(rank);
    add(CHECK_FETCH, rank, target, offset, 1);
    check_flush(&me, target, false);
    check_returned(&me);
}

static double times_the_windows(size_t before, int ranks)
{
    const double used = (double)unit_heap() - (double)before;
    return (used - 4.0 * ranks * ranks) / (ranks * (double)WINDOW);
}

static void locks_alone_cost_at_most_16_times_the_windows(void)
{
    const size_t before = unit_heap();
    windows_of(MANY);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < MANY; i++) locked(i, (i + k) % MANY);
    CU_ASSERT(times_the_windows(before, MANY) <= 16);
    CU_ASSERT(check_totals().folded_bytes > 0);
    UNIT_EQUAL(check_totals().coarse_bytes, 0);
    UNIT_EQUAL(found(CHECK_ERROR), 0);
    check_close();
}

/* Each byte has been changed by all ranks, and each time they knew of others. */
static void bytes_that_all_have_changed_cost_at_most_16_times_the_windows(void)
{
    const size_t before = unit_heap();
    windows_of(FEW);
    for (int i = 0; i < FEW; i++) {
        const struct check_call me = call(i);
        check_lock(&me, -1, false);
    }
    for (int i = 0; i < FEW; i++)
        for (int at = 0; at < WINDOW; at++)
            for (int k = 0; k < 2; k++) flushed((i + k) % FEW, i, at);
    CU_ASSERT(times_the_windows(before, FEW) <= 16);
    CU_ASSERT(check_totals().folded_bytes > 0);
    UNIT_EQUAL(check_totals().coarse_bytes, 0);
    check_close();
}

/* Who has read any of those is behind whoever changed any: nobody is blamed. */
static void a_value_among_too_many_carries_order_still(void)
{
    windows_of(FEW);
    for (int i = 0; i < FEW; i++) {
        const struct check_call me = call(i);
        check_lock(&me, -1, false);
    }
    for (int at = 8; at < WINDOW; at++)
        for (int k = 0; k < FEW; k++) flushed(k, 0, at);
    CU_ASSERT(check_totals().folded_bytes > 0);
    const struct check_call writer = call(3), reader = call(5);
    add(CHECK_PUT, 3, 0, 0, 8);
    check_flush(&writer, 0, false);
    check_returned(&writer);
    flushed(3, 0, 100);
    flushed(5, 0, 100);
    add(CHECK_GET, 5, 0, 0, 8);
    check_flush(&reader, 0, false);
    check_returned(&reader);
    UNIT_EQUAL(found(CHECK_ERROR), 0);
    check_close();
}

UNIT_SUITE(check_much, UNIT_TEST(locks_alone_cost_at_most_16_times_the_windows),
           UNIT_TEST(bytes_that_all_have_changed_cost_at_most_16_times_the_windows),
           UNIT_TEST(a_value_among_too_many_carries_order_still))
