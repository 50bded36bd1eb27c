/* Waiting between two looks at what has arrived. */
#include "sync/inquiry/inquiry.h"

#include <math.h>

struct nap {
    struct serve_proc *me;
    double until_s;
    bool (*ready)(void *data);
    void *data;
    int refs;
};

static void nap_over(void *data, double at_s)
{
    (void)at_s;
    struct nap *nap = data;
    if (nap->me) kern_gate_open(nap->me->gate);
    if (--nap->refs == 0) g_free(nap);
}

static bool awake(void *data)
{
    const struct nap *nap = data;
    return kern_now() >= nap->until_s - 1e-12 || nap->ready(nap->data);
}

void sync_match_sleep(struct serve_proc *me, double until_s, bool (*ready)(void *data), void *data)
{
    struct nap *nap = g_new(struct nap, 1);
    *nap = (struct nap){me, until_s, ready, data, 2};
    if (until_s < HUGE_VAL)
        kern_at(fmax(until_s, kern_now()), KERN_DATE, me->rank, nap_over, nap);
    else
        nap->refs--;
    serve_wait(me, PROFILE_PARTNER, awake, nap);
    nap->me = NULL;
    if (--nap->refs == 0) g_free(nap);
}

void sync_match_polled(struct serve_proc *me)
{
    serve_charge(me, &me->mach->mpi_test, me->mach->mpi_test);
    serve_pay(me);
}
