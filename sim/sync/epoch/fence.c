/* A fence: a barrier between epochs (MPI-2 11.4.1). */
#include "serve/request/request.h"
#include "sync/epoch/state.h"

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
    m->fences++;
    sync_synchronised(m);
    m->no_put = asserts & SYNC_NOPUT;
    serve_pay(me);
    return SYNC_OK;
}
