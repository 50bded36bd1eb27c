/* Random programs of PUT/ACCEPT, as plans: what every rank does, in which order, and what its
 * memory must hold. The same for whoever makes it from the same seed. tests/unit runs plans over
 * the fake kernel, put_accept_random.c as real programs.
 *
 * A plan is a list of units, each with its own communicator, tag and kinds, that no other unit has.
 * They are free of deadlock: every rank completes its units in the same order, and before it
 * completes one it has issued all its requests of it; everything else is scattered at random. There
 * is exactly one allowed outcome: either requests have places of their own, or they have one origin
 * and one target, and "will be serviced in the order in which they are issued".
 */
#ifndef PUT_ACCEPT_PLAN_H
#define PUT_ACCEPT_PLAN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAN_RANKS = 5,
    PLAN_UNITS = 7,
    PLAN_ASKS = 200,
    PLAN_SERVICES = 160,
    PLAN_ACTIONS = 512,
    PLAN_CELLS = 8192,
    PLAN_COMMS = 3,
    PLAN_TAGS = 4
};
enum plan_kind { PLAN_PUT, PLAN_GET, PLAN_PUTC, PLAN_GETC };

/* n cells in blocks: number i lies at (i / block) * stride + i % block. */
struct plan_shape {
    int n, block, stride;
};
struct plan_ask {
    int unit, origin, target, comm, tag; /* world ranks */
    enum plan_kind kind;
    bool hold;
    struct plan_shape here, there; /* at the origin, at the target */
    int buffer;                    /* cell of the origin's buffer */
    /* the range it must meet, and where in it, in the servicer's units */
    int service, disp;
};
struct plan_service {
    int unit, rank, comm, tag, count;
    unsigned kinds;
    /* range of the rank's memory, displacement unit in bytes; no cells: a pure wait */
    int base, cells, step;
    bool fills; /* the first one on its range stores into it before */
};
enum plan_what {
    PLAN_ASK,
    PLAN_POST,
    PLAN_SERVE,
    PLAN_COMPLETE,
    PLAN_APPLY,
    PLAN_CANCEL,
    PLAN_FREE,
    PLAN_PROBE,
    PLAN_COMPUTE,
    PLAN_MESSAGE
};
struct plan_action {
    enum plan_what what;
    /* ask, service, unit; of COMPLETE a set of units; of COMPUTE cycles */
    int index;
    /* COMPLETE: which call. APPLY: 0 all of a unit, 1 one service */
    int mode;
    double key;
};
enum plan_type {
    PLAN_BAG,
    PLAN_STREAM,
    PLAN_AVAILS,
    PLAN_ROUND,
    PLAN_MESSAGES,
    PLAN_DECOY,
    PLAN_DETACHED,
    PLAN_MIXED,
    PLAN_TYPES
};
struct plan_unit {
    enum plan_type type;
    enum plan_kind kind;
    int comm, tag, before; /* the round before this one; -1: none */
    bool avails, alone;
    int origin, target; /* of streams and messages */
    /* when a rank has posted its (last) servicer, and is done with it */
    double posted[PLAN_RANKS], done[PLAN_RANKS];
};
struct plan {
    unsigned state;
    int ranks, units, asks, services, actions[PLAN_RANKS];
    struct plan_unit unit[PLAN_UNITS];
    struct plan_ask ask[PLAN_ASKS];
    struct plan_service service[PLAN_SERVICES];
    struct plan_action action[PLAN_RANKS][PLAN_ACTIONS];
    int memory[PLAN_RANKS], buffer[PLAN_RANKS]; /* cells in use */
    unsigned used[PLAN_COMMS][PLAN_TAGS];       /* kinds */
};

static inline int plan_at(struct plan_shape s, int i)
{
    return i / s.block * s.stride + i % s.block;
}
static inline int plan_extent(struct plan_shape s) { return s.n ? plan_at(s, s.n - 1) + 1 : 0; }
/* What a rank stores: into its buffers at first, into a range before it is posted. */
static inline long plan_origin_value(unsigned seed, int rank, int cell)
{
    return 1000000000L + (long)(seed % 1000) * 1000000 + 100000 * (rank + 1) + cell;
}
static inline long plan_range_value(unsigned seed, int rank, int cell)
{
    return -plan_origin_value(seed, rank, cell);
}
static inline bool plan_writes(enum plan_kind k) { return k == PLAN_PUT || k == PLAN_PUTC; }
static inline bool plan_collective(enum plan_kind k) { return k == PLAN_PUTC || k == PLAN_GETC; }

/* The communicators: all, all again, and all but the first in reverse order. Returns how many;
 * member[i] is a world rank. */
static inline int plan_members(int ranks, int comm, int *member)
{
    int n = 0;
    if (comm < 2)
        while (n < ranks) member[n] = n, n++;
    else
        for (int r = ranks - 1; r >= (ranks > 2); r--) member[n++] = r;
    return n;
}

static inline int plan_rank_in(int ranks, int comm, int rank)
{
    int member[PLAN_RANKS], n = plan_members(ranks, comm, member);
    for (int i = 0; i < n; i++)
        if (member[i] == rank) return i;
    return -1;
}

/* The plan of that seed. */
static inline void plan_make(struct plan *p, unsigned seed, int ranks);

/* What an APPLY makes of what the rank's memory and buffers must hold. */
static inline void plan_apply(const struct plan *p, unsigned seed, int rank, int index, int mode,
                              long *memory, long *buffer)
{
    for (int i = 0; i < p->asks; i++) {
        const struct plan_ask *a = &p->ask[i];
        const struct plan_service *s = &p->service[a->service];
        int at = s->base + a->disp / (8 / s->step);
        if ((mode ? a->service : a->unit) != index) continue;
        for (int k = 0; k < a->here.n; k++)
            if (plan_writes(a->kind) && a->target == rank)
                memory[at + plan_at(a->there, k)] =
                    plan_origin_value(seed, a->origin, a->buffer + plan_at(a->here, k));
            else if (!plan_writes(a->kind) && a->origin == rank)
                buffer[a->buffer + plan_at(a->here, k)] =
                    plan_range_value(seed, a->target, at + plan_at(a->there, k));
    }
}

#include "put_accept_planner.h"

#endif
