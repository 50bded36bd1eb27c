/* serve: the target's processor: who does the target's part of an operation, and when.
 *
 * In sub-rooms: policy (when a request is serviced, a family), clock (a rank and the one place that
 * moves its clock), request (what has arrived and waits). Here: making the processor of a rank.
 */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "serve/clock/clock.h"

/* As the machine says; memory and cpu are the caller's and live longer. */
struct serve_proc *serve_proc_new(const struct mach *m, int rank, int node, struct mem_node *memory,
                                  struct mem_cpu *cpu);
void serve_proc_free(struct serve_proc *proc); /* NULL: nothing */

#endif
