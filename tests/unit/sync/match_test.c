/* Matching over serve and move, on small worlds: the PUT/ACCEPT proposal's semantics on every kind
 * of machine. */
#include <CUnit/CUnit.h>
#include <math.h>
#include <string.h>

#include "move/control/control.h"
#include "match_scene.h"
#include "unit.h"

/* ---- values ---------------------------------------------------------------------------------- */

static void early_and_late(int rank, void *data)
{
    struct scene *s = data;
    for (int late = 0; late < 2; late++) {
        int tag = 5 + late, cells = late ? 40 : 3;
        if (rank == 0 && late) compute(s, 0, 1e-3);
        if (rank == 1 && !late) compute(s, 1, 1e-3);
        if (rank == 0) {
            ask(s, 0, SYNC_PUT, false, 1, 10, cells, tag, 0);
            accept(s, 0, 0, tag, 0);
            ask(s, 0, SYNC_GET, false, 1, 10, cells, tag, 100);
            offer(s, 0, 0, tag, 0);
            for (int i = 0; i < cells; i++) expect(s, s->buffer[0][100 + i] == s->buffer[0][i]);
        } else if (rank == 1) {
            accept(s, 1, CELLS, tag, 1);
            for (int i = 0; i < cells; i++) expect(s, s->memory[1][10 + i] == 1000 + i);
            offer(s, 1, CELLS, tag, 1);
        }
    }
}

static void requests_before_and_after_their_servicer_arrive(void)
{
    EVERYWHERE(early_and_late) NOWHERE_ELSE
}

/* ---- "will be serviced in the order in which they are issued" -------------------------------- */

static void in_order(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        ask(s, 0, SYNC_PUT, true, 1, 0, 100, 1, 0); /* a long one first */
        for (int i = 1; i < 6; i++) ask(s, 0, SYNC_PUT, i < 5, 1, 0, 1, 1, i);
        accept(s, 0, 0, 1, 0);
    } else if (rank == 1) {
        compute(s, 1, 50e-6);
        accept(s, 1, CELLS, 1, 1);
        expect(s, s->memory[1][0] == 1005 && s->memory[1][99] == 1099);
    }
}

static void requests_of_one_origin_are_serviced_in_order(void) { EVERYWHERE(in_order) NOWHERE_ELSE }

/* ---- kinds, tags, counts --------------------------------------------------------------------- */

static void kinds_apart(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        ask(s, 0, SYNC_PUTC, false, 1, 0, 1, 1, 7);
        ask(s, 0, SYNC_PUT, false, 1, 1, 1, 2, 8);
        ask(s, 0, SYNC_PUT, false, 1, 2, 1, 1, 9);
        ask(s, 0, SYNC_GET, false, 1, 3, 1, 1, 10);
    } else if (rank == 1) {
        compute(s, 1, 1e-3);
        accept(s, 1, CELLS, 1, 1);
        expect(s, s->memory[1][0] == 0 && s->memory[1][1] == 0 && s->memory[1][2] == 1009);
    }
}

static void other_kinds_and_tags_do_not_match(void) { EVERYWHERE(kinds_apart) NOWHERE_ELSE }

static void exact(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        for (int i = 0; i < 5; i++) ask(s, 0, SYNC_PUT, false, 1, i, 1, 1, i);
        accept(s, 0, 0, 1, 0);
    } else if (rank == 1) {
        compute(s, 1, 1e-3);
        accept(s, 1, CELLS, 1, 2);
        expect(s, s->memory[1][1] == 1001 && s->memory[1][2] == 0);
        accept(s, 1, CELLS, 1, 3);
        expect(s, s->memory[1][4] == 1004);
    }
}

static void what_exceeds_the_count_stays_for_the_next(void) { EVERYWHERE(exact) NOWHERE_ELSE }

/* ---- AVAIL ----------------------------------------------------------------------------------- */

