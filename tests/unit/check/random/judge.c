/* The naive judge: every event is a node of a graph with the set of all nodes before it, and every
 * two accesses to the same word are compared. It keeps nothing short and forgets nothing.
 *
 * An operation has a node where it begins, behind its call and its target's post, and one where it
 * ends, the call that completes it: what writes there in a start epoch, the target's wait. What a
 * value read proves is behind the call that delivers it.
 */
#include "check/random/plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    RANKS = RANKS_OF_PLAN,
    NODES = RANKS_OF_PLAN * PLAN_STEPS * 6,
    SETS = NODES / 64,
    SLOTS = RANKS * (PLAN_WORDS + 2 * PLAN_BUFFERS), /* words that there are */
    MANY = RANKS_OF_PLAN * PLAN_STEPS
};

struct set {
    uint64_t bits[SETS];
};
struct epoch {
    int rank, target; /* -1: all */
    bool exclusive;
    int from, to; /* nodes; to < 0: not released */
};
/* One access to one word. */
struct access {
    int rank, step, slot;
    bool remote, writes;
    bool started, arrived; /* in a start epoch; which is complete at the origin */
    int begin, end;        /* nodes; end < 0: not complete */
};
struct queue {
    int node[MANY], head, tail;
};
struct judge {
    const struct plan *plan;
    struct set before[NODES];
    int nodes, now[RANKS]; /* each rank's last node */
    struct access access[MANY * 4];
    int accesses;
    struct epoch epoch[MANY];
    int epochs;
    int begin[RANKS][PLAN_STEPS], complete[RANKS][PLAN_STEPS]; /* of operations; -1: not */
    bool local[RANKS][PLAN_STEPS];                             /* complete at the origin */
    struct set proves[RANKS][PLAN_STEPS];                      /* what the operation's value does */
    struct queue post[RANKS][RANKS], sent[RANKS][RANKS];       /* [target][origin], [from][to] */
    struct set completed[RANKS], posted[RANKS][RANKS]; /* of a target; by [origin][target] */
    struct set part[MANY][RANKS];                      /* of a meeting */
    /* accesses: who wrote the word last, and who has changed that since; all who ever wrote it */
    struct set carriers[SLOTS], writers[SLOTS];
};

static bool has(const struct set *set, int i) { return set->bits[i / 64] >> (i % 64) & 1; }
static void put(struct set *set, int i) { set->bits[i / 64] |= UINT64_C(1) << (i % 64); }
static void join(struct set *set, const struct set *more)
{
    for (int i = 0; i < SETS; i++) set->bits[i] |= more->bits[i];
}
/* The node and all before it. */
static struct set up_to(const struct judge *j, int node)
{
    struct set set = j->before[node];
    put(&set, node);
    return set;
}

static int node_behind(struct judge *j, const struct set *before)
{
    j->before[j->nodes] = *before;
    return j->nodes++;
}

/* The rank's next node, behind its last one and what else there is. */
static int advance(struct judge *j, int rank, const struct set *more)
{
    struct set before = up_to(j, j->now[rank]);
    if (more) join(&before, more);
    return j->now[rank] = node_behind(j, &before);
}

static bool precedes(const struct judge *j, int a, int b)
{
    return a >= 0 && (a == b || has(&j->before[b], a));
}

/* ---- accesses -------------------------------------------------------------------------------- */

static int window_slot(int rank, int word) { return rank * PLAN_WORDS + word; }
static int buffer_slot(int rank, int buffer)
{
    return RANKS * PLAN_WORDS + rank * 2 * PLAN_BUFFERS + buffer;
}

static int add(struct judge *j, int rank, int step, int slot, bool remote, bool writes, int end)
{
    j->access[j->accesses] =
        (struct access){rank, step, slot, remote, writes, false, false, j->now[rank], end};
    return j->accesses++;
}

static const struct plan_step *step_of(const struct judge *j, const struct access *a)
{
    return &j->plan->step[a->rank][a->step];
}

