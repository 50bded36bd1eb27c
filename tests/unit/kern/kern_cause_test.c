/* kern/cause: what led to what, and how much of it is kept. */
#include "kern/cause/cause.h"
#include "unit.h"

static void an_act_remembers_what_woke_its_rank_and_what_was_spent_since(void)
{
    struct kern_spent spent = {1, 2, 3};
    kern_cause_begin(4, &spent, NULL);
    kern_cause_site(4, 0x10, 0);
    const struct kern_cause *event = kern_cause_event(NULL, KERN_NETWORK, -1, 5, 6);
    kern_cause_woke(4, 6, 6, event, 7);
    kern_cause_site(4, 0x20, 0x30);
    spent = (struct kern_spent){1.5, 2, 3.25};
    const struct kern_cause *act = kern_cause_here(4, 8), *again = kern_cause_here(4, 8);
    UNIT_EQUAL(act == again, true);
    UNIT_EQUAL(act->before == event, true);
    UNIT_EQUAL(act->from, 0x10);
    UNIT_EQUAL(act->site, 0x20);
    UNIT_EQUAL(act->about, 0x30);
    UNIT_EQUAL(act->waited_for, 7);
    CU_ASSERT_DOUBLE_EQUAL(act->from_s, 6, 0);
    CU_ASSERT_DOUBLE_EQUAL(act->spent.compute_s, 0.5, 0);
    CU_ASSERT_DOUBLE_EQUAL(act->spent.service_s, 0.25, 0);
    kern_cause_unref(again);
    kern_cause_unref(act);
    kern_cause_unref(event);
    kern_cause_clear();
}

static void outside_ranks_the_event_that_is_handled_leads_to_what_is_set(void)
{
    const struct kern_cause *first = kern_cause_event(NULL, KERN_NETWORK, -1, 0, 1);
    kern_cause_handle(first);
    const struct kern_cause *here = kern_cause_here(-1, 1),
                            *next = kern_cause_event(here, KERN_SERVICE, 2, 1, 3);
    UNIT_EQUAL(next->before == first, true);
    kern_cause_handle(NULL);
    UNIT_EQUAL(kern_cause_here(-1, 3) == NULL, true);
    kern_cause_unref(here);
    kern_cause_unref(next);
    kern_cause_unref(first);
}

/* A run that goes on for ever must not keep all of it. */
static void a_long_chain_is_cut_between_once_and_twice_the_length_that_is_kept(void)
{
    enum { KEPT = 100, MADE = 100000 };
    kern_cause_longest(KEPT);
    const struct kern_cause *at = NULL;
    for (int i = 0; i < MADE; i++) {
        const struct kern_cause *next = kern_cause_event(at, KERN_NETWORK, -1, i, i + 1);
        kern_cause_unref(at);
        at = next;
        int length = 0;
        for (const struct kern_cause *c = at; c; c = c->before) length++;
        if (length < MIN(i + 1, KEPT) || length > 2 * KEPT + 1) {
            UNIT_EQUAL(length, KEPT);
            break;
        }
    }
    kern_cause_unref(at);
    kern_cause_clear();
}

UNIT_SUITE(kern_cause, UNIT_TEST(an_act_remembers_what_woke_its_rank_and_what_was_spent_since),
           UNIT_TEST(outside_ranks_the_event_that_is_handled_leads_to_what_is_set),
           UNIT_TEST(a_long_chain_is_cut_between_once_and_twice_the_length_that_is_kept))
