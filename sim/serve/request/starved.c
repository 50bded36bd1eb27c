/* starved: a processor that never computes. Requests that arrive faster than it services them
 * interrupt it before it has done anything of what it owes (receive livelock: Mogul and
 * Ramakrishnan, ACM TOCS 15(3), 1997). Left out: one that does a hundredth of it
 * meanwhile. */
#include <math.h>

#include "kern/cause/cause.h"
#include "serve/request/starving.h"

#define PROGRESS 0.01  /* of what is left: less is nothing */
#define RESIDUE  1e-12 /* of the date: that is what sums in another order differ by */

static struct serve_starved starved;
static enum { NOBODY, FOUND, BLAMED, SHOWN } state;

void serve_interrupted(struct serve_proc *proc, double now_s)
{
    const double left_s = proc->busy_s - now_s;
    if (left_s <= RESIDUE * now_s || left_s < proc->least_left_s * (1 - PROGRESS)) {
        proc->least_left_s = left_s > RESIDUE * now_s ? left_s : HUGE_VAL;
        proc->interrupts = 0;
    }
    if (++proc->interrupts < SERVE_MANY || state != NOBODY) return;
    state = FOUND;
    starved.rank = proc->rank;
}

/* Who sent it, in which call, is behind the event in which it arrives. */
void serve_asked(const struct serve_proc *proc)
{
    if (state != FOUND || proc->rank != starved.rank) return;
    const struct kern_cause *here = kern_cause_here(-1, kern_now()), *by = here;
    while (by && (by->what != KERN_ACT || by->rank == proc->rank)) by = by->before;
    starved.by = by ? by->rank : -1;
    starved.site = by ? by->site : 0;
    state = BLAMED;
    kern_cause_unref(here);
}

bool serve_starved(struct serve_starved *who)
{
    if (state != BLAMED) return false;
    state = SHOWN;
    *who = starved;
    return true;
}
