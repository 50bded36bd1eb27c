/* Crashes and interrupts: rank, signal and line on standard error, before the process dies of the
 * signal; where each rank is, when somebody ends the run. */
#define _GNU_SOURCE
#include "kern/kern.h"
#include "report/source/source.h"
#include "report/text/text.h"
#include "world/signal/watch.h"
#include "world/detached/detached.h"
#include "world/place/place.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 64, SECONDS = 5 };

static bool in_program(const struct mem_cpu *cpu, uintptr_t pc)
{
    return pc >= cpu->code_base && pc < cpu->code_end;
}

/* The call in the program that led into the library where it crashed; 0: not found. Unwinding may
 * load a library or fall over the stack: a copy of the process does it. */
static uintptr_t call_in_program(const struct mem_cpu *cpu)
{
    int end[2];
    uintptr_t call = 0;
    if (pipe2(end, O_CLOEXEC) != 0) return 0;
    pid_t child = _Fork();
    if (child == 0) {
        void *frame[FRAMES];
        for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
        alarm(SECONDS);
        int n = backtrace(frame, FRAMES);
        for (int i = 0; i < n && !call; i++)
            if (in_program(cpu, (uintptr_t)frame[i])) call = (uintptr_t)frame[i] - 1;
        _exit(write(end[1], &call, sizeof call) != sizeof call);
    }
    close(end[1]);
    if (child < 0 || read(end[0], &call, sizeof call) != sizeof call) call = 0;
    close(end[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return call;
}

void world_crashed(int number, siginfo_t *info, void *context)
{
    (void)info;
    int rank = !world_one.running || !world_one.started ? -1
               : world_detached() >= 0                  ? world_detached()
                                                        : kern_rank();
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[16]; /* REG_RIP */
    signal(number, SIG_DFL);
    if (rank >= 0) {
        const struct world_rank_state *state = &world_one.state[rank];
        const struct mem_cpu *cpu = state->rank.proc->cpu;
        if (!in_program(cpu, pc)) { /* in a library: report the program's call */
            uintptr_t call = state->call ? state->pc - 1 : call_in_program(cpu);
            if (call) pc = call;
        }
        report_crash(world_one.description.program, rank, number, world_site_of(state, pc));
    } else
        report_crash(world_one.description.program, -1, number, 0);
    if (number == SIGABRT && world_one.running) kern_last_words(world_one.log);
    raise(number);
}

/* ---- ended from outside ---------------------------------------------------------------------- */

/* The line that runs, when pc is in the program: the hooks that `sidewinder cc` links into it have
 * no frame (sim/program/hooks.c), so whoever called one is on top of the stack. */
static uintptr_t caller_of_hook(const struct world_rank_state *state, uintptr_t pc,
                                const uintptr_t *stack)
{
    const char *place = world_place(world_site_of(state, pc + 1));
    return strstr(place, "__sw_") ? stack[0] - 1 : pc;
}

/* Where each rank is. In a child of the process: what was interrupted may hold the heap. */
static void say_where(int number, uintptr_t pc, const uintptr_t *stack)
{
    const struct world *w = &world_one;
    int ranks = w->description.ranks, running = kern_rank();
    struct report_run run = {.program = w->description.program,
                             .ranks = ranks,
                             .rank = g_new0(struct report_rank, ranks),
                             .time_s = kern_now(),
                             .end = REPORT_ABORTED};
    for (int rank = 0; rank < ranks; rank++) {
        const struct world_rank_state *state = &w->state[rank];
        struct report_rank *out = &run.rank[rank];
        out->finished = state->gone;
        out->call = state->call;
        if (state->call)
            out->site = world_site_of(state, state->pc);
        else if (rank == running) {
            const struct mem_cpu *cpu = state->rank.proc->cpu;
            uintptr_t at =
                in_program(cpu, pc) ? caller_of_hook(state, pc, stack) : call_in_program(cpu);
            out->site = at ? world_site_of(state, at + 1) : 0;
        }
    }
    report_interrupted(&run, number, stderr);
}

void world_interrupted(int number, siginfo_t *info, void *context)
{
    (void)info;
    const greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)reg[16]; /* REG_RIP */
    signal(number, SIG_DFL);
    if (world_one.running && world_one.started) {
        pid_t child = _Fork();
        if (child == 0) {
            for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
            alarm(SECONDS);
            say_where(number, pc, (const uintptr_t *)reg[15]); /* REG_RSP */
            _exit(0);
        }
        while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    raise(number);
}

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

bool world_is_crash(int number)
{
    for (size_t i = 0; i < G_N_ELEMENTS(watched); i++)
        if (watched[i] == number) return true;
    return false;
}

void world_watch_signals(void)
{
    /* A stack of its own: the fault may be the rank's stack running over. */
    static char stack[1 << 17];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    static const int ending[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < G_N_ELEMENTS(ending); i++) {
        struct sigaction action = {.sa_sigaction = world_interrupted,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(ending[i], &action, NULL);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(watched); i++) {
        struct sigaction action = {.sa_sigaction = world_crashed,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(watched[i], &action, NULL);
    }
}
