/* A window's state, shared by the files of windows and epochs. */
#ifndef SYNC_WINDOW_STATE_H
#define SYNC_WINDOW_STATE_H

#include "sync/barrier/barrier.h"
#include "mem/agent/agent.h"
#include "sync/machine/machine.h"
#include "move/transfer/transfer.h"
#include "sync/window/window.h"

/* A lock held, or asked for, by one member on another's window. */
struct sync_hold {
    struct sync_win *win;
    int origin, target;      /* members */
    bool exclusive, checked; /* checked: the lock was really taken (no SYNC_NOCHECK) */
    bool granted;
    op_site site;      /* of the call that asked for it */
    double got_s;      /* when the lock was granted and known to be */
    double released_s; /* when its release was sent */
    double after_s;    /* when the release was sent that let it have the lock; negative: none was */
    struct move_set set;           /* operations of this epoch */
    struct sync_hold *prev, *next; /* in the origin's list */
};

/* Memory of a window at one member: one piece, or whatever is attached. */
struct sync_piece {
    struct mem_range range;
    int segment;
};

/* The access epoch of a member (epoch/access.c has the table). */
enum sync_access {
    SYNC_NO_ACCESS,
    SYNC_FENCED,     /* between fences: operations may go anywhere */
    SYNC_STARTED,    /* to the group given to start */
    SYNC_LOCKED,     /* to the targets locked */
    SYNC_LOCKED_ALL, /* to all; each is locked at the first operation there */
    SYNC_ACCESSES
};

struct sync_member {
    struct serve_proc *proc;
    void *base; /* displacements count from here; NULL: they are addresses */
    uint64_t bytes;
    int disp_unit;
    GArray *piece; /* struct sync_piece, none of zero bytes, in the order attached */
    GArray *place; /* struct mem_range, the same by address */
    char *name;    /* of the window; NULL: its number */
    /* as origin: the epoch of fences or of start */
    struct move_set epoch;
    enum sync_access access;
    uint64_t fence_operations; /* since the last fence */
    uint64_t fences;           /* how many there were */
    /* nobody used the window between the last two; nor between the one before and them */
    bool idle, idle_twice;
    GArray *started;      /* members given to start; NULL: no such epoch */
    bool start_unchecked; /* with SYNC_NOCHECK */
    struct sync_hold *holds;
    GHashTable *hold_of; /* target -> its hold; NULL: never locked */
    bool all_checked;    /* SYNC_LOCKED_ALL: without SYNC_NOCHECK */
    GHashTable *posts;   /* member -> post tokens that have arrived from it */
    /* as target */
    /* members given to post that have not been waited for; -1: not posted */
    int exposed_to;
    int completes;       /* complete tokens that have arrived */
    bool post_unchecked; /* the post was made with SYNC_NOCHECK, there: */
    op_site post_site;
    bool no_put;           /* asserted: nobody writes here in the epoch now open */
    uint64_t no_put_fence; /* the same, of the epoch behind that many fences */
    int put_to;            /* direct: member that the puts in flight (in `epoch`) go to */
    /* the lock of this member's window, kept at its node */
    int shared_holders;
    bool exclusive_held;
    int releases;      /* on their way here */
    GQueue lock_queue; /* struct sync_hold waiting, in order of arrival */
};

static inline struct sync_piece *sync_piece_at(const struct sync_member *m, guint i)
{
    return &g_array_index(m->piece, struct sync_piece, i);
}

/* The first call of the latest fence that any member has called. */
struct sync_fence_call {
    uint64_t fences; /* of its member, with this one */
    int win_rank;
    unsigned asserts; /* those that all give, or none */
    op_site site;
};

struct sync_win {
    struct sync_fence_call first_fence;
    struct move *move;
    struct sync_barrier *barrier;
    int number; /* windows made before it */
    int members, left;
    bool direct; /* no epochs */
    /* operations behind so many fences, in turn; members are in one epoch, or in two */
    uint64_t used[4], fences;
    struct sync_member *member;
};

/* Makes the operation and sends it on its way. */
void sync_launch(struct sync_win *win, struct serve_proc *me, const struct move_op *op,
                 struct move_set *set);
/* Rules 5 and 6 of 11.7 for this member's own part of the window; charged to its rank. */
void sync_publish(struct sync_member *me);
void sync_refresh(struct sync_member *me);
/* It has synchronised: what its program stores there from now on is since then. */
void sync_synchronised(const struct sync_member *me);

#endif
