/* Crashes and interrupts: rank, signal and line on standard error, before the process dies of the
 * signal; where each rank is, when somebody ends the run. */
#include "kern/kern.h"
#include "move/transfer/transfer.h"
#include "report/source/source.h"
#include "report/text/text.h"
#include "serve/request/request.h"
#include "trace/trace.h"
#include "world/signal/watch.h"
#include "world/detached/detached.h"
#include "world/clock/clock.h"
#include "world/label/label.h"
#include "world/place/place.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGUSR1};

enum { FRAMES = 256, SECONDS = 5, WAIT_S = 2, BELOW = 64 << 10 };

static bool in_program(const struct mem_cpu *cpu, uintptr_t pc)
{
    return pc >= cpu->code_base && pc < cpu->code_end;
}

static double processor_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* SECONDS have passed. On a busy host they are few of the processor: only who did nothing in them
 * waits for something that does not come, and only who used so many of the processor has no end. */
static void look_at_it(int number)
{
    static double before_s;
    double now_s = processor_s();
    if (now_s > SECONDS || now_s - before_s < 1e-3) _exit(128 + number);
    before_s = now_s;
    alarm(SECONDS);
}

/* A child of the process for what may not return or may fall over: what is broken may be the heap,
 * and what was interrupted may hold it. Who ends a run may say so twice, to it and to its group
 * (timeout(1)), and nobody may read what the program has buffered: the child goes on. 0: in the
 * child. */
static pid_t split(void)
{
    pid_t child = _Fork();
    if (child != 0) return child;
    for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
    for (size_t i = 0; i < G_N_ELEMENTS(ending); i++) signal(ending[i], SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, look_at_it);
    alarm(SECONDS);
    return 0;
}