static void avail(int rank, void *data)
{
    struct scene *s = data;
    const unsigned both = 1u << SYNC_PUT | 1u << SYNC_GET;
    if (rank == 0) {
        ask(s, 0, SYNC_PUT, true, 1, 0, 1, 1, 0);
        ask(s, 0, SYNC_GET, false, 1, 5, 1, 1, 50);
        compute(s, 0, 1e-3);
        ask(s, 0, SYNC_PUT, false, 1, 1, 1, 1, 1);
        accept(s, 0, 0, 1, 0);
        offer(s, 0, 0, 1, 0);
        expect(s, s->buffer[0][50] == 77);
    } else if (rank == 1) {
        s->memory[1][5] = 0;
        finish(s, 1, post(s, 1, both, CELLS, 1, 0 + 1));
        expect(s, s->memory[1][0] == 1000 && s->memory[1][1] == 1001);
        s->memory[1][5] = 77; /* had the GET been mixed in, it would have got 0 */
        finish(s, 1, post(s, 1, both, CELLS, 1, 1));
    }
}

static void an_avail_never_mixes_puts_and_gets(void) { EVERYWHERE(avail) NOWHERE_ELSE }

/* ---- transfers beyond the size --------------------------------------------------------------- */

static void beyond(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        ask(s, 0, SYNC_PUT, false, 1, 8, 3, 1, 0);
        ask(s, 0, SYNC_PUT, false, 1, -1, 1, 1, 0);
        ask(s, 0, SYNC_GET, false, 1, 10, 1, 2, 0);
        accept(s, 0, 0, 1, 0);
        expect(s, s->error[0] && strstr(s->error[0], "rank 1"));
        offer(s, 0, 0, 2, 0);
        expect(s, s->error[0] && s->buffer[0][0] == 1000);
    } else if (rank == 1) {
        accept(s, 1, 10, 1, 2);
        expect(s, s->error[1] && strstr(s->error[1], "rank 0"));
        for (int i = 0; i < CELLS; i++) expect(s, s->memory[1][i] == 0);
        offer(s, 1, 10, 2, 1);
        expect(s, s->error[1] != NULL);
    }
}

static void a_transfer_beyond_the_size_is_an_error_at_both_ends(void)
{
    EVERYWHERE(beyond)
    CU_ASSERT_EQUAL(findings_violation_count(), 3);
    NOWHERE_ELSE
}

/* ---- collective ------------------------------------------------------------------------------ */

static void collective(int rank, void *data)
{
    struct scene *s = data;
    for (int round = 0; round < 3; round++) {
        struct sync_servicer *servicer = post(s, rank, 1u << SYNC_PUTC, CELLS, 1, 0);
        /* others are a round ahead meanwhile, if they can be */
        if (rank == round) compute(s, rank, 1e-3);
        for (int target = 0; target < RANKS; target++)
            if (target <= rank)
                ask(s, rank, SYNC_PUTC, false, target, 10 * round + rank, 1, 1, round);
        finish(s, rank, servicer);
        for (int origin = 0; origin < RANKS; origin++)
            expect(s, s->memory[rank][10 * round + origin] ==
                          (rank <= origin ? 1000 * (origin + 1) + round : 0));
        expect(s, s->memory[rank][10 * (round + 1)] == 0);
    }
}

static void collective_servicers_complete_by_totalled_counts(void)
{
    EVERYWHERE(collective) NOWHERE_ELSE
}

/* One process more in every doubling costs one round of messages each way. */
static void totals_take_logarithmic_time(void)
{
    struct engine e;
    engine_open(&e, "now", (const char *const[]){NULL}, 16);
    double two = move_total(e.move, 2), four = move_total(e.move, 4),
           sixteen = move_total(e.move, 16);
    CU_ASSERT(two > 0);
    CU_ASSERT_DOUBLE_EQUAL(four / two, 2, 0.1);
    /* the vector grows, too; one message from each would be 15 times */
    CU_ASSERT(sixteen >= 4 * two && sixteen < 6 * two);
    engine_close(&e);
}

/* ---- servicers that nobody waits for --------------------------------------------------------- */

