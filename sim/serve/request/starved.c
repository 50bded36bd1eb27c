/* starved: a processor that never computes. Requests that arrive faster than it services them
 * interrupt it before it has done anything of what it owes (receive livelock: Mogul and
 * Ramakrishnan, ACM TOCS 15(3), 1997), where serve.slice is 0. Left out: one that does a hundredth
 * of it meanwhile. */
#include <math.h>

#include "kern/cause/cause.h"
#include "serve/request/starving.h"

#define PROGRESS 0.01  /* of what is left: less is nothing */
#define RESIDUE  1e-12 /* of the date: that is what sums in another order differ by */

void serve_interrupted(struct serve_proc *proc, double now_s)
{
    const double left_s = proc->busy_s - now_s;
    if (left_s <= RESIDUE * now_s || left_s < proc->least_left_s * (1 - PROGRESS)) {
        proc->least_left_s = left_s > RESIDUE * now_s ? left_s : HUGE_VAL;
        proc->interrupts = 0;
    }
    proc->interrupts++;
}

/* The call in which that rank sent what arrives now is behind the event. */
static op_site asked_at(int rank)
{
    const struct kern_cause *here = kern_cause_here(-1, kern_now()), *by = here;
    while (by && (by->what != KERN_ACT || by->rank != rank)) by = by->before;
    const op_site site = by ? by->site : 0;
    kern_cause_unref(here);
    return site;
}

void serve_asked(struct serve_proc *proc, struct serve_proc *from)
{
    const unsigned next = proc->told < SERVE_MANY ? SERVE_MANY : SERVE_TOO_MANY;
    if (!from || proc->interrupts < next || proc->told == SERVE_TOO_MANY) return;
    proc->told = next;
    from->starves = proc;
    from->starves_at = asked_at(from->rank);
}

bool serve_starves(struct serve_proc *by, struct serve_starved *who)
{
    if (!by->starves) return false;
    *who = (struct serve_starved){
        .rank = by->starves->rank, .requests = by->starves->told, .site = by->starves_at};
    by->starves = NULL;
    return true;
}
