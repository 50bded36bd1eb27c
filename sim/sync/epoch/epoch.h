/* Epochs: which operations on a window are allowed, and when they are complete (MPI-2 chapter 11):
 * an operation belongs to an access epoch; the call that ends the epoch completes it (11.7 rules
 * 1-4); synchronisation calls make the private and the public copy agree (rules 5, 6) and pay for
 * it. */
#ifndef SYNC_EPOCH_H
#define SYNC_EPOCH_H

#include "move/transfer/transfer.h"
#include "sync/window/window.h"

enum sync_assert { /* bits; meanings of MPI-2 11.4.4 */
                   SYNC_NOCHECK = 1,
                   SYNC_NOSTORE = 2,
                   SYNC_NOPUT = 4,
                   SYNC_NOPRECEDE = 8,
                   SYNC_NOSUCCEED = 16
};
enum sync_status sync_fence(struct sync_win *win, int win_rank, struct serve_proc *me,
                            unsigned asserts);
/* Behind it: had nobody used the window since the fence before, nor since the one before that? */
bool sync_fence_idle(const struct sync_win *win, int win_rank);
/* Before the call: does an assert claim what is not so? Pure. */
bool sync_fence_lies(const struct sync_win *win, int win_rank, unsigned asserts);
/* Another member's call of the same fence gives NOPRECEDE or NOSUCCEED, and this one does not, or
 * the other way: "If the assertion is given by any process in the window group, then it must be
 * given by all processes in the group." NULL: none that has been made. */
struct sync_other {
    int rank; /* of the world; -1: there is none */
    op_site site;
};
struct sync_other sync_fence_differs(struct sync_win *win, int win_rank, unsigned asserts,
                                     op_site site);
/* A store of the member's program to its part since it last synchronised, if it asserts that there
 * is none; 0: none is known. */
op_site sync_stored(const struct sync_win *win, int win_rank, unsigned asserts);
/* of the target's: an operation updates its memory */
bool sync_put_lies(const struct sync_win *win, int win_rank, int target);
bool sync_start_lies(const struct sync_win *win, unsigned asserts, const int *group, int n);
/* A target that has posted with NOCHECK, and the start is without, or the other way: "The nocheck
 * option can be specified in a start call if and only if it is specified in each matching post
 * call." */
struct sync_other sync_start_differs(const struct sync_win *win, unsigned asserts, const int *group,
                                     int n);
bool sync_post_lies(const struct sync_win *win, int win_rank, unsigned asserts, const int *group,
                    int n);
/* Another holds a lock that the two exclude, and one of them has not asked for it. */
struct sync_other sync_lock_lies(const struct sync_win *win, int win_rank, int target,
                                 bool exclusive, unsigned asserts);
enum sync_status sync_post(struct sync_win *win, int win_rank, struct serve_proc *me,
                           const int *group, int n, unsigned asserts);
enum sync_status sync_start(struct sync_win *win, int win_rank, struct serve_proc *me,
                            const int *group, int n, unsigned asserts);
enum sync_status sync_complete(struct sync_win *win, int win_rank, struct serve_proc *me);
enum sync_status sync_wait(struct sync_win *win, int win_rank, struct serve_proc *me);
enum sync_status sync_test(struct sync_win *win, int win_rank, struct serve_proc *me, bool *done);
enum sync_status sync_lock(struct sync_win *win, int win_rank, int target, bool exclusive,
                           unsigned asserts);
enum sync_status sync_unlock(struct sync_win *win, int win_rank, struct serve_proc *me, int target);
/* MPI-3: a shared lock of every member, acquired lazily at the first operation on that
 * target. */
enum sync_status sync_lock_all(struct sync_win *win, int win_rank, unsigned asserts);
enum sync_status sync_unlock_all(struct sync_win *win, int win_rank, struct serve_proc *me);
/* Before a flush: has every operation there been waited for? */
bool sync_flush_idle(const struct sync_win *win, int win_rank, int target);
/* MPI-3: complete operations to target (-1: all) and, for sync, make the two copies agree. */
enum sync_status sync_flush(struct sync_win *win, int win_rank, struct serve_proc *me, int target);
/* When the operations to a locked target so far are complete; 0: none is on its way; HUGE_VAL:
 * nobody knows yet. The rank's gate opens when somebody does. */
double sync_complete_at(const struct sync_win *win, int win_rank, int target);
enum sync_status sync_agree(struct sync_win *win, int win_rank, struct serve_proc *me);
/* The world rank of a member that holds a lock on this member's part; -1: nobody. */
int sync_win_holder(const struct sync_win *win, int win_rank);

/* The caller has checked ranks, range, types. Starts the operation; it completes at the closing
 * call. */
enum sync_status sync_operate(struct sync_win *win, int win_rank, struct serve_proc *me,
                              const struct move_op *op);

#endif