/* The lock epoch in which the access is, from its begin to its end, that excludes the other's. */
static const struct epoch *excluding(const struct judge *j, const struct access *a,
                                     const struct access *b)
{
    for (int i = 0; i < j->epochs; i++)
        for (int k = 0; k < j->epochs; k++) {
            const struct epoch *x = &j->epoch[i], *y = &j->epoch[k];
            bool inside = x->rank == a->rank && y->rank == b->rank && x != y &&
                          precedes(j, x->from, a->begin) && precedes(j, a->end, x->to) &&
                          precedes(j, y->from, b->begin) && precedes(j, b->end, y->to);
            bool same = x->target == y->target || x->target < 0 || y->target < 0;
            if (inside && same && x->to >= 0 && y->to >= 0 && (x->exclusive || y->exclusive))
                return x;
        }
    return NULL;
}

static bool conflict(const struct judge *j, const struct access *a, const struct access *b)
{
    if (a->slot != b->slot || !(a->writes || b->writes)) return false;
    const struct plan_step *x = step_of(j, a), *y = step_of(j, b);
    if (a->rank == b->rank && a->step == b->step) return false;
    if (a->remote && b->remote && plan_accumulates(x->kind) && plan_accumulates(y->kind)) {
        bool replaces = x->kind == PLAN_REPLACE || x->kind == PLAN_FETCH_REPLACE,
             replaces_too = y->kind == PLAN_REPLACE || y->kind == PLAN_FETCH_REPLACE;
        if (a->rank == b->rank || x->kind == PLAN_SWAP || y->kind == PLAN_SWAP) return false;
        return a->writes && b->writes && replaces != replaces_too;
    }
    return true;
}

/* ---- what values prove ----------------------------------------------------------------------- */

/* The epoch that holds the step, and excludes others; NULL: none. Only what is released counts. */
static const struct epoch *released(const struct judge *j, const struct access *w, int rank)
{
    for (int i = j->epochs; i-- > 0;) {
        const struct epoch *x = &j->epoch[i];
        if (x->rank != w->rank || x->to < 0 || !precedes(j, x->from, w->begin) ||
            !precedes(j, w->end, x->to))
            continue;
        for (int k = 0; k < j->epochs; k++) {
            const struct epoch *y = &j->epoch[k];
            if (y->rank == rank && y->to < 0 && (x->exclusive || y->exclusive) &&
                (x->target == y->target || x->target < 0 || y->target < 0))
                return x;
        }
    }
    return NULL;
}

static void prove(const struct judge *j, int rank, const struct plan_step *step, int slot,
                  struct set *proved)
{
    for (int i = 0; i < j->accesses; i++) {
        const struct access *w = &j->access[i];
        if (!has(&j->writers[slot], i) || w->rank == rank) continue;
        enum plan_kind kind = step_of(j, w)->kind;
        if (plan_fetches(step->kind) && has(&j->carriers[slot], i) && w->remote &&
            (plan_accumulates(kind) || kind == PLAN_PUT)) {
            const struct set by = up_to(j, w->begin);
            join(proved, &by);
        }
        const struct epoch *epoch = released(j, w, rank);
        if (!epoch) continue;
        const struct set by = up_to(j, epoch->to);
        join(proved, &by);
    }
}

static void written(struct judge *j, int access, bool adds)
{
    struct set *carriers = &j->carriers[j->access[access].slot];
    if (!adds) memset(carriers, 0, sizeof *carriers);
    put(carriers, access);
    put(&j->writers[j->access[access].slot], access);
}

