/* Random programs of one-sided communication: what each rank does, in which order it may happen,
 * and which lines conflict. Nothing here knows sim/check: judge.c is its independent judge.
 *
 * Four ranks, a window of a few words at each, and private buffers. A plan made without `chaos` is
 * correct by construction; one of its synchronisations can be taken out. */
#ifndef RANDOM_PLAN_H
#define RANDOM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANKS_OF_PLAN = 4, PLAN_WORDS = 6, PLAN_BUFFERS = 6, PLAN_STEPS = 120 };

enum plan_kind {
    PLAN_LOAD, /* of the rank's own part of the window */
    PLAN_STORE,
    PLAN_PRIVATE_LOAD, /* of a buffer */
    PLAN_PRIVATE_STORE,
    PLAN_PUT,
    PLAN_GET,
    PLAN_ADD, /* accumulates */
    PLAN_REPLACE,
    PLAN_FETCH_ADD,
    PLAN_FETCH_REPLACE,
    PLAN_FETCH,
    PLAN_SWAP,
    PLAN_AWAIT, /* fetches until the writer's value is there */
    PLAN_REQUEST_WAIT,
    PLAN_FENCE,
    PLAN_POST,
    PLAN_START,
    PLAN_COMPLETE,
    PLAN_WAIT,
    PLAN_LOCK,
    PLAN_UNLOCK,
    PLAN_FLUSH,
    PLAN_FLUSH_LOCAL,
    PLAN_SEND,
    PLAN_RECEIVE,
    PLAN_COLLECTIVE
};
enum plan_flow { PLAN_ALL, PLAN_FROM_ROOT, PLAN_TO_ROOT, PLAN_UPWARD };

struct plan_step {
    enum plan_kind kind;
    int target;      /* of operations; locks and flushes: -1: all; messages: the other rank; of
                        receives -1: any */
    int word, words; /* of the window */
    int buffer;      /* the buffer; operations, messages; -1: a constant */
    bool exclusive;  /* locks */
    bool request;    /* an operation that completes by one */
    int of;          /* REQUEST_WAIT: the step */
    unsigned group;  /* POST, START: bits of ranks */
    enum plan_flow flow;
    int root;
    int meeting;   /* fences and collectives: of one number happen together; AWAIT: that REPLACE */
    int removable; /* steps of one number go together; 0: none */
};
struct plan {
    int steps[RANKS_OF_PLAN];
    struct plan_step step[RANKS_OF_PLAN][PLAN_STEPS];
    int removables; /* numbered from 1 */
    uint64_t state; /* of the random numbers */
};
void plan_make(struct plan *plan, uint64_t seed, bool chaos);
/* Another kind: one rank receives from any source (gather.c). */
void plan_gather(struct plan *plan, uint64_t seed);
/* Takes one synchronisation out; false: there is none. */
bool plan_remove(struct plan *plan, int removable);
unsigned plan_draw(uint64_t *state, unsigned n);

static inline bool plan_operates(enum plan_kind kind)
{
    return kind >= PLAN_PUT && kind <= PLAN_AWAIT;
}
static inline bool plan_accumulates(enum plan_kind kind)
{
    return kind >= PLAN_ADD && kind <= PLAN_AWAIT;
}
static inline bool plan_fetches(enum plan_kind kind)
{
    return kind >= PLAN_FETCH_ADD && kind <= PLAN_AWAIT;
}
/* Does it change the window? */
static inline bool plan_writes(enum plan_kind kind)
{
    return kind == PLAN_STORE || kind == PLAN_PUT ||
           (plan_accumulates(kind) && kind != PLAN_FETCH && kind != PLAN_AWAIT);
}
/* A step's line: each has its own. */
static inline int plan_line(int rank, int step) { return 1 + rank * PLAN_STEPS + step; }

/* ---- one order in which it may happen (schedule.c) ------------------------------------------- */

enum plan_act { PLAN_ENTERS, PLAN_PERFORMS, PLAN_LEAVES };
struct plan_event {
    enum plan_act act;
    int rank, step, from; /* from: of receives: whose message */
};
struct plan_events {
    struct plan_event event[RANKS_OF_PLAN * PLAN_STEPS * 3];
    int n;
};
/* Locks are granted, operations performed and ranks chosen at random. False: the ranks wait for
 * ever. */
bool plan_schedule(const struct plan *plan, uint64_t seed, struct plan_events *events);

/* ---- the naive judge (judge.c) --------------------------------------------------------------- */

enum { PLAN_LINES = RANKS_OF_PLAN * PLAN_STEPS + 1 };
/* Of two lines, whether they conflict: [lower line][higher line]. */
struct plan_pairs {
    bool conflict[PLAN_LINES][PLAN_LINES];
    int n;
};
void plan_judge(const struct plan *plan, const struct plan_events *events,
                struct plan_pairs *pairs);

#endif
