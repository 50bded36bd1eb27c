/* The one world, shared by world's files. */
#ifndef WORLD_STATE_H
#define WORLD_STATE_H

#include "world/world.h"

#include "net/net.h"
#include "report/source/source.h"
#include "report/text/text.h"

/* What `sidewinder run` asks for. */
struct world_description {
    char *program, *machine, *machine_name, *hostfile, *tmpdir, *command, *private_library;
    char *report, *json, *trace;  /* NULL: not wanted */
    char **set, **uninstrumented; /* NULL ended, or NULL */
    int ranks;
    double quantum_s;
    bool colour;
    bool check;     /* judge accesses to windows */
    int check_exit; /* exit code when they break rules; 0: the program's own */
    char *rules;    /* "unified", "separate", "mpi2"; NULL: unified */
};
bool world_description_read(struct world_description *d, const char *path, GError **error);
void world_description_clear(struct world_description *d);

/* One rank, with what only world needs to know. */
struct world_rank_state {
    struct world_rank rank; /* first */
    const char *call;       /* outermost MPI call in progress; NULL: in the program's code */
    uintptr_t pc;           /* its caller */
    int depth;
    bool called; /* MPI, ever */
    bool finished;
    double clock_s;   /* when it last read its clock; before its start: never */
    double after_s;   /* what its own loops have waited after MPI_Finalize */
    double instant_s; /* when it last made an MPI call, and how many it has made then */
    uint32_t calls;
    /* at the begin of the outermost call: its own time, how much of that was no wait, and how much
     * were stalls */
    double entered_s, busy_s, stalled_s;
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
    int exit_code; /* of the abort, or the first that is not 0 a rank ended with */
    bool running;
    bool forked;  /* this is a child that a rank has forked */
    bool started; /* a rank has begun its program */
    struct {      /* a function that the engine runs for a rank; rank -1: none */
        int rank;
        double cycles;
    } detached;
};
extern struct world world_one;
/* Sets world_cpu. */
static inline void world_run_as(struct mem_cpu *cpu)
{
    world_offset = (intptr_t)((uintptr_t)cpu - (uintptr_t)&world_nobody);
}

struct world_rank_state *world_state_here(void); /* of the running rank; NULL: none is running */

bool world_build(struct world *w, GError **error);
void world_tear_down(struct world *w);
op_site world_site_of(const struct world_rank_state *state, uintptr_t pc);
/* Crash messages: "rank 2: segmentation fault at halo.c:42". Called at the start, and again when
 * the first rank begins, after SimGrid has put its own handlers up: an interrupt is to end the run
 * as it ends any program. */
void world_watch_signals(void);
/* ---- signals of ranks (signal.c) ---------------------------------------------------------- */

void world_signals_start(void); /* before anything changes what the process inherited */
void world_signals_free(struct world_rank_state *state);
/* Takes what has been sent to the running rank, whose program runs. */
void world_signals_take(struct world_rank_state *state);
/* in a child: that rank has forked it */
void world_signals_forked(struct world_rank_state *state);
bool world_is_crash(int number); /* a signal that world_crashed handles */
void world_crashed(int number, siginfo_t *info, void *context);
void world_interrupted(int number, siginfo_t *info, void *context); /* SIGINT, SIGTERM */
/* in a child that a rank has forked: it is an ordinary process, and no other rank may run in it */
void world_forked(void);
void world_detached_compute(double cycles);
void world_not_detached(const char *call); /* ends the run where a function runs detached */
/* What the check found goes to the findings. True: rules that count are broken. */
bool world_verdict(const struct world_description *d, struct report_run *run);
/* ---- stores that nobody announced (unseen/unseen.c) ------------------------------------------ */

/* Carries what foreign code has stored into segments since it was called last. Not while MPI is
 * at work for the rank. */
void world_unseen(struct world_rank_state *state);

int world_finish(struct world *w); /* writes the reports; the run's exit code */

#endif
