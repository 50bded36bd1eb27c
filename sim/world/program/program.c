/* What the program itself does: it starts, computes, lets time pass, ends. */
#include "trace/trace.h"
#include "mem/agent/agent.h"
#include "sync/inquiry/inquiry.h"
#include "world/program/program.h"
#include "kern/kern.h"
#include "mach/mach.h"
#include "profile/objects/objects.h"
#include "serve/clock/clock.h"
#include "world/access/access.h"
#include "world/detached/detached.h"
#include "world/hits/hits.h"
#include "world/label/label.h"
#include "world/place/place.h"
#include "world/progress/progress.h"
#include "world/signal/watch.h"
#include "world/unseen/unseen.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* All have ended, or wait for ever: since when? One that looks again and again for a message keeps
 * the clock going: nothing has happened since the last began to wait. */
static double still_since(double now_s)
{
    double since_s = 0;
    if (!sync_match_dozes()) return now_s;
    for (int rank = 0; rank < world_one.description.ranks; rank++) {
        const struct world_rank_state *state = &world_one.state[rank];
        const struct serve_proc *proc = state->rank.proc;
        since_s = fmax(since_s, state->call && !state->finished ? proc->idle_s : proc->end_s);
    }
    return fmin(since_s, now_s);
}

/* The rank's actor ends: the program returned or called exit, or the run is over. A rank inside an
 * MPI call did not finish. */
static void ended(void *data, double time_s)
{
    struct world_rank_state *state = data;
    if (state->gone) return;
    struct serve_proc *proc = state->rank.proc;
    if (world_cpu() == proc->cpu) world_run_as(&world_nobody);
    if (world_labels) world_label_drain(proc->rank);
    state->gone = true;
    if (state->finished) return;
    if (world_one.aborted)
        time_s = fmax(time_s, serve_taken_until(proc));
    else if (state->call)
        time_s = still_since(time_s);
    world_ends(state, time_s + serve_count_owed(proc));
    state->finished = state->call == NULL;
}

void world_forked(void)
{
    world_signals_forked(world_state_here());
    world_one.running = false;
    world_one.forked = true;
    world_run_as(&world_nobody);
}

void world_exit(int code)
{
    if (world_one.forked) { /* SimGrid's own handlers of exit would miss their actors */
        fflush(NULL);
        _exit(code);
    }
    world_not_detached("exit");
    if (world_unseen_here()) {
        world_say("exit(%d) in a thread or a parallel region: the run is over", code);
        world_abort(code);
    }
    struct world_rank_state *state = world_state_here();
    if (world_labels && state) world_label_drain(state->rank.rank);
    world_run_as(&world_nobody);
    if (code != 0 && state && !state->finished && state->called && !world_one.aborted) {
        world_say("rank %d ended with exit code %d and without MPI_Finalize: the run is over",
                  state->rank.rank, code);
        world_abort(code);
    }
    if (state) state->unfinalized = code == 0 && state->called && !state->finished;
    if (world_one.exit_code == 0) world_one.exit_code = code;
    if (state) ended(state, kern_now());
    kern_exit();
}

char *const *world_arguments(int *argc)
{
    *argc = (int)g_strv_length(world_one.arguments);
    return world_one.arguments;
}

/* The copies lack what they have in common. */
static void map_text(uintptr_t base)
{
    static int file = -1;
    static struct stat text;
    const char *path = world_one.description.text;
    if (!path) return;
    if (file < 0) file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && text.st_size == 0) fstat(file, &text);
    if (file >= 0 && mmap((void *)base, (size_t)text.st_size, PROT_READ | PROT_EXEC,
                          MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED)
        return;
    world_say("%s: %s", path, g_strerror(errno));
    _exit(2);
}

/* Functions within functions, of C or Fortran, are called through code on the stack where their
 * address is taken. A program that has some says so in its file; its copies do not, since a loader
 * makes only the process's own stack executable, or refuses (cli/run/loaded.c). */
static bool wants_code_on_stack(void)
{
    static enum { UNKNOWN, NO, YES } wants;
    if (wants != UNKNOWN) return wants == YES;
    wants = NO;
    Elf64_Ehdr head = {.e_phnum = 0};
    Elf64_Phdr segment;
    const int file = open(world_one.description.program, O_RDONLY | O_CLOEXEC);
    bool read = file >= 0 && pread(file, &head, sizeof head, 0) == (ssize_t)sizeof head;
    for (off_t i = 0; read && i < head.e_phnum; i++) {
        const off_t at = (off_t)head.e_phoff + i * (off_t)sizeof segment;
        read = pread(file, &segment, sizeof segment, at) == (ssize_t)sizeof segment;
        if (read && segment.p_type == PT_GNU_STACK && segment.p_flags & PF_X) wants = YES;
    }
    if (file >= 0) close(file);
    return wants == YES;
}

