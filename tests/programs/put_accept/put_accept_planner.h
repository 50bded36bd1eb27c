/* How put_accept_plan.h's random programs are made: units first, then where each rank's actions go
 * among those of its other units. */
#ifndef PUT_ACCEPT_PLANNER_H
#define PUT_ACCEPT_PLANNER_H

#include "put_accept_parts.h"

/* ---- when ------------------------------------------------------------------------------------ */

/* Returns when the last one is. */
static inline double plan_scatter(struct plan *p, int rank, enum plan_what what, const int *index,
                                  int n, double low, double high)
{
    double key[PLAN_ASKS] = {low};
    for (int i = 0; i < n; i++) {
        double k = plan_point(p, low, high);
        int at = i;
        for (; at > 0 && key[at - 1] > k; at--) key[at] = key[at - 1];
        key[at] = k;
    }
    for (int i = 0; i < n; i++) plan_add(p, rank, what, index[i], 0, key[i]);
    return key[n ? n - 1 : 0];
}

/* what one rank services in one unit */
struct plan_part {
    int n, service[PLAN_ASKS];
    bool together, probes;
};

/* Posted at random and completed together (by plan_turns), or one after the other when the unit's
 * turn comes. */
static inline void plan_complete(struct plan *p, int u, int rank, const struct plan_part *mine)
{
    struct plan_unit *unit = &p->unit[u];
    double low = unit->before >= 0 ? p->unit[unit->before].posted[rank] : 0, turn = u + 1;
    bool each = (unit->type == PLAN_STREAM || unit->type == PLAN_MIXED) && unit->target == rank;
    if (mine->together) {
        unit->posted[rank] = plan_scatter(p, rank, PLAN_POST, mine->service, mine->n, low, turn);
        return;
    }
    for (int i = 0; i < mine->n; i++) {
        double key = unit->posted[rank] = turn + 0.001 * i;
        bool early = i == 0 && plan_dice(p, 2);
        if (early)
            unit->posted[rank] = plan_scatter(p, rank, PLAN_POST, &mine->service[i], 1, low, turn);
        else if (mine->probes && plan_dice(p, 2))
            plan_add(p, rank, PLAN_PROBE, mine->service[i], 0, key);
        plan_add(p, rank, early ? PLAN_COMPLETE : PLAN_SERVE, early ? 1 << u : mine->service[i],
                 plan_dice(p, unit->type == PLAN_ROUND ? 3 : 7), key + 0.0002);
        if (each) plan_add(p, rank, PLAN_APPLY, mine->service[i], 1, key + 0.0004);
    }
    if (!each) plan_add(p, rank, PLAN_APPLY, u, 0, turn + 0.5);
}

/* ---- units ----------------------------------------------------------------------------------- */

static inline void plan_wait(struct plan *p, int u, int rank, enum plan_kind kind,
                             struct plan_part *part)
{
    part->service[part->n++] = plan_service(p, u, rank, 1u << kind, 0);
}

static inline void plan_bag(struct plan *p, int u, struct plan_part *part)
{
    struct plan_unit *unit = &p->unit[u];
    bool either = unit->type == PLAN_AVAILS, holds = !plan_collective(unit->kind);
    int first = p->asks, member[PLAN_RANKS], members = plan_members(p->ranks, unit->comm, member);
    for (int n = plan_dice(p, 11); n > 0; n--) {
        int origin = plan_someone(p, unit->comm), target = plan_someone(p, unit->comm);
        enum plan_kind kind = either ? (enum plan_kind)plan_dice(p, 2) : unit->kind;
        plan_ask(p, u, origin, target, kind, holds && plan_dice(p, 3) == 0);
    }
    plan_holds_end(p, first);
    for (int m = 0; m < members; m++) {
        int rank = member[m], count = plan_count(p, u, rank, false, 0, true),
            own = plan_count(p, u, rank, true, 0, true);
        struct plan_part *mine = &part[rank];
        mine->together = plan_dice(p, 2);
        if (plan_collective(unit->kind)) {
            mine->service[mine->n++] = plan_service(p, u, rank, 1u << unit->kind, 0);
            plan_side_by_side(p, u, rank, mine->service[0]);
        } else if (count > 0) {
            int pieces = either ? count : mine->together && count > 1 && plan_dice(p, 2) ? 2 : 1;
            /* each waits for all its own requests */
            if (either && own > 0) mine->together = true;
            for (int i = 0; i < pieces; i++) {
                int s = plan_service(p, u, rank,
                                     either ? 1u << PLAN_PUT | 1u << PLAN_GET : 1u << unit->kind,
                                     pieces == 1 ? count
                                     : either    ? 1
                                     : i == 0    ? count / 2
                                                 : count - count / 2);
                mine->service[mine->n++] = s;
                if (i == 0)
                    plan_side_by_side(p, u, rank, s);
                else
                    p->service[s].base = p->service[s - 1].base,
                    p->service[s].cells = p->service[s - 1].cells,
                    p->service[s].step = p->service[s - 1].step;
            }
        } else {
            for (int kind = PLAN_PUT; kind <= PLAN_GET; kind++)
                if (plan_count(p, u, rank, true, (enum plan_kind)kind, false))
                    plan_wait(p, u, rank, (enum plan_kind)kind, mine);
        }
    }
}

