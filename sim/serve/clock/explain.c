/* Why a wait ended when it did: explained stretch by stretch, backwards from what ended it. */
#include "serve/clock/explain.h"

#include "trace/trace.h"

#include <math.h>

#define NOTHING 1e-9 /* of a stretch: it was all servicing, but for what sums lose */

enum profile_cause serve_cause_of(enum kern_what what)
{
    static const enum profile_cause of[] = {
        [KERN_ACT] = PROFILE_PARTNER,         [KERN_NETWORK] = PROFILE_NETWORK,
        [KERN_INTERFACE] = PROFILE_INTERFACE, [KERN_SERVICE] = PROFILE_SERVICING,
        [KERN_ATOMIC] = PROFILE_ATOMIC,       [KERN_COLLECTIVE] = PROFILE_COLLECTIVE,
        [KERN_DATE] = PROFILE_DATE,
    };
    return of[what];
}

/* The rank that was late: all that led to its act is its own, whatever it did and waited for. A
 * lock's holder is to blame from when it had got the lock until the next has it; before, another
 * one was. */
struct late {
    enum profile_cause cause;
    int rank; /* -1: none is known */
    op_site site;
    const struct kern_cause *act; /* by which it came; NULL: none */
};

/* An act of another rank. Servicing that began with it was late; else it is as the wait says. */
static struct late late(const struct kern_cause *act, const struct kern_cause *then,
                        enum profile_cause whose)
{
    const bool service = then && then->what == KERN_SERVICE;
    return (struct late){service ? PROFILE_SERVICE : whose, act->rank,
                         act->about ? act->about : act->site, act};
}

/* Who came late may have waited itself: the act of another rank that took most of the stretch;
 * NULL: none did. What comes before a lock's holder is not asked. */
static const struct kern_cause *behind(const struct late *who, int me, double from_s, double to_s)
{
    const struct kern_cause *most = NULL;
    double most_s = 0;
    if (who->cause == PROFILE_LOCK) return NULL;
    for (const struct kern_cause *at = who->act; at && at->to_s > from_s; at = at->before) {
        const double part_s = fmin(at->to_s, to_s) - fmax(at->from_s, from_s);
        if (at->what != KERN_ACT || at->rank == me || part_s <= most_s) continue;
        most = at;
        most_s = part_s;
    }
    return most && most->rank != who->rank && most_s > (to_s - from_s) / 2 ? most : NULL;
}

/* Of so many seconds what led to the act of a rank; what it did itself is spread over its act. */
static void add_doing(double *did_s, const struct kern_cause *at, int rank, double part_s)
{
    static const enum profile_doing other[] = {
        [KERN_ACT] = PROFILE_AWAITED,      [KERN_NETWORK] = PROFILE_SENT,
        [KERN_INTERFACE] = PROFILE_QUEUED, [KERN_SERVICE] = PROFILE_AWAITED,
        [KERN_ATOMIC] = PROFILE_AWAITED,   [KERN_COLLECTIVE] = PROFILE_SENT,
        [KERN_DATE] = PROFILE_SENT,
    };
    if (at->what != KERN_ACT || at->rank != rank) {
        did_s[other[at->what]] += part_s;
        return;
    }
    const double part = part_s / (at->to_s - at->from_s);
    did_s[PROFILE_COMPUTED] += part * at->spent.compute_s;
    did_s[PROFILE_STALLED] += part * at->spent.memory_s;
    did_s[PROFILE_SERVICED] += part * at->spent.service_s;
}

/* What the rank that came late did in a stretch. */
static void meanwhile(const struct late *who, double from_s, double to_s, double share,
                      double *did_s)
{
    const struct kern_cause *at = who->cause == PROFILE_LOCK ? NULL : who->act;
    for (; at && at->to_s > from_s && to_s > from_s; at = at->before) {
        const double since_s = fmax(at->from_s, from_s), part_s = fmin(at->to_s, to_s) - since_s;
        if (part_s > 0) add_doing(did_s, at, who->rank, share * part_s);
        to_s = fmin(to_s, since_s);
    }
}

/* Counts a stretch of the wait, of which the rank did not wait some part. */
static void count(const struct serve_proc *proc, struct late who, double from_s, double to_s,
                  double share)
{
    const struct kern_cause *before = behind(&who, proc->rank, from_s, to_s);
    struct profile_blame blame = {.cause = who.cause,
                                  .site = mem_place(proc->cpu, proc->cpu->call_pc),
                                  .other_rank = who.rank,
                                  .other_site = who.site,
                                  .behind_rank = before ? before->rank : -1,
                                  .behind_site = before ? before->site : 0,
                                  .count = 1,
                                  .wait_s = share * (to_s - from_s)};
    meanwhile(&who, from_s, to_s, share, blame.did_s);
    profile_blame(&blame);
    if (trace_on)
        trace_wait(&(struct trace_wait){.rank = proc->rank,
                                        .from_s = from_s,
                                        .to_s = to_s,
                                        .why = profile_cause_name(who.cause),
                                        .other_rank = who.rank,
                                        .other_site = who.site});
}

/* For a lock, whose release and grant were on their way, its holder is to blame for that, too: who
 * acted first behind these events, if the wait goes back so far. */
static struct late holder(const struct kern_cause *by, int me, double from_s)
{
    const struct kern_cause *then = NULL;
    for (; by && by->what != KERN_ACT && by->from_s > from_s; then = by, by = by->before) continue;
    const bool other = by && by->what == KERN_ACT && by->rank != me && by->to_s > from_s;
    const struct late who = other ? late(by, then, PROFILE_LOCK) : (struct late){.rank = -1};
    return who.cause == PROFILE_LOCK ? who : (struct late){.rank = -1};
}

static bool got_lock(const struct late *who, const struct kern_cause *act)
{
    return who->cause == PROFILE_LOCK && act->rank == who->rank && act->waited_for == PROFILE_LOCK;
}

void serve_explain(const struct serve_proc *proc, enum profile_cause whose, double from_s,
                   double until_s, double serviced_s, const struct kern_cause *by)
{
    const double share = 1 - fmin(1, serviced_s / (until_s - from_s));
    const struct kern_cause *then = NULL; /* what it led to */
    struct late who = {.rank = -1};
    if (share < NOTHING) return;
    for (; by && until_s > from_s && by->to_s > from_s; then = by, by = by->before) {
        const double since_s = fmax(from_s, by->from_s);
        const bool act = by->what == KERN_ACT && by->rank != proc->rank;
        const bool first = !then || then->what == KERN_ACT; /* of the events between two acts */
        if (who.rank < 0 && whose == PROFILE_LOCK && !act && first)
            who = holder(by, proc->rank, from_s);
        if (who.rank < 0 && act) who = late(by, then, whose);
        if (who.rank >= 0) {
            if (who.cause != PROFILE_LOCK) break;
            if (!act || !got_lock(&who, by)) continue;
            count(proc, who, since_s, until_s, share);
            who.rank = -1;
        } else if (by->what != KERN_ACT && until_s > since_s) {
            count(proc, (struct late){serve_cause_of(by->what), by->rank, 0, NULL}, since_s,
                  until_s, share);
        }
        until_s = fmin(until_s, since_s);
    }
    if (who.rank >= 0 && until_s > from_s) count(proc, who, from_s, until_s, share);
}