/* The stack lies between two mappings that nobody may touch. */
static void allow_code_on_stack(uintptr_t within)
{
    if (!wants_code_on_stack()) return;
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    uintptr_t low = 0, high = 0;
    while (maps && fgets(line, sizeof line, maps) &&
           !(sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &low, &high) == 2 && within - low < high - low))
        low = high = 0;
    if (maps) fclose(maps);
    if (mprotect((void *)low, high - low, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        world_say("the stack of a rank stays without code: %s", g_strerror(errno));
}

void world_program_start(uintptr_t base, uintptr_t end)
{
    map_text(base);
    struct world_rank_state *state = world_state_here();
    if (!state) return;
    world_libraries_begin();
    if (!world_one.started) world_watch_signals();
    world_one.started = true;
    struct mem_cpu *cpu = state->rank.proc->cpu;
    cpu->code_base = base;
    cpu->code_end = end;
    cpu->foreign.stack = (uintptr_t)__builtin_frame_address(0); /* of its constructors */
    allow_code_on_stack(cpu->foreign.stack);
    if (profile_hits_on || world_filming || (check_on && check_pairing))
        mem_cpu_plain(cpu); /* probe sees each */
    else if (check_on)
        mem_cpu_seen(cpu);
    if (profile_hits_on) world_hits_begin(cpu);
    kern_on_exit(ended, state);
    world_run_as(cpu);
}

jmp_buf *world_bottom(void)
{
    static jmp_buf of_one; /* an ordinary process: nobody ends it from outside */
    return world_simulated() ? kern_bottom() : &of_one;
}

void world_at_bottom(void) { kern_at_bottom(); }

double world_pay(void)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return 0;
    struct mem_cpu *before = world_away();
    world_unseen(state);
    state->rank.proc->cpu->quiet = !world_one.description.uninstrumented && !world_one.assembly;
    if (sync_guards > 0)
        serve_pay(state->rank.proc);
    else
        serve_pay_unless_alone(state->rank.proc);
    world_progress();
    world_check_date(&state->rank, serve_now(state->rank.proc));
    world_back(before);
    if (state->signals) world_signals_take(state);
    return world_serviced(state);
}

static void refuse_time(const struct world_rank_state *state, double seconds, uintptr_t pc)
{
    world_say("rank %d, at %s: computation of %g s: accepted are numbers from 0 on",
              state->rank.rank, world_place(mem_place(state->rank.proc->cpu, pc)), seconds);
    world_abort(1);
}

void world_compute(double seconds, uintptr_t pc)
{
    struct world_rank_state *state = world_state_here();
    if (state && !(seconds >= 0)) refuse_time(state, seconds, pc);
    if (!(seconds > 0)) return;
    if (world_detached() >= 0) world_detached_compute(seconds);
    if (state) mem_compute(state->rank.proc->cpu, seconds);
}

void world_flush(uintptr_t addr, size_t bytes)
{
    struct world_rank_state *state = world_state_here();
    if (!state || bytes == 0) return;
    struct serve_proc *proc = state->rank.proc;
    mem_unobserved(proc->cpu, false);
    world_unseen(state);
    serve_memory(proc, mem_publish(proc->cpu, addr, bytes, serve_now(proc)));
}

void world_invalidate(uintptr_t addr, size_t bytes)
{
    struct world_rank_state *state = world_state_here();
    if (!state || bytes == 0) return;
    struct serve_proc *proc = state->rank.proc;
    mem_unobserved(proc->cpu, false);
    world_unseen(state);
    serve_memory(proc, mem_refresh(proc->cpu, addr, bytes, serve_now(proc)));
}

int world_counters(void) { return world_simulated() ? (int)world_one.mach->ni_counters : 0; }

double world_sleep(double seconds)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return 0;
    if (state->finished) {
        state->after_s += seconds;
        return 0;
    }
    struct serve_proc *proc = state->rank.proc;
    const double until_s = serve_now(proc) + seconds;
    if (state->signals)
        return world_signal_sleep(state, until_s) ? 0 : fmax(until_s - serve_now(proc), 0);
    struct mem_cpu *before = world_away();
    serve_wait_until(proc, KERN_DATE, until_s, 0);
    world_back(before);
    return 0;
}
