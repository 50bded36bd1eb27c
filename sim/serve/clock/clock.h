/* A rank as the engine knows it, and its clock. serve_pay and serve_wait are the places where a
 * rank's charges become simulated time: a processor does one thing at a time, the program's work or
 * servicing. All in the rank's own context unless said otherwise. */
#ifndef SERVE_CLOCK_H
#define SERVE_CLOCK_H

#include "base/base.h"
#include "kern/kern.h"
#include "kern/parts/parts.h"
#include "mach/mach.h"
#include "mem/mem.h"
#include "profile/profile.h"

struct serve_policy;
struct serve_job;

/* Of what numbers of the machine (kern/parts) a rank's time was made. */
struct serve_parts {
    struct kern_parts owed, paid;
    struct kern_parts serving;  /* of the servicing that is under way */
    struct kern_parts tail;     /* of the last operation's, from when it was done until it knows */
    double compute_s, memory_s; /* of what is owed, and charged by calls, that is in `owed` */
};

struct serve_proc {
    int rank, node;
    const struct mach *mach;
    const struct serve_policy *policy;
    struct mem_cpu *cpu;
    struct mem_node *memory;
    struct kern_gate *gate;
    struct kern_spent spent;   /* paid so far */
    struct serve_parts *parts; /* NULL: not asked for */
    double end_s;              /* when the rank ended */
    uint64_t order;            /* a digest of whose requests and messages it took, in turn */
    /* private below */
    int inside;                           /* depth of MPI calls */
    double inside_s;                      /* from when on: it may be ahead of the clock */
    bool opens;                           /* a request waits for that date */
    bool completing;                      /* in a call that completes servicing */
    bool delayed;                         /* serve.when = completion */
    double owed_compute_s, owed_memory_s; /* charged by calls, beside what mem keeps */
    /* until when the processor is taken by what was paid and by servicing: it does one thing at a
     * time */
    double busy_s;
    double idle_s, serviced_s;      /* from when on it may wait, and what it had serviced by then */
    struct serve_job *first, *last; /* arrived, not begun; in order of arrival */
    double began_s;                 /* what it pays, or last paid, since then */
    bool yields;                    /* its own work is next, not a request */
    bool leaves;                    /* it is about to leave MPI, */
    double leaves_s;                /* at that date */
    bool serving;
    kern_date freed; /* the graph: what its servicing ended with */
    /* since it began to pay: interrupts that found it no nearer to the end of that, which was so
     * far away */
    unsigned interrupts, told; /* told: so many of them have been blamed on who sent them */
    double least_left_s;
    struct serve_proc *starves; /* a processor that this one's requests keep from computing, */
    op_site starves_at;         /* sent there; NULL: none, or it has been said */
};

/* Charges, in any context: nothing waits. */
void serve_compute(struct serve_proc *proc, double seconds);          /* processor work */
void serve_memory(struct serve_proc *proc, double seconds);           /* waiting for memory */
void serve_access(struct serve_proc *proc, struct mem_charge charge); /* both */
/* So much of what was charged just now is that number of the machine; its stalls, or work. What
 * nothing is said of is cycles of the processor, and stalls undivided. */
void serve_part(struct serve_proc *proc, const double *of, double seconds);
void serve_part_stall(struct serve_proc *proc, const double *of, double seconds);
/* Processor work that all is that number of the machine. */
void serve_charge(struct serve_proc *proc, const double *of, double seconds);
double serve_owed(struct serve_proc *proc);
/* Seconds of stalls so far, paid or not. */
double serve_stalled(const struct serve_proc *proc);
/* The rank's own time: the clock plus what it owes. */
double serve_now(struct serve_proc *proc);
/* Sleeps off everything owed, and whatever servicing stole meanwhile. */
void serve_pay(struct serve_proc *proc);
/* It takes what came from that rank: a request, or a message; -1: of whom is not known. */
void serve_took(struct serve_proc *proc, int from);
/* For a rank that has ended and cannot sleep: counts what it owes and returns it. */
double serve_count_owed(struct serve_proc *proc);
/* Until when its processor is taken by what is counted: where the run is cut off, later than now.
 */
double serve_taken_until(const struct serve_proc *proc);
/* Pays only when more than the quantum is owed. */
void serve_pay_some(struct serve_proc *proc);
/* May it compute so many seconds before it pays, and nobody could tell? Nobody else acts before it
 * has, and nothing waits for it. */
bool serve_alone(struct serve_proc *proc, double seconds);
/* It does: what it owes, and so many seconds more, are paid later, but its memory is at that date.
 */
void serve_ahead(struct serve_proc *proc, double seconds);
/* The clock comes to that date, at which its memory is; what is owed since stays so. */
void serve_pay_until(struct serve_proc *proc, double time_s);
/* As serve_pay, or, while nobody could tell, only its memory goes on to that date: the clock
 * follows after a thousand quanta at most. */
void serve_pay_unless_alone(struct serve_proc *proc);
/* Back in the program: what calls waited and charged is behind it, and more than the quantum is
 * paid.
 */
void serve_resume(struct serve_proc *proc);
/* Pays, then waits at the rank's gate until ready(data) holds. `whose`: what it is if another rank
 * acts late (profile.h). */
void serve_wait(struct serve_proc *proc, enum profile_cause whose, bool (*ready)(void *data),
                void *data);
/* The same between two looks at messages of SimGrid's: what it has waited since it paid last is
 * explained later, by serve_waited. */
void serve_doze(struct serve_proc *proc, bool (*ready)(void *data), void *data);
/* `what` passes until then. `after`: what that date hangs on, in the graph; 0: on when the rank
 * asks.
 */
void serve_wait_until(struct serve_proc *proc, enum kern_what what, double time_s, kern_date after);
/* It has waited, in SimGrid's own messages, since it paid last: `by` ended that now. */
void serve_waited(struct serve_proc *proc, enum profile_cause whose, const struct kern_cause *by);
/* Gives the profile the critical path that ends there (profile/path). */
void serve_path(const struct mach *m, const struct kern_cause *end);
/* What the parts of the graph are (kern/graph_format); the caller frees it. */
char *serve_graph_parts(const struct mach *m);

#endif
