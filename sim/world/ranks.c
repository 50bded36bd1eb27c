/* Ranks: who is running, and in and out of MPI. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "world/build.h"
#include "trace/trace.h"

/* No line has the number 0, so its filters match none. */
struct mem_cpu world_nobody = {.line_shift = 5};
_Thread_local intptr_t world_offset;

static void run_as(struct mem_cpu *cpu)
{
    world_offset = (intptr_t)((uintptr_t)cpu - (uintptr_t)&world_nobody);
}

bool world_is_child(void) { return world_one.forked; }
bool world_simulated(void) { return world_one.running; }

static struct world_seat *seat_here(void)
{
    if (!world_one.running || world_apart() >= 0) return NULL;
    int rank = world_cpu() != &world_nobody ? world_cpu()->rank : kern_rank();
    return rank >= 0 && rank < world_one.description.ranks ? &world_one.seat[rank] : NULL;
}

struct mem_cpu *world_resolve(void)
{
    struct world_seat *seat = seat_here();
    return seat && !seat->finished ? seat->rank.proc->cpu : NULL;
}

/* The rank's actor ends: the program returned or called exit, or the run is over. A rank inside an
 * MPI call did not finish. */
static void ended(void *data, double time_s)
{
    struct world_seat *seat = data;
    struct serve_proc *proc = seat->rank.proc;
    if (world_cpu() == proc->cpu) run_as(&world_nobody);
    if (seat->finished) return;
    seat->finished = seat->call == NULL;
    proc->end_s = time_s + serve_settle(proc);
    if (trace_on) trace_track_end(proc->rank, proc->end_s);
}

void world_forked(void)
{
    world_one.running = false;
    world_one.forked = true;
    run_as(&world_nobody);
}

char *const *world_arguments(int *argc)
{
    *argc = (int)g_strv_length(world_one.arguments);
    return world_one.arguments;
}

void world_exit(int code)
{
    if (world_one.forked) { /* SimGrid's own handlers of exit would miss their actors */
        fflush(NULL);
        _exit(code);
    }
    world_not_apart("exit");
    struct world_seat *seat = seat_here();
    run_as(&world_nobody);
    if (code != 0 && seat && !seat->finished && seat->called && !world_one.aborted) {
        world_say("rank %d ended with exit code %d and without MPI_Finalize: the run is over",
                  seat->rank.rank, code);
        world_abort(code);
    }
    if (world_one.exit_code == 0) world_one.exit_code = code;
    kern_exit();
}

void world_program_start(uintptr_t base, uintptr_t end)
{
    struct world_seat *seat = seat_here();
    if (!seat) return;
    if (!world_one.started) world_watch_signals();
    world_one.started = true;
    struct mem_cpu *cpu = seat->rank.proc->cpu;
    cpu->code_base = base;
    cpu->code_end = end;
    kern_on_exit(ended, seat);
    run_as(cpu);
}

struct mem_cpu *world_away(void)
{
    struct mem_cpu *before = world_cpu();
    world_not_apart("an MPI call");
    run_as(&world_nobody);
    return before;
}

void world_back(struct mem_cpu *before) { run_as(before); }

void world_pay(void)
{
    struct world_seat *seat = seat_here();
    if (!seat) return;
    struct mem_cpu *before = world_away();
    serve_pay(seat->rank.proc);
    world_back(before);
}

void world_compute(double cycles)
{
    struct world_seat *seat = seat_here();
    if (world_apart() >= 0 && cycles > 0) world_apart_compute(cycles);
    if (seat && cycles > 0) mem_compute(seat->rank.proc->cpu, cycles / world_one.mach->cpu_clock);
}

void world_flush(uintptr_t addr, size_t bytes)
{
    struct world_seat *seat = seat_here();
    if (!seat || bytes == 0) return;
    struct serve_proc *proc = seat->rank.proc;
    serve_memory(proc, mem_publish(proc->cpu, addr, bytes, serve_now(proc)));
}

void world_invalidate(uintptr_t addr, size_t bytes)
{
    struct world_seat *seat = seat_here();
    if (!seat || bytes == 0) return;
    struct serve_proc *proc = seat->rank.proc;
    serve_memory(proc, mem_refresh(proc->cpu, addr, bytes, serve_now(proc)));
}

double world_now(void)
{
    struct world_seat *seat = seat_here();
    if (!seat) return kern_now();
    return seat->finished ? seat->rank.proc->end_s : serve_now(seat->rank.proc);
}

void world_sleep(double seconds)
{
    struct world_seat *seat = seat_here();
    if (!seat || seat->finished) return;
    struct mem_cpu *before = world_away();
    serve_wait_until(seat->rank.proc, serve_now(seat->rank.proc) + seconds);
    world_back(before);
}

