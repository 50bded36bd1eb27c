/* The end of a run: what happened, in the shape the reports want. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "world/build.h"
#include "report/json/json.h"
#include "trace/trace.h"

enum { EXIT_DEADLOCK = 3 };

/* ---- crashes --------------------------------------------------------------------------------- */

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

static void crashed(int number, siginfo_t *info, void *context)
{
    (void)info;
    int rank = !world_one.running || !world_one.started ? -1
               : world_apart() >= 0                     ? world_apart()
                                                        : kern_rank();
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[16]; /* REG_RIP */
    signal(number, SIG_DFL);
    if (rank >= 0) {
        const struct world_seat *seat = &world_one.seat[rank];
        const struct mem_cpu *cpu = seat->rank.proc->cpu;
        if (!in_program(cpu, pc)) { /* in a library: tell the program's call */
            uintptr_t call = seat->call ? seat->pc - 1 : call_in_program(cpu);
            if (call) pc = call;
        }
        report_crash(world_one.description.program, rank, number, world_site_of(seat, pc));
    } else
        report_crash(world_one.description.program, -1, number, 0);
    if (number == SIGABRT && world_one.running) kern_last_words(world_one.log);
    raise(number);
}

void world_watch_signals(void)
{
    static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    /* A stack of its own: the fault may be the rank's stack running over. */
    static char stack[1 << 17];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    signal(SIGINT, SIG_DFL);
    for (size_t i = 0; i < G_N_ELEMENTS(watched); i++) {
        struct sigaction action = {.sa_sigaction = crashed,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(watched[i], &action, NULL);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void fill_rank(const struct world *w, int rank, struct report_rank *out)
{
    struct serve_proc *proc = w->proc[rank];
    const struct world_seat *seat = &w->seat[rank];
    out->time_s = proc->end_s;
    out->compute_s = proc->compute_s;
    out->memory_s = proc->memory_s;
    out->service_s = proc->service_s;
    out->wait_s = MAX(0, proc->end_s - proc->compute_s - proc->memory_s - proc->service_s);
    out->stale_loads = mem_stale_loads(proc->cpu);
    out->finished = seat->finished;
    out->call = seat->call;
    out->site = seat->call ? world_site_of(seat, seat->pc) : 0;
    out->caches = mem_levels(proc->cpu);
    out->cache = g_new0(struct report_cache, out->caches);
    for (int level = 0; level < out->caches; level++) {
        struct mem_cache_count c = mem_cache_count(proc->cpu, level);
        out->cache[level] =
            (struct report_cache){level + 1,      c.loads,       c.stores,        c.load_misses,
                                  c.store_misses, c.write_backs, c.invalidations, c.flushed_lines};
    }
}

static void fill_shared(const struct world *w, struct report_run *run)
{
    run->bus = g_new0(struct report_bus, w->nodes);
    run->link = g_new0(struct report_link, w->nodes);
    for (int node = 0; node < w->nodes; node++) {
        struct mem_bus_count bus = mem_bus_count(w->memory[node]);
        if (bus.transactions > 0)
            run->bus[run->buses++] =
                (struct report_bus){node, bus.transactions, bus.bytes, bus.busy_s, bus.queued_s};
        struct net_count sent = net_count(w->net, node);
        if (sent.messages > 0)
            run->link[run->links++] = (struct report_link){g_strdup_printf("NI of node %d", node),
                                                           sent.messages, sent.bytes, sent.busy_s};
    }
}

static void free_run(struct report_run *run)
{
    for (int rank = 0; rank < run->ranks; rank++) g_free(run->rank[rank].cache);
    for (int i = 0; i < run->links; i++) g_free(run->link[i].name);
    g_free(run->rank);
    g_free(run->bus);
    g_free(run->link);
}

static bool write_text(const struct report_run *run, const struct world_description *d,
                       GError **error)
{
    if (strcmp(d->report, "-") != 0) return report_text_file(run, d->report, error);
    report_text(run, stderr, d->colour);
    return true;
}

/* One that cannot be written keeps no other back. */
static void not_written(GError *error, struct report_run *run)
{
    fprintf(stderr, "sidewinder: %s\n", error->message);
    g_error_free(error);
    if (run->exit_code == 0) run->exit_code = 1;
}

static bool close_trace(const struct world *w, const struct report_run *run)
{
    if (trace_close(report_end_name(run->end), run->time_s)) return true;
    fprintf(stderr, "sidewinder: %s: %s\n", w->description.trace, g_strerror(errno));
    return false;
}

/* Counts that servicers of PUT/ACCEPT still wait for. */
static void say_missing(const struct report_run *run)
{
    for (int rank = 0; rank < run->ranks; rank++) {
        g_autofree char *missing = run->rank[rank].finished ? NULL : sync_match_missing(rank);
        g_auto(GStrv) line = g_strsplit(missing ? missing : "", "\n", -1);
        for (int i = 0; line[i] && line[i][0]; i++) world_say("rank %d: %s", rank, line[i]);
    }
}

int world_finish(struct world *w)
{
    const struct world_description *d = &w->description;
    struct report_run run = {
        .version = SIDEWINDER_VERSION,
        .machine = d->machine_name,
        .machine_doc = w->mach->doc,
        .protocol = w->mach->coh_protocol,
        .invalidate = w->mach->ni_invalidate,
        .program = d->program,
        .command = d->command,
        .ranks = d->ranks,
        .rank = g_new0(struct report_rank, d->ranks),
        .exit_code = w->exit_code,
        .set = (const char *const *)d->set,
        .uninstrumented = (const char *const *)d->uninstrumented,
    };
    bool all_finished = true;
    for (int rank = 0; rank < d->ranks; rank++) {
        fill_rank(w, rank, &run.rank[rank]);
        run.time_s = MAX(run.time_s, run.rank[rank].time_s);
        all_finished = all_finished && run.rank[rank].finished;
    }
    fill_shared(w, &run);
    if (w->aborted)
        run.end = REPORT_ABORTED;
    else if (!all_finished) {
        run.end = REPORT_DEADLOCK;
        if (run.exit_code == 0) run.exit_code = EXIT_DEADLOCK;
        if (!d->report || strcmp(d->report, "-") != 0) report_deadlock(&run, stderr);
        say_missing(&run);
    }
    fflush(stdout);
    GError *text = NULL, *json = NULL;
    if (d->report && !write_text(&run, d, &text)) not_written(text, &run);
    if (d->json && !report_json(&run, d->json, &json)) not_written(json, &run);
    if (d->trace && !close_trace(w, &run) && run.exit_code == 0) run.exit_code = 1;
    int code = run.exit_code;
    free_run(&run);
    return code;
}
