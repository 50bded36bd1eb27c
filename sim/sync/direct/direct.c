/* Windows without epochs (SHMALLOC get/put; E. Salo, MPI-2 mailing list, 31 October 1995).
 *
 * Puts to one target keep their order by themselves: messages of a pair do not overtake, each
 * target serves in order of arrival, and a put too long to travel at once keeps its origin until it
 * has left. A get, and a put to another target, wait for the puts before them: on the T3D that is
 * reading the status bit until no write is outstanding (Arpaci et al., ISCA 1995).
 */
#include "serve/request/request.h"
#include "sync/direct/direct.h"
#include "sync/window/state.h"

void sync_win_direct(struct sync_win *win) { win->direct = true; }

void sync_direct_complete(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    serve_completing(me, true);
    move_set_wait(&win->member[win_rank].epoch);
}

void sync_direct_put(struct sync_win *win, int win_rank, struct serve_proc *me,
                     const struct move_op *op)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->put_to != op->target && win->move->mach->shmalloc_strict)
        sync_direct_complete(win, win_rank, me);
    m->put_to = op->target;
    serve_completing(me, false);
    sync_launch(win, me, op, &m->epoch);
    if (m->epoch.unread > 0) serve_completing(me, true);
    move_set_sent(&m->epoch);
}

void sync_direct_get(struct sync_win *win, int win_rank, struct serve_proc *me,
                     const struct move_op *op)
{
    struct move_set got = {.origin = me};
    /* which pays: loads of the origin's own processor find its puts in memory */
    sync_direct_complete(win, win_rank, me);
    sync_launch(win, me, op, &got);
    move_set_wait(&got);
}

void sync_direct_barrier(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    struct sync_member *m = &win->member[win_rank];
    sync_direct_complete(win, win_rank, me);
    sync_publish(m);
    sync_barrier_wait(win->barrier, me);
    sync_refresh(m);
    serve_pay(me);
}