static void freed(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        ask(s, 0, SYNC_PUT, false, 1, 0, 4, 1, 0);
        sync_servicer_detach(post(s, 0, 1u << SYNC_PUT, CELLS, 1, 1));
    } else if (rank == 1) {
        ask(s, 1, SYNC_PUT, false, 0, 0, 4, 1, 0);
        /* the other one's servicer has all it wants but its own request */
        compute(s, 1, 1e-3);
        expect(s, sync_guards > 0);
        accept(s, 1, CELLS, 1, 1);
    }
}

static void a_freed_servicer_ends_when_its_own_requests_are_serviced_at_last(void)
{
    EVERYWHERE(freed)
    CU_ASSERT_EQUAL(s.memory[0][3], 2003);
    CU_ASSERT_EQUAL(s.memory[1][3], 1003);
    /* neither its range nor the buffer it put from is watched any more */
    CU_ASSERT_EQUAL(sync_guards, 0);
    NOWHERE_ELSE
}

/* ---- probing, unserviced requests, missing counts -------------------------------------------- */

static void count_unserviced(void *data, const char *what, op_site site, int target)
{
    (void)site;
    struct scene *s = data;
    s->end_s[0] += strstr(what, "never matched") && target == 1;
}

static void probing(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        ask(s, 0, SYNC_GET, true, 1, 0, 3, 4, 0);
        ask(s, 0, SYNC_PUT, false, 1, 0, 2, 3, 0);
    }
    if (rank != 1) return;
    compute(s, 1, 1e-3);
    serve_enter(s->e.proc[1], true);
    compute(s, 1, 1e-3);
    expect(s, sync_match_probe(s->match, 1, -1, -1, &s->found[0]) && s->found[0].kind == SYNC_GET &&
                  s->found[0].hold);
    expect(s, s->found[0].tag == 4 && s->found[0].bytes == 24 && s->found[0].origin == 0);
    expect(s, sync_match_probe(s->match, 1, 0, 3, &s->found[1]) && s->found[1].kind == SYNC_PUT &&
                  s->found[1].bytes == 16);
    expect(s, !sync_match_probe(s->match, 1, 2, -1, &s->found[2]) &&
                  !sync_match_probe(s->match, 1, -1, 9, &s->found[2]));
    serve_leave(s->e.proc[1]);
    sync_match_unserviced(s->match, 0, count_unserviced, s);
    expect(s, s->end_s[0] == 2);
}

static void waiting_requests_are_found_in_order_of_arrival(void)
{
    EVERYWHERE(probing) NOWHERE_ELSE
}

/* A request that a servicer has taken is not found, even where its servicing is delayed. */
static void taken(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) ask(s, 0, SYNC_PUT, false, 1, 0, 2, 3, 0);
    if (rank != 1) return;
    struct sync_servicer *servicer = post(s, 1, 1u << SYNC_PUT, CELLS, 3, 1);
    compute(s, 1, 1e-3);
    expect(s, !sync_match_probe(s->match, 1, -1, -1, &s->found[0]));
    finish(s, 1, servicer);
}

static void what_a_servicer_has_taken_is_not_probed(void) { EVERYWHERE(taken) NOWHERE_ELSE }

static void starves(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) ask(s, 0, SYNC_PUT, false, 1, 0, 1, 1, 0);
    if (rank == 1) accept(s, 1, CELLS, 1, 3);
}

static void a_deadlock_names_the_missing_counts(void)
{
    struct scene s;
    scene_open(&s, &worlds[0]);
    CU_ASSERT_EQUAL(engine_run(&s.e, starves, &s), 1);
    g_autofree char *missing = sync_match_missing(1);
    CU_ASSERT(missing && strstr(missing, "has serviced 1 of 3 PUT requests"));
    CU_ASSERT_PTR_NULL(sync_match_missing(0));
}

/* ---- who does the servicing, and when -------------------------------------------------------- */

static void early_servicer(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        compute(s, 0, 1e-3);
        s->begin_s[0] = kern_now();
        ask(s, 0, SYNC_PUT, false, 1, 0, 4, 1, 0);
        accept(s, 0, 0, 1, 0);
        s->end_s[0] = kern_now();
    } else if (rank == 1) {
        struct sync_servicer *servicer = post(s, 1, 1u << SYNC_PUT, CELLS, 1, 1);
        compute(s, 1, 20e-3);
        finish(s, 1, servicer);
    }
}

