/* One order in which a plan may happen: of all that can happen next, one thing at random. A lock is
 * granted at some time between the call and the first one that needs it, or its unlock; an
 * operation is performed between its call and its completion. */
#include "check/random/plan.h"

#include <string.h>

enum { RANKS = RANKS_OF_PLAN, CHOICES = RANKS * (PLAN_STEPS + 8) };

enum lock { FREE, SHARED, EXCLUSIVE };
struct state {
    const struct plan *plan;
    struct plan_events *events;
    int at[RANKS];      /* the next step */
    bool inside[RANKS]; /* it has been entered */
    bool issued[RANKS][PLAN_STEPS], performed[RANKS][PLAN_STEPS];
    enum lock wants[RANKS][RANKS], has[RANKS][RANKS]; /* [rank][target] */
    int posts[RANKS][RANKS], completes[RANKS][RANKS]; /* [target][origin] */
    int sent[RANKS][RANKS];
};

static const struct plan_step *next(const struct state *s, int rank)
{
    return s->at[rank] < s->plan->steps[rank] ? &s->plan->step[rank][s->at[rank]] : NULL;
}

static void note(struct state *s, enum plan_act act, int rank, int step)
{
    s->events->event[s->events->n++] = (struct plan_event){act, rank, step, -1};
}

/* ---- may it happen? -------------------------------------------------------------------------- */

static bool grantable(const struct state *s, int rank, int target)
{
    if (s->wants[rank][target] == FREE || s->has[rank][target] != FREE) return false;
    for (int r = 0; r < RANKS; r++)
        if (r != rank && s->has[r][target] != FREE &&
            (s->has[r][target] == EXCLUSIVE || s->wants[rank][target] == EXCLUSIVE))
            return false;
    return true;
}

static bool locked(const struct state *s, int rank, int target)
{
    return s->wants[rank][target] == FREE || s->has[rank][target] != FREE;
}

static bool flag_set(const struct state *s, int number)
{
    for (int r = 0; r < RANKS; r++)
        for (int i = 0; i < s->plan->steps[r]; i++)
            if (s->performed[r][i] && s->plan->step[r][i].kind == PLAN_REPLACE &&
                s->plan->step[r][i].meeting == number)
                return true;
    return false;
}

static bool performable(const struct state *s, int rank, int i)
{
    const struct plan_step *step = &s->plan->step[rank][i];
    if (!s->issued[rank][i] || s->performed[rank][i] || !locked(s, rank, step->target))
        return false;
    for (int k = 0; k < i; k++) /* to one target, in order */
        if (s->issued[rank][k] && !s->performed[rank][k] &&
            s->plan->step[rank][k].target == step->target)
            return false;
    return step->kind != PLAN_AWAIT || flag_set(s, step->meeting);
}

/* Are its operations to the target (-1: any) performed? */
static bool all_performed(const struct state *s, int rank, int target)
{
    for (int i = 0; i < s->at[rank]; i++)
        if (s->issued[rank][i] && !s->performed[rank][i] &&
            (target < 0 || s->plan->step[rank][i].target == target))
            return false;
    return true;
}

/* Has that rank come to the meeting? */
static bool arrived(const struct state *s, int rank, int meeting)
{
    for (int i = 0; i < s->plan->steps[rank]; i++)
        if (s->plan->step[rank][i].meeting == meeting &&
            (s->at[rank] > i || (s->at[rank] == i && s->inside[rank])))
            return true;
    return false;
}

static bool met(const struct state *s, int rank, const struct plan_step *step)
{
    for (int r = 0; r < RANKS; r++) {
        bool needed = step->flow == PLAN_ALL || (step->flow == PLAN_FROM_ROOT && r == step->root) ||
                      (step->flow == PLAN_TO_ROOT && rank == step->root) ||
                      (step->flow == PLAN_UPWARD && r < rank);
        if (!needed) continue;
        if (!arrived(s, r, step->meeting)) return false;
        if (step->kind == PLAN_FENCE && !all_performed(s, r, -1)) return false;
    }
    return true;
}

static unsigned posted(const struct state *s, int rank)
{
    int i = s->at[rank];
    while (s->plan->step[rank][i].kind != PLAN_POST) i--;
    return s->plan->step[rank][i].group;
}

static bool may_leave(const struct state *s, int rank, const struct plan_step *step)
{
    switch (step->kind) {
    case PLAN_AWAIT: return s->performed[rank][s->at[rank]];
    case PLAN_REQUEST_WAIT: return s->performed[rank][step->of];
    case PLAN_FENCE:
    case PLAN_COLLECTIVE: return met(s, rank, step);
    case PLAN_START:
        for (int t = 0; t < RANKS; t++)
            if (step->group >> t & 1 && s->posts[t][rank] == 0) return false;
        return true;
    case PLAN_COMPLETE: return all_performed(s, rank, -1);
    case PLAN_WAIT:
        for (int o = 0; o < RANKS; o++)
            if (posted(s, rank) >> o & 1 && s->completes[rank][o] == 0) return false;
        return true;
    case PLAN_LOCK: /* of its own part */
        return (step->target >= 0 && step->target != rank) || locked(s, rank, rank);
    case PLAN_UNLOCK: /* MPI_Win_lock may wait for its lock, whether or not something needs it */
        return all_performed(s, rank, step->target) &&
               (step->target < 0 || locked(s, rank, step->target));
    case PLAN_FLUSH:
    case PLAN_FLUSH_LOCAL: return all_performed(s, rank, step->target);
    case PLAN_RECEIVE:
        for (int r = 0; r < RANKS; r++)
            if (s->sent[r][rank] > 0 && (step->target < 0 || step->target == r)) return true;
        return false;
    default: return true;
    }
}

