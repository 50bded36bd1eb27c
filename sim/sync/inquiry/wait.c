/* Waiting between two looks at what has arrived. */
#include "sync/inquiry/inquiry.h"

#include <math.h>

#define SAME 1e-12 /* dates are equal */

struct nap {
    struct serve_proc *me;
    double until_s;
    bool (*ready)(void *data);
    void *data;
    int refs;
};

static int naps; /* that last */

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
    return kern_now() >= nap->until_s - SAME || nap->ready(nap->data);
}

static struct nap *begin(struct serve_proc *me, double until_s, bool (*ready)(void *data),
                         void *data)
{
    struct nap *nap = g_new(struct nap, 1);
    *nap = (struct nap){me, until_s, ready, data, 2};
    if (until_s < HUGE_VAL)
        kern_at(fmax(until_s, kern_now()), KERN_DATE, me->rank, nap_over, nap);
    else
        nap->refs--;
    return nap;
}

static void end(struct nap *nap)
{
    nap->me = NULL;
    if (--nap->refs == 0) g_free(nap);
}

/* All that it waited, the answer was on its way. */
static void answered(struct serve_proc *me)
{
    const struct kern_cause *here = kern_cause_here(me->rank, me->idle_s),
                            *by = kern_cause_event(here, KERN_NETWORK, me->rank, me->idle_s,
                                                   kern_now());
    serve_waited(me, PROFILE_PARTNER, by);
    kern_cause_unref(here);
    kern_cause_unref(by);
}

void sync_match_doze(struct serve_proc *me, double look_s, double answer_s,
                     bool (*ready)(void *data), void *data)
{
    struct nap *nap = begin(me, fmin(look_s, answer_s), ready, data);
    naps++;
    serve_doze(me, awake, nap);
    naps--;
    if (ready(data))
        serve_waited(me, PROFILE_PARTNER, kern_gate_cause(me->gate));
    else if (kern_now() >= answer_s - SAME)
        answered(me);
    end(nap);
}

bool sync_match_dozes(void) { return naps > 0; }

void sync_match_polled(struct serve_proc *me)
{
    serve_charge(me, &me->mach->mpi_test, me->mach->mpi_test);
    serve_pay(me);
}
