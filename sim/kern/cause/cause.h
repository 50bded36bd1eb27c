/* kern/cause: what led to what. An event remembers in whose context it was set: in that of another
 * event, or of a rank that acted; and a rank's act remembers what had woken that rank before. So a
 * wait is explained by walking back from what ended it: each stretch of it has the one cause that
 * was last to be ready. Walking back from the end of a run gives its critical path.
 *
 * Bookkeeping only: it knows no clock, nothing waits, nothing costs. Times are simulated seconds.
 * Nodes are counted; those that nothing leads back to any more are freed.
 */
#ifndef KERN_CAUSE_H
#define KERN_CAUSE_H

#include "base/base.h"
#include "kern/graph/graph.h"
#include "kern/parts/parts.h"
#include "op/op.h"

enum kern_what {
    KERN_ACT,        /* a rank ran: its program, its calls, what it serviced */
    KERN_NETWORK,    /* bytes, flags and answers were on their way */
    KERN_INTERFACE,  /* an interface, a link or memory had the bytes of a rank before them */
    KERN_SERVICE,    /* the processor or interface of a rank serviced requests */
    KERN_ATOMIC,     /* an interface's atomic unit or lock was taken */
    KERN_COLLECTIVE, /* the messages of a barrier or a total */
    KERN_DATE        /* a rank had set itself a date */
};

/* What a rank has spent, or spent meanwhile: seconds. */
struct kern_spent {
    double compute_s, memory_s, service_s;
};

struct kern_cause {
    const struct kern_cause *before; /* what led to it; NULL: not known, or the start */
    enum kern_what what;
    int rank;            /* that acted, serviced, or whose bytes they are; -1: none */
    double from_s, to_s; /* an act: from when the rank had woken; an event: from when it was set */
    op_site from, site;  /* an act: the calls in which the rank woke and acted; 0: none */
    op_site about;       /* an act: of the call that it ends the effect of, a lock's; else 0 */
    int waited_for;      /* an act: what the wait before it was for, as given; -1: there was none */
    kern_date date;      /* of to_s, in the graph; 0: none is written */
    struct kern_spent spent;       /* an act */
    struct kern_parts_list *parts; /* of from_s to to_s; NULL: nothing is known */
    struct kern_parts_list *gone;  /* of all before it that is not kept any more */
    unsigned refs, depth;          /* private */
    bool cut;                      /* private */
};

const struct kern_cause *kern_cause_ref(const struct kern_cause *cause); /* NULL: NULL */
void kern_cause_unref(const struct kern_cause *cause);

/* The running context: a rank's act until now; outside ranks (-1) the event that is handled. The
 * caller owns it. */
const struct kern_cause *kern_cause_here(int rank, double now_s);
/* An event at that date, set now by `here`; the caller owns it. */
const struct kern_cause *kern_cause_event(const struct kern_cause *here, enum kern_what what,
                                          int rank, double now_s, double at_s);
/* That event is handled from now on; NULL: none is. */
void kern_cause_handle(const struct kern_cause *event);

/* A rank begins; `spent`, and by parts `paid` (NULL: not kept), is what it has spent whenever it is
 * looked at, until kern_cause_clear. */
void kern_cause_begin(int rank, const struct kern_spent *spent, const struct kern_parts *paid);
/* From now on the rank is in that call, and about to end the effect of the call at `about`. */
void kern_cause_site(int rank, op_site site, op_site about);
/* The rank wakes: when it would have gone on by itself, what ended its wait, and what it had waited
 * for. */
void kern_cause_woke(int rank, double now_s, double ready_s, const struct kern_cause *by,
                     int waited_for);
/* ---- the graph: what came, beside what came last ----------------------------------------------
 */

/* In the graph, what the running context sets for then_s; what is noted stays. */
kern_date kern_cause_date(int rank, double now_s, double then_s);
/* That is one of the things that somebody waits for; *all: the later of it and of what was there.
 */
void kern_cause_also(kern_date *all, int rank, double now_s, double then_s);
/* Now there is what the rank has asked for; it may not have waited for it, being busy until then.
 */
void kern_cause_met(int rank, double now_s, double ready_s, const struct kern_cause *by);
/* What the running context does from now on had to wait for these, too. */
void kern_cause_after(int rank, double now_s, kern_date all);
/* The event that is set next is to come at that date; 0: when what sets it says. */
void kern_cause_next(kern_date date);
/* Of the time until it, these seconds passed while an interface, a link or memory had that rank's
 * bytes before its own; none where until_s is not later. */
void kern_cause_behind(int rank, double from_s, double until_s);

/* Chains are cut behind so many nodes, or up to twice that. */
void kern_cause_longest(unsigned nodes);
/* Adds up the parts of the chain that ends there, each as far as it is older than what it led to.
 */
void kern_cause_parts(const struct kern_cause *at, double until_s, struct kern_parts *sum);
/* Forgets all: the end of a run. */
void kern_cause_clear(void);

#endif
