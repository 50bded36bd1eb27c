/* coh: every protocol of the family is walked through all it can reach; broken tables are caught.
 * No member is named in the conformance tests, so a new one is tested before its author writes a
 * test. */
#include "coh/coh.h"

#include <glib.h>
#include <string.h>

#include "unit.h"

static void every_member_is_found_by_its_name_and_has_no_fault(void)
{
    size_t n;
    const struct coh_protocol *const *all = coh_all(&n);
    UNIT_EQUAL(n > 0, true);
    for (size_t i = 0; i < n; i++) {
        UNIT_EQUAL(coh_find(all[i]->name) == all[i], true);
        g_autofree char *fault = coh_fault(all[i]);
        UNIT_STRING(fault ? fault : "", "");
    }
    UNIT_EQUAL(coh_find("no such protocol") == NULL, true);
}

/* Number of reachable combinations; failed when the explorer finds fault. */
static size_t explored(const struct coh_protocol *p, int caches)
{
    g_autofree char *why = NULL;
    size_t reached = coh_explore(p, caches, &why);
    UNIT_STRING(why ? why : "", "");
    return reached;
}

static void every_coherent_member_is_safe_for_two_three_and_four_caches(void)
{
    size_t n;
    const struct coh_protocol *const *all = coh_all(&n);
    for (size_t i = 0; i < n; i++) {
        if (!all[i]->coherent) continue;
        size_t before = explored(all[i], 1);
        for (int caches = 2; caches <= 4; caches++) {
            size_t reached = explored(all[i], caches);
            UNIT_EQUAL(reached > before, true);
            before = reached;
        }
    }
}

static void every_state_a_member_declares_is_reached_by_two_caches(void)
{
    /* A state is reached when making its row illegal breaks the protocol. */
    size_t n;
    const struct coh_protocol *const *all = coh_all(&n);
    for (size_t i = 0; i < n; i++)
        for (int state = COH_S; state < COH_STATES; state++) {
            if (!(all[i]->states & 1u << state)) continue;
            struct coh_protocol broken = *all[i];
            for (int event = 0; event < COH_EVENTS; event++)
                broken.table[state][event].actions |= COH_ILLEGAL;
            UNIT_EQUAL(coh_explore(&broken, 2, NULL), 0);
        }
}

static void a_member_without_coherence_is_safe_alone_and_shows_old_values_in_company(void)
{
    size_t n;
    const struct coh_protocol *const *all = coh_all(&n);
    for (size_t i = 0; i < n; i++) {
        if (all[i]->coherent) continue;
        UNIT_EQUAL(explored(all[i], 1) > 0, true);
        g_autofree char *why = NULL;
        UNIT_EQUAL(coh_explore(all[i], 2, &why), 0);
        UNIT_EQUAL(why && strstr(why, "old value"), true);
    }
}

/* A copy of a known protocol with one step changed: what the explorer says of it, for three caches.
 */
static char *verdict(const char *name, enum coh_state state, enum coh_event event,
                     enum coh_state next, unsigned actions)
{
    struct coh_protocol broken = *coh_find(name);
    broken.table[state][event] = (struct coh_step){next, COH_GIVEN | actions};
    char *why = NULL;
    size_t reached = coh_explore(&broken, 3, &why);
    return reached ? g_strdup("safe") : why;
}

#define BROKEN(name, state, event, next, actions, expected)                                        \
    do {                                                                                           \
        g_autofree char *why = verdict(name, state, event, next, actions);                         \
        const char *end = strstr(why, "then ");                                                    \
        UNIT_STRING(end ? end : why, "then " expected);                                            \
    } while (0)

static void a_dropped_write_back_is_caught(void)
{
    BROKEN("msi", COH_M, COH_EVICT, COH_I, 0, "the last value stored is lost");
    BROKEN("moesi", COH_O, COH_EVICT, COH_I, 0, "a processor sees an old value");
}

static void a_read_of_a_modified_line_must_be_supplied_and_written_back(void)
{
    BROKEN("msi", COH_M, COH_SNOOP_READ, COH_S, 0, "a processor sees an old value");
    BROKEN("mesi", COH_M, COH_SNOOP_READ, COH_S, COH_SUPPLY, "a processor sees an old value");
}

