/* profile: rows by place, and the latencies of which a share is not longer. */
#include "record.h"
#include "unit.h"

static void stalls_at_one_place_are_one_row_and_loads_and_stores_are_apart(void)
{
    record_clear();
    profile_load(0x40, 100);
    profile_load(0x80, 1);
    profile_store(0x40, 7);
    profile_load(0x40, 20);
    UNIT_EQUAL(profile_stalls(), 2);
    UNIT_EQUAL(profile_stall_at(0)->loads, 2);
    UNIT_EQUAL(profile_stall_at(0)->load_ticks, 120);
    UNIT_EQUAL(profile_stall_at(0)->stores, 1);
    UNIT_EQUAL(profile_stall_at(0)->store_ticks, 7);
    UNIT_EQUAL(profile_stall_at(1)->load_ticks, 1);
    record_clear();
    UNIT_EQUAL(profile_stalls(), 0);
}

static void places_that_share_a_slot_of_the_nearest_rows_stay_apart(void)
{
    record_clear();
    for (int round = 0; round < 3; round++)
        for (op_site site = 1; site < 4096; site++) profile_load(site, (int64_t)site);
    UNIT_EQUAL(profile_stalls(), 4095);
    for (size_t i = 0; i < profile_stalls(); i++) {
        const struct profile_stall *row = profile_stall_at(i);
        UNIT_EQUAL(row->loads == 3 && row->load_ticks == 3 * (int64_t)row->site, true);
    }
    record_clear();
}

static void calls_are_rows_by_place_and_name_with_the_longest_wait_and_whose_it_was(void)
{
    record_clear();
    profile_call(0x10, "MPI_Win_fence", 0, &(struct profile_times){3, 2, 0.5, 0, 0, false});
    profile_call(0x10, "MPI_Win_fence", 4, &(struct profile_times){9, 8, 0.25, 0, 0, false});
    profile_call(0x10, "MPI_Barrier", 1, &(struct profile_times){1, 1, 0, 0, 0, false});
    profile_call(0x10, "MPI_Win_fence", 2, &(struct profile_times){3, 2, 0, 0, 0, false});
    UNIT_EQUAL(profile_calls(), 2);
    const struct profile_call *fence = profile_call_at(0);
    UNIT_STRING(fence->call, "MPI_Win_fence");
    UNIT_EQUAL(fence->count, 3);
    UNIT_EQUAL(fence->longest_rank, 4);
    CU_ASSERT_DOUBLE_EQUAL(fence->sum.time_s, 15, 0);
    CU_ASSERT_DOUBLE_EQUAL(fence->sum.wait_s, 12, 0);
    CU_ASSERT_DOUBLE_EQUAL(fence->sum.memory_s, 0.75, 0);
    CU_ASSERT_DOUBLE_EQUAL(fence->longest_s, 8, 0);
    record_clear();
}

static void causes_are_rows_by_who_waited_where_for_whom_and_why(void)
{
    record_clear();
    profile_blame(&(struct profile_blame){PROFILE_LOCK, 0x10, 0x20, 3, -1, 0, 1, 1, {0}});
    profile_blame(&(struct profile_blame){PROFILE_LOCK, 0x10, 0x20, 3, -1, 0, 1, 2, {0}});
    profile_blame(&(struct profile_blame){PROFILE_LOCK, 0x10, 0x20, 4, -1, 0, 1, 4, {0}});
    profile_blame(&(struct profile_blame){PROFILE_BARRIER, 0x10, 0x20, 3, -1, 0, 7, 8, {0}});
    profile_blame(&(struct profile_blame){PROFILE_LOCK, 0x10, 0x30, 3, -1, 0, 1, 16, {0}});
    UNIT_EQUAL(profile_blames(), 4);
    UNIT_EQUAL(profile_blame_at(0)->count, 2);
    CU_ASSERT_DOUBLE_EQUAL(profile_blame_at(0)->wait_s, 3, 0);
    UNIT_STRING(profile_cause_name(profile_blame_at(2)->cause), "barrier");
    record_clear();
}

static void operation(double latency_s)
{
    trace_operation(&(struct op_trail){.kind = OP_PUT,
                                       .call = "MPI_Put",
                                       .carrier = "eager",
                                       .at_s = {0, -1, -1, -1, -1, latency_s}});
}

static void a_share_of_the_latencies_is_known_to_three_per_cent(void)
{
    record_clear();
    UNIT_EQUAL(trace_latency(OP_PUT, 0.5) == 0, true);
    for (int i = 1; i <= 1000; i++) operation(i * 1e-9);
    static const double share[] = {0.01, 0.1, 0.5, 0.95, 0.99, 1};
    for (size_t i = 0; i < G_N_ELEMENTS(share); i++)
        CU_ASSERT_DOUBLE_EQUAL(trace_latency(OP_PUT, share[i]) / (share[i] * 1e-6), 1, 0.035);
    CU_ASSERT_TRUE(trace_latency(OP_PUT, 1) <= 1000 * 1e-9);
    record_clear();
}

static void a_latency_of_nothing_and_one_of_years_have_their_shares_too(void)
{
    record_clear();
    operation(0);
    UNIT_EQUAL(trace_latency(OP_PUT, 0.5) == 0, true);
    operation(1e9);
    CU_ASSERT_TRUE(trace_latency(OP_PUT, 0.99) > 1e6);
    CU_ASSERT_TRUE(trace_latency(OP_PUT, 0.99) <= 1e9);
    record_clear();
}

