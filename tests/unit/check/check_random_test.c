/* The judge of one-sided communication against a naive one, over random programs and random orders
 * of what may happen: the same pairs of lines. SIDEWINDER_SEEDS: how many programs of each kind. */
#include "check/history.h"
#include "check/random/plan.h"

#include <stdlib.h>

enum { SITE = 0x1000, SLOT = 16 };

static uint64_t number[RANKS][PLAN_STEPS];
static struct check_meeting *meeting[RANKS];

static op_site site_of(int rank, int step) { return (op_site)(SITE + plan_line(rank, step)); }

static struct check_call call_at(const struct plan_event *e)
{
    return (struct check_call){.win = win, .win_rank = e->rank, .site = site_of(e->rank, e->step)};
}

static uintptr_t buffer_of(int rank, int buffer)
{
    return (uintptr_t)own[rank] + (uintptr_t)(buffer * SLOT);
}

/* The program's, twice: told where it must be. */
static void program_access(const struct plan_event *e, uintptr_t addr, enum check_kind kind)
{
    const op_site site = site_of(e->rank, e->step);
    for (int i = 0; i < 2; i++) {
        if (check_again(e->rank, addr, 8, kind == CHECK_STORE, site) != CHECK_TELL) continue;
        check_access(e->rank, addr, 8, kind, NULL, site, 0);
        check_again_at(e->rank, addr, kind, site, site);
    }
}

static void private_access(const struct plan_event *e, int buffer, enum check_kind kind,
                           const char *call)
{
    check_access(e->rank, buffer_of(e->rank, buffer), 8, kind, call, site_of(e->rank, e->step), 0);
}

/* ---- what happens, as it is recorded for the check
 * ------------------------------------------------ */

static void issue(const struct plan_event *e, const struct plan_step *step)
{
    static const char integer[1];
    static const char *const sum = "sum", *const replace = "replace", *const none = NULL;
    int64_t bytes = 8 * (int64_t)step->words;
    const struct op_piece there = {8 * step->word, (uint64_t)bytes}, here = {0, (uint64_t)bytes};
    const struct op_layout target = {&there, 1, (uint64_t)bytes, 8 * step->word,
                                     8 * step->word + bytes},
                           origin = {&here, 1, (uint64_t)bytes, 0, bytes};
    bool fetches = plan_fetches(step->kind),
         no_op = step->kind == PLAN_FETCH || step->kind == PLAN_AWAIT,
         replaces = step->kind == PLAN_REPLACE || step->kind == PLAN_FETCH_REPLACE;
    struct check_operation o = {.kind = step->kind == PLAN_PUT   ? CHECK_PUT
                                        : step->kind == PLAN_GET ? CHECK_GET
                                        : fetches                ? CHECK_FETCH
                                                                 : CHECK_ACCUMULATE,
                                .win = win,
                                .win_rank = e->rank,
                                .target = step->target,
                                .call = "MPI_Put",
                                .site = site_of(e->rank, e->step),
                                .there = {(uintptr_t)memory[step->target], &target},
                                .request = step->request,
                                .type = integer,
                                .no_op = no_op,
                                .swap = step->kind == PLAN_SWAP};
    o.op = !plan_accumulates(step->kind) || no_op || o.swap ? none : replaces ? replace : sum;
    if (!no_op && step->buffer >= 0)
        o.origin = (struct check_buffer){buffer_of(e->rank, step->buffer), &origin};
    if (fetches)
        o.result = (struct check_buffer){buffer_of(e->rank, step->buffer + PLAN_BUFFERS), &origin};
    number[e->rank][e->step] = check_operation(&o);
    CU_ASSERT_TRUE(number[e->rank][e->step] > 0);
}

static int members(unsigned group, int *rank)
{
    int n = 0;
    for (int r = 0; r < RANKS; r++)
        if (group >> r & 1) rank[n++] = r;
    return n;
}

static void enters(const struct plan_event *e, const struct plan_step *step)
{
    const struct check_call call = call_at(e);
    const struct check_comm comm = {everybody, 0, RANKS, e->rank};
    const uintptr_t word = (uintptr_t)memory[e->rank] + 8 * (uintptr_t)step->word;
    int group[RANKS], n = members(step->group, group);
    if (plan_operates(step->kind)) issue(e, step);
    switch (step->kind) {
    case PLAN_LOAD: program_access(e, word, CHECK_LOAD); break;
    case PLAN_STORE: program_access(e, word, CHECK_STORE); break;
    case PLAN_PRIVATE_LOAD: program_access(e, buffer_of(e->rank, step->buffer), CHECK_LOAD); break;
    case PLAN_PRIVATE_STORE:
        program_access(e, buffer_of(e->rank, step->buffer), CHECK_STORE);
        break;
    case PLAN_FENCE: check_fence(&call); break;
    case PLAN_POST: check_post(&call, group, n); break;
    case PLAN_COMPLETE: check_complete(&call); break;
    case PLAN_UNLOCK: check_unlock(&call, step->target); break;
    case PLAN_FLUSH:
    case PLAN_AWAIT: check_flush(&call, step->target, false); break;
    case PLAN_FLUSH_LOCAL: check_flush(&call, step->target, true); break;
    case PLAN_SEND:
        private_access(e, step->buffer, CHECK_CALL_LOAD, "MPI_Send");
        check_sent(e->rank, &comm, step->target, 0, false);
        break;
    case PLAN_RECEIVE: check_receiving(e->rank, &comm, step->target, 0, 0x900); break;
    case PLAN_COLLECTIVE:
        meeting[e->rank] =
            check_meet(e->rank, &comm, (enum check_flow)step->flow, step->root, true);
        break;
    default: break;
    }
}

