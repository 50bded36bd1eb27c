/* The judge of one-sided communication: locks, buffers, atomics, post and wait, asserts. */
#include "check/history.h"

/* ---- locks ----------------------------------------------------------------------------------- */

static void exclusive_locks_exclude(void)
{
    begin();
    lock(0, 2, true), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2);
    lock(1, 2, true), operate(CHECK_PUT, 1, 2, at_b), unlock(1, 2);
    expect(0, 0);
}

static void shared_locks_do_not(void)
{
    begin();
    lock(0, 2, false), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2);
    lock(1, 2, false), operate(CHECK_PUT, 1, 2, at_b), unlock(1, 2);
    expect(1, 0);
}

static void the_order_of_grants_orders_nothing_outside(void)
{
    begin();
    touch(CHECK_STORE, 2, at_a);
    lock(2, 3, true), operate(CHECK_PUT, 2, 3, 0x300), unlock(2, 3);
    lock(1, 3, true), operate_with(CHECK_PUT, 1, 3, 8, 0x304, NULL), unlock(1, 3);
    lock(1, 2, true), operate(CHECK_GET, 1, 2, at_b), unlock(1, 2);
    expect(1, 0);
}

static void a_value_read_under_the_lock_does(void)
{
    begin();
    lock(2, 2, true), touch(CHECK_STORE, 2, at_a), unlock(2, 2);
    lock(2, 3, true), operate(CHECK_PUT, 2, 3, 0x300), unlock(2, 3);
    lock(1, 3, true), operate(CHECK_GET, 1, 3, 0x304), unlock(1, 3);
    lock(1, 2, false), operate(CHECK_GET, 1, 2, at_b), unlock(1, 2);
    expect(0, 0);
}

/* The counter is changed by atomic operations, the second one under an exclusive lock. */
static void an_atomic_under_the_lock_is_behind_the_epoch_whose_value_it_returns(void)
{
    begin();
    lock(0, 3, true), operate(CHECK_FETCH, 0, 3, 0x300);
    lock(0, 2, false), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2), unlock(0, 3);
    lock(1, 3, true), operate(CHECK_FETCH, 1, 3, 0x304), unlock(1, 3);
    lock(1, 2, false), operate(CHECK_GET, 1, 2, at_b), unlock(1, 2);
    expect(0, 0);
}

/* The call comes first; the lock is granted to the other before. */
static void a_get_that_waits_for_its_lock_is_behind_the_epoch_whose_value_it_returns(void)
{
    begin();
    lock(0, 3, true), lock(1, 3, true), operate(CHECK_GET, 1, 3, 0x304);
    lock(0, 2, false), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2);
    operate(CHECK_PUT, 0, 3, 0x300), unlock(0, 3);
    unlock(1, 3);
    lock(1, 2, false), operate(CHECK_GET, 1, 2, at_b), unlock(1, 2);
    expect(0, 0);
}

static void a_local_load_without_the_lock_conflicts(void)
{
    begin();
    lock(0, 2, true), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2);
    touch(CHECK_LOAD, 2, at_b);
    expect(1, 0);
}

static void a_barrier_behind_the_unlock_orders_it_in_the_unified_model(void)
{
    begin();
    lock(0, 2, true), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2);
    barrier(), touch(CHECK_LOAD, 2, at_b);
    expect(0, 1);
}

static void with_its_own_lock_in_both(void)
{
    begin();
    lock(0, 2, true), operate(CHECK_PUT, 0, 2, at_a), unlock(0, 2);
    message(0, 2);
    lock(2, 2, false), touch(CHECK_LOAD, 2, at_b), unlock(2, 2);
    expect(0, 0);
}

static void a_flush_completes_and_a_local_flush_does_not(void)
{
    for (int local = 0; local < 2; local++) {
        begin();
        for (int i = 0; i < RANKS; i++) lock(i, -1, false);
        operate(CHECK_PUT, 0, 2, at_a), flush(0, 2, local), message(0, 1);
        operate(CHECK_GET, 1, 2, at_b);
        for (int i = 0; i < RANKS; i++) unlock(i, -1);
        expect(local, 0);
    }
}

