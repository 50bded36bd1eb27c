/* profile/locks: the locks of windows: who waited for them and who held them. Filled by sync. Each
 * rank's part of a window has a lock of its own. Times are simulated seconds.
 *
 * Left out: locks with MPI_MODE_NOCHECK, which nobody takes.
 */
#ifndef PROFILE_LOCKS_H
#define PROFILE_LOCKS_H

#include "base/base.h"
#include "op/op.h"

/* What was done from one place. */
struct profile_locker {
    op_site site; /* of the call that asked for the lock */
    bool exclusive;
    uint64_t count;   /* it was granted */
    double wait_s;    /* from the request on until it had the lock; servicing others is no wait */
    double held_s;    /* until it sent the release; of locks that were released */
    double longest_s; /* the longest of these, ... */
    int longest_rank; /* ... and whose it was; -1: none was released */
};
struct profile_lock {
    int window, rank; /* the window's number; whose part of it */
    const char *name; /* of the window; interned */
    uint64_t queued;  /* that found it held, and were queued */
    uint32_t longest_queue;
    uint64_t handovers; /* from a rank that released it to one that was queued; ... */
    double handover_s;  /* ... from when the release was sent until the grant was there */
    GArray *locker;     /* struct profile_locker, in order of first occurrence */
    GByteArray *asked;  /* bit i: rank i had the lock */
};
struct profile_lock_who {
    op_site site;
    int rank;
    bool exclusive;
};
/* The row, made now if there is none; it stays until all are cleared. */
struct profile_lock *profile_lock(int window, int rank, const char *name);
/* So many requests are queued there now, one of which has just come. */
void profile_lock_queue(struct profile_lock *lock, uint32_t queued);
/* The rank has the lock. handover_s: negative, if nobody released it to this one. */
void profile_lock_got(struct profile_lock *lock, const struct profile_lock_who *who, double wait_s,
                      double handover_s);
/* ... and has released it. */
void profile_lock_held(struct profile_lock *lock, const struct profile_lock_who *who,
                       double held_s);

size_t profile_locks(void); /* in order of first occurrence */
const struct profile_lock *profile_lock_at(size_t i);
int profile_lock_ranks(const struct profile_lock *lock); /* that had it */
void profile_locks_clear(void);

#endif