static void leaves(const struct plan_event *e, const struct plan_step *step)
{
    const struct check_call call = call_at(e);
    const struct check_comm comm = {everybody, 0, RANKS, e->rank};
    int group[RANKS], n = members(step->group, group);
    switch (step->kind) {
    case PLAN_REQUEST_WAIT: check_requested(number[e->rank][step->of]); break;
    case PLAN_FENCE: check_fenced(&call); break;
    case PLAN_START: check_start(&call, group, n); break;
    case PLAN_WAIT: check_waited(&call); break;
    case PLAN_LOCK: check_lock(&call, step->target, step->exclusive); break;
    case PLAN_COMPLETE:
    case PLAN_UNLOCK:
    case PLAN_FLUSH:
    case PLAN_FLUSH_LOCAL:
    case PLAN_AWAIT: check_returned(&call); break;
    case PLAN_RECEIVE:
        check_received(e->rank, &comm, e->from, 0, step->target < 0);
        private_access(e, step->buffer, CHECK_CALL_STORE, "MPI_Recv");
        break;
    case PLAN_COLLECTIVE: check_met(e->rank, &comm, meeting[e->rank]); break;
    default: break;
    }
}

static void judge(const struct plan *plan, const struct plan_events *events,
                  struct plan_pairs *pairs)
{
    begin();
    for (int i = 0; i < events->n; i++) {
        const struct plan_event *e = &events->event[i];
        const struct plan_step *step = &plan->step[e->rank][e->step];
        if (e->act == PLAN_ENTERS)
            enters(e, step);
        else if (e->act == PLAN_LEAVES)
            leaves(e, step);
        else
            check_performed(number[e->rank][e->step]);
    }
    check_end();
    memset(pairs, 0, sizeof *pairs);
    for (size_t i = 0; i < check_findings(); i++) {
        const struct check_finding *f = check_finding_get(i);
        if (f->class != CHECK_ERROR || f->count == 0) continue;
        int a = (int)f->first.site - SITE, b = (int)f->then.site - SITE;
        bool *pair = &pairs->conflict[MIN(a, b)][MAX(a, b)];
        pairs->n += !*pair;
        *pair = true;
    }
    check_close();
}

/* ---- the comparison -------------------------------------------------------------------------- */

static void print_step(const struct plan *plan, int line)
{
    static const char *const name[] = {
        "load",    "store",        "private load", "private store", "put",         "get",
        "add",     "replace",      "fetch_add",    "fetch_replace", "fetch",       "swap",
        "await",   "wait request", "fence",        "post",          "start",       "complete",
        "wait",    "lock",         "unlock",       "flush",         "flush_local", "send",
        "receive", "collective"};
    int rank = (line - 1) / PLAN_STEPS, i = (line - 1) % PLAN_STEPS;
    const struct plan_step *s = &plan->step[rank][i];
    fprintf(stderr, "[%d.%d %s target %d word %d+%d buffer %d%s%s group %x of %d]", rank, i,
            name[s->kind], s->target, s->word, s->words, s->buffer, s->exclusive ? " excl" : "",
            s->request ? " request" : "", s->group, s->of);
}

static void print_plan(const struct plan *plan, const struct plan_events *events)
{
    for (int i = 0; i < events->n; i++) {
        static const char *const act[] = {"enters", "performs", "leaves"};
        fprintf(stderr, "      %s ", act[events->event[i].act]);
        print_step(plan, plan_line(events->event[i].rank, events->event[i].step));
        fprintf(stderr, "\n");
    }
}

static void print_difference(const struct plan *plan, const struct plan_events *events,
                             const char *what, const struct plan_pairs *naive,
                             const struct plan_pairs *ours)
{
    fprintf(stderr, "    %s:\n", what);
    if (g_getenv("SIDEWINDER_VERBOSE")) print_plan(plan, events);
    for (int a = 0; a < PLAN_LINES; a++)
        for (int b = a; b < PLAN_LINES; b++)
            if (naive->conflict[a][b] != ours->conflict[a][b]) {
                fprintf(stderr, "      %s: ", ours->conflict[a][b] ? "a false alarm" : "missed");
                print_step(plan, a), fprintf(stderr, " and "), print_step(plan, b);
                fprintf(stderr, "\n");
            }
}

