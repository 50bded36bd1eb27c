/* kern: the simulated clock, the actors that live on it, and the ways through the platform's
 * network.
 *
 * The only room that includes SimGrid's headers. kern_fake implements the same door with threads
 * and a heap of dates, so that the floors above are tested without SimGrid, under sanitizers. Only
 * serve moves a rank's clock (serve_pay).
 *
 * Times are simulated seconds since the start. Everything runs in one host thread at a time, in an
 * order that depends on dates and call order only.
 */
#ifndef KERN_KERN_H
#define KERN_KERN_H

#include "base/base.h"
#include "kern/cause/cause.h"

#include <setjmp.h>

double kern_now(void);
/* the running actor, which is that rank; a time not after now returns at once */
void kern_sleep_until(int me, double time_s);
/* The same; or it returns false when of all ranks the running one is the next to act, at that date,
 * and the clock, which may lie before it, need not come there first. */
bool kern_wait_turn(int me, double time_s);
/* A rank that waits so does until its date. */
void kern_turn_firm(int rank);
/* Before that date nobody acts but the running actor, that rank: no other, no handler. Now: not
 * known. -1: it is no rank. */
double kern_alone_until(int me);
int kern_rank(void); /* rank of the running actor; -1: not a rank */

/* Runs handle(data, now) when the running actor ends, however it ends. */
typedef void (*kern_handler)(void *data, double time_s);
void kern_on_exit(kern_handler handle, void *data);

/* A gate is where one rank waits. wait blocks until the gate is opened; opening a gate at which
 * nobody waits does nothing, so callers wait in a loop over their condition. */
struct kern_gate;
struct kern_gate *kern_gate_new(void);
void kern_gate_free(struct kern_gate *gate);
void kern_gate_wait(struct kern_gate *gate);
/* Others may run before it returns: what the one that waits may free is not touched afterwards. */
void kern_gate_open(struct kern_gate *gate);
/* What opened it last; NULL: nothing has. The gate keeps it. */
const struct kern_cause *kern_gate_cause(const struct kern_gate *gate);
/* The latest of all that have opened it since that was asked; 0: none, or no graph is written. */
kern_date kern_gate_came(struct kern_gate *gate);

/* Runs handle(data, time_s) at that date, outside every rank, after all handlers of earlier dates
 * and, at the same date, of lower ranks' calls (handlers' first) and of earlier ones. Handlers
 * never block. time_s must not be before now. Until then passes `what`, done by that rank (-1:
 * none). */
void kern_at(double time_s, enum kern_what what, int rank, kern_handler handle, void *data);
/* The same, at that date after the handlers of lower turns (kern_at: 0), whoever called first; by
 * none. So what many set for one date does not depend on which of them ran ahead of the others. */
void kern_at_turn(double time_s, int turn, enum kern_what what, kern_handler handle, void *data);

/* The way from one node to another: sum of link latencies, least bandwidth. */
struct kern_route {
    double latency_s, bandwidth_bytes_per_s;
};
struct kern_route kern_route(int from_node, int to_node);

/* Does that MPI_Request still wait for the other side of its message, of so many ranks? */
int kern_queued(const void *request, int ranks);
/* Is it of a message to or from MPI_PROC_NULL, and not persistent? (order.cc) */
bool kern_with_nobody(const void *request);
/* The bytes of the message that is copied from its sender's buffer to its receiver's, while no rank
 * runs; 0: none is. */
size_t kern_handed(void);

enum { KERN_STACK_BYTES = 8 << 20 }; /* of each rank */
enum { KERN_MEETING = 256 };         /* messages that share one link or interface at most */
/* Runs the program on the platform until every rank has ended or all wait for ever. */
struct kern_run {
    /* log: where SimGrid's own messages go */
    const char *program, *platform, *hostfile, *tmpdir, *log;
    /* each rank gets a copy of its own, as of the program: kern/copies.h */
    char *const *libraries;
    bool keep_copies; /* of the program: a debugger reads them */
    int ranks;
    double overhead_send_s, overhead_receive_s; /* processor time of an ordinary MPI message */
    double short_bytes, fetch_s; /* its sender's time rises by that for one of more bytes */
    double test_s;               /* of MPI_Test and MPI_Iprobe */
    double eager_bytes;
};
/* Ends the running rank. Its actor stays until the last has ended: SimGrid aborts where a message
 * is sent to one that is gone. */
void kern_exit(void) G_GNUC_NORETURN;
/* The running rank's program begins, in the caller's frame:
 *     if (_setjmp(*kern_bottom()) != 0) kern_at_bottom();
 * When the rank ends while the program is under way, it goes on there, and what is on the stack
 * above is left as it is. */
jmp_buf *kern_bottom(void);
void kern_at_bottom(void);
/* ends every rank now; a rank that calls it does not return */
void kern_stop(void);
void kern_main(const struct kern_run *run);
/* The rank's copy of a plug-in that sidewinder cc has linked; what that asks for is the rank's,
 * too. NULL: it is none. Its file is there until it was loaded. Kept. */
const char *kern_copies_plug_in(int rank, const char *path);
void kern_copies_loaded(const char *copy);
/* On standard error: why SimGrid gave up, if it did; from the handler of SIGABRT. */
void kern_last_words(const char *log);

#endif
