/* The rank's clock: charges become simulated time here and nowhere else. */
#include <math.h>

#include "serve/clock/explain.h"
#include "mem/counters/counters.h"
#include "trace/trace.h"

/* How far ahead of the clock a rank may be that is alone: SimGrid's events, messages and signals of
 * the host find it no further away. */
enum { AHEAD_QUANTA = 1024 };

void serve_compute(struct serve_proc *proc, double seconds) { proc->owed_compute_s += seconds; }

void serve_memory(struct serve_proc *proc, double seconds) { proc->owed_memory_s += seconds; }

void serve_access(struct serve_proc *proc, struct mem_charge charge)
{
    serve_compute(proc, charge.compute_s);
    serve_memory(proc, charge.memory_s);
}

void serve_part(struct serve_proc *proc, const double *of, double seconds)
{
    if (!proc->parts) return;
    kern_parts_add(&proc->parts->owed, of, seconds);
    proc->parts->compute_s += seconds;
}

void serve_charge(struct serve_proc *proc, const double *of, double seconds)
{
    serve_compute(proc, seconds);
    serve_part(proc, of, seconds);
}

void serve_part_stall(struct serve_proc *proc, const double *of, double seconds)
{
    if (!proc->parts) return;
    kern_parts_add(&proc->parts->owed, of, seconds);
    proc->parts->memory_s += seconds;
}

/* What is owed, of which so much is work and stalls, all of it by parts. */
static struct kern_parts owed_parts(const struct serve_proc *proc, double compute_s,
                                    double memory_s)
{
    struct kern_parts owed = proc->parts->owed;
    kern_parts_add(&owed, &proc->mach->cpu_clock, fmax(0, compute_s - proc->parts->compute_s));
    kern_parts_add(&owed, &kern_parts_memory, fmax(0, memory_s - proc->parts->memory_s));
    return owed;
}

/* FNV-1a, of whole words. */
void serve_took(struct serve_proc *proc, int from)
{
    proc->order = (proc->order ^ (uint32_t)(from + 1)) * UINT64_C(0x100000001b3);
}

double serve_owed(struct serve_proc *proc)
{
    return proc->owed_compute_s + proc->owed_memory_s + mem_unpaid(proc->cpu);
}

double serve_stalled(const struct serve_proc *proc)
{
    mem_settle(proc->cpu);
    double unpaid_s = (double)mem_stalled(proc->cpu) * mem_tick(proc->memory);
    return proc->spent.memory_s + proc->owed_memory_s + unpaid_s;
}

/* Asked in events too, about a rank that is paying: what it pays is no longer owed, and what others
 * send it is not later for that. */
double serve_now(struct serve_proc *proc)
{
    if (proc->parts) {
        mem_settle(proc->cpu);
        const double tick_s = mem_tick(proc->memory);
        const struct kern_parts owed =
            owed_parts(proc, proc->owed_compute_s + tick_s * (double)proc->cpu->ledger.work,
                       proc->owed_memory_s + tick_s * (double)proc->cpu->ledger.memory);
        kern_parts_owed(&owed, proc->rank, kern_now());
    }
    return kern_now() + serve_owed(proc);
}

static void pay_parts(struct serve_proc *proc, struct mem_charge charge)
{
    const struct kern_parts owed = owed_parts(proc, charge.compute_s, charge.memory_s);
    for (int i = 0; i < KERN_PARTS; i++) proc->parts->paid.time_s[i] += owed.time_s[i];
    proc->parts->owed = (struct kern_parts){0};
    proc->parts->compute_s = proc->parts->memory_s = 0;
}

static struct mem_charge count_owed(struct serve_proc *proc)
{
    struct mem_charge charge = mem_take(proc->cpu);
    charge.compute_s += proc->owed_compute_s;
    charge.memory_s += proc->owed_memory_s;
    proc->owed_compute_s = proc->owed_memory_s = 0;
    if (proc->parts) pay_parts(proc, charge);
    proc->spent.compute_s += charge.compute_s;
    proc->spent.memory_s += charge.memory_s;
    return charge;
}

static void trace_charge(const struct serve_proc *proc, double from_s, struct mem_charge charge)
{
    if (trace_on) trace_track_charge(proc->rank, from_s, charge.compute_s, charge.memory_s);
}