/* The same pairs? */
static bool compare(const struct plan *plan, uint64_t order, const char *what, int *racy)
{
    static struct plan_events events;
    static struct plan_pairs naive, ours;
    if (!plan_schedule(plan, order, &events)) return true; /* a deadlock: another matter */
    plan_judge(plan, &events, &naive);
    judge(plan, &events, &ours);
    *racy += naive.n > 0;
    if (memcmp(&naive, &ours, sizeof naive) == 0) return true;
    print_difference(plan, &events, what, &naive, &ours);
    return false;
}

static int seeds(void)
{
    static int n;
    const char *given = g_getenv("SIDEWINDER_SEEDS");
    if (n == 0) n = given ? atoi(given) : (int)unit_sample("programs of each kind", 25, 150);
    return n;
}

static void a_correct_program_has_no_verdict_in_any_order(void)
{
    int bad = 0, racy = 0;
    for (int seed = 0; seed < seeds() && bad < 10; seed++) {
        struct plan plan;
        plan_make(&plan, (uint64_t)seed, false);
        g_autofree char *what = g_strdup_printf("correct %d", seed);
        for (uint64_t order = 0; order < 3; order++) bad += !compare(&plan, order, what, &racy);
    }
    UNIT_EQUAL(bad, 0);
    UNIT_EQUAL(racy, 0);
}

static void without_one_synchronisation_it_has_the_naive_judge_s(void)
{
    int bad = 0, racy = 0, all = 0;
    for (int seed = 0; seed < seeds() && bad < 10; seed++) {
        struct plan plan;
        plan_make(&plan, (uint64_t)seed, false);
        for (int which = 1, n = plan.removables; which <= n && which < 8; which++, all++) {
            plan_make(&plan, (uint64_t)seed, false);
            plan_remove(&plan, which);
            g_autofree char *what = g_strdup_printf("correct %d without %d", seed, which);
            bad += !compare(&plan, (uint64_t)which, what, &racy);
        }
    }
    UNIT_EQUAL(bad, 0);
    CU_ASSERT_TRUE(racy > all / 20);
}

static void a_wild_program_has_the_naive_judge_s_pairs(void)
{
    int bad = 0, racy = 0;
    for (int seed = 0; seed < seeds() && bad < 10; seed++) {
        struct plan plan;
        plan_make(&plan, (uint64_t)seed, true);
        for (int k = 0; k < seed % 4; k++)
            plan_remove(&plan, 1 + (seed * 7 + k * 5) % plan.removables);
        g_autofree char *what = g_strdup_printf("wild %d", seed);
        for (uint64_t order = 0; order < 2; order++) bad += !compare(&plan, order, what, &racy);
    }
    UNIT_EQUAL(bad, 0);
    CU_ASSERT_TRUE(racy > seeds() / 4);
}

/* In any order it has the pairs that any order has. */
static void a_receive_from_any_source_orders_what_every_message_would(void)
{
    enum { ORDERS = 100 };
    static struct plan_events events;
    static struct plan_pairs one, all, ours;
    int bad = 0, racy = 0;
    for (int seed = 0; seed < seeds() / 3 && bad < 10; seed++) {
        struct plan plan;
        plan_gather(&plan, (uint64_t)seed);
        memset(&all, 0, sizeof all);
        for (uint64_t order = 0; order < ORDERS; order++) {
            if (!plan_schedule(&plan, order, &events)) continue;
            plan_judge(&plan, &events, &one);
            for (int a = 0; a < PLAN_LINES; a++)
                for (int b = a; b < PLAN_LINES; b++) all.conflict[a][b] |= one.conflict[a][b];
            racy += one.n;
        }
        for (uint64_t order = 0; order < 3; order++) {
            if (!plan_schedule(&plan, order, &events)) continue;
            judge(&plan, &events, &ours);
            if (memcmp(all.conflict, ours.conflict, sizeof all.conflict) == 0) continue;
            bad++;
            g_autofree char *what = g_strdup_printf("gathering %d", seed);
            print_difference(&plan, &events, what, &all, &ours);
        }
    }
    UNIT_EQUAL(bad, 0);
    CU_ASSERT_TRUE(racy > seeds());
}

UNIT_SUITE(check_random, UNIT_TEST(a_correct_program_has_no_verdict_in_any_order),
           UNIT_TEST(without_one_synchronisation_it_has_the_naive_judge_s),
           UNIT_TEST(a_wild_program_has_the_naive_judge_s_pairs),
           UNIT_TEST(a_receive_from_any_source_orders_what_every_message_would))
