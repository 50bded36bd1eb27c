/* The one world, shared by world's files. */
#ifndef WORLD_STATE_H
#define WORLD_STATE_H

#include <pthread.h>

#include "base/floating/floating.h"
#include "mach/mach.h"
#include "op/op.h"
#include "serve/clock/clock.h"
#include "world/process/process.h"
#include "world/rank/rank.h"

/* What `sidewinder run` asks for. */
struct world_description {
    char *loaded; /* what SMPI copies: the program as it stands (NULL), or what of it is loaded */
    char *text; /* what all copies have in common and lack (NULL: nothing), from where they begin */
    char *program, *machine, *machine_name, *hostfile, *tmpdir, *command;
    char *report, *json, *trace, *profile, *graph; /* NULL: not wanted */
    /* NULL ended, or NULL; watch: op_memory_read */
    char **set, **uninstrumented, **watch;
    char **libraries;    /* of the program, NULL ended, or NULL: kern/copies.h */
    char **pair, *order; /* of the check: watched, forced (check_pair_text); NULL: none */
    int ranks;
    double quantum_s;
    bool colour;
    bool progress;      /* somebody waits at a terminal */
    bool debugged;      /* under a debugger */
    bool label;         /* the rank stands before each line */
    bool check;         /* judge accesses to windows */
    bool check_memory;  /* guard the blocks of the heap */
    bool profile_hits;  /* by variable, hits too */
    bool critical_path; /* report it */
    int check_exit;     /* exit code when they break rules; 0: the program's own */
    char *rules;        /* "unified", "separate", "mpi2"; NULL: unified */
};

/* What a call waits for, where it is known: a message, or that a rank receives one. Ranks are of
 * MPI_COMM_WORLD; -1: any. */
struct world_partner {
    enum { WORLD_NOT_KNOWN, WORLD_MESSAGE, WORLD_RECEIVE, WORLD_EITHER } what;
    int rank, tag;
};

/* One rank, with what only world needs to know. */
struct world_rank_state {
    struct world_rank rank; /* first */
    const char *call;       /* outermost MPI call in progress; NULL: in the program's code */
    uintptr_t pc;           /* its caller */
    int depth;
    struct world_partner partner;          /* of that call */
    struct base_floating floating;         /* the program's, as it made the call */
    int callbacks;                         /* under way, one in another */
    int callback_depth;                    /* calls under way when the first of them began */
    uintptr_t callback_frame;              /* of what called the first of them */
    const struct world_argument *callback; /* world_callback_begin */
    bool called;                           /* MPI, ever */
    bool finished;
    double clock_s;   /* when it last read its clock; before its start: never */
    double after_s;   /* what its own loops have waited after MPI_Finalize */
    double instant_s; /* when it last made an MPI call, and how many it has made then */
    uint32_t calls;
    double copied_s;    /* its last message within the node is copied */
    uint64_t assembled; /* passes of blocks with assembly, at the last look for what it stored */
    uint32_t looks;     /* that may still find some */
    /* at the begin of the outermost call: its own time, how much of that was no wait, and how much
     * were stalls */
    double entered_s, busy_s, stalled_s, serviced_then_s;
    /* of that, what functions of the program's did that the call has called: their lines have it */
    double callback_stalled_s, callback_worked_s;
    uint64_t calls_then; /* of all ranks but barriers, when it last came to one; among whom */
    uintptr_t barrier;
    bool idle;                     /* and that was so at the one before */
    bool again;                    /* the call before it came from the same place */
    bool vain;                     /* the call in progress found nothing, or had nothing to do */
    bool unfinalized;              /* it ended, with 0, between MPI_Init and MPI_Finalize */
    double serviced_s;             /* servicing by its processor that the profile knows */
    bool gone;                     /* its program has ended */
    struct world_signals *signals; /* NULL: it has set no disposition, nor been sent one */
};

struct world {
    struct world_description description;
    struct mach *mach;
    int nodes;
    struct mem_node **memory;
    struct net *net;
    struct serve_proc **proc;
    struct move *move;
    struct world_rank_state *state;
    char **arguments; /* the program's, NULL ended */
    char *log;        /* SimGrid's */
    bool aborted;
    int exit_code;                /* of the abort, or the first that is not 0 a rank ended with */
    double last_s;                /* the last date that can be computed with */
    const struct kern_cause *end; /* the act with which the last rank ended, so far */
    kern_date ended;              /* in the graph: all ranks have */
    bool running;
    bool forked;         /* this is a child that a rank has forked */
    bool started;        /* a rank has begun its program */
    pthread_t simulator; /* the thread of all ranks */
    GPtrArray *assembly; /* counts of blocks whose inline assembly may store anywhere; NULL: none */
    uint32_t
        assembly_looks;   /* from where such a block begins until its assembly has run, at most */
    bool in_region;       /* the running rank is in a parallel region of its own */
    GHashTable *prices;   /* prices/prices.c */
    GPtrArray *described; /* files whose blocks have prices, or will (prices/prices.c) */
    struct cpu *cpu;      /* prices them */
    GHashTable *library_ticks; /* of a function's call, by its name (prices/prices.c) */
    bool profiled;             /* what its blocks cost is in the profile */
    bool unoptimised;          /* the program has code that was compiled with -O0 */
    GHashTable *words;         /* of the arguments of a function, by its name (prices/prices.c) */
    struct {                   /* a function that the engine runs for a rank; rank -1: none */
        int rank;
        double extra_s; /* beside its blocks */
    } detached;
};
extern struct world world_one;
/* Sets world_cpu. */
static inline void world_run_as(struct mem_cpu *cpu)
{
    mem_cpu_runs(world_cpu(), false);
    mem_cpu_runs(cpu, true);
    if (G_UNLIKELY(world_process_parted) && cpu != &world_nobody) world_process_enter(cpu->rank);
    world_offset = (intptr_t)((uintptr_t)cpu - (uintptr_t)&world_nobody);
}

/* Servicing that took the processor since it was last asked. */
static inline double world_serviced(struct world_rank_state *state)
{
    double before_s = state->serviced_s;
    return (state->serviced_s = state->rank.proc->spent.service_s) - before_s;
}

struct world_rank_state *world_state_here(void); /* of the running rank; NULL: none is running */

op_site world_site_of(const struct world_rank_state *state, uintptr_t pc);
/* It has ended, at that date. */
void world_ends(struct world_rank_state *state, double end_s);

#endif