double serve_count_owed(struct serve_proc *proc)
{
    const struct mem_charge charge = count_owed(proc);
    trace_charge(proc, kern_now(), charge);
    return charge.compute_s + charge.memory_s;
}

double serve_taken_until(const struct serve_proc *proc) { return fmax(kern_now(), proc->busy_s); }

/* What is owed takes the processor from when it is free. */
static struct mem_charge begin_untold(struct serve_proc *proc)
{
    const struct mem_charge charge = count_owed(proc);
    proc->began_s = kern_now();
    proc->busy_s = fmax(proc->busy_s, proc->began_s) + (charge.compute_s + charge.memory_s);
    proc->least_left_s = HUGE_VAL;
    return charge;
}
static void begin(struct serve_proc *proc) { trace_charge(proc, kern_now(), begin_untold(proc)); }

/* Until that date, and for as long as the processor is busy: servicing takes it meanwhile. */
static void sleep_off(struct serve_proc *proc, double until_s)
{
    mem_unobserved(proc->cpu, false);
    do {
        until_s = fmax(until_s, proc->busy_s);
        kern_sleep_until(proc->rank, until_s);
    } while (proc->busy_s > until_s);
    proc->idle_s = fmax(until_s, kern_now());
    proc->serviced_s = proc->spent.service_s;
    mem_paid(proc->cpu, proc->idle_s);
}

void serve_pay(struct serve_proc *proc)
{
    begin(proc);
    sleep_off(proc, proc->busy_s);
}

/* So much of what was paid since, by parts, is owed still. */
static void parts_again(struct serve_parts *parts, const struct kern_parts *paid, double share)
{
    for (int i = 0; i < KERN_PARTS; i++) {
        parts->owed.time_s[i] = share * (parts->paid.time_s[i] - paid->time_s[i]);
        parts->paid.time_s[i] -= parts->owed.time_s[i];
    }
}

/* Pays, or waits until everybody else is as far: the clock may then stand anywhere before, and what
 * it has not come to is owed still. */
static void wait_turn(struct serve_proc *proc)
{
    struct kern_parts paid;
    if (proc->parts) paid = proc->parts->paid;
    struct mem_charge charge = begin_untold(proc);
    const double until_s = proc->busy_s;
    mem_unobserved(proc->cpu, false);
    const bool slept = kern_wait_turn(proc->rank, until_s);
    const double now_s = kern_now();
    double share = slept ? 0 : 1;
    if (!slept && now_s > proc->began_s) share = (until_s - now_s) / (until_s - proc->began_s);
    const struct mem_charge left = {share * charge.compute_s, share * charge.memory_s};
    trace_charge(
        proc, proc->began_s,
        (struct mem_charge){charge.compute_s - left.compute_s, charge.memory_s - left.memory_s});
    if (slept) {
        sleep_off(proc, until_s);
        return;
    }
    proc->spent.compute_s -= proc->owed_compute_s = left.compute_s;
    proc->spent.memory_s -= proc->owed_memory_s = left.memory_s;
    if (proc->parts) {
        parts_again(proc->parts, &paid, share);
        proc->parts->compute_s = left.compute_s, proc->parts->memory_s = left.memory_s;
    }
    proc->busy_s = now_s;
    mem_paid(proc->cpu, until_s);
}

void serve_pay_unless_alone(struct serve_proc *proc)
{
    const bool short_ahead =
        proc->owed_compute_s + proc->owed_memory_s < AHEAD_QUANTA * proc->mach->quantum;
    if (short_ahead && serve_alone(proc, 0)) {
        mem_unobserved(proc->cpu, kern_alone_until(proc->rank) == HUGE_VAL);
        serve_ahead(proc, 0);
    } else if (short_ahead && !proc->first && !proc->serving && proc->busy_s <= kern_now()) {
        wait_turn(proc);
    } else {
        serve_pay(proc);
    }
}

void serve_pay_some(struct serve_proc *proc)
{
    if (serve_owed(proc) > proc->mach->quantum) serve_pay(proc);
}

bool serve_alone(struct serve_proc *proc, double seconds)
{
    return !proc->first && !proc->serving && proc->busy_s <= kern_now() &&
           serve_now(proc) + seconds < kern_alone_until(proc->rank);
}