/* The operation happens at the target. */
static void perform(struct judge *j, int rank, int i)
{
    const struct plan_step *step = &j->plan->step[rank][i];
    bool reads = step->kind == PLAN_GET || plan_fetches(step->kind);
    for (int w = 0; w < step->words; w++) {
        int slot = window_slot(step->target, step->word + w);
        if (reads) prove(j, rank, step, slot, &j->proves[rank][i]);
        for (int a = 0; a < j->accesses && plan_writes(step->kind); a++)
            if (j->access[a].rank == rank && j->access[a].step == i && j->access[a].slot == slot)
                written(j, a, step->kind != PLAN_PUT);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The operation's call: at the target, and its buffers. */
static void begin(struct judge *j, int rank, int i)
{
    const struct plan_step *step = &j->plan->step[rank][i];
    struct set before = up_to(j, j->now[rank]);
    bool started = false;
    for (int s = i; s-- > 0;) {
        enum plan_kind kind = j->plan->step[rank][s].kind;
        if (kind == PLAN_COMPLETE) break;
        if (kind != PLAN_START) continue;
        started = true;
        join(&before, &j->posted[rank][step->target]);
        if (step->kind == PLAN_GET || plan_fetches(step->kind)) j->proves[rank][i] = before;
        break;
    }
    int own = j->now[rank];
    j->now[rank] = j->begin[rank][i] = node_behind(j, &before);
    j->complete[rank][i] = -1;
    for (int w = 0; w < step->words; w++) {
        int slot = window_slot(step->target, step->word + w);
        int access = add(j, rank, i, slot, true, plan_writes(step->kind), -1);
        j->access[access].started = started;
    }
    bool reads = step->kind != PLAN_FETCH && step->kind != PLAN_AWAIT;
    j->now[rank] = own;
    if (reads && step->buffer >= 0)
        add(j, rank, i, buffer_slot(rank, step->buffer), false, step->kind == PLAN_GET, -1);
    if (plan_fetches(step->kind))
        add(j, rank, i, buffer_slot(rank, step->buffer + PLAN_BUFFERS), false, true, -1);
}

/* The rank's operations to the target (-1: any) end here; local: at the origin only. */
static void end(struct judge *j, int rank, int target, bool local, int only)
{
    for (int a = 0; a < j->accesses; a++) {
        struct access *access = &j->access[a];
        const struct plan_step *step = step_of(j, access);
        if (access->rank != rank || access->end >= 0 || !plan_operates(step->kind)) continue;
        if ((target >= 0 && step->target != target) || (only >= 0 && access->step != only))
            continue;
        if (access->remote && local && step->kind != PLAN_GET) continue;
        j->local[rank][access->step] = true;
        access->arrived = access->remote && access->writes && access->started;
        if (!access->arrived) access->end = j->now[rank];
    }
}

static void waited(struct judge *j, int target)
{
    for (struct access *a = j->access; a < j->access + j->accesses; a++)
        if (a->arrived && a->end < 0 && step_of(j, a)->target == target) a->end = j->now[target];
}

/* What has been delivered proves what it does. */
static void deliver(struct judge *j, int rank)
{
    struct set all = {{0}};
    for (int i = 0; i < j->plan->steps[rank]; i++)
        if (j->local[rank][i]) join(&all, &j->proves[rank][i]);
    advance(j, rank, &all);
}

static void local_access(struct judge *j, int rank, int i, int slot, bool writes)
{
    const struct plan_step *step = &j->plan->step[rank][i];
    advance(j, rank, NULL);
    int access = add(j, rank, i, slot, false, writes, j->now[rank]);
    struct set proved = {{0}};
    if (step->kind == PLAN_LOAD) prove(j, rank, step, slot, &proved);
    if (writes) written(j, access, true);
    advance(j, rank, &proved);
}

static void lock_epoch(struct judge *j, int rank, const struct plan_step *step)
{
    if (step->kind == PLAN_LOCK)
        j->epoch[j->epochs++] =
            (struct epoch){rank, step->target, step->exclusive, j->now[rank], -1};
    for (int i = 0; i < j->epochs && step->kind == PLAN_UNLOCK; i++)
        if (j->epoch[i].rank == rank && j->epoch[i].target == step->target && j->epoch[i].to < 0)
            j->epoch[i].to = j->now[rank];
}

static void enters(struct judge *j, int rank, int i)
{
    const struct plan_step *step = &j->plan->step[rank][i];
    switch (step->kind) {
    case PLAN_LOAD:
    case PLAN_STORE:
        local_access(j, rank, i, window_slot(rank, step->word), step->kind == PLAN_STORE);
        return;
    case PLAN_PRIVATE_LOAD:
    case PLAN_PRIVATE_STORE:
        local_access(j, rank, i, buffer_slot(rank, step->buffer), step->kind == PLAN_PRIVATE_STORE);
        return;
    case PLAN_SEND:
        local_access(j, rank, i, buffer_slot(rank, step->buffer), false);
        struct queue *queue = &j->sent[rank][step->target];
        queue->node[queue->tail++] = j->now[rank];
        advance(j, rank, NULL);
        return;
    default: break;
    }
    advance(j, rank, NULL);
    if (plan_operates(step->kind)) begin(j, rank, i);
    if (step->kind == PLAN_FENCE || step->kind == PLAN_COMPLETE) end(j, rank, -1, false, -1);
    if (step->kind == PLAN_UNLOCK || step->kind == PLAN_FLUSH)
        end(j, rank, step->target, false, -1);
    if (step->kind == PLAN_FLUSH_LOCAL) end(j, rank, step->target, true, -1);
    const struct set now = up_to(j, j->now[rank]);
    if (step->kind == PLAN_FENCE || step->kind == PLAN_COLLECTIVE)
        j->part[step->meeting][rank] = now;
    for (int r = 0; r < RANKS && step->kind == PLAN_POST; r++)
        if (step->group >> r & 1) j->post[rank][r].node[j->post[rank][r].tail++] = j->now[rank];
    for (int s = i; step->kind == PLAN_COMPLETE && s-- > 0;) {
        const struct plan_step *start = &j->plan->step[rank][s];
        if (start->kind != PLAN_START) continue;
        for (int r = 0; r < RANKS; r++)
            if (start->group >> r & 1) join(&j->completed[r], &now);
        break;
    }
    lock_epoch(j, rank, step->kind == PLAN_UNLOCK ? step : &(struct plan_step){.kind = PLAN_LOAD});
    advance(j, rank, NULL);
}

static void leaves(struct judge *j, int rank, int i, int from)
{
    const struct plan_step *step = &j->plan->step[rank][i];
    struct set more = {{0}};
    switch (step->kind) {
    case PLAN_START:
        for (int t = 0; t < RANKS; t++) {
            struct queue *queue = &j->post[t][rank];
            if (!(step->group >> t & 1)) continue;
            j->posted[rank][t] = up_to(j, queue->node[queue->head++]);
        }
        break;
    case PLAN_WAIT:
        more = j->completed[rank];
        memset(&j->completed[rank], 0, sizeof j->completed[rank]);
        break;
    case PLAN_RECEIVE: {
        struct queue *queue = &j->sent[from][rank];
        more = up_to(j, queue->node[queue->head++]);
        advance(j, rank, &more);
        local_access(j, rank, i, buffer_slot(rank, step->buffer), true);
        break;
    }
    case PLAN_FENCE:
    case PLAN_COLLECTIVE:
        for (int r = 0; r < RANKS; r++)
            if (step->flow == PLAN_ALL || (step->flow == PLAN_FROM_ROOT && r == step->root) ||
                (step->flow == PLAN_TO_ROOT && rank == step->root) ||
                (step->flow == PLAN_UPWARD && r < rank))
                join(&more, &j->part[step->meeting][r]);
        break;
    case PLAN_REQUEST_WAIT: end(j, rank, -1, true, step->of); break;
    case PLAN_AWAIT: end(j, rank, step->target, false, -1); break;
    default: break;
    }
    advance(j, rank, &more);
    if (step->kind == PLAN_WAIT) waited(j, rank);
    if (step->kind == PLAN_LOCK) lock_epoch(j, rank, step);
    deliver(j, rank);
}

void plan_judge(const struct plan *plan, const struct plan_events *events, struct plan_pairs *pairs)
{
    struct judge *j = calloc(1, sizeof *j);
    j->plan = plan;
    for (int r = 0; r < RANKS; r++) j->now[r] = j->nodes++;
    for (int i = 0; i < events->n; i++) {
        const struct plan_event *e = &events->event[i];
        if (e->act == PLAN_ENTERS)
            enters(j, e->rank, e->step);
        else if (e->act == PLAN_LEAVES)
            leaves(j, e->rank, e->step, e->from);
        else
            perform(j, e->rank, e->step);
    }
    memset(pairs, 0, sizeof *pairs);
    for (int x = 0; x < j->accesses; x++)
        for (int y = 0; y < x; y++) {
            const struct access *a = &j->access[y], *b = &j->access[x];
            if (!conflict(j, a, b)) continue;
            if (a->rank == b->rank && !plan_operates(step_of(j, a)->kind) &&
                !plan_operates(step_of(j, b)->kind))
                continue;
            if (precedes(j, a->end, b->begin) || precedes(j, b->end, a->begin)) continue;
            if (excluding(j, a, b)) continue;
            int m = plan_line(a->rank, a->step), n = plan_line(b->rank, b->step);
            bool *pair = &pairs->conflict[m < n ? m : n][m < n ? n : m];
            pairs->n += !*pair;
            *pair = true;
        }
    free(j);
}
