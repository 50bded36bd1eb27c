/* Which rank is running: its processor for the hooks, its state for the dialects. */
#ifndef WORLD_RANK_H
#define WORLD_RANK_H

#include "base/base.h"
#include "mem/mem.h"

/* Processor of the rank whose code this thread is running. Between ranks, inside MPI, outside a
 * simulation and in threads that are no rank's it is nobody, whose filters match no line, so that
 * the slow path asks world_resolve. Instrumented code finds it at world_nobody + world_offset
 * (probe/in_line/in_line.h): that holds even before anything is initialised. */
extern struct mem_cpu world_nobody __attribute__((visibility("default")));
extern _Thread_local intptr_t world_offset
    __attribute__((visibility("default"), tls_model("initial-exec")));
static inline struct mem_cpu *world_cpu(void)
{
    return (struct mem_cpu *)((uintptr_t)&world_nobody + (uintptr_t)world_offset);
}
/* the running rank's processor, or NULL: no simulated rank is running */
struct mem_cpu *world_resolve(void);
double world_cycles(double cycles); /* seconds of the machine's processor; 0 outside a run */
/* Ticks in which a processor issues so many operations, and that a branch predicted wrongly loses.
 */
int64_t world_issue_ticks(uint32_t operations);
int64_t world_miss_ticks(void);
bool world_simulated(void); /* inside sidewinder-sim? */
bool world_is_child(void);  /* a process that a rank has forked: simulated no more */
/* Is the code that runs now that of a thread of the program, or of a parallel region's? */
bool world_unseen_here(void);

/* The running rank's node, and which of its processors it has; -1: no simulated rank is running. */
int world_node(void);
int world_processor(void);
/* What sysconf says of processors and caches: the machine's. false: it is another question, or no
 * simulated rank is running. */
bool world_sysconf(int name, long *answer);

struct serve_proc;
struct world_rank {
    int rank;                /* in MPI_COMM_WORLD */
    struct serve_proc *proc; /* what sync and below know the rank by */
    void *dialect;           /* state a dialect keeps for the rank */
};
/* For calls that need no clock and cannot block (MPI_Comm_rank ...): nothing is paid or serviced.
 * NULL: no simulated rank is running. */
struct world_rank *world_here(void);
int world_ranks(void);
struct world_rank *world_rank_of(int rank);

#endif