/* One origin, one target, several servicers in turn: it is known which request meets which. */
static inline void plan_stream(struct plan *p, int u, struct plan_part *part)
{
    struct plan_unit *unit = &p->unit[u];
    int origin = unit->origin, target = unit->target;
    bool one = unit->type == PLAN_DETACHED || origin == target;
    struct plan_part *theirs = &part[target];
    for (int i = 0, n = one ? 1 : 1 + plan_dice(p, 3); i < n; i++) {
        int count = unit->avails ? 1 : 1 + plan_dice(p, 3), first = p->asks, widest = 0;
        int s = plan_service(
            p, u, target, unit->avails ? 1u << PLAN_PUT | 1u << PLAN_GET : 1u << unit->kind, count);
        for (int k = 0; k < count; k++) {
            /* Behind an ACCEPT's last PUT a hold could be its own or the next one's. */
            int holds = unit->avails || i == 0 || k > 0 ? plan_dice(p, 3) : 0;
            for (int h = 0; h <= holds; h++) plan_ask(p, u, origin, target, unit->kind, h < holds);
        }
        for (int a = first; a < p->asks; a++)
            if (plan_extent(p->ask[a].there) > widest) widest = plan_extent(p->ask[a].there);
        plan_range(p, s, widest + plan_dice(p, 8));
        for (int a = first; a < p->asks; a++) {
            p->ask[a].service = s;
            p->ask[a].disp = plan_dice(p, p->service[s].cells - plan_extent(p->ask[a].there) + 1) *
                             (8 / p->service[s].step);
        }
        theirs->service[theirs->n++] = s;
    }
    theirs->together = one && plan_dice(p, 2);
    theirs->probes = unit->alone && origin != target;
    if (origin != target) {
        plan_wait(p, u, origin, unit->kind, &part[origin]);
        part[origin].together = plan_dice(p, 2);
    }
}

/* Two AVAILs in turn. When the first has taken a hold, a request of the other kind comes, and then
 * the one that ends the hold: the first must take that, and the second the other. */
static inline void plan_mixed(struct plan *p, int u, struct plan_part *part)
{
    struct plan_unit *unit = &p->unit[u];
    for (int i = 0; i < 2; i++) {
        int s = plan_service(p, u, unit->target, 1u << PLAN_PUT | 1u << PLAN_GET, 1),
            n = part[unit->target].n++;
        part[unit->target].service[n] = s;
    }
    const int *s = part[unit->target].service;
    for (int i = 0; i < 3; i++) {
        int a = plan_ask(p, u, unit->origin, unit->target,
                         i == 1 ? (enum plan_kind)(unit->kind ^ 1) : unit->kind, i == 0);
        p->ask[a].service = s[i == 1];
    }
    plan_range(p, s[0],
               plan_extent(p->ask[p->asks - 3].there) + plan_extent(p->ask[p->asks - 1].there));
    plan_range(p, s[1], plan_extent(p->ask[p->asks - 2].there));
    p->ask[p->asks - 1].disp = plan_extent(p->ask[p->asks - 3].there) * (8 / p->service[s[0]].step);
    for (int i = 0; i < 3; i++)
        plan_wait(p, u, unit->origin, i == 1 ? (enum plan_kind)(unit->kind ^ 1) : unit->kind,
                  &part[unit->origin]);
}

/* Its origin's part: the hold, a wait until it is serviced, the other two, and waits for both. */
static inline void plan_mixed_origin(struct plan *p, int u, int rank, const struct plan_part *mine,
                                     const int *ask)
{
    double turn = u + 1;
    plan_scatter(p, rank, PLAN_ASK, ask, 1, 0, turn);
    plan_add(p, rank, PLAN_SERVE, mine->service[0], 0, turn + 0.1);
    plan_add(p, rank, PLAN_ASK, ask[1], 0, turn + 0.2);
    plan_add(p, rank, PLAN_ASK, ask[2], 0, turn + 0.3);
    plan_add(p, rank, PLAN_SERVE, mine->service[1], 0, turn + 0.4);
    plan_add(p, rank, PLAN_SERVE, mine->service[2], 0, turn + 0.45);
    plan_add(p, rank, PLAN_APPLY, u, 0, turn + 0.5);
}

