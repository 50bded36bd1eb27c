/* The dice of put_accept_planner.h, and the parts its units are made of. */
#ifndef PUT_ACCEPT_PARTS_H
#define PUT_ACCEPT_PARTS_H

#include "put_accept_plan.h"

/* ---- dice ------------------------------------------------------------------------------------ */

static inline int plan_dice(struct plan *p, int sides)
{
    p->state = p->state * 1664525u + 1013904223u;
    return (int)((p->state >> 8) % (unsigned)sides);
}

static inline double plan_point(struct plan *p, double low, double high)
{
    return low + (high - low) * plan_dice(p, 100000) / 100001;
}

static inline int plan_someone(struct plan *p, int comm)
{
    int member[PLAN_RANKS] = {0}, n = plan_members(p->ranks, comm, member);
    return member[plan_dice(p, n)];
}

static inline struct plan_shape plan_shape(struct plan *p, int n)
{
    struct plan_shape s = {n, n ? n : 1, n ? n : 1};
    if (n > 1 && plan_dice(p, 2))
        s.block = n % 2 ? 1 : 1 + plan_dice(p, 2), s.stride = s.block + plan_dice(p, 3);
    return s;
}

/* ---- the parts of a unit --------------------------------------------------------------------- */

static inline int plan_service(struct plan *p, int u, int rank, unsigned kinds, int count)
{
    p->service[p->services] = (struct plan_service){.unit = u,
                                                    .rank = rank,
                                                    .comm = p->unit[u].comm,
                                                    .tag = p->unit[u].tag,
                                                    .count = count,
                                                    .kinds = kinds,
                                                    .step = 8};
    return p->services++;
}

static inline void plan_range(struct plan *p, int service, int cells)
{
    struct plan_service *s = &p->service[service];
    static const int step[] = {8, 8, 1, 2};
    s->base = p->memory[s->rank] += plan_dice(p, 4);
    s->cells = cells;
    s->step = step[plan_dice(p, 4)];
    s->fills = true;
    p->memory[s->rank] += cells;
}

static inline int plan_ask(struct plan *p, int u, int origin, int target, enum plan_kind kind,
                           bool hold)
{
    int n = plan_dice(p, 12) == 0 ? 20 + plan_dice(p, 120) : plan_dice(p, 7);
    struct plan_ask *a = &p->ask[p->asks];
    *a = (struct plan_ask){.unit = u,
                           .origin = origin,
                           .target = target,
                           .comm = p->unit[u].comm,
                           .tag = p->unit[u].tag,
                           .kind = kind,
                           .hold = hold,
                           .service = -1};
    a->here = plan_shape(p, n);
    a->there = plan_shape(p, n);
    a->buffer = p->buffer[origin] += plan_dice(p, 3);
    p->buffer[origin] += plan_extent(a->here);
    return p->asks++;
}

static inline void plan_add(struct plan *p, int rank, enum plan_what what, int index, int mode,
                            double key)
{
    p->action[rank][p->actions[rank]++] = (struct plan_action){what, index, mode, key};
}

/* All requests of the unit that meet rank's range lie side by side in it. */
static inline void plan_side_by_side(struct plan *p, int u, int rank, int service)
{
    int cells = 0;
    for (int i = 0; i < p->asks; i++) {
        struct plan_ask *a = &p->ask[i];
        if (a->unit != u || a->target != rank) continue;
        a->service = service;
        a->disp = cells;
        cells += plan_extent(a->there) + plan_dice(p, 2);
    }
    plan_range(p, service, cells + plan_dice(p, 3));
    for (int i = 0; i < p->asks; i++)
        if (p->ask[i].unit == u && p->ask[i].target == rank)
            p->ask[i].disp *= 8 / p->service[service].step;
}

/* A hold that no counting request follows from there would stay behind: it counts. */
static inline void plan_holds_end(struct plan *p, int first)
{
    for (int i = p->asks - 1; i >= first; i--) {
        bool follows = false;
        for (int k = i + 1; k < p->asks; k++)
            follows |= !p->ask[k].hold && p->ask[k].origin == p->ask[i].origin &&
                       p->ask[k].target == p->ask[i].target && p->ask[k].kind == p->ask[i].kind;
        if (!follows) p->ask[i].hold = false;
    }
}

static inline int plan_count(const struct plan *p, int u, int rank, bool own, enum plan_kind kind,
                             bool any)
{
    int n = 0;
    for (int i = 0; i < p->asks; i++)
        if (p->ask[i].unit == u && (own ? p->ask[i].origin : p->ask[i].target) == rank &&
            (any || p->ask[i].kind == kind) && (own || !p->ask[i].hold))
            n++;
    return n;
}

#endif
