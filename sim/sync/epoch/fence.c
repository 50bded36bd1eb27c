/* A fence: a barrier between epochs (MPI-2 11.4.1). */
#include "serve/request/request.h"
#include "sync/epoch/state.h"

/* Behind the barrier. The one before had nothing to do either, if nobody has used the window since,
 * nor before that: one of the two would do. */
static void note_idle(struct sync_win *win, struct sync_member *m)
{
    const bool idle = win->used[m->fences % G_N_ELEMENTS(win->used)] == 0;
    m->idle_twice = idle && m->idle;
    m->idle = idle;
    m->fences++;
    if (win->fences >= m->fences) return;
    win->fences = m->fences;
    win->used[m->fences % G_N_ELEMENTS(win->used)] = 0;
}

/* MPI-2 11.4.1: completes this rank's operations, and after the barrier everybody's to it; both
 * copies agree afterwards. */
enum sync_status sync_fence(struct sync_win *win, int win_rank, struct serve_proc *me,
                            unsigned asserts)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->started || m->holds || m->exposed_to >= 0) return SYNC_EPOCH_OPEN;
    serve_completing(me, true);
    if (asserts & SYNC_NOPUT) m->no_put_fence = m->fences + 1;
    if (!(asserts & SYNC_NOPRECEDE)) move_set_wait(&m->epoch);
    if (!(asserts & SYNC_NOSTORE)) sync_publish(m);
    /* "Operations started after the fence will access their target window only after the target has
     * called it" (11.4.1): a barrier is needed unless none will be started. */
    if (!(asserts & SYNC_NOPRECEDE) || !(asserts & SYNC_NOSUCCEED))
        sync_barrier_wait(win->barrier, me);
    if (!m->no_put) sync_refresh(m);
    sync_access_become(m, asserts & SYNC_NOSUCCEED ? SYNC_NO_ACCESS : SYNC_FENCED);
    m->fence_operations = 0;
    note_idle(win, m);
    sync_synchronised(m);
    m->no_put = asserts & SYNC_NOPUT;
    serve_pay(me);
    return SYNC_OK;
}

bool sync_fence_idle(const struct sync_win *win, int win_rank)
{
    return win->member[win_rank].idle_twice;
}