/* A communicator and a tag whose kinds no other unit has; alone: no kind of it. */
static inline bool plan_room(struct plan *p, struct plan_unit *unit)
{
    unsigned kinds = unit->avails ? 1u << PLAN_PUT | 1u << PLAN_GET : 1u << unit->kind;
    unit->alone = unit->type == PLAN_STREAM && plan_dice(p, 2);
    for (int tries = 0; tries < 40; tries++) {
        unit->comm = plan_dice(p, PLAN_COMMS);
        unit->tag = plan_dice(p, PLAN_TAGS);
        unsigned *used = &p->used[unit->comm][unit->tag];
        if (*used & (unit->alone ? ~0u : kinds)) continue;
        *used |= unit->alone ? ~0u : kinds;
        return true;
    }
    return false;
}

static inline bool plan_unit(struct plan *p, int u, struct plan_part *part)
{
    static const enum plan_type often[] = {PLAN_BAG,    PLAN_BAG,      PLAN_BAG,    PLAN_STREAM,
                                           PLAN_STREAM, PLAN_STREAM,   PLAN_AVAILS, PLAN_AVAILS,
                                           PLAN_ROUND,  PLAN_ROUND,    PLAN_ROUND,  PLAN_MESSAGES,
                                           PLAN_DECOY,  PLAN_DETACHED, PLAN_MIXED};
    struct plan_unit *unit = &p->unit[u];
    *unit =
        (struct plan_unit){.type = often[plan_dice(p, sizeof often / sizeof *often)], .before = -1};
    unit->kind = (enum plan_kind)plan_dice(p, 2);
    unit->avails = unit->type == PLAN_AVAILS || unit->type == PLAN_MIXED ||
                   ((unit->type == PLAN_STREAM || unit->type == PLAN_DECOY) && plan_dice(p, 2));
    if (unit->type == PLAN_ROUND) {
        unit->kind = unit->kind == PLAN_PUT ? PLAN_PUTC : PLAN_GETC;
        for (int v = 0; v < u && plan_dice(p, 3); v++) /* often the next round of one before */
            if (p->unit[v].type == PLAN_ROUND && p->unit[v].kind == unit->kind) unit->before = v;
    }
    if (unit->before >= 0)
        unit->comm = p->unit[unit->before].comm, unit->tag = p->unit[unit->before].tag;
    for (int v = 0; unit->before >= 0 && v < u; v++) /* of the last such round */
        if (p->unit[v].type == PLAN_ROUND && p->unit[v].kind == unit->kind &&
            p->unit[v].comm == unit->comm && p->unit[v].tag == unit->tag)
            unit->before = v;
    if (unit->before < 0 && unit->type != PLAN_MESSAGES && !plan_room(p, unit)) return false;
    unit->origin = plan_someone(p, unit->comm);
    do unit->target = plan_someone(p, unit->comm);
    while (unit->type >= PLAN_DETACHED && unit->target == unit->origin && unit->comm < 2);
    if (unit->type >= PLAN_DETACHED && unit->target == unit->origin) unit->type = PLAN_STREAM;
    if (unit->type == PLAN_STREAM || unit->type == PLAN_DETACHED)
        plan_stream(p, u, part);
    else if (unit->type == PLAN_MIXED)
        plan_mixed(p, u, part);
    else if (unit->type == PLAN_DECOY) {
        struct plan_part *mine = &part[unit->target];
        int s = plan_service(p, u, unit->target,
                             unit->avails ? 1u << PLAN_PUT | 1u << PLAN_GET : 1u << unit->kind,
                             1 + plan_dice(p, 2) * !unit->avails);
        plan_range(p, s, plan_dice(p, 12));
        mine->service[mine->n++] = s;
    } else if (unit->type == PLAN_MESSAGES) {
        int a = plan_ask(p, u, unit->origin, unit->target, PLAN_PUT, false),
            s = plan_service(p, u, unit->target, 0, 0);
        plan_range(p, s, plan_extent(p->ask[a].there));
        p->service[s].step = 8;
        p->ask[a].service = s;
    } else
        plan_bag(p, u, part);
    return true;
}

