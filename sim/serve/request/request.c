/* Requests at a target: one at a time, in order of arrival, begun when the policy says. */
#include <math.h>

#include "serve/request/starving.h"
#include "kern/parts/parts.h"
#include "trace/trace.h"

/* The target's processor begins the first request, if there is one and the policy lets it; awake:
 * it has just serviced another. */
static void turn(struct serve_proc *proc, double now_s, bool awake);

/* Inside MPI it is from the date at which it calls: it may be ahead of the clock. */
static bool inside(const struct serve_proc *proc, double now_s)
{
    return proc->inside > 0 && now_s >= proc->inside_s && (!proc->delayed || proc->completing);
}

/* It leaves MPI, at a date that may be ahead of the clock, too. */
static bool left(const struct serve_proc *proc, double now_s)
{
    return proc->leaves && !proc->opens && now_s >= proc->leaves_s;
}

static void opened(void *data, double time_s)
{
    struct serve_proc *proc = data;
    turn(proc, time_s, false);
    proc->opens = false;
    kern_gate_open(proc->gate);
}

/* A request has come before the rank is inside MPI. */
static void open_later(struct serve_proc *proc, double now_s)
{
    if (proc->opens || proc->inside == 0 || now_s >= proc->inside_s) return;
    proc->opens = true;
    kern_at(proc->inside_s, KERN_SERVICE, proc->rank, opened, proc);
}

/* Its time has passed. */
static void serviced(struct serve_parts *parts)
{
    kern_parts_forget();
    kern_parts_more(&parts->serving);
    kern_parts_noted(&parts->paid);
    kern_parts_forget();
    parts->serving = (struct kern_parts){0};
}

/* A rank that polls has its own work done in the order of arrival, too: what came after it began is
 * behind it. Interrupts come first. */
static bool own_first(const struct serve_proc *proc, double now_s)
{
    return proc->policy->polls && proc->busy_s > now_s && proc->first &&
           proc->first->arrived_s > proc->began_s;
}

/* One that requests keep from computing computes for a slice. */
static bool own_slice(const struct serve_proc *proc, double now_s)
{
    return !proc->policy->polls && proc->interrupts >= SERVE_QUOTA && proc->busy_s > now_s &&
           proc->first && proc->mach->serve_slice > 0;
}

/* What its processor begins from now on had to wait for this, too. */
static void frees(struct serve_proc *proc)
{
    if (kern_graph_on) kern_cause_also(&proc->freed, kern_rank(), kern_now(), kern_now());
}

static void own_done(void *data, double time_s)
{
    struct serve_proc *proc = data;
    proc->yields = false;
    frees(proc);
    turn(proc, time_s, false);
}

/* Of the policy's number the next date, or what is taken, is made. */
static void note_policy(const struct serve_proc *proc, double seconds)
{
    kern_parts_forget();
    if (proc->policy->number) kern_parts_note(proc->policy->number(proc->mach), seconds);
}

/* Back from servicing; the rank may have waited for that. */
static void gone_back(void *data, double time_s)
{
    struct serve_proc *proc = data;
    frees(proc);
    proc->serving = false;
    turn(proc, time_s, false);
    kern_gate_open(proc->gate);
}

/* Behind a request: the next one, its own work, or sleep. */
static void goes_on(struct serve_proc *proc, double now_s)
{
    const bool first = own_first(proc, now_s), slice = !first && own_slice(proc, now_s);
    proc->yields = first || slice;
    if (slice) proc->interrupts = 0;
    if (proc->yields) {
        const double until_s = proc->busy_s, slice_s = now_s + proc->mach->serve_slice;
        kern_parts_forget();
        if (!first && slice_s < until_s)
            kern_parts_note(&proc->mach->serve_slice, proc->mach->serve_slice);
        kern_at(first ? until_s : fmin(until_s, slice_s), KERN_SERVICE, proc->rank, own_done, proc);
    } else if (!proc->first && proc->policy->back) {
        const double back_s = proc->policy->back(proc->mach);
        proc->serving = true;
        note_policy(proc, back_s);
        kern_at(now_s + back_s, KERN_SERVICE, proc->rank, gone_back, proc);
    } else {
        turn(proc, now_s, true);
    }
}

