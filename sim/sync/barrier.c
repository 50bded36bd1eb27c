/* Barriers among ranks, and the fence built on one. */
#include "sync/window/win.h"

struct sync_barrier {
    int members, arrived;
    uint64_t generation; /* counts releases */
    GPtrArray *waiting;  /* struct serve_proc */
};

struct sync_barrier *sync_barrier_new(int members)
{
    struct sync_barrier *barrier = g_new0(struct sync_barrier, 1);
    barrier->members = members;
    barrier->waiting = g_ptr_array_sized_new(members);
    return barrier;
}

void sync_barrier_free(struct sync_barrier *barrier)
{
    if (barrier) g_ptr_array_unref(barrier->waiting);
    g_free(barrier);
}

static void release(void *data, double at_s)
{
    (void)at_s;
    struct sync_barrier *barrier = data;
    barrier->generation++;
    GPtrArray *released = barrier->waiting;
    barrier->waiting = g_ptr_array_sized_new(barrier->members);
    for (guint i = 0; i < released->len; i++)
        kern_gate_open(((struct serve_proc *)released->pdata[i])->gate);
    g_ptr_array_unref(released);
}

struct wait {
    struct sync_barrier *barrier;
    uint64_t generation;
};

static bool released(void *data)
{
    struct wait *wait = data;
    return wait->barrier->generation != wait->generation;
}

void sync_barrier_wait(struct sync_barrier *barrier, struct serve_proc *me)
{
    serve_pay(me);
    struct wait wait = {barrier, barrier->generation};
    g_ptr_array_add(barrier->waiting, me);
    if (++barrier->arrived == barrier->members) {
        barrier->arrived = 0;
        kern_at(kern_now() + sync_barrier_time(barrier->members), release, barrier);
    }
    serve_wait(me, released, &wait);
}

/* MPI-2 11.4.1: completes this rank's operations, and after the barrier everybody's to it; both
 * copies agree afterwards. */
enum sync_status sync_fence(struct sync_win *win, int member, struct serve_proc *me,
                            unsigned asserts)
{
    struct sync_member *m = &win->member[member];
    if (m->started || m->holds || m->exposed_to >= 0) return SYNC_EPOCH_OPEN;
    serve_completing(me, true);
    if (!(asserts & SYNC_NOPRECEDE)) move_set_wait(&m->epoch);
    if (!(asserts & SYNC_NOSTORE)) sync_publish(m);
    /* "Operations started after the fence will access their target window only after the target has
     * called it" (11.4.1): a barrier is needed unless none will be started. */
    if (!(asserts & SYNC_NOPRECEDE) || !(asserts & SYNC_NOSUCCEED))
        sync_barrier_wait(win->barrier, me);
    if (!m->no_put) sync_refresh(m);
    m->fenced = !(asserts & SYNC_NOSUCCEED);
    m->fence_operations = 0;
    m->no_put = asserts & SYNC_NOPUT;
    serve_pay(me);
    return SYNC_OK;
}
