/* sync: order and completion of operations: epochs, locks, fences, counting.
 *
 * Windows follow MPI-2 chapter 11: an operation belongs to an access epoch; the call that ends the epoch
 * completes it (11.7 rules 1-4); synchronisation calls make the private and the public copy agree (rules 5, 6) and pay for it.
 * Every function is called by the rank it names, inside MPI, and may block that rank. Ranks are MPI_COMM_WORLD ranks
 * except where `member` is said: an index in the window's group.
 */
#ifndef SYNC_SYNC_H
#define SYNC_SYNC_H

#include "base/base.h"
#include "mach/mach.h"
#include "mem/mem.h"
#include "op/op.h"
#include "move/move.h"
#include "serve/serve.h"

/* The carriers of the one world; given by world before any window exists, taken back (NULL) at its end. */
void sync_open(struct move *move);

struct sync_win;
#define sync_proc serve_proc   /* a rank as the lower floors know it */

/* What a call did wrong; the dialect turns it into an MPI error class and a message. */
enum sync_status {
    SYNC_OK,
    SYNC_NO_EPOCH,          /* operation or closing call outside an epoch that allows it */
    SYNC_EPOCH_OPEN,        /* opening call inside an epoch that forbids it; window freed while locked or in an epoch */
    SYNC_NOT_LOCKED,        /* unlock without lock */
    SYNC_LOCKED_TWICE,      /* lock of a target this rank holds already */
    SYNC_NOT_IN_GROUP,      /* target is not in the group given to start */
};
const char *sync_status_text(enum sync_status status);

/* ---- windows: life ------------------------------------------------------------------------------*/

/* One member makes the object (any rank, once) and hands the pointer to the others; then each joins with its own part. The
 * dialect puts a barrier between the last join and the first use. */
struct sync_win *sync_win_new(int members, const int *world_rank);
void sync_win_join(struct sync_win *win, int member, struct serve_proc *me, void *base, uint64_t bytes, int disp_unit);
/* Leaves: SYNC_EPOCH_OPEN when this rank still has an open epoch, posts, or holds or owns a lock; nothing has changed then. The caller
 * barriers before. The last to leave frees the object. */
enum sync_status sync_win_leave(struct sync_win *win, int member, struct serve_proc *me);
/* The world rank of a member that holds a lock on this member's part; -1: nobody. */
int sync_win_holder(const struct sync_win *win, int member);

int sync_win_members(const struct sync_win *win);
int sync_win_world_rank(const struct sync_win *win, int member);
void *sync_win_base(const struct sync_win *win, int member);
uint64_t sync_win_bytes(const struct sync_win *win, int member);
int sync_win_disp_unit(const struct sync_win *win, int member);
int sync_win_segment(const struct sync_win *win, int member);    /* op segment id; -1: zero bytes */

/* ---- windows: synchronisation ----------------------------------------------------------------------*/

enum sync_assert {   /* bits; meanings of MPI-2 11.4.4 */
    SYNC_NOCHECK = 1, SYNC_NOSTORE = 2, SYNC_NOPUT = 4, SYNC_NOPRECEDE = 8, SYNC_NOSUCCEED = 16
};
enum sync_status sync_fence(struct sync_win *win, int member, struct serve_proc *me, unsigned asserts);
enum sync_status sync_post(struct sync_win *win, int member, struct serve_proc *me, const int *group, int n, unsigned asserts);
enum sync_status sync_start(struct sync_win *win, int member, struct serve_proc *me, const int *group, int n, unsigned asserts);
enum sync_status sync_complete(struct sync_win *win, int member, struct serve_proc *me);
enum sync_status sync_wait(struct sync_win *win, int member, struct serve_proc *me);
enum sync_status sync_test(struct sync_win *win, int member, struct serve_proc *me, bool *done);
enum sync_status sync_lock(struct sync_win *win, int member, struct serve_proc *me, int target, bool exclusive, unsigned asserts);
enum sync_status sync_unlock(struct sync_win *win, int member, struct serve_proc *me, int target);
/* MPI-3: complete operations to target (-1: all) and, for sync, make the two copies agree. */
enum sync_status sync_flush(struct sync_win *win, int member, struct serve_proc *me, int target);
enum sync_status sync_agree(struct sync_win *win, int member, struct serve_proc *me);

/* ---- windows: operations -----------------------------------------------------------------------------*/

/* Combines n bytes of packed elements: inout = in op inout; `arg` as given. NULL function: replace. */
typedef move_combine sync_combine;

struct sync_request {
    enum op_kind kind;               /* OP_PUT, OP_GET, OP_ACCUMULATE, OP_GET_ACCUMULATE */
    const char *call;                /* static storage */
    op_site site;
    int target;                      /* member */
    uint64_t target_offset;          /* bytes from the target's base to the layout's origin */
    struct op_layout target_layout;  /* the callee copies the pieces it needs */
    void *origin_addr;
    struct op_layout origin_layout;
    void *result_addr;               /* OP_GET_ACCUMULATE: where the old value goes */
    struct op_layout result_layout;
    sync_combine combine;            /* OP_ACCUMULATE, OP_GET_ACCUMULATE */
    const void *combine_arg;         /* must live until the operation is complete */
};
/* The caller has checked ranks, range, types. Starts the operation; it completes at the closing call. */
enum sync_status sync_operate(struct sync_win *win, int member, struct serve_proc *me, const struct sync_request *request);

/* ---- barriers --------------------------------------------------------------------------------------*/

/* A barrier among `members` ranks, on the machine's barrier network where it has one, of messages otherwise. */
struct sync_barrier;
struct sync_barrier *sync_barrier_new(int members);
void sync_barrier_free(struct sync_barrier *barrier);
void sync_barrier_wait(struct sync_barrier *barrier, struct serve_proc *me);
bool sync_barrier_network(void);   /* has the machine a network of its own for barriers? */

#endif
