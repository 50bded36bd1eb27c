/* Windows: memory of a group of ranks that the others may reach; their life, and what is known
 * about them. `win_rank`: an index in the window's group. Every function is called by the rank it
 * names, inside MPI, and may block that rank. */
#ifndef SYNC_WINDOW_H
#define SYNC_WINDOW_H

#include "base/base.h"
#include "op/op.h"
#include "serve/clock/clock.h"

struct sync_win;

/* What a call did wrong; the dialect turns it into an MPI error class and a message. */
enum sync_status {
    SYNC_OK,
    SYNC_NO_EPOCH, /* operation or closing call outside an epoch that allows it */
    /* opening call inside an epoch that forbids it; window freed while locked or in an epoch */
    SYNC_EPOCH_OPEN,
    SYNC_NOT_LOCKED,   /* unlock without lock */
    SYNC_LOCKED_TWICE, /* lock of a target this rank holds already */
    SYNC_NONE_LOCKED,  /* flush or unlock of all without any lock */
    /* unlock of one of those that were locked together, or of all where they were not */
    SYNC_OTHER_LOCK,
    SYNC_NOT_PASSIVE,  /* an operation that needs a lock, without */
    SYNC_NOT_IN_GROUP, /* target is not in the group given to start */
};
const char *sync_status_text(enum sync_status status);

/* One member makes the object (any rank, once) and hands the pointer to the others; then each joins
 * with its own part. The dialect puts a barrier between the last join and the first use. */
struct sync_win *sync_win_new(int members, const int *world_rank);
void sync_win_join(struct sync_win *win, int win_rank, struct serve_proc *me, void *base,
                   uint64_t bytes, int disp_unit);
/* SYNC_EPOCH_OPEN: the member has an epoch open that it cannot leave the window in; locks aside. */
enum sync_status sync_win_leaves(const struct sync_win *win, int win_rank);
/* Leaves: SYNC_EPOCH_OPEN when this rank still has an open epoch, posts, or holds or owns a lock;
 * nothing has changed then. The caller barriers before. The last to leave frees the object. */
enum sync_status sync_win_leave(struct sync_win *win, int win_rank, struct serve_proc *me);

int sync_win_members(const struct sync_win *win);
int sync_win_world_rank(const struct sync_win *win, int win_rank);
void *sync_win_base(const struct sync_win *win, int win_rank);
uint64_t sync_win_bytes(const struct sync_win *win, int win_rank);
int sync_win_disp_unit(const struct sync_win *win, int win_rank);
void sync_win_name(struct sync_win *win, int win_rank, const char *name); /* in the report */
/* Another piece of memory (MPI-3 11.2.4); the window was joined with base NULL and no bytes. False:
 * it overlaps one that is attached. */
bool sync_win_attach(struct sync_win *win, int win_rank, struct serve_proc *me, void *base,
                     uint64_t bytes);
/* false: none begins there */
bool sync_win_detach(struct sync_win *win, int win_rank, struct serve_proc *me, const void *base);
/* Lies every piece of the layout, `offset` behind the member's base, in its memory? */
bool sync_win_holds(const struct sync_win *win, int win_rank, int64_t offset,
                    const struct op_layout *layout);
/* has it bytes of the range? */
bool sync_win_touches(const struct sync_win *win, int win_rank, const void *from, const void *to);

#endif