static double waited(const char *machine, const char *set)
{
    struct scene s;
    const struct world world = {machine, set};
    scene_open(&s, &world);
    CU_ASSERT_EQUAL(engine_run(&s.e, early_servicer, &s), 0);
    double time_s = s.end_s[0] - s.begin_s[0];
    scene_close(&s);
    return time_s;
}

static void a_posted_servicer_is_served_at_arrival_where_memory_can_be_reached(void)
{
    static const char *const machines[] = {"t3d", "smp", "rdma", "cxl-pool"};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        CU_ASSERT(waited(machines[i], NULL) < 200e-6);
        CU_ASSERT(waited(machines[i], "serve.when=completion") > 18e-3);
    }
    CU_ASSERT(waited("now", "serve.policy=polling") > 18e-3);
    CU_ASSERT(waited("now", "serve.policy=interrupt") < 1e-3);
    CU_ASSERT(waited("now", "serve.policy=thread") < 1e-3);
}

/* ---- bytes that come before their servicer --------------------------------------------------- */

static void early_bytes(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        if (s->seed) compute(s, 0, 1e-3);
        ask(s, 0, SYNC_PUT, false, 1, 0, 400, 1, 0);
        accept(s, 0, 0, 1, 0);
    } else if (rank == 1) {
        /* inside MPI, so that the message is taken in before the servicer comes */
        if (!s->seed) {
            serve_enter(s->e.proc[1], true);
            serve_wait_until(s->e.proc[1], KERN_DATE, 1e-3, 0);
            serve_leave(s->e.proc[1]);
        }
        accept(s, 1, CELLS, 1, 1);
        expect(s, s->memory[1][399] == 1399);
    }
}

/* What servicing one PUT of 3,200 bytes takes of the target's processor. */
static double serviced(const char *set, bool servicer_first)
{
    struct scene s;
    const struct world world = {"now", set};
    scene_open(&s, &world);
    s.seed = servicer_first;
    CU_ASSERT_EQUAL(engine_run(&s.e, early_bytes, &s), 0);
    CU_ASSERT_EQUAL(s.wrong, 0);
    double time_s = s.e.proc[1]->spent.service_s;
    scene_close(&s);
    return time_s;
}

static void
bytes_that_wait_at_the_target_cost_a_copy_more_and_those_that_wait_at_the_origin_do_not(void)
{
    /* at the very least: a cycle for each word that is read again */
    double copy_s = 3200 / 8 / 167e6;
    CU_ASSERT(serviced("move.eager_bytes=16KiB", false) >
              serviced("move.eager_bytes=16KiB", true) + copy_s);
    CU_ASSERT(serviced("move.eager_bytes=64B", false) <
              serviced("move.eager_bytes=64B", true) + copy_s);
}

UNIT_SUITE(
    match, UNIT_TEST(requests_before_and_after_their_servicer_arrive),
    UNIT_TEST(requests_of_one_origin_are_serviced_in_order),
    UNIT_TEST(other_kinds_and_tags_do_not_match),
    UNIT_TEST(what_exceeds_the_count_stays_for_the_next),
    UNIT_TEST(an_avail_never_mixes_puts_and_gets),
    UNIT_TEST(a_transfer_beyond_the_size_is_an_error_at_both_ends),
    UNIT_TEST(collective_servicers_complete_by_totalled_counts),
    UNIT_TEST(totals_take_logarithmic_time),
    UNIT_TEST(a_freed_servicer_ends_when_its_own_requests_are_serviced_at_last),
    UNIT_TEST(waiting_requests_are_found_in_order_of_arrival),
    UNIT_TEST(what_a_servicer_has_taken_is_not_probed),
    UNIT_TEST(a_deadlock_names_the_missing_counts),
    UNIT_TEST(a_posted_servicer_is_served_at_arrival_where_memory_can_be_reached),
    UNIT_TEST(
        bytes_that_wait_at_the_target_cost_a_copy_more_and_those_that_wait_at_the_origin_do_not))
