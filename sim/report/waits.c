/* How a run died: ranks that wait for ever, and crashes. */
#define _GNU_SOURCE
#include "report/parts.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *report_end_name(enum report_end end)
{
    static const char *const names[] = {
        [REPORT_ENDED] = "ended", [REPORT_DEADLOCK] = "deadlock", [REPORT_ABORTED] = "aborted"};
    return names[end];
}

/* ---- deadlock -------------------------------------------------------------------------------- */

/* "0-3, 7" */
static void append_rank(GString *list, int rank, int *first, int *last)
{
    if (*first >= 0 && rank == *last + 1) {
        *last = rank;
        return;
    }
    if (*first >= 0) {
        if (list->len) g_string_append(list, ", ");
        g_string_append_printf(list,
                               *last > *first + 1 ? "%d-%d"
                               : *last > *first   ? "%d, %d"
                                                  : "%d",
                               *first, *last);
    }
    *first = *last = rank;
}

static bool alike(const struct report_rank *a, const struct report_rank *b)
{
    return a->finished == b->finished &&
           (a->finished || (g_strcmp0(a->call, b->call) == 0 && a->site == b->site));
}

/* The line of `from` and all later ranks that stand where it stands; marks them as told. */
static void tell_group(const struct report_run *run, struct report_table *table, int from,
                       bool *told)
{
    const struct report_rank *rank = &run->rank[from];
    GString *list = g_string_new(NULL);
    int first = -1, last = -1, members = 0;
    for (int r = from; r < run->ranks; r++) {
        if (told[r] || !alike(rank, &run->rank[r])) continue;
        told[r] = true;
        append_rank(list, r, &first, &last);
        members++;
    }
    append_rank(list, -2, &first, &last);
    bool one = members == 1;
    report_table_cell(table, g_strdup_printf("%s %s", one ? "rank" : "ranks", list->str));
    report_table_cell(table, rank->finished ? g_strdup("finished")
                             : rank->call
                                 ? g_strdup_printf(one ? "waits in %s" : "wait in %s", rank->call)
                                 : g_strdup(one ? "waits" : "wait"));
    report_table_cell(table, rank->finished ? g_strdup("") : report_at(run, rank->site));
    g_string_free(list, TRUE);
}

void report_deadlock(const struct report_run *run, FILE *out)
{
    int waiting = 0;
    for (int r = 0; r < run->ranks; r++) waiting += !run->rank[r].finished;
    g_autofree char *when = report_time(run->time_s);
    fprintf(out, "sidewinder: deadlock at simulated time %s: %d of %d %s for ever\n", when, waiting,
            run->ranks, waiting == 1 ? "ranks waits" : "ranks wait");
    g_autofree bool *told = g_new0(bool, (gsize)run->ranks + 1);
    struct report_table *table = report_table_new("lll");
    for (int pass = 0; pass < 2; pass++) /* those who wait first, then those who do not */
        for (int r = 0; r < run->ranks; r++)
            if (!told[r] && run->rank[r].finished == (pass == 1)) tell_group(run, table, r, told);
    report_table_print(table, out);
    fflush(out);
}

/* ---- crash ----------------------------------------------------------------------------------- */

struct crash {
    const char *program;
    int rank, signal;
    op_site site;
};

enum { STACK_BYTES = 8 << 20, SECONDS = 20 };

/* Only write(2): the heap and stdio may be broken. */
static void say(const struct crash *crash, const char *where)
{
    char number[16];
    const char *part[8];
    int n = 0;
    part[n++] = "sidewinder: ";
    if (crash->rank >= 0) {
        char *digit = number + sizeof number;
        *--digit = '\0';
        int rest = crash->rank;
        do *--digit = (char)('0' + rest % 10);
        while (rest /= 10);
        part[n++] = "rank ";
        part[n++] = digit;
        part[n++] = ": ";
    }
    const char *name = crash->signal == SIGSEGV  ? "segmentation fault"
                       : crash->signal == SIGBUS ? "bus error"
                       : crash->signal == SIGFPE ? "arithmetic error (division by zero or overflow)"
                       : crash->signal == SIGILL ? "illegal instruction"
                       : crash->signal == SIGABRT ? "aborted"
                                                  : sigdescr_np(crash->signal);
    part[n++] = name ? name : "killed by a signal";
    part[n++] = where;
    part[n++] = "\n";
    char line[1024];
    size_t length = 0;
    for (int i = 0; i < n; i++)
        for (const char *c = part[i]; *c && length < sizeof line; c++) line[length++] = *c;
    for (size_t done = 0; done < length;) {
        ssize_t wrote = write(STDERR_FILENO, line + done, length - done);
        if (wrote <= 0) return;
        done += (size_t)wrote;
    }
}

/* In the child, on a stack of its own. A broken or locked heap ends it by a signal, which the
 * parent sees. */
static int look_and_say(void *data)
{
    const struct crash *crash = data;
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    sigset_t all;
    for (size_t i = 0; i < G_N_ELEMENTS(fatal); i++) signal(fatal[i], SIG_DFL);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    alarm(SECONDS);
    g_autofree char *where =
        g_strdup_printf(" at %s", report_site(crash->program, crash->site + 1));
    say(crash, where);
    _exit(0);
}

void report_crash(const char *program, int rank, int signal_number, op_site site)
{
    struct crash crash = {program, rank, signal_number, site};
    if (site != 0) {
        char *stack =
            mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pid_t child =
            stack == MAP_FAILED ? -1 : clone(look_and_say, stack + STACK_BYTES, SIGCHLD, &crash);
        int status = -1;
        if (child > 0)
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
        if (stack != MAP_FAILED) munmap(stack, STACK_BYTES);
        if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    }
    say(&crash, site ? " at a place whose line could not be looked up" : "");
}
