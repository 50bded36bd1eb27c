/* profile: where a run's time went, by place in the program, and who made whom wait.
 *
 * Always on. Places are sites (op.h); report turns them into lines and merges what has one line.
 * Sums are over all ranks. What is counted:
 * - stalls: what the program's own loads and stores waited for caches, bus and memory (probe);
 * - calls: what each outermost MPI call took, and how much of that the rank waited (world);
 * - causes: the stretches of waits, each with the cause that was last to be ready (serve).
 * Nothing here computes a cost or waits. What blocks of code cost by line: lines/lines.h.
 * Waits inside SimGrid's own messages and collectives have no cause here: report counts them as
 * PROFILE_UNKNOWN.
 *
 * Times are simulated seconds. Ranks are MPI_COMM_WORLD ranks.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/base.h"
#include "op/op.h"
#include "profile/stalls/stalls.h"

/* ---- stalls ---------------------------------------------------------------------------------- */

/* Of a site the row that was asked for last, made now if there is none: of no object. The sites
 * asked for last stand in front. */
enum { PROFILE_NEAR = 256 };
extern struct profile_stall *profile_near[PROFILE_NEAR];
struct profile_stall *profile_far_row(op_site site);
static inline struct profile_stall *profile_near_row(op_site site) /* NULL: it is not there */
{
    struct profile_stall *row = profile_near[site % PROFILE_NEAR];
    return row && row->site == site ? row : NULL;
}
static inline struct profile_stall *profile_row(op_site site)
{
    struct profile_stall *row = profile_near_row(site);
    return row ? row : profile_far_row(site);
}
/* The row of a site and an object, NULL: of none; made now if there is none. */
struct profile_stall *profile_row_of(op_site site, const struct profile_object *object);
/* A load or store at `site` waited that long, in mem's ticks. */
static inline void profile_load(op_site site, int64_t ticks)
{
    struct profile_stall *row = profile_row(site);
    row->loads++;
    row->load_ticks += ticks;
}
/* Work there that no block shows. */
static inline void profile_work(op_site site, int64_t ticks)
{
    profile_row(site)->work_ticks += ticks;
}
/* A branch there was predicted wrongly, which took so much work. */
static inline void profile_wrong(op_site site, int64_t ticks)
{
    struct profile_stall *row = profile_row(site);
    row->wrong++;
    row->wrong_ticks += ticks;
}
static inline void profile_store(op_site site, int64_t ticks)
{
    struct profile_stall *row = profile_row(site);
    row->stores++;
    row->store_ticks += ticks;
}
size_t profile_stalls(void); /* in order of first occurrence */
const struct profile_stall *profile_stall_at(size_t i);

/* ---- calls ----------------------------------------------------------------------------------- */

/* time is the sum of the others. memory: stalls on the caches, bus and memory; service: of others'
 * operations. */
struct profile_times {
    double time_s, wait_s, memory_s, compute_s, service_s;
    bool vain; /* of one call: it found nothing, or had nothing to do */
};
struct profile_call {
    op_site site;
    const char *call; /* "MPI_Win_fence"; static storage */
    uint64_t count;
    struct profile_times sum;
    double longest_s; /* the longest wait, ... */
    int longest_rank; /* ... and whose it was */
    uint64_t vain;    /* calls that were in vain, and their time */
    double vain_s;
    /* puts, gets and accumulates; those that go on where the one before from here ended, or lie
     * as far from it as that from the one before it, with nothing but such calls in between */
    uint64_t operations, bytes, further;
    /* operations after which the rank asked for the same bytes again, with nothing but calls in
     * between that complete them or read the clock: their time, that of those calls included; of
     * any call, what it took of such time */
    uint64_t asked;
    double asked_s, asking_s;
};
/* The outermost call of that rank is over, or is MPI_Finalize and done. */
void profile_call(op_site site, const char *call, int rank, const struct profile_times *times);
/* That call of the rank starts an operation at that address of the target's. asks: done again, it
 * changes nothing more there, and it brings what is there. */
void profile_called(op_site site, const char *call, int rank, int target, uintptr_t addr,
                    uint64_t bytes, bool asks);
size_t profile_calls(void);
const struct profile_call *profile_call_at(size_t i);

/* ---- causes ---------------------------------------------------------------------------------- */

enum profile_cause {
    PROFILE_LOCK,      /* another rank held the lock */
    PROFILE_BARRIER,   /* another rank came later */
    PROFILE_SERVICE,   /* the target began to service later than the request arrived: it computed */
    PROFILE_PARTNER,   /* another rank posted, completed or sent later */
    PROFILE_NETWORK,   /* bytes, flags and answers were on their way */
    PROFILE_INTERFACE, /* an interface, a link or memory had another's bytes before them */
    PROFILE_SERVICING, /* the target serviced it, or others before it */
    PROFILE_ATOMIC,    /* an interface's atomic unit or lock of accumulates was taken */
    PROFILE_COLLECTIVE, /* the messages of a barrier or a total */
    PROFILE_DATE,       /* the rank slept until a date */
    PROFILE_UNKNOWN,    /* not known here: what SimGrid's own messages and collectives waited */
    PROFILE_CAUSES
};
/* "lock", "barrier", "service", "partner", "network", "interface", "servicing", "atomic",
 * "collective", "date", "unknown" */
const char *profile_cause_name(enum profile_cause cause);

/* What a rank that came late did until then. */
enum profile_doing {
    PROFILE_COMPUTED,
    PROFILE_STALLED,
    PROFILE_SERVICED, /* others */
    PROFILE_AWAITED,  /* other ranks */
    PROFILE_SENT,     /* waited for bytes, flags and answers on their way */
    PROFILE_QUEUED,   /* waited for an interface or a link */
    PROFILE_DOINGS
};

/* Folded by everything but the times and counts. */
struct profile_blame {
    enum profile_cause cause;
    op_site site;       /* of the call that waited; of an operation its own */
    op_site other_site; /* of the holder's or last member's call; 0: not known */
    int other_rank;     /* the holder, the last, the target, whose bytes they were */
    /* whom the other rank had waited for itself during most of it, and where that one acted;
     * -1: it had not */
    int behind_rank;
    op_site behind_site;
    uint64_t count;
    double wait_s;                /* of all who waited */
    double did_s[PROFILE_DOINGS]; /* the other rank meanwhile, as far as known */
};
void profile_blame(const struct profile_blame *blame);
size_t profile_blames(void);
const struct profile_blame *profile_blame_at(size_t i);

/* Forgets all: start and end of a world. */
void profile_clear(void);

#endif
