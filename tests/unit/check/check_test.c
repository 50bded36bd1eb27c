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

UNIT_SUITE(check, UNIT_TEST(two_puts_to_one_word_in_one_fence_epoch_conflict),
           UNIT_TEST(puts_to_different_words_do_not), UNIT_TEST(a_fence_orders_what_it_separates),
           UNIT_TEST(one_origin_s_own_puts_are_not_ordered),
           UNIT_TEST(accumulates_of_one_operation_may_be_concurrent),
           UNIT_TEST(accumulates_of_two_operations_may_not),
           UNIT_TEST(a_load_before_the_fence_that_ends_the_put_s_epoch_conflicts),
           UNIT_TEST(a_store_beside_a_put_breaks_the_separate_model_only),
           UNIT_TEST(a_barrier_completes_no_operation),
           UNIT_TEST(a_fence_that_precedes_nothing_is_no_barrier))
