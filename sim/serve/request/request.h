/* Requests at a target: serviced one at a time, in order of arrival, begun when the policy says.
 * serve.when = completion delays all servicing until the target's servicing call completes or tries
 * to (the PUT/ACCEPT proposal, Discussion). */
#ifndef SERVE_REQUEST_H
#define SERVE_REQUEST_H

#include "serve/clock/clock.h"
#include "serve/policy/policy.h"

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
    struct serve_proc *from; /* whose request it is; NULL: not known */
    /* private below */
    struct serve_job *next;
    struct serve_state state;
    double arrived_s;
    kern_date came; /* the same in the graph */
};
/* A request has arrived at the target's node, now. Called in an event; policies of the `ni` kind
 * begin at once. */
void serve_request(struct serve_job *job, double arrived_s);
/* The request that waits for this processor to enter MPI, and since when. NULL: none, or it is
 * there.
 */
const struct serve_job *serve_awaited(const struct serve_proc *proc);

/* After so many requests in a row, between which it did not come to compute, a processor computes
 * for serve.slice: operating systems bound what their drivers do at once and look again at the next
 * tick of the clock (quotas: Mogul and Ramakrishnan, ACM TOCS 15(3), 1997). */
enum { SERVE_QUOTA = 100 };
/* A processor that so many requests in a row have interrupted, while it did not do a hundredth of
 * what it computes, and at which of its calls the rank that asks sent it the last of them; 0: not
 * known. True once for each number. From the second on its program will hardly end: those that
 * send may wait for what it has no time to do. */
enum { SERVE_MANY = 100000, SERVE_TOO_MANY = 1000000 };
struct serve_starved {
    int rank;
    unsigned requests; /* SERVE_MANY or SERVE_TOO_MANY */
    op_site site;
};
bool serve_starves(struct serve_proc *by, struct serve_starved *who);

/* The target's processor in and out of MPI, in its rank's context.
 * enter: services what waited; the caller has paid, all or some */
void serve_enter(struct serve_proc *proc, bool completing);
/* waits until servicing that has begun is done */
void serve_leave(struct serve_proc *proc);
/* the call in progress completes (or does not) */
void serve_completing(struct serve_proc *proc, bool yes);

#endif
