/* Barriers among ranks: each waits at its gate until the last has come and word of it is back. */
#include "move/control/control.h"
#include "sync/barrier/barrier.h"

#include "sync/machine/machine.h"

struct sync_barrier {
    int members, arrived;
    uint64_t generation; /* counts releases */
    GPtrArray *waiting;  /* struct serve_proc; NULL: nobody */
    kern_date came;      /* the graph: those that have arrived */
};

struct sync_barrier *sync_barrier_new(int members)
{
    struct sync_barrier *barrier = g_new0(struct sync_barrier, 1);
    barrier->members = members;
    return barrier;
}

void sync_barrier_free(struct sync_barrier *barrier)
{
    if (barrier && barrier->waiting) g_ptr_array_unref(barrier->waiting);
    g_free(barrier);
}

static void release(void *data, double at_s)
{
    (void)at_s;
    struct sync_barrier *barrier = data;
    barrier->generation++;
    GPtrArray *released = barrier->waiting;
    barrier->waiting = NULL;
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
    if (!barrier->waiting) barrier->waiting = g_ptr_array_sized_new(barrier->members);
    g_ptr_array_add(barrier->waiting, me);
    kern_cause_also(&barrier->came, me->rank, kern_now(), kern_now());
    if (++barrier->arrived == barrier->members) {
        barrier->arrived = 0;
        kern_cause_after(me->rank, kern_now(), barrier->came);
        barrier->came = 0;
        kern_at(kern_now() + move_barrier(sync_move(), barrier->members), KERN_COLLECTIVE, -1,
                release, barrier);
    }
    serve_wait(me, PROFILE_BARRIER, released, &wait);
}

bool sync_barrier_network(void) { return move_barrier_network(sync_move()); }
