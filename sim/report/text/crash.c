/* A run that died of a signal: the line and those of the calls, looked up in a child, for the heap
 * may be broken. */
#include "report/source/source.h"
#include "report/text/text.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK_BYTES = 8 << 20, SECONDS = 20 };

/* Only write(2): the heap and stdio may be broken. */
static void say(const struct report_crash *crash, const char *what, const char *where)
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
    part[n++] = what;
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

static const char *name_of(const struct report_crash *crash)
{
    if (crash->overflow) return "stack overflow";
    if (crash->signal == SIGSEGV) return "segmentation fault";
    if (crash->signal == SIGBUS) return "bus error";
    if (crash->signal == SIGFPE) return "arithmetic error (division by zero or overflow)";
    if (crash->signal == SIGILL) return "illegal instruction";
    if (crash->signal == SIGABRT) return "aborted";
    const char *name = sigdescr_np(crash->signal);
    return name ? name : "killed by a signal";
}

/* In the child, on a stack of its own. A broken or locked heap ends it by a signal, which the
 * parent sees. */
static int look_and_say(void *data)
{
    const struct report_crash *crash = data;
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    sigset_t all;
    for (size_t i = 0; i < G_N_ELEMENTS(fatal); i++) signal(fatal[i], SIG_DFL);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    alarm(SECONDS);
    int next = 0;
    for (int i = 0; i < crash->places; i = next) {
        g_autofree char *where = g_strdup(report_site(crash->program, crash->place[i] + 1));
        for (next = i + 1; i > 0 && next < crash->places; next++)
            if (strcmp(where, report_site(crash->program, crash->place[next] + 1)) != 0) break;
        g_autofree char *times = next - i > 1 ? g_strdup_printf(" (%d times)", next - i) : NULL;
        g_autofree char *by = crash->call ? g_strdup_printf(" in rank %d's memory, by %s",
                                                            crash->memory_of, crash->call)
                                          : g_strdup("");
        g_autofree char *place = g_strconcat(by, " at ", where, times, NULL);
        say(crash, i == 0 ? name_of(crash) : "called", place);
    }
    if (crash->more) say(crash, "called", " from further calls, which are not shown");
    _exit(0);
}

void report_crash(const struct report_crash *crash)
{
    if (crash->places) {
        char *stack =
            mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pid_t child = stack == MAP_FAILED
                          ? -1
                          : clone(look_and_say, stack + STACK_BYTES, SIGCHLD, (void *)crash);
        int status = -1;
        if (child > 0)
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
        if (stack != MAP_FAILED) munmap(stack, STACK_BYTES);
        if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    }
    char where[80] = "";
    if (crash->places)
        snprintf(where, sizeof where, " at a place whose line could not be looked up");
    else if (crash->message)
        snprintf(where, sizeof where, " while a message of %zu bytes was copied; the ranks then",
                 crash->message);
    say(crash, name_of(crash), where);
}
