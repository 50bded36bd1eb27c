/* kern/parts: what times are made of. */
#include "kern/cause/cause.h"
#include "unit.h"

static const double latency = 2, overhead = 1;

static double part(const struct kern_parts *parts, const double *of)
{
    for (int i = 0; kern_parts_of(i); i++)
        if (kern_parts_of(i) == of) return parts->time_s[i];
    return 0;
}

static void a_date_is_made_of_what_was_noted_and_of_what_its_rank_owes_then(void)
{
    kern_parts_on = true;
    struct kern_parts owed = {0}, sum = {0};
    kern_parts_add(&owed, &overhead, 3);
    kern_parts_owed(&owed, 4, 10);
    kern_parts_note(&latency, 2);
    struct kern_parts_list *list = kern_parts_take(6, 4, 10);
    kern_parts_join(&sum, list, 1);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &latency), 2, 0);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &overhead), 3, 0);
    g_free(list);
    /* another rank, another date: nothing is owed, and nothing is left of what was noted */
    UNIT_EQUAL(kern_parts_take(6, 3, 10) == NULL, true);
    UNIT_EQUAL(kern_parts_take(6, 4, 11) == NULL, true);
    kern_cause_clear();
}

static void what_is_noted_is_never_more_than_the_stretch(void)
{
    kern_parts_on = true;
    struct kern_parts sum = {0};
    kern_parts_note(&latency, 6);
    kern_parts_note(&overhead, 2);
    struct kern_parts_list *list = kern_parts_take(4, -1, 0);
    kern_parts_join(&sum, list, 1);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &latency), 3, 0);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &overhead), 1, 0);
    g_free(list);
    kern_cause_clear();
}

static void what_comes_earlier_by_a_number_is_late_when_that_is_small(void)
{
    kern_parts_on = true;
    struct kern_parts owed = {0}, sum = {0};
    kern_parts_add(&owed, &overhead, 5);
    kern_parts_owed(&owed, 4, 10);
    kern_parts_note(&latency, -2);
    struct kern_parts_list *list = kern_parts_take(3, 4, 10);
    kern_parts_join(&sum, list, 1);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &latency), -2, 0);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &overhead), 5, 0);
    g_free(list);
    kern_cause_clear();
}

/* The links of a chain that is too long go, what they were made of stays. */
static void the_parts_of_a_chain_that_was_cut_are_those_of_all_of_it(void)
{
    enum { MADE = 5000 };
    kern_parts_on = true;
    kern_cause_longest(100);
    const struct kern_cause *at = NULL;
    for (int i = 0; i < MADE; i++) {
        kern_parts_note(i % 4 ? &latency : &overhead, 1);
        const struct kern_cause *next = kern_cause_event(at, KERN_NETWORK, -1, i, i + 1);
        kern_cause_unref(at);
        at = next;
    }
    struct kern_parts sum = {0};
    kern_cause_parts(at, MADE, &sum);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &latency), 0.75 * MADE, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &overhead), 0.25 * MADE, 1e-6);
    kern_cause_unref(at);
    kern_cause_clear();
}

static void an_act_is_made_of_what_its_rank_paid_since_it_woke(void)
{
    kern_parts_on = true;
    struct kern_spent spent = {0};
    struct kern_parts paid = {0}, sum = {0};
    kern_cause_begin(2, &spent, &paid);
    kern_parts_add(&paid, &overhead, 5);
    kern_cause_woke(2, 5, 5, NULL, -1);
    kern_parts_add(&paid, &overhead, 1);
    kern_parts_add(&paid, &latency, 3);
    const struct kern_cause *act = kern_cause_here(2, 9);
    kern_cause_parts(act, 9, &sum);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &overhead), 1, 0);
    CU_ASSERT_DOUBLE_EQUAL(part(&sum, &latency), 3, 0);
    kern_cause_unref(act);
    kern_cause_clear();
}

UNIT_SUITE(kern_parts, UNIT_TEST(a_date_is_made_of_what_was_noted_and_of_what_its_rank_owes_then),
           UNIT_TEST(what_is_noted_is_never_more_than_the_stretch),
           UNIT_TEST(what_comes_earlier_by_a_number_is_late_when_that_is_small),
           UNIT_TEST(the_parts_of_a_chain_that_was_cut_are_those_of_all_of_it),
           UNIT_TEST(an_act_is_made_of_what_its_rank_paid_since_it_woke))
