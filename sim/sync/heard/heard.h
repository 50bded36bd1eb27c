/* What a rank that waits for MPI's own messages hears of them: SMPI does not report when one comes.
 * Not heard of: those of collectives. */
#ifndef SYNC_HEARD_H
#define SYNC_HEARD_H

#include "base/base.h"
#include "serve/clock/clock.h"

/* A message of so many bytes is sent to that rank; where SMPI does not charge the sender what their
 * fetching takes (net.fetch), this does. await: a call that waits for one begins, or ends; the rank
 * then wakes when one comes. come: how many have. */
void sync_message_leaves(struct serve_proc *me, int to, uint64_t bytes);
void sync_message_await(struct serve_proc *me, bool begin);
uint64_t sync_message_come(const struct serve_proc *me);
/* One of those has been received. none_due: so have all, so that a receive that is not complete
 * waits for one that nobody has sent; charged as so many tests.
 * False: ask. */
void sync_message_taken(struct serve_proc *me);
bool sync_message_none_due(struct serve_proc *me, int tests);
/* Does that MPI_Request still wait for the other side of its message? */
bool sync_message_with_nobody(const void *request); /* MPI_PROC_NULL, not persistent */
bool sync_message_queued(const void *request);
/* When the first byte of each message sent to it so far is there. */
double sync_message_last(const struct serve_proc *me);

/* A message as a test looks for it. none: none was found when that was looked for last, and none
 * has been sent to the rank since; charged as a look. False: look, and if there is none, say so. */
struct sync_sought {
    intptr_t comm;
    int64_t origin, tag;
};
bool sync_message_none(struct serve_proc *me, const struct sync_sought *sought);
void sync_message_not_found(struct serve_proc *me, const struct sync_sought *sought);

#endif