static void lines_of_one_function_and_place_are_one_row(void)
{
    const char *one = g_intern_string("one"), *two = g_intern_string("two");
    record_clear();
    profile_line(&(struct profile_line){one, two, 7, 10, 20, 5, 100, 60});
    profile_line(&(struct profile_line){one, two, 7, 30, 30, 0, 11, 6});
    profile_line(&(struct profile_line){two, two, 7, 1, 1, 1, 1, 0});
    profile_line(&(struct profile_line){one, two, 8, 1, 1, 1, 1, 0});
    UNIT_EQUAL(profile_lines(), 3);
    UNIT_EQUAL(profile_line_at(0)->executions, 30);
    UNIT_EQUAL(profile_line_at(0)->loads, 50);
    UNIT_EQUAL(profile_line_at(0)->stores, 5);
    UNIT_EQUAL(profile_line_at(0)->ticks, 111);
    UNIT_EQUAL(profile_line_at(0)->divided, 66);
    record_clear();
    UNIT_EQUAL(profile_lines(), 0);
}

static void every_cause_has_a_name(void)
{
    for (enum profile_cause c = 0; c < PROFILE_CAUSES; c++)
        UNIT_EQUAL(profile_cause_name(c) != NULL, true);
}

static void a_line_that_moves_has_a_row_with_who_moved_it_and_which_parts(void)
{
    int node;
    record_clear();
    UNIT_EQUAL(profile_moved_row(&node, 7) == NULL, true);
    struct profile_moved *row = profile_moved_new(
        &(struct profile_moved){.node = &node, .line = 7, .segment = 3, .offset = 64, .bytes = 64});
    UNIT_EQUAL(profile_moved_row(&node, 7) == row, true);
    profile_move(row, &(struct profile_mover){.rank = 1, .store = true, .site = 5}, 8, 8, 100);
    profile_move(row, &(struct profile_mover){.rank = 1, .store = true, .site = 5}, 60, 4, 10);
    profile_move(row, &(struct profile_mover){.rank = 1, .store = false, .site = 5}, 0, 1, 1);
    UNIT_EQUAL(profile_moves(), 1);
    UNIT_EQUAL(row->moves, 3);
    UNIT_EQUAL(row->ticks, 111);
    UNIT_EQUAL(row->mover->len, 2);
    const struct profile_mover *first = &g_array_index(row->mover, struct profile_mover, 0);
    UNIT_EQUAL(first->moves, 2);
    UNIT_EQUAL(first->parts == (UINT64_C(0xff) << 8 | UINT64_C(0xf) << 60), true);
    record_clear();
    UNIT_EQUAL(profile_moves(), 0);
}

static void a_lock_has_its_queue_its_hand_overs_and_who_held_it_longest_from_where(void)
{
    const struct profile_lock_who first = {5, 2, true}, second = {5, 9, true},
                                  shared = {5, 9, false};
    record_clear();
    struct profile_lock *lock = profile_lock(0, 3, "window 0");
    UNIT_EQUAL(profile_lock(0, 3, "halo") == lock, true);
    UNIT_EQUAL(profile_lock(1, 3, "window 1") == lock, false);
    UNIT_STRING(lock->name, "halo");
    profile_lock_got(lock, &first, 1, -1);
    profile_lock_queue(lock, 1);
    profile_lock_queue(lock, 2);
    profile_lock_held(lock, &first, 4);
    profile_lock_got(lock, &second, 2, 0.5);
    profile_lock_held(lock, &second, 3);
    profile_lock_got(lock, &shared, 8, 0.25);
    UNIT_EQUAL(profile_locks(), 2);
    UNIT_EQUAL(profile_lock_ranks(lock), 2);
    UNIT_EQUAL(lock->queued, 2);
    UNIT_EQUAL(lock->longest_queue, 2);
    UNIT_EQUAL(lock->handovers, 2);
    CU_ASSERT_DOUBLE_EQUAL(lock->handover_s, 0.75, 0);
    UNIT_EQUAL(lock->locker->len, 2);
    const struct profile_locker *at = &g_array_index(lock->locker, struct profile_locker, 0);
    UNIT_EQUAL(at->count, 2);
    CU_ASSERT_DOUBLE_EQUAL(at->wait_s, 3, 0);
    CU_ASSERT_DOUBLE_EQUAL(at->held_s, 7, 0);
    CU_ASSERT_DOUBLE_EQUAL(at->longest_s, 4, 0);
    UNIT_EQUAL(at->longest_rank, 2);
    UNIT_EQUAL(at[1].longest_rank, -1);
    record_clear();
    UNIT_EQUAL(profile_locks(), 0);
}

UNIT_SUITE(profile,
           UNIT_TEST(a_lock_has_its_queue_its_hand_overs_and_who_held_it_longest_from_where),
           UNIT_TEST(a_line_that_moves_has_a_row_with_who_moved_it_and_which_parts),
           UNIT_TEST(lines_of_one_function_and_place_are_one_row),
           UNIT_TEST(stalls_at_one_place_are_one_row_and_loads_and_stores_are_apart),
           UNIT_TEST(places_that_share_a_slot_of_the_nearest_rows_stay_apart),
           UNIT_TEST(calls_are_rows_by_place_and_name_with_the_longest_wait_and_whose_it_was),
           UNIT_TEST(every_cause_has_a_name),
           UNIT_TEST(causes_are_rows_by_who_waited_where_for_whom_and_why),
           UNIT_TEST(a_share_of_the_latencies_is_known_to_three_per_cent),
           UNIT_TEST(a_latency_of_nothing_and_one_of_years_have_their_shares_too))
