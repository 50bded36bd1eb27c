/* The judge of one-sided communication: fences, and which accesses conflict. */
#include "check/history.h"

/* ---- fence ----------------------------------------------------------------------------------- */

static void two_puts_to_one_word_in_one_fence_epoch_conflict(void)
{
    begin(), fence();
    operate(CHECK_PUT, 0, 2, at_a), operate(CHECK_PUT, 1, 2, at_b);
    fence();
    UNIT_EQUAL(check_findings(), 1);
    UNIT_EQUAL(check_finding_get(0)->first.site, at_a);
    UNIT_EQUAL(check_finding_get(0)->then.site, at_b);
    UNIT_EQUAL(check_finding_get(0)->bytes, 8);
    expect(1, 0);
}

static void puts_to_different_words_do_not(void)
{
    begin(), fence();
    operate_with(CHECK_PUT, 0, 2, 0, at_a, NULL), operate_with(CHECK_PUT, 1, 2, 8, at_b, NULL);
    fence(), expect(0, 0);
}

static void a_fence_orders_what_it_separates(void)
{
    begin(), fence();
    operate(CHECK_PUT, 0, 2, at_a), fence(), operate(CHECK_PUT, 1, 2, at_b);
    fence();
    touch(CHECK_LOAD, 2, 0x300), touch(CHECK_STORE, 2, 0x304);
    fence(), expect(0, 0);
}

static void one_origin_s_own_puts_are_not_ordered(void)
{
    begin(), fence();
    operate(CHECK_PUT, 0, 2, at_a), operate(CHECK_PUT, 0, 2, at_b);
    fence(), expect(1, 0);
}

static void accumulates_of_one_operation_may_be_concurrent(void)
{
    begin(), fence();
    operate(CHECK_ACCUMULATE, 0, 2, at_a), operate(CHECK_ACCUMULATE, 1, 2, at_b);
    fence(), expect(0, 0);
}

static void accumulates_of_two_operations_may_not(void)
{
    begin(), fence();
    operate_with(CHECK_ACCUMULATE, 0, 2, 0, at_a, "sum");
    operate_with(CHECK_ACCUMULATE, 1, 2, 0, at_b, "product");
    fence(), expect(1, 0);
}

static void a_load_before_the_fence_that_ends_the_put_s_epoch_conflicts(void)
{
    begin(), fence();
    operate(CHECK_PUT, 0, 2, at_a), touch(CHECK_LOAD, 2, at_b);
    fence(), expect(1, 0);
}

static void a_store_beside_a_put_breaks_the_separate_model_only(void)
{
    begin(), fence();
    operate_with(CHECK_PUT, 0, 2, 8, at_a, NULL), touch(CHECK_STORE, 2, at_b);
    fence(), expect(0, 1);
}

static void a_barrier_completes_no_operation(void)
{
    begin(), fence();
    operate(CHECK_PUT, 0, 2, at_a), barrier(), operate(CHECK_GET, 1, 2, at_b);
    fence(), expect(1, 0);
}

static void a_fence_that_precedes_nothing_is_no_barrier(void)
{
    begin(), fence();
    operate(CHECK_GET, 0, 2, at_a), fence();
    touch(CHECK_LOAD, 2, at_a), fence_with(CHECK_NOPRECEDE);
    operate(CHECK_PUT, 1, 2, at_b);
    fence(), expect(0, 0);
}

/* ---- buffers on the stack ---------------------------------------------------------------------
 */

/* A put out of 8 bytes of the origin's stack. */
static void put_from_the_stack(int rank, uintptr_t from, int64_t offset, op_site site)
{
    const struct op_piece there = {offset, 8}, here = {0, 8};
    const struct op_layout target_layout = {&there, 1, 8, offset, offset + 8},
                           origin_layout = {&here, 1, 8, 0, 8};
    check_operation(
        &(struct check_operation){.kind = CHECK_PUT,
                                  .win = win,
                                  .win_rank = rank,
                                  .target = 2,
                                  .call = "MPI_Put",
                                  .site = site,
                                  .there = {(uintptr_t)memory[2], &target_layout},
                                  .origin = {from, &origin_layout},
                                  .stack = {(uintptr_t)own[rank], (uintptr_t)own[rank] + 4096}});
}

static void a_function_that_returns_too_early_is_an_error_whatever_else_its_epoch_has(void)
{
    for (int stores = 0; stores < 2; stores++) {
        begin(), lock(0, 2, true);
        put_from_the_stack(0, (uintptr_t)own[0] + 64, 0, at_a);
        put_from_the_stack(0, (uintptr_t)own[0] + 128, 8, at_b);
        if (stores) check_access(0, (uintptr_t)own[0] + 64, 8, CHECK_STORE, NULL, 0x300, 0);
        check_unwound(0, (uintptr_t)own[0] + 256, "MPI_Win_unlock", 0x304, 0);
        unlock(0, 2), expect(2, 0);
    }
}

UNIT_SUITE(check, UNIT_TEST(two_puts_to_one_word_in_one_fence_epoch_conflict),
           UNIT_TEST(puts_to_different_words_do_not), UNIT_TEST(a_fence_orders_what_it_separates),
           UNIT_TEST(one_origin_s_own_puts_are_not_ordered),
           UNIT_TEST(accumulates_of_one_operation_may_be_concurrent),
           UNIT_TEST(accumulates_of_two_operations_may_not),
           UNIT_TEST(a_load_before_the_fence_that_ends_the_put_s_epoch_conflicts),
           UNIT_TEST(a_store_beside_a_put_breaks_the_separate_model_only),
           UNIT_TEST(a_barrier_completes_no_operation),
           UNIT_TEST(a_fence_that_precedes_nothing_is_no_barrier),
           UNIT_TEST(a_function_that_returns_too_early_is_an_error_whatever_else_its_epoch_has))
