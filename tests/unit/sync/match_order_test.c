/* The order in which requests are serviced: "Multiple PUT requests issued from the same process
 * (thread) and with identical comm, tag, and target_rank arguments will be serviced in the order in
 * which they are issued", whichever way each travels, whoever waits for what, and however long a
 * machine delays. Wide enough that each check fails without the code it is for. */
#include <CUnit/CUnit.h>

#include "sync/match/state.h"
#include "match_scene.h"
#include "unit.h"

static struct sync_servicer *post_at(struct scene *s, int rank, unsigned kinds, int first,
                                     int cells, int tag, int count)
{
    struct serve_proc *me = s->e.proc[rank];
    serve_enter(me, true);
    struct sync_servicer *servicer =
        sync_match_post(s->match, rank, me,
                        &(struct sync_service){.kinds = kinds,
                                               .tag = tag,
                                               .base = &s->memory[rank][first],
                                               .bytes = 8 * (uint64_t)cells,
                                               .disp_unit = 8,
                                               .count = (uint64_t)count,
                                               .call = "PA_Accept"});
    serve_leave(me);
    return servicer;
}

/* ---- two servicers of one tag, the second waited for first ----------------------------------- */

static void second_first(int rank, void *data)
{
    struct scene *s = data;
    const enum sync_kind kind = s->seed & 1 ? SYNC_GET : SYNC_PUT;
    const bool late = s->seed & 2; /* the requests come when rank 1 waits already */
    if (rank == 0) {
        if (late) compute(s, 0, 1e-3);
        ask(s, 0, kind, true, 1, 1, 1, 1, 20);
        ask(s, 0, kind, false, 1, 0, 1, 1, 21);
        ask(s, 0, kind, false, 1, 0, 1, 1, 22);
        if (kind == SYNC_PUT)
            accept(s, 0, 0, 1, 0);
        else
            offer(s, 0, 0, 1, 0);
        if (kind == SYNC_GET)
            expect(s, s->buffer[0][20] == 31 && s->buffer[0][21] == 30 && s->buffer[0][22] == 40);
    } else if (rank == 1) {
        for (int i = 0; i < CELLS; i++) s->memory[1][i] = kind == SYNC_GET ? i + 30 : 0;
        struct sync_servicer *first = post_at(s, 1, 1u << kind, 0, 2, 1, 1);
        struct sync_servicer *second = post_at(s, 1, 1u << kind, 10, 2, 1, 1);
        if (!late) compute(s, 1, 1e-3);
        finish(s, 1, second);
        expect(s, sync_servicer_done(first));
        finish(s, 1, first);
        if (kind == SYNC_PUT)
            expect(s,
                   s->memory[1][1] == 1020 && s->memory[1][0] == 1021 && s->memory[1][10] == 1022);
    }
}

static void
a_servicer_waited_for_first_has_what_was_issued_before_serviced_by_the_one_posted_before(void)
{
    for (unsigned variant = 0; variant < 4; variant++) {
        EVERYWHERE_WITH(variant, second_first)
        NOWHERE_ELSE
    }
}

/* Nobody's order depends on the first servicer's request: it may be delayed as long as the machine
 * likes. */
static void others_may_wait(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) ask(s, 0, SYNC_PUT, false, 1, 0, 1, 1, 1);
    if (rank == 2) {
        compute(s, 2, 1e-3);
        ask(s, 2, SYNC_PUT, false, 1, 0, 1, 1, 2);
    }
    if (rank == 1) {
        struct sync_servicer *first = post_at(s, 1, 1u << SYNC_PUT, 0, 2, 1, 1);
        struct sync_servicer *second = post_at(s, 1, 1u << SYNC_PUT, 10, 2, 1, 1);
        if (s->seed) compute(s, 1, 3e-3); /* both wait by then */
        finish(s, 1, second);
        expect(s, s->memory[1][10] == 3002);
        expect(s, sync_servicer_done(first) == !s->e.proc[1]->delayed);
        finish(s, 1, first);
        expect(s, s->memory[1][0] == 1001);
    }
}

static void a_request_of_another_origin_is_delayed_until_its_own_servicer_tries_to_complete(void)
{
    for (unsigned late = 0; late < 2; late++) {
        EVERYWHERE_WITH(late, others_may_wait)
        NOWHERE_ELSE
    }
}

/* "if m-1 total ACCEPTCs and IACCEPTCs with this tag and communicator have executed in this process
 * prior to this one": two rounds are under way at every process, and the second is waited for
 * first. */
static void second_round_first(int rank, void *data)
{
    struct scene *s = data;
    const int next = (rank + 1) % RANKS, before = (rank + RANKS - 1) % RANKS;
    ask(s, rank, SYNC_PUTC, false, next, 0, 300, 1, 0);
    struct sync_servicer *first = post_at(s, rank, 1u << SYNC_PUTC, 0, 300, 1, 0);
    struct sync_servicer *second = post_at(s, rank, 1u << SYNC_PUTC, 300, 2, 1, 0);
    compute(s, rank, rank * 1e-4);
    finish(s, rank, second);
    /* both rounds are agreed upon: this one is for the next */
    ask(s, rank, SYNC_PUTC, false, next, 0, 1, 1, 9);
    finish(s, rank, first);
    expect(s, s->memory[rank][299] == 1000 * (before + 1) + 299 && s->memory[rank][300] == 0);
    ask(s, rank, SYNC_PUTC, false, next, 1, 1, 1, 7);
    finish(s, rank, post_at(s, rank, 1u << SYNC_PUTC, 300, 2, 1, 0));
    expect(s, s->memory[rank][300] == 1000 * (before + 1) + 9 &&
                  s->memory[rank][301] == 1000 * (before + 1) + 7);
}