static void a_late_store_is_an_error_of_the_separate_model(void)
{
    for (int synced = 0; synced < 2; synced++) {
        begin();
        for (int i = 0; i < RANKS; i++) lock(i, -1, false);
        touch(CHECK_STORE, 2, at_a);
        if (synced) sync_copies(2);
        message(2, 1);
        operate(CHECK_GET, 1, 2, at_b);
        for (int i = 0; i < RANKS; i++) unlock(i, -1);
        expect(0, !synced);
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void a_get_s_buffer_is_used_before_the_unlock(void)
{
    begin();
    lock(0, 2, false), operate(CHECK_GET, 0, 2, at_a);
    check_access(0, (uintptr_t)own[0], 8, CHECK_LOAD, NULL, at_b, 0);
    unlock(0, 2);
    check_access(0, (uintptr_t)own[0], 8, CHECK_LOAD, NULL, 0x300, 0);
    expect(1, 0);
}

static void a_put_s_buffer_may_be_loaded_but_not_stored(void)
{
    begin();
    lock(0, 2, false), operate(CHECK_PUT, 0, 2, at_a);
    check_access(0, (uintptr_t)own[0], 8, CHECK_LOAD, NULL, 0x300, 0);
    check_access(0, (uintptr_t)own[0], 8, CHECK_STORE, NULL, at_b, 0);
    unlock(0, 2), expect(1, 0);
}

static void a_local_flush_frees_the_buffer(void)
{
    begin();
    lock(0, 2, false), operate(CHECK_PUT, 0, 2, at_a), flush(0, 2, true);
    check_access(0, (uintptr_t)own[0], 8, CHECK_STORE, NULL, at_b, 0);
    unlock(0, 2), expect(0, 0);
}

/* ---- atomics --------------------------------------------------------------------------------- */

/* Rank 0 puts to 2 and raises a flag at 3; rank 1 sees it and gets. */
static void flag(bool flushed, int errors)
{
    begin();
    for (int i = 0; i < RANKS; i++) lock(i, -1, false);
    operate(CHECK_PUT, 0, 2, at_a);
    if (flushed) flush(0, 2, false);
    uint64_t raise = operate(CHECK_ACCUMULATE, 0, 3, 0x300);
    check_performed(raise);
    uint64_t look = operate(CHECK_FETCH, 1, 3, 0x304);
    check_performed(look), flush(1, 3, false);
    operate(CHECK_GET, 1, 2, at_b);
    for (int i = 0; i < RANKS; i++) unlock(i, -1);
    expect(errors, 0);
}

static void a_flag_raised_after_a_flush_carries_order(void) { flag(true, 0); }
static void a_flag_raised_without_it_does_not(void) { flag(false, 1); }

/* ---- post, start, complete, wait ------------------------------------------------------------- */

static void post_and_wait_order_the_target(void)
{
    const int zero[] = {0}, two[] = {2};
    begin();
    const struct check_call target = call_of(2, 0), origin = call_of(0, 0);
    touch(CHECK_STORE, 2, 0x300);
    check_post(&target, zero, 1);
    check_start(&origin, two, 1);
    operate(CHECK_PUT, 0, 2, at_a);
    check_complete(&origin), check_returned(&origin);
    check_waited(&target);
    touch(CHECK_LOAD, 2, 0x304);
    expect(0, 0);
}

static void a_load_between_post_and_wait_conflicts(void)
{
    const int zero[] = {0}, two[] = {2};
    begin();
    const struct check_call target = call_of(2, 0), origin = call_of(0, 0);
    check_post(&target, zero, 1);
    check_start(&origin, two, 1);
    operate(CHECK_PUT, 0, 2, at_a);
    check_complete(&origin), check_returned(&origin);
    touch(CHECK_LOAD, 2, at_b);
    check_waited(&target);
    expect(1, 0);
}

/* "MPI_WIN_COMPLETE enforces completion of preceding RMA calls at the origin, but not at the
 * target" */
static void a_load_behind_complete_and_before_wait_conflicts(void)
{
    const int zero[] = {0}, two[] = {2};
    for (int gets = 0; gets < 2; gets++) {
        begin();
        const struct check_call target = call_of(2, 0), origin = call_of(0, 0);
        check_post(&target, zero, 1);
        check_start(&origin, two, 1);
        operate(gets ? CHECK_GET : CHECK_PUT, 0, 2, at_a);
        check_complete(&origin), check_returned(&origin);
        barrier();
        touch(gets ? CHECK_STORE : CHECK_LOAD, 2, at_b);
        check_waited(&target);
        touch(CHECK_LOAD, 2, 0x300);
        expect(!gets, 0);
    }
}

static void a_nocheck_start_needs_a_post_it_knows_of(void)
{
    const int zero[] = {0}, two[] = {2};
    for (int told = 0; told < 2; told++) {
        begin();
        const struct check_call target = call_of(2, 0), origin = call_of(0, CHECK_NOCHECK);
        check_post(&target, zero, 1);
        if (told) message(2, 0);
        check_start(&origin, two, 1);
        check_complete(&origin), check_returned(&origin);
        check_waited(&target);
        expect(!told, 0);
    }
}

/* ---- asserts --------------------------------------------------------------------------------- */

static void asserts_that_lie_are_errors(void)
{
    begin(), fence();
    touch(CHECK_STORE, 2, at_a), fence_with(CHECK_NOSTORE), expect(1, 0);
    begin(), fence();
    operate(CHECK_PUT, 0, 2, at_a), fence_with(CHECK_NOPRECEDE), expect(1, 0);
    begin(), fence_with(CHECK_NOPUT);
    operate(CHECK_PUT, 0, 2, at_a), fence(), expect(1, 0);
    begin(), fence_with(CHECK_NOPUT | CHECK_NOSTORE);
    operate(CHECK_GET, 0, 2, at_a), fence_with(CHECK_NOSTORE | CHECK_NOSUCCEED), expect(0, 0);
}

/* ---- synchronous sends ----------------------------------------------------------------------- */

static void receives(int rank, int from)
{
    const struct check_comm here = {everybody, 0, RANKS, rank};
    check_receiving(rank, &here, from, 0, 0x900);
}

/* Rank 0 gets once its send to rank 1 is complete. */
static void sends_synchronously_and_gets(void)
{
    const struct check_comm here = {everybody, 0, RANKS, 0};
    check_sent(0, &here, 1, 0, true);
    check_rendezvous(0, &here, 1, 0);
    operate(CHECK_GET, 0, 2, at_b);
}

static void put_of_rank_1(void) { operate(CHECK_PUT, 1, 2, at_a), flush(1, 2, false); }

static void a_synchronous_send_is_behind_what_comes_before_the_receive_that_takes_it(void)
{
    begin(), lock(1, 2, false), lock(0, 2, false);
    put_of_rank_1(), receives(1, 0), sends_synchronously_and_gets();
    expect(0, 0);
}

static void and_not_behind_what_comes_before_a_later_receive(void)
{
    begin(), lock(1, 2, false), lock(0, 2, false);
    receives(1, -1), put_of_rank_1(), receives(1, 3), sends_synchronously_and_gets();
    expect(1, 0);
}

UNIT_SUITE(check_epochs, UNIT_TEST(exclusive_locks_exclude), UNIT_TEST(shared_locks_do_not),
           UNIT_TEST(the_order_of_grants_orders_nothing_outside),
           UNIT_TEST(a_value_read_under_the_lock_does),
           UNIT_TEST(an_atomic_under_the_lock_is_behind_the_epoch_whose_value_it_returns),
           UNIT_TEST(a_get_that_waits_for_its_lock_is_behind_the_epoch_whose_value_it_returns),
           UNIT_TEST(a_local_load_without_the_lock_conflicts),
           UNIT_TEST(a_barrier_behind_the_unlock_orders_it_in_the_unified_model),
           UNIT_TEST(with_its_own_lock_in_both),
           UNIT_TEST(a_flush_completes_and_a_local_flush_does_not),
           UNIT_TEST(a_late_store_is_an_error_of_the_separate_model),
           UNIT_TEST(a_get_s_buffer_is_used_before_the_unlock),
           UNIT_TEST(a_put_s_buffer_may_be_loaded_but_not_stored),
           UNIT_TEST(a_local_flush_frees_the_buffer),
           UNIT_TEST(a_flag_raised_after_a_flush_carries_order),
           UNIT_TEST(a_flag_raised_without_it_does_not), UNIT_TEST(post_and_wait_order_the_target),
           UNIT_TEST(a_load_between_post_and_wait_conflicts),
           UNIT_TEST(a_load_behind_complete_and_before_wait_conflicts),
           UNIT_TEST(a_nocheck_start_needs_a_post_it_knows_of),
           UNIT_TEST(asserts_that_lie_are_errors),
           UNIT_TEST(a_synchronous_send_is_behind_what_comes_before_the_receive_that_takes_it),
           UNIT_TEST(and_not_behind_what_comes_before_a_later_receive))