/* Which units each rank completes together, and so when it is done with each. */
static inline void plan_turns(struct plan *p, struct plan_part part[PLAN_UNITS][PLAN_RANKS],
                              int rank)
{
    unsigned open = 0;
    for (int u = 0; u < p->units; u++) {
        struct plan_part *mine = &part[u][rank];
        bool message = p->unit[u].type == PLAN_MESSAGES &&
                       (p->unit[u].origin == rank || p->unit[u].target == rank);
        bool calm = p->unit[u].type != PLAN_DETACHED && p->unit[u].type != PLAN_DECOY;
        if (message || (mine->n > 0 && mine->together && calm)) open |= 1u << u;
        bool next = u + 1 < p->units && (part[u + 1][rank].together && part[u + 1][rank].n > 0) &&
                    calm && (p->unit[u + 1].before < 0 || !(open & 1u << p->unit[u + 1].before)) &&
                    p->unit[u + 1].type != PLAN_DETACHED && p->unit[u + 1].type != PLAN_DECOY;
        p->unit[u].done[rank] = u + 1.9;
        if (!open || (next && plan_dice(p, 3))) continue;
        bool rounds = false;
        for (int v = 0; v <= u; v++)
            if (open & 1u << v)
                p->unit[v].done[rank] = u + 1.9, rounds |= p->unit[v].type == PLAN_ROUND;
        /* TEST may never see a round complete */
        plan_add(p, rank, PLAN_COMPLETE, (int)open, plan_dice(p, rounds ? 3 : 7), u + 1.6);
        for (int v = 0; v <= u; v++)
            if (open & 1u << v) plan_add(p, rank, PLAN_APPLY, v, 0, u + 1.8);
        open = 0;
    }
}

static inline void plan_schedule(struct plan *p, struct plan_part part[PLAN_UNITS][PLAN_RANKS],
                                 int rank)
{
    plan_turns(p, part, rank);
    for (int u = 0; u < p->units; u++) {
        struct plan_unit *unit = &p->unit[u];
        struct plan_part *mine = &part[u][rank];
        double low = unit->before >= 0 ? p->unit[unit->before].done[rank] : 0, turn = u + 1;
        int asks[PLAN_ASKS], n = 0;
        for (int i = 0; i < p->asks; i++)
            if (p->ask[i].unit == u && p->ask[i].origin == rank) asks[n++] = i;
        if (unit->type == PLAN_MESSAGES) {
            if (unit->origin == rank)
                plan_add(p, rank, PLAN_MESSAGE, asks[0], 0, plan_point(p, 0, turn));
            if (unit->target == rank)
                plan_add(p, rank, PLAN_MESSAGE, -1 - u, 0, plan_point(p, 0, turn));
            continue;
        }
        if (unit->type == PLAN_MIXED && unit->origin == rank) {
            plan_mixed_origin(p, u, rank, mine, asks);
            continue;
        }
        plan_scatter(p, rank, PLAN_ASK, asks, n, low, turn);
        if (mine->n == 0) continue;
        if (unit->type == PLAN_DECOY || (unit->type == PLAN_DETACHED && unit->target == rank)) {
            plan_scatter(p, rank, PLAN_POST, mine->service, 1, 0, turn);
            plan_add(p, rank, unit->type == PLAN_DECOY ? PLAN_CANCEL : PLAN_FREE, mine->service[0],
                     0, turn + 0.1);
        } else {
            if (unit->type == PLAN_DETACHED) mine->together = false;
            plan_complete(p, u, rank, mine);
        }
    }
    for (int i = plan_dice(p, 4); i > 0; i--)
        plan_add(p, rank, PLAN_COMPUTE, 100 << plan_dice(p, 10), 0, plan_point(p, 0, p->units + 1));
}

static inline int plan_earlier(const void *a, const void *b)
{
    const struct plan_action *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static inline void plan_make(struct plan *p, unsigned seed, int ranks)
{
    struct plan_part(*part)[PLAN_RANKS] = calloc(PLAN_UNITS, sizeof *part);
    memset(p, 0, sizeof *p);
    p->state = seed * 2654435761u + 12345;
    p->ranks = ranks;
    int wanted = 2 + plan_dice(p, PLAN_UNITS - 1);
    for (int i = 0; i < wanted; i++)
        if (plan_unit(p, p->units, part[p->units])) p->units++;
    for (int rank = 0; rank < ranks; rank++) {
        plan_schedule(p, part, rank);
        qsort(p->action[rank], (size_t)p->actions[rank], sizeof *p->action[rank], plan_earlier);
    }
    free(part);
}

#endif