/* ---- in and out of MPI ----------------------------------------------------------------------- */

static struct world_rank *enter(const char *call, uintptr_t pc, bool ahead)
{
    world_not_apart(call);
    struct world_seat *seat = seat_here();
    if (!seat) return NULL;
    run_as(&world_nobody);
    if (seat->depth++ == 0) {
        seat->call = call;
        seat->called = true;
        seat->pc = pc;
        seat->rank.proc->cpu->call_pc = pc;
        serve_compute(seat->rank.proc, world_one.mach->mpi_call);
        if (ahead)
            serve_pay_some(seat->rank.proc);
        else
            serve_pay(seat->rank.proc);
        if (trace_on) {
            bool settled = serve_owed(seat->rank.proc) == 0;
            trace_track_enter(seat->rank.rank, kern_now(), call, world_site_of(seat, pc), settled);
        }
        serve_enter(seat->rank.proc, true);
    }
    return &seat->rank;
}

struct world_rank *world_enter(const char *call, uintptr_t pc) { return enter(call, pc, false); }

struct world_rank *world_enter_ahead(const char *call, uintptr_t pc)
{
    return enter(call, pc, true);
}

void world_leave(struct world_rank *rank)
{
    struct world_seat *seat = (struct world_seat *)rank;
    if (!seat || --seat->depth > 0) return;
    if (seat->finished) return; /* after MPI_Finalize a rank services whatever comes */
    serve_leave(seat->rank.proc);
    if (trace_on) trace_track_leave(seat->rank.rank, kern_now());
    seat->call = NULL;
    seat->rank.proc->cpu->call_pc = 0;
    run_as(seat->rank.proc->cpu);
}

struct world_rank *world_here(void)
{
    struct world_seat *seat = seat_here();
    return seat ? &seat->rank : NULL;
}

void world_finalized(struct world_rank *rank)
{
    struct world_seat *seat = (struct world_seat *)rank;
    seat->finished = true;
    seat->rank.proc->end_s = kern_now();
    if (trace_on) trace_track_end(seat->rank.rank, kern_now());
}

int world_ranks(void) { return world_one.description.ranks; }

struct world_rank *world_rank_of(int rank) { return &world_one.seat[rank].rank; }

/* ---- places and messages --------------------------------------------------------------------- */

op_site world_site_of(const struct world_seat *seat, uintptr_t pc)
{
    const struct mem_cpu *cpu = seat->rank.proc->cpu;
    if (pc == 0) return 0;
    return pc >= cpu->code_base && pc < cpu->code_end ? pc - cpu->code_base : OP_SITE_FOREIGN | pc;
}

op_site world_site(const struct world_rank *rank)
{
    const struct world_seat *seat = (const struct world_seat *)rank;
    return seat->call ? world_site_of(seat, seat->pc) : 0;
}

const char *world_where(const struct world_rank *rank)
{
    return report_site(world_one.description.program, world_site(rank));
}

const char *world_place(op_site site) { return report_site(world_one.description.program, site); }

void world_referenced(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    const struct world_seat *seat = &world_one.seat[cpu->rank];
    if (seat->call) return; /* a library's reference, on behalf of the call */
    sync_watch_check(cpu, addr, bytes, world_site_of(seat, pc), serve_now(seat->rank.proc));
}

void world_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *line = g_strdup_vprintf(format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "sidewinder: %s\n", line);
}

void world_abort(int code)
{
    world_one.aborted = true;
    world_one.exit_code = code;
    kern_stop();
}

/* ---- buffers that a library reads or writes -------------------------------------------------- */

static void buffer_referenced(struct world_rank *rank, const void *addr, uint64_t bytes)
{
    if (world_watching())
        sync_watch_check(rank->proc->cpu, (uintptr_t)addr, bytes, world_site(rank),
                         serve_now(rank->proc));
}

void world_buffer_read(struct world_rank *rank, const void *addr, uint64_t bytes)
{
    struct serve_proc *proc = rank->proc;
    if (bytes > 0)
        serve_memory(proc, mem_touch_load(proc->cpu, (uintptr_t)addr, bytes, serve_now(proc)));
    buffer_referenced(rank, addr, bytes);
}

void world_buffer_written(struct world_rank *rank, void *addr, uint64_t bytes, const char *call)
{
    struct serve_proc *proc = rank->proc;
    uint32_t writer = op_writer_id(rank->rank, call, world_site(rank));
    if (bytes > 0)
        serve_memory(proc,
                     mem_touched_store(proc->cpu, (uintptr_t)addr, bytes, writer, serve_now(proc)));
    buffer_referenced(rank, addr, bytes);
}

void world_settle(struct world_rank *rank) { serve_pay(rank->proc); }
