/* sync/late: for whom a rank waited in MPI's own messages and collectives, of which SimGrid knows
 * the dates but nobody the reasons. A message's sender, and the last rank that gave to a collective
 * what this one takes, were late if they came after it. The rest of the wait is the network's.
 * Left out: receivers for whom a synchronous or long send waits, intercommunicators, nonblocking
 * collectives. Contexts and members are those of a communicator, the same for all its ranks. */
#ifndef SYNC_LATE_H
#define SYNC_LATE_H

#include "base/base.h"
#include "serve/clock/clock.h"

struct sync_context {
    const void *ranks; /* of the communicator, and its number among theirs */
    int number, members;
    int me; /* the calling rank, as their member */
};

/* A message of so many bytes to that rank of the world leaves; one of that member has been
 * received. */
void sync_late_sent(struct serve_proc *me, const struct sync_context *in, int to, int tag,
                    uint64_t bytes);
void sync_late_received(struct serve_proc *me, const struct sync_context *in, int from, int tag);
/* A receive begins, from that member, with that tag; -1: any. A blocking send to that rank of the
 * world is over, which was not until its receive had begun. */
void sync_late_receives(struct serve_proc *me, const struct sync_context *in, int from, int tag);
void sync_late_delivered(struct serve_proc *me, const struct sync_context *in, int to, int tag,
                         uint64_t bytes);

/* Whose data this rank takes in a collective. */
enum sync_late_flow {
    SYNC_LATE_ALL,       /* of all members */
    SYNC_LATE_FROM_ROOT, /* of one of them; of all, by the root of SYNC_LATE_TO_ROOT */
    SYNC_LATE_TO_ROOT,
    SYNC_LATE_UPWARD /* of those with lower numbers */
};
/* The member enters a blocking collective; it has what it takes, by messages of so many bytes. */
void sync_late_enters(struct serve_proc *me, const struct sync_context *in);
void sync_late_has(struct serve_proc *me, const struct sync_context *in, enum sync_late_flow flow,
                   int root, uint64_t bytes);
/* A member frees the communicator. */
void sync_late_left(const struct sync_context *in);

/* The call is over: what it waited is explained by whatever came last. */
void sync_late_over(struct serve_proc *me);
/* Forgets all: the end of a run. */
void sync_late_clear(void);

#endif
