/* check, inside: epochs, and operations in flight. Not a door. */
#ifndef CHECK_EPOCHS_H
#define CHECK_EPOCHS_H

#include "check/clock.h"

/* ---- epochs (epoch.c) ------------------------------------------------------------------------ */

enum check_epoch_kind {
    CHECK_FENCED,
    CHECK_STARTED,
    CHECK_LOCKED,
    CHECK_LOCKED_ALL,
    CHECK_REQUESTED, /* PUT/ACCEPT's: of a request, of a servicing call */
    CHECK_SERVICED
};

/* An access epoch of one rank; locks are what excludes others meanwhile. */
struct check_epoch {
    int refs;
    enum check_epoch_kind kind;
    int rank;
    const struct check_window *win;
    int target; /* member, of a lock; -1: all */
    bool exclusive, nocheck;
    op_site opened, closed;      /* closed 0: still open */
    uint32_t released;           /* the rank's clock when a lock was released; 0: held */
    struct check_clock *release; /* then; see check_epoch_stamp */
    bool counted;                /* among what a page's records take */
    bool forgot;                 /* what was read in it is not known any more */
    bool over; /* the call that releases it has returned: who gets the lock later is behind it */
};
struct check_epoch *check_epoch_new(const struct check_epoch *like);
struct check_epoch *check_epoch_ref(struct check_epoch *epoch);
const char *check_epoch_name(const struct check_epoch *epoch); /* "shared lock" (finding.c) */
const char *check_lock_call(const struct check_epoch *lock);   /* that opened it */
void check_epoch_unref(struct check_epoch *epoch);
/* The lock is released now: what its rank has done until then. False: there are too many clocks,
 * and who is behind it counts as behind what the rank does until a later one. */
bool check_epoch_release(struct check_epoch *epoch);
static inline struct check_stamp check_epoch_stamp(const struct check_epoch *epoch)
{
    return (struct check_stamp){epoch->release, epoch->rank, epoch->released};
}

/* The locks a rank holds at one time; shared by what it does meanwhile. */
struct check_holds {
    int refs;
    int n;
    struct check_epoch *hold[];
};
struct check_holds *check_holds_with(struct check_holds *before, struct check_epoch *more);
struct check_holds *check_holds_without(struct check_holds *before, const struct check_epoch *gone);
struct check_holds *check_holds_ref(struct check_holds *holds);
void check_holds_unref(struct check_holds *holds);

/* Operations that complete together: one origin's to one target, or to all in an epoch of fences,
 * between two calls that complete them. Buffers and targets complete by flights of their own. */
struct check_flight {
    int refs;
    uint32_t done; /* the origin's clock when they were complete; 0: in flight */
    struct check_epoch *epoch;
    struct check_clock *behind; /* what the origin is behind once they are; NULL: nothing more */
    /* struct check_epoch: excluded by a lock, and they wrote what this reads; NULL: none */
    GPtrArray *reads;
    /* At the target, of those of a start epoch: whose wait, and its clock then; 0: not yet */
    bool counted; /* among what a page's records take */
    int waiter;
    uint32_t waited;
};
struct check_flight *check_flight_new(struct check_epoch *epoch);
struct check_flight *check_flight_ref(struct check_flight *flight);
void check_flight_unref(struct check_flight *flight);
void check_flight_done(struct check_flight *flight, int rank);
void check_flight_end(struct check_flight *flight, int rank);
/* How many are complete: lists of what waits for some need not be looked through before it grows.
 */
extern uint32_t check_flights_done;
/* Has any become complete since the caller looked? It has looked now. */
static inline bool check_flights_news(uint32_t *seen)
{
    const bool news = *seen != check_flights_done;
    *seen = check_flights_done;
    return news;
}
void check_flight_reads(struct check_flight *flight, struct check_epoch *epoch);
/* The origin has what they fetched: it is behind those epochs that came before. */
void check_flight_landed(struct check_flight *flight, int rank);

#endif