static void a_round_waited_for_first_completes_with_those_before_it_agreed_upon(void)
{
    EVERYWHERE(second_round_first) NOWHERE_ELSE
}

/* All of a process's own requests with the tag are serviced when the second ends, those of the
 * first round too. */
static void own_of_both_rounds(int rank, void *data)
{
    struct scene *s = data;
    /* one after the other */
    for (int i = 0; i < 8; i++) ask(s, rank, SYNC_PUTC, false, (rank + 1) % RANKS, 0, 400, 1, 0);
    struct sync_servicer *first = post_at(s, rank, 1u << SYNC_PUTC, 0, 400, 1, 0);
    struct sync_servicer *second = post_at(s, rank, 1u << SYNC_PUTC, 400, 2, 1, 0);
    finish(s, rank, second);
    sync_guard_check(s->e.proc[rank]->cpu, (uintptr_t)s->buffer[rank], 8, 0, kern_now());
    for (int i = 0; i < 400; i++) s->buffer[rank][i] = -1; /* it is the program's again */
    finish(s, rank, first);
    expect(s, s->memory[rank][0] > 0 && s->memory[rank][399] > 0);
}

static void the_end_of_a_round_is_the_end_of_ones_own_requests_of_earlier_rounds(void)
{
    const int before = sync_guards;
    EVERYWHERE(own_of_both_rounds)
    CU_ASSERT_EQUAL(findings_violation_count(), 0);
    CU_ASSERT_EQUAL(sync_guards, before);
    NOWHERE_ELSE
}

/* ---- overtaking ------------------------------------------------------------------------------ */

enum { LONG = 200, LAYERS = 6 }; /* 1,600 bytes: rendezvous where move.eager_bytes is 64 */

/* Layers of different lengths over the same cells, long and short in turn, so that a short one
 * would overtake if it could. */
static void layers(int rank, void *data)
{
    struct scene *s = data;
    const bool posted = s->seed & 1, holds = s->seed & 2;
    if (rank == 0) {
        if (posted) compute(s, 0, 1e-3);
        for (int i = 0; i < LAYERS; i++)
            ask(s, 0, SYNC_PUT, holds && i < LAYERS - 1, 1, i, i % 2 ? 1 + i : LONG - 20 * i, 1,
                50 * i);
        accept(s, 0, 0, 1, 0);
    } else if (rank == 1) {
        double must[CELLS] = {0};
        if (!posted) compute(s, 1, 1e-3);
        accept(s, 1, CELLS, 1, holds ? 1 : LAYERS);
        for (int i = 0; i < LAYERS; i++)
            for (int k = 0; k < (i % 2 ? 1 + i : LONG - 20 * i); k++)
                must[i + k] = 1000 + 50 * i + k;
        for (int k = 0; k < CELLS; k++) expect(s, s->memory[1][k] == must[k]);
    }
}

static void of_puts_of_different_sizes_over_the_same_cells_the_last_one_wins(void)
{
    for (unsigned variant = 0; variant < 4; variant++) {
        EVERYWHERE_WITH(variant, layers)
        NOWHERE_ELSE
    }
}

/* A short one comes just when the one before it waits for nothing but the end of a long transfer.
 */
static void behind_a_long_one(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 0) {
        compute(s, 0, 1e-4);
        ask(s, 0, SYNC_PUT, false, 1, 0, 450, 1, 0);
        ask(s, 0, SYNC_PUT, false, 1, 1, 440, 1, 0);
        compute(s, 0, s->seed * 2e-6);
        ask(s, 0, SYNC_PUT, false, 1, 2, 1, 1, 460);
        accept(s, 0, 0, 1, 0);
    } else if (rank == 1) {
        accept(s, 1, CELLS, 1, 3);
        expect(s, s->memory[1][0] == 1000 && s->memory[1][1] == 1000 && s->memory[1][2] == 1460 &&
                      s->memory[1][3] == 1002);
    }
}

static void a_request_that_comes_between_two_transfers_waits_its_turn(void)
{
    for (unsigned delay = 0; delay < 60; delay += 3) {
        EVERYWHERE_WITH(delay, behind_a_long_one)
        NOWHERE_ELSE
    }
}

/* ---- rounds that have ended ------------------------------------------------------------------ */

static void rounds(int rank, void *data)
{
    struct scene *s = data;
    for (int round = 0; round < 3; round++) {
        struct sync_servicer *servicer = post(s, rank, 1u << SYNC_PUTC, CELLS, 1, 0);
        ask(s, rank, SYNC_PUTC, false, (rank + 1) % RANKS, round, 1, 1, round);
        finish(s, rank, servicer);
    }
    expect(s, g_hash_table_size(s->match->part[rank].own) == 0);
}

static void rounds_that_have_ended_leave_no_counts_behind(void){EVERYWHERE(rounds) NOWHERE_ELSE}

UNIT_SUITE(
    match_order,
    UNIT_TEST(
        a_servicer_waited_for_first_has_what_was_issued_before_serviced_by_the_one_posted_before),
    UNIT_TEST(a_request_of_another_origin_is_delayed_until_its_own_servicer_tries_to_complete),
    UNIT_TEST(a_round_waited_for_first_completes_with_those_before_it_agreed_upon),
    UNIT_TEST(the_end_of_a_round_is_the_end_of_ones_own_requests_of_earlier_rounds),
    UNIT_TEST(of_puts_of_different_sizes_over_the_same_cells_the_last_one_wins),
    UNIT_TEST(a_request_that_comes_between_two_transfers_waits_its_turn),
    UNIT_TEST(rounds_that_have_ended_leave_no_counts_behind))
