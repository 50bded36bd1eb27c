/* serve: the target's processor: who does the target's part of an operation, and when.
 *
 * A servicing policy says when a request that has arrived is serviced and what that costs the
 * processor: `ni` needs no processor, `polling` waits until the target is inside MPI, `interrupt`
 * and `thread` take the processor from the target's computation (von Eicken et al., Active
 * Messages, ISCA 1992; numbers and their sources: the machine's file). serve.when = completion
 * delays all servicing until the target's servicing call completes or tries to (the PUT/ACCEPT
 * proposal, Discussion). Here too: serve_pay, the one place that moves a rank's clock.
 */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "base/base.h"
#include "kern/kern.h"
#include "mach/mach.h"
#include "mem/mem.h"
#include "op/op.h"

/* What a policy may look at. */
struct serve_state {
    /* the target is inside MPI (and, with serve.when = completion, in a call that completes) */
    bool inside;
    /* the earliest the processor can service it: arrived, and done with the one before */
    double now_s;
};
struct serve_policy {
    const char *name; /* value of serve.policy */
    const char *doc;  /* one sentence */
    bool processor;   /* does the target's processor do the work? */
    /* When the work begins, seconds; HUGE_VAL: not before the target enters MPI. Pure. */
    double (*begin)(const struct mach *m, const struct serve_state *state);
    /* What the processor loses on top of the work itself. Pure. */
    double (*extra)(const struct mach *m, const struct serve_state *state);
};
const struct serve_policy *serve_find(const char *name);
const struct serve_policy *const *serve_all(size_t *n);

/* A rank as the engine knows it. */
struct serve_proc {
    int rank, node;
    const struct mach *mach;
    const struct serve_policy *policy;
    struct mem_cpu *cpu;
    struct mem_node *memory;
    struct kern_gate *gate;
    double compute_s, memory_s, service_s, end_s; /* paid so far, and when the rank ended */
    /* private below */
    int inside;                           /* depth of MPI calls */
    bool completing;                      /* in a call that completes servicing */
    bool delayed;                         /* serve.when = completion */
    double owed_compute_s, owed_memory_s; /* charged by calls, beside what mem keeps */
    /* until when the processor is taken by what was paid and by servicing: it does one thing at a
     * time */
    double busy_s;
    struct serve_job *first, *last; /* arrived, not begun; in order of arrival */
    bool serving;
};

struct serve_proc *serve_proc_new(const struct mach *m, int rank, int node, struct mem_node *memory,
                                  struct mem_cpu *cpu);
void serve_proc_free(struct serve_proc *proc);

/* ---- the rank's clock ------------------------------------------------------------------------ */

void serve_compute(struct serve_proc *proc, double seconds); /* charge processor work */
void serve_memory(struct serve_proc *proc, double seconds);  /* charge waiting for memory */
double serve_owed(struct serve_proc *proc);
/* The rank's own time: the clock plus what it owes. */
double serve_now(struct serve_proc *proc);
/* Sleeps off everything owed, and whatever servicing stole meanwhile. */
void serve_pay(struct serve_proc *proc);
/* For a rank that has ended and cannot sleep: counts what it owes and returns it. */
double serve_count_owed(struct serve_proc *proc);
/* Pays only when more than the quantum is owed. */
void serve_pay_some(struct serve_proc *proc);
/* Pays, then waits at the rank's gate until ready(data) holds. */
void serve_wait(struct serve_proc *proc, bool (*ready)(void *data), void *data);
void serve_wait_until(struct serve_proc *proc, double time_s);

/* ---- in and out of MPI ----------------------------------------------------------------------- */
/* services what waited; the caller has paid, all or some */
void serve_enter(struct serve_proc *proc, bool completing);
/* waits until servicing that has begun is done */
void serve_leave(struct serve_proc *proc);
/* the call in progress completes (or does not) */
void serve_completing(struct serve_proc *proc, bool yes);

/* ---- requests -------------------------------------------------------------------------------- */
struct serve_job {
    struct serve_proc *target;
    /* the target's processor does the work, also where the policy leaves all it can to an interface
     */
    bool processor;
    /* Does the target's part at begin_s and returns the processor's seconds. */
    double (*work)(void *data, double begin_s);
    /* The work is done, done_s. Runs in an event; may free the job. */
    void (*done)(void *data, double done_s);
    void *data;
    /* private below */
    struct serve_job *next;
    struct serve_state state;
};
/* A request has arrived at the target's node, now. Called in an event; policies of the `ni` kind
 * begin at once. */
void serve_request(struct serve_job *job, double arrived_s);

#endif