void serve_ahead(struct serve_proc *proc, double seconds)
{
    struct mem_charge charge = mem_take(proc->cpu);
    proc->owed_compute_s += charge.compute_s + seconds;
    proc->owed_memory_s += charge.memory_s;
    mem_paid(proc->cpu, serve_now(proc) - mem_unpaid(proc->cpu)); /* which may be less than 0 */
}

void serve_pay_until(struct serve_proc *proc, double time_s)
{
    if (time_s <= kern_now()) return;
    const double left_s = fmax(0, serve_now(proc) - time_s);
    struct mem_charge rest = {.memory_s = fmin(left_s, proc->owed_memory_s)};
    rest.compute_s = fmin(left_s - rest.memory_s, proc->owed_compute_s);
    proc->owed_compute_s -= rest.compute_s;
    proc->owed_memory_s -= rest.memory_s;
    serve_pay(proc);
    serve_access(proc, rest);
}

void serve_resume(struct serve_proc *proc)
{
    if (!serve_alone(proc, 0)) serve_pay_some(proc);
    mem_resume(proc->cpu, kern_now(), proc->owed_compute_s + proc->owed_memory_s);
}

/* Of what it has serviced since, so much is over now: servicing counts when it begins. */
static double serviced_since(const struct serve_proc *proc, double then_s)
{
    return proc->spent.service_s - then_s - fmax(0, proc->busy_s - kern_now());
}

void serve_wait(struct serve_proc *proc, enum profile_cause whose, bool (*ready)(void *data),
                void *data)
{
    bool waited = false;
    /* What is owed passes while the rank waits. */
    begin(proc);
    const double from_s = proc->busy_s, serviced_s = proc->spent.service_s;
    for (; !ready(data); waited = true) kern_gate_wait(proc->gate);
    if (waited) {
        const struct kern_cause *by = kern_gate_cause(proc->gate);
        serve_explain(proc, whose, from_s, kern_now(), serviced_since(proc, serviced_s), by);
        kern_cause_woke(proc->rank, kern_now(), from_s, by, (int)whose);
    }
    kern_cause_after(proc->rank, fmax(kern_now(), from_s), kern_gate_came(proc->gate));
    sleep_off(proc, proc->busy_s);
}

void serve_doze(struct serve_proc *proc, bool (*ready)(void *data), void *data)
{
    begin(proc);
    const bool idle = proc->busy_s <= kern_now();
    const double since_s = idle ? proc->idle_s : proc->busy_s,
                 serviced_s = idle ? proc->serviced_s : proc->spent.service_s;
    while (!ready(data)) kern_gate_wait(proc->gate);
    kern_gate_came(proc->gate);
    sleep_off(proc, proc->busy_s);
    proc->idle_s = since_s;
    proc->serviced_s = serviced_s;
}

void serve_wait_until(struct serve_proc *proc, enum kern_what what, double time_s, kern_date after)
{
    begin(proc);
    const double from_s = proc->busy_s;
    if (time_s > from_s) {
        kern_cause_next(after);
        const struct kern_cause *here = kern_cause_here(proc->rank, kern_now()),
                                *by = kern_cause_event(here, what, proc->rank, from_s, time_s);
        serve_explain(proc, PROFILE_PARTNER, from_s, time_s, 0, by);
        kern_cause_woke(proc->rank, time_s, from_s, by, PROFILE_PARTNER);
        kern_cause_unref(here);
        kern_cause_unref(by);
    } else {
        kern_cause_after(proc->rank, from_s, after);
    }
    sleep_off(proc, fmax(time_s, proc->busy_s));
}

void serve_waited(struct serve_proc *proc, enum profile_cause whose, const struct kern_cause *by)
{
    const double from_s = proc->idle_s;
    if (kern_now() <= from_s) {
        kern_cause_met(proc->rank, kern_now(), from_s, by);
        return;
    }
    serve_explain(proc, whose, from_s, kern_now(), serviced_since(proc, proc->serviced_s), by);
    kern_cause_woke(proc->rank, kern_now(), from_s, by, (int)whose);
    proc->busy_s = fmax(proc->busy_s, kern_now());
    proc->idle_s = proc->busy_s;
    proc->serviced_s = proc->spent.service_s;
}