static void finish(void *data, double time_s)
{
    struct serve_job *job = data;
    struct serve_proc *proc = job->target;
    /* may wake the target, which must not take itself for idle yet */
    job->done(job->data, time_s);
    if (proc->parts) serviced(proc->parts);
    frees(proc);
    proc->serving = false;
    goes_on(proc, time_s);
    kern_gate_open(proc->gate);
}

/* Takes the processor for so long: one thing at a time. */
static void take(const struct serve_job *job, double seconds)
{
    struct serve_proc *proc = job->target;
    if (!proc->policy->processor && !job->processor) return;
    proc->spent.service_s += seconds;
    if (proc->parts) kern_parts_noted(&proc->parts->serving);
    proc->busy_s = fmax(proc->busy_s, job->state.now_s) + seconds;
    if (trace_on) trace_track_service(proc->rank, job->state.now_s, seconds);
}

static void work(void *data, double time_s)
{
    struct serve_job *job = data;
    const struct serve_proc *proc = job->target;
    kern_parts_forget();
    double cost_s = job->work(job->data, time_s);
    kern_parts_rest(&kern_parts_memory, cost_s);
    take(job, cost_s);
    kern_at(time_s + cost_s, KERN_SERVICE, proc->rank, finish, job);
}

/* It is there, and the processor is free: both had to be. What a rank begins itself is its own. */
static void comes_after(const struct serve_proc *proc, const struct serve_job *job)
{
    if (!kern_graph_on || kern_rank() >= 0) return;
    kern_cause_after(-1, kern_now(), job->came);
    kern_cause_after(-1, kern_now(), proc->freed);
}

static void turn(struct serve_proc *proc, double now_s, bool awake)
{
    struct serve_job *job = proc->first;
    if (!job || proc->serving || proc->yields || left(proc, now_s)) return;
    job->state =
        (struct serve_state){.inside = inside(proc, now_s), .awake = awake, .now_s = now_s};
    double begin_s = proc->policy->begin(proc->mach, &job->state);
    if (begin_s == HUGE_VAL || (proc->delayed && !job->state.inside)) {
        open_later(proc, now_s);
        return;
    }
    proc->first = job->next;
    if (!proc->first) proc->last = NULL;
    proc->serving = true;
    serve_took(proc, job->from ? job->from->rank : -1);
    comes_after(proc, job);
    /* From now on, not from begin_s: computation that would end in between goes on afterwards. */
    const double extra_s = proc->policy->extra(proc->mach, &job->state);
    if (proc->policy->processor && (!job->state.inside || extra_s > 0))
        serve_interrupted(proc, now_s);
    note_policy(proc, extra_s);
    take(job, extra_s);
    note_policy(proc, begin_s - now_s);
    if (begin_s <= now_s)
        work(job, now_s);
    else
        kern_at(begin_s, KERN_SERVICE, proc->rank, work, job);
}

void serve_request(struct serve_job *job, double arrived_s)
{
    struct serve_proc *proc = job->target;
    serve_asked(proc, job->from);
    kern_turn_firm(proc->rank);
    job->next = NULL;
    job->arrived_s = arrived_s;
    job->came = 0;
    if (kern_graph_on) kern_cause_also(&job->came, kern_rank(), kern_now(), kern_now());
    if (proc->last)
        proc->last->next = job;
    else
        proc->first = job;
    proc->last = job;
    turn(proc, arrived_s, false);
}

const struct serve_job *serve_awaited(const struct serve_proc *proc)
{
    return proc->inside == 0 && !proc->serving ? proc->first : NULL;
}

void serve_enter(struct serve_proc *proc, bool completing)
{
    if (proc->inside++ == 0) proc->inside_s = serve_now(proc);
    proc->completing = completing;
    turn(proc, kern_now(), false);
}

void serve_completing(struct serve_proc *proc, bool yes)
{
    proc->completing = yes;
    turn(proc, kern_now(), false);
}

static bool idle(void *data)
{
    struct serve_proc *proc = data;
    return !proc->serving && !proc->opens;
}

/* What it is at is finished; what else has come waits for the next call where the rank polls. */
void serve_leave(struct serve_proc *proc)
{
    if (proc->inside == 1 && !idle(proc)) {
        proc->leaves = proc->policy->polls;
        proc->leaves_s = serve_now(proc);
        serve_wait(proc, PROFILE_SERVICE, idle, proc);
        proc->leaves = false;
    }
    if (--proc->inside == 0) proc->completing = false;
}