static void a_silent_store_to_a_shared_line_is_caught(void)
{
    BROKEN("msi", COH_S, COH_STORE, COH_M, 0,
           "an exclusive or modified line is in another cache too");
}

static void a_copy_that_survives_another_s_store_is_caught(void)
{
    BROKEN("mesi", COH_S, COH_SNOOP_OWN, COH_S, 0,
           "an exclusive or modified line is in another cache too");
}

static void a_line_read_as_exclusive_while_others_hold_it_is_caught(void)
{
    BROKEN("mesi", COH_I, COH_LOAD_SHARED, COH_E, COH_BUS_READ,
           "an exclusive or modified line is in another cache too");
}

static void two_owners_are_caught(void)
{
    BROKEN("moesi", COH_S, COH_SNOOP_READ, COH_O, 0, "a line has two owners");
}

static void an_illegal_pair_that_is_reached_is_caught(void)
{
    BROKEN("msi", COH_S, COH_STORE, COH_I, COH_ILLEGAL, "an illegal pair is reached");
}

static void the_path_to_a_broken_invariant_is_a_shortest_one(void)
{
    g_autofree char *why = verdict("msi", COH_M, COH_EVICT, COH_I, 0);
    UNIT_STRING(why,
                "[III] cache 0 stores; [MII] cache 0 evicts; then the last value stored is lost");
}

static void the_number_of_combinations_of_msi_is_that_counted_by_hand(void)
{
    /* Two caches, each I, S or M, with memory up to date or not. Before any store memory is fresh:
     * II, SI, IS, SS (4). After one: MI, IM with memory old (2). A modified line read by the other
     * is written back and both are S, as before. An evicted one leads back to II. Copies in S
     * always hold the last value. */
    UNIT_EQUAL(explored(coh_find("msi"), 2), 6);
    UNIT_EQUAL(explored(coh_find("mesi"), 2), 8); /* and EI, IE */
}

static void start_up_refuses_tables_with_holes(void)
{
    struct coh_protocol broken = *coh_find("moesi");
    broken.table[COH_O][COH_STORE] = (struct coh_step){0};
    g_autofree char *hole = coh_fault(&broken);
    UNIT_STRING(hole ? hole : "", "moesi: [O][STORE] is a hole");
    broken = *coh_find("mesi");
    broken.states &= ~(1u << COH_E);
    g_autofree char *unused = coh_fault(&broken);
    UNIT_STRING(unused ? unused : "", "mesi: [I][LOAD] leads to a state not used");
    broken = *coh_find("msi");
    broken.table[COH_S][COH_LOAD] = (struct coh_step){COH_I, COH_GIVEN};
    g_autofree char *dropped = coh_fault(&broken);
    UNIT_STRING(dropped ? dropped : "",
                "msi: [S][LOAD] leaves the processor without the requested line");
    broken = *coh_find("msi");
    broken.source = NULL;
    g_autofree char *anonymous = coh_fault(&broken);
    UNIT_EQUAL(anonymous != NULL, true);
}

UNIT_SUITE(coh, UNIT_TEST(every_member_is_found_by_its_name_and_has_no_fault),
           UNIT_TEST(every_coherent_member_is_safe_for_two_three_and_four_caches),
           UNIT_TEST(every_state_a_member_declares_is_reached_by_two_caches),
           UNIT_TEST(a_member_without_coherence_is_safe_alone_and_shows_old_values_in_company),
           UNIT_TEST(a_dropped_write_back_is_caught),
           UNIT_TEST(a_read_of_a_modified_line_must_be_supplied_and_written_back),
           UNIT_TEST(a_silent_store_to_a_shared_line_is_caught),
           UNIT_TEST(a_copy_that_survives_another_s_store_is_caught),
           UNIT_TEST(a_line_read_as_exclusive_while_others_hold_it_is_caught),
           UNIT_TEST(two_owners_are_caught), UNIT_TEST(an_illegal_pair_that_is_reached_is_caught),
           UNIT_TEST(the_path_to_a_broken_invariant_is_a_shortest_one),
           UNIT_TEST(the_number_of_combinations_of_msi_is_that_counted_by_hand),
           UNIT_TEST(start_up_refuses_tables_with_holes))