/* ---- it happens ------------------------------------------------------------------------------ */

static bool two_sided(enum plan_kind kind)
{
    return kind >= PLAN_AWAIT && kind != PLAN_POST && kind != PLAN_SEND;
}

static void enter(struct state *s, int rank, const struct plan_step *step)
{
    note(s, PLAN_ENTERS, rank, s->at[rank]);
    if (plan_operates(step->kind)) s->issued[rank][s->at[rank]] = true;
    for (int r = 0; r < RANKS; r++) {
        if (step->kind == PLAN_POST && step->group >> r & 1) s->posts[rank][r]++;
        if (step->kind == PLAN_LOCK && (step->target < 0 || step->target == r))
            s->wants[rank][r] = step->exclusive ? EXCLUSIVE : SHARED;
    }
    if (step->kind == PLAN_SEND) s->sent[rank][step->target]++;
    s->inside[rank] = two_sided(step->kind);
    if (!s->inside[rank]) s->at[rank]++;
}

static unsigned started(const struct state *s, int rank)
{
    int i = s->at[rank];
    while (s->plan->step[rank][i].kind != PLAN_START) i--;
    return s->plan->step[rank][i].group;
}

/* first: whose message a receive from any source takes if there is one; else the next rank's. */
static void leave(struct state *s, int rank, const struct plan_step *step, int first)
{
    int from = step->target < 0 ? first : step->target;
    while (step->kind == PLAN_RECEIVE && s->sent[from][rank] == 0) from = (from + 1) % RANKS;

    for (int r = 0; r < RANKS; r++) {
        if (step->kind == PLAN_START && step->group >> r & 1) s->posts[r][rank]--;
        if (step->kind == PLAN_COMPLETE && started(s, rank) >> r & 1) s->completes[r][rank]++;
        if (step->kind == PLAN_WAIT && posted(s, rank) >> r & 1) s->completes[rank][r]--;
        if (step->kind == PLAN_UNLOCK && (step->target < 0 || step->target == r))
            s->wants[rank][r] = s->has[rank][r] = FREE;
    }
    if (step->kind == PLAN_RECEIVE) s->sent[from][rank]--;
    note(s, PLAN_LEAVES, rank, s->at[rank]);
    s->events->event[s->events->n - 1].from = from;
    s->inside[rank] = false;
    s->at[rank]++;
}

/* What may happen next: a rank's own step, a grant, or an operation. */
struct choice {
    enum { STEP, GRANT, PERFORM } what;
    int rank, which;
};

static int choices(const struct state *s, struct choice *choice, int slow)
{
    int n = 0;
    for (int r = 0; r < RANKS; r++) {
        const struct plan_step *step = next(s, r);
        if (r == slow) continue;
        if (step && (!s->inside[r] || may_leave(s, r, step)))
            choice[n++] = (struct choice){STEP, r, 0};
        for (int t = 0; t < RANKS; t++)
            if (grantable(s, r, t)) choice[n++] = (struct choice){GRANT, r, t};
        for (int i = 0; i < s->plan->steps[r]; i++)
            if (performable(s, r, i)) choice[n++] = (struct choice){PERFORM, r, i};
    }
    return n;
}

bool plan_schedule(const struct plan *plan, uint64_t seed, struct plan_events *events)
{
    struct state s = {.plan = plan, .events = events};
    struct choice choice[CHOICES];
    uint64_t state = seed * 2 + 1;
    events->n = 0;
    int slow = (int)plan_draw(&state, 2 * RANKS), n; /* a rank that waits for all others, perhaps */
    while ((n = choices(&s, choice, slow)) > 0 || (n = choices(&s, choice, -1)) > 0) {
        const struct choice *c = &choice[plan_draw(&state, (unsigned)n)];
        const struct plan_step *step = next(&s, c->rank);
        if (c->what == GRANT)
            s.has[c->rank][c->which] = s.wants[c->rank][c->which];
        else if (c->what == PERFORM) {
            s.performed[c->rank][c->which] = true;
            note(&s, PLAN_PERFORMS, c->rank, c->which);
        } else if (s.inside[c->rank])
            leave(&s, c->rank, step, step->target < 0 ? (int)plan_draw(&state, RANKS) : 0);
        else
            enter(&s, c->rank, step);
    }
    for (int r = 0; r < RANKS; r++)
        if (next(&s, r)) return false;
    return true;
}