static void wait_for(pid_t child)
{
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

/* The rank's calls in the program, as return addresses, the innermost first. Unwinding may load a
 * library or fall over the stack, and what the program has buffered may be broken: a copy of the
 * process does both. */
struct calls {
    int n;
    bool cut; /* there are more */
    uintptr_t pc[FRAMES];
};

static void find_calls(const struct mem_cpu *cpu, struct calls *calls)
{
    void *frame[FRAMES];
    int n = backtrace(frame, FRAMES);
    calls->cut = n == FRAMES;
    for (int i = 0; i < n; i++)
        if (in_program(cpu, (uintptr_t)frame[i])) calls->pc[calls->n++] = (uintptr_t)frame[i];
}

/* cpu NULL: no calls are wanted. What the ranks have buffered is written. */
static struct calls calls_of(const struct mem_cpu *cpu, int rank)
{
    struct calls calls = {0};
    int end[2];
    if (pipe2(end, O_CLOEXEC) != 0) return calls;
    pid_t child = split();
    if (child == 0) {
        trace_leave();
        if (cpu) find_calls(cpu, &calls);
        bool wrote = write(end[1], &calls, sizeof calls) == sizeof calls;
        fflush(NULL);
        if (world_labels) world_label_drain(rank), world_label_end();
        _exit(!wrote);
    }
    close(end[1]);
    if (child < 0 || read(end[0], &calls, sizeof calls) != sizeof calls) calls.n = 0;
    close(end[0]);
    wait_for(child);
    return calls;
}

/* Everything from the stack pointer up to where the rank began is its stack, mapped if there is
 * room for it; below lie what a leaf function uses and what a call of gcc probes. */
static bool is_overflow(const struct world_rank_state *state, int number, const siginfo_t *info,
                        uintptr_t stack)
{
    uintptr_t at = (uintptr_t)info->si_addr, top = state->rank.proc->cpu->foreign.stack;
    return (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 && at < top &&
           at >= stack - BELOW;
}

/* Where it happened, in the program or in the call that led out of it, and the calls before. */
static void find_places(const struct world_rank_state *state, uintptr_t pc,
                        struct report_crash *crash)
{
    const struct mem_cpu *cpu = state->rank.proc->cpu;
    struct calls calls = calls_of(cpu, state->rank.rank);
    uintptr_t first = in_program(cpu, pc) ? pc : state->call ? state->pc : 0;
    int next = 0;
    while (first && next < calls.n && calls.pc[next] != first) next++;
    if (!first && calls.n) first = calls.pc[0];
    if (!first) first = pc + 1;
    crash->place[crash->places++] = world_site_of(state, in_program(cpu, pc) ? pc : first - 1);
    for (next++; next < calls.n && crash->places < REPORT_CRASH_PLACES; next++)
        crash->place[crash->places++] = world_site_of(state, calls.pc[next] - 1);
    crash->more = next < calls.n || calls.cut;
}

/* ---- where the ranks are --------------------------------------------------------------------- */

/* The line that runs, when pc is in the program: the hooks that `sidewinder cc` links into it have
 * no frame (sim/program/hooks.c), so whoever called one is on top of the stack. */
static uintptr_t caller_of_hook(const struct world_rank_state *state, uintptr_t pc,
                                const uintptr_t *stack)
{
    const char *place = world_place(world_site_of(state, pc + 1));
    return strstr(place, "__sw_") ? stack[0] - 1 : pc;
}

/* Where each rank is, the running one at pc. In a child of the process: what was interrupted may
 * hold the heap. */
static struct report_run where_ranks_are(uintptr_t pc, const uintptr_t *stack)
{
    const struct world *w = &world_one;
    int ranks = w->description.ranks, running = kern_rank();
    struct report_run run = {.program = w->description.program,
                             .ranks = ranks,
                             .rank = g_new0(struct report_rank, ranks),
                             .time_s = world_now(),
                             .end = REPORT_ABORTED};
    for (int rank = 0; rank < ranks; rank++) {
        const struct world_rank_state *state = &w->state[rank];
        struct report_rank *out = &run.rank[rank];
        out->finished = state->gone;
        out->call = state->call;
        const struct serve_job *asked = serve_awaited(state->rank.proc);
        out->asked = asked && !state->call && !state->gone;
        out->asked_by = asked && asked->from ? asked->from->rank : -1;
        out->asked_s = asked ? asked->arrived_s : 0;
        if (state->call)
            out->site = world_site_of(state, state->pc);
        else if (rank == running) {
            const struct mem_cpu *cpu = state->rank.proc->cpu;
            uintptr_t at = pc;
            if (in_program(cpu, pc))
                at = caller_of_hook(state, pc, stack);
            else {
                struct calls calls = {0};
                find_calls(cpu, &calls);
                at = calls.n ? calls.pc[0] - 1 : 0;
            }
            out->site = at ? world_site_of(state, at + 1) : 0;
        } else if (!state->gone && state->rank.proc->cpu->pay_pc) /* it let others run there */
            out->site = world_site_of(state, state->rank.proc->cpu->pay_pc);
    }
    return run;
}

/* ---- crashes --------------------------------------------------------------------------------- */

/* No rank runs: it may be bytes of an operation, or of a message, that find no memory where they
 * are to go. */
static void find_operation(struct report_crash *crash)
{
    const struct move_transfer *t = move_in_hand(&crash->memory_of);
    if (!t) {
        crash->message = kern_handed();
        return;
    }
    crash->rank = t->trail.origin;
    crash->call = t->trail.call;
    crash->place[crash->places++] = t->trail.site - 1;
}

static void (*report_so_far)(int number);

void world_report_by(void (*so_far)(int number)) { report_so_far = so_far; }

/* In a child of the process, as what is broken may be the engine's. */
static void report_in_child(int number)
{
    pid_t child = split();
    if (child == 0) {
        report_so_far(number);
        _exit(0);
    }
    wait_for(child);
}

/* In a child of the process, as what is broken may be the heap. */
static void show_ranks(void)
{
    pid_t child = split();
    if (child == 0) {
        const struct report_run run = where_ranks_are(0, NULL);
        report_ranks(&run, stderr);
        _exit(0);
    }
    wait_for(child);
}

void world_crashed(int number, siginfo_t *info, void *context)
{
    int rank = !world_one.running || !world_one.started ? -1
               : world_detached() >= 0                  ? world_detached()
                                                        : kern_rank();
    const greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct report_crash crash = {
        .program = world_one.description.program, .rank = rank, .signal = number};
    signal(number, SIG_DFL);
    if (rank >= 0) {
        const struct world_rank_state *state = &world_one.state[rank];
        crash.overflow = is_overflow(state, number, info, (uintptr_t)reg[15]); /* REG_RSP */
        find_places(state, (uintptr_t)reg[16], &crash);                        /* REG_RIP */
    } else {
        calls_of(NULL, -1);
        if (world_one.running && world_one.started) find_operation(&crash);
    }
    world_label_off();
    report_crash(&crash);
    if (crash.message) show_ranks();
    if (world_one.running && report_so_far) report_in_child(number);
    if (number == SIGABRT && world_one.running) kern_last_words(world_one.log);
    raise(number);
}

/* ---- ended from outside ---------------------------------------------------------------------- */

/* The report so far, by a copy of the process; at the end of what ends it, the end. */
static void report_asked(int number, uintptr_t pc, const uintptr_t *stack)
{
    const bool goes_on = number == SIGUSR1;
    sigset_t second, before;
    sigemptyset(&second);
    for (size_t i = 0; i < G_N_ELEMENTS(ending); i++) sigaddset(&second, ending[i]);
    sigprocmask(SIG_BLOCK, &second, &before);
    if (!goes_on) signal(number, SIG_DFL);
    if (world_one.running && world_one.started) {
        pid_t child = split();
        if (child == 0) {
            if (!goes_on) fflush(NULL); /* else the process itself will write it */
            if (!goes_on && world_labels) world_label_drain(kern_rank()), world_label_end();
            world_label_off();
            const struct report_run run = where_ranks_are(pc, stack);
            report_interrupted(&run, number, stderr);
            if (report_so_far) report_so_far(number);
            _exit(0);
        }
        wait_for(child);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!goes_on) raise(number);
}

/* Where the signal comes between two steps of the engine or of a library, the heap and the tables
 * may be half written, and a report would fall over them. Then it is put off: until a rank's call
 * begins (world_asked), or until the signal, which a timer sends again, finds the program's code
 * running. What comes to neither is reported as it is: it waits for the host, or has no end. */
volatile sig_atomic_t world_asked_by;
static struct {
    timer_t timer;
    bool timed; /* there is a timer */
    double processor_s;
    struct timespec since;
} asked;

static void again_every(long ns)
{
    const struct itimerspec each = {{0, ns}, {0, ns}};
    if (asked.timed) timer_settime(asked.timer, 0, &each, NULL);
}

static void put_off(int number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    world_asked_by = number;
    asked.processor_s = processor_s();
    clock_gettime(CLOCK_MONOTONIC, &asked.since);
    asked.timed = timer_create(CLOCK_MONOTONIC, &event, &asked.timer) == 0;
    again_every(1000000);
}

static bool waited_enough(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return !asked.timed || now.tv_sec - asked.since.tv_sec >= WAIT_S ||
           processor_s() - asked.processor_s > 0.5;
}

static void no_longer_put_off(void)
{
    if (world_asked_by && asked.timed) timer_delete(asked.timer);
    world_asked_by = 0;
}

void world_interrupted(int number, siginfo_t *info, void *context)
{
    const greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uintptr_t pc = (uintptr_t)reg[16]; /* REG_RIP */
    const bool again = info->si_code == SI_TIMER;
    if (again && !world_asked_by) return;
    const struct world_rank_state *state =
        world_one.running && world_one.started ? world_state_here() : NULL;
    const bool between =
        world_one.running && world_one.started && !(state && in_program(state->rank.proc->cpu, pc));
    if (between && !(again && waited_enough())) {
        /* the end of the run comes before a question */
        if (world_asked_by && number != SIGUSR1 && world_asked_by == SIGUSR1) no_longer_put_off();
        if (!world_asked_by) put_off(number);
        return;
    }
    if (world_asked_by && world_asked_by != SIGUSR1) number = world_asked_by;
    no_longer_put_off();
    report_asked(number, pc, (const uintptr_t *)reg[15]); /* REG_RSP */
}

void world_answer(void)
{
    const int number = world_asked_by;
    no_longer_put_off();
    report_asked(number, 0, NULL);
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
    static char stack[1 << 20];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(ending); i++) {
        struct sigaction action = {.sa_sigaction = world_interrupted,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
        sigaction(ending[i], &action, NULL);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(watched); i++) {
        struct sigaction action = {.sa_sigaction = world_crashed,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(watched[i], &action, NULL);
    }
}
