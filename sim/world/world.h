/* world: one simulated world, built from one run description, and the ranks that live in it.
 *
 * Everything a rank's own code does enters through here: the hooks ask for the current processor,
 * the dialects say when a call begins and ends. Blocking happens below, in serve and kern.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include <signal.h>

#include "base/base.h"
#include "mem/mem.h"
#include "op/op.h"
#include "serve/clock/clock.h"
#include "check/check.h"
#include "sync/guard/guard.h"

/* ---- running (sidewinder-sim) ---------------------------------------------------------------- */

/* Runs the world described by the key file at `path` to its end and writes its reports. Returns the
 * exit code of the run: the program's; 128 + signal; 3 for a deadlock. The key file (written by
 * `sidewinder run`), group [run]: program, machine (path of the resolved platform), machine_name,
 * ranks, hostfile, tmpdir, quantum_s, command; optional report (path; "-": standard error; "":
 * none), json, trace, set (list), uninstrumented (list), colour (bool), private_library. Arguments
 * of the program follow as argv. */
__attribute__((visibility("default"))) int world_run(const char *path, int argc, char **argv);

/* ---- the hooks' side (probe) ----------------------------------------------------------------- */

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
/* the running rank pays what it owes; others run meanwhile */
void world_pay(void);
void world_compute(double cycles); /* charge computation that no access shows */
/* the running rank's own time, seconds: the clock and what it owes */
double world_now(void);
/* The running rank reads its clock: the same, but a reading at the instant of the one before takes
 * clock.read. polled: is it one, and need the rank not pay first? Then *time_s. tick: clock.read.
 */
double world_read_clock(void);
bool world_clock_polled(double *time_s);
double world_clock_tick(void);
void world_sleep(double seconds); /* the running rank lets time pass, outside MPI */
/* The running rank makes its stores to the range reach memory; or drops the range, SIZE_MAX bytes:
 * everything, from its caches. */
void world_flush(uintptr_t addr, size_t bytes);
void world_invalidate(uintptr_t addr, size_t bytes);
bool world_simulated(void);              /* inside sidewinder-sim? */
bool world_is_child(void);               /* a process that a rank has forked: simulated no more */
char *const *world_arguments(int *argc); /* of the program, its name first */
/* The running rank's program ends with that code. Does not return. */
void world_exit(int code) G_GNUC_NORETURN;
/* Signals of ranks (signal.c): sigaction of the running rank; sends one to that rank, returns an
 * error number; waits until the running rank is sent one, in the call at pc. */
int world_signal_action(int number, const struct sigaction *action, struct sigaction *before);
int world_signal_send(int rank, const siginfo_t *info);
void world_signal_pause(uintptr_t pc);
/* A function of the program that the engine itself runs for that rank (a user's operation where it
 * is the target), in an event or in any rank's context. What it loads and stores goes through
 * nobody's caches: each access computes for cpu.cycles_per_access, as one that hits does, and
 * sw_compute counts. Nothing is paid: returns the seconds. MPI calls end the run. */
double world_run_detached(int rank, void (*function)(void *data), void *data);
int world_detached(void); /* the rank whose function runs so now; -1: none */
void world_detached_access(uint64_t bytes);
/* A reference of the program's to memory that PUT/ACCEPT forbids it, perhaps: asked only while
 * world_watching. */
static inline bool world_watching(void) { return sync_guards > 0 || check_on; }
void world_referenced(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, enum check_kind kind,
                      uintptr_t pc);
/* The running rank's program frees the block; asked only while the check is on. */
void world_freed(uintptr_t addr, uint64_t bytes, uintptr_t pc);
/* A copy of the program was loaded into [base, end) by the rank that is starting. */
void world_program_start(uintptr_t base, uintptr_t end);

/* ---- the dialects' side ---------------------------------------------------------------------- */

struct world_rank {
    int rank;                /* in MPI_COMM_WORLD */
    struct serve_proc *proc; /* what sync and below know the rank by */
    void *dialect;           /* state a dialect keeps for the rank */
};

/* Every MPI call is wrapped in enter/leave. enter: the rank is inside MPI: it pays what it owes,
 * and requests that waited for it are serviced. `pc` is the caller's return address. NULL: not
 * simulated (the caller then says how to run the program). Calls nest: only the outermost counts.
 * leave: back in the program's code; waits until servicing begun is done. */
struct world_rank *world_enter(const char *call, uintptr_t pc);
void world_leave(struct world_rank *rank);
/* As enter, but the rank may stay ahead of the clock by up to the quantum: for calls that pay by
 * themselves when they wait. */
struct world_rank *world_enter_ahead(const char *call, uintptr_t pc);
/* For calls that need no clock and cannot block (MPI_Comm_rank ...): nothing is paid or serviced.
 */
struct world_rank *world_here(void);
/* Around code of SimGrid that such calls run: any of its system calls may let other ranks run in
 * between. */
struct mem_cpu *world_away(void);
void world_back(struct mem_cpu *before);

/* The rank's MPI_Finalize is done: from now on it services whatever comes, and its time stands
 * still. Before leave. */
void world_finalized(struct world_rank *rank);
/* Pays what calls made inside MPI have charged (world_buffer_read before a blocking send, say). */
void world_settle(struct world_rank *rank);

/* Bytes that a library is about to read, or has just written, at the program's addresses (MPI sends
 * are loads, receives are stores): charged to the rank, and image and view are kept right. */
void world_buffer_read(struct world_rank *rank, const void *addr, uint64_t bytes);
void world_buffer_written(struct world_rank *rank, void *addr, uint64_t bytes, const char *call);
/* The rank's next accesses to the bytes are seen, whatever its filters know. */
void world_unfilter(struct world_rank *rank, uintptr_t addr, uint64_t bytes);

/* Memory that the library gives to the rank: whole pages of zeros, that nothing of another rank
 * ever lies in. NULL: there is none. Times do not depend on where it lies (pages.c). free: by any
 * rank; false: not such memory, or freed. */
void *world_pages_new(const struct world_rank *rank, uint64_t bytes);
bool world_pages_free(void *memory);

int world_ranks(void);
struct world_rank *world_rank_of(int rank);
op_site world_site(const struct world_rank *rank);      /* of the outermost call in progress */
const char *world_where(const struct world_rank *rank); /* the same as "halo.c:42" */
const char *world_place(op_site site);                  /* any site like that */
/* The program called MPI_Abort, or an error was fatal: remember the code, end the run. Does not
 * return to the program's code once the kernel has killed the rank. */
void world_abort(int code);
/* a line on standard error that begins "sidewinder: " */
void world_say(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif
