/* A run that died of a signal: one line, looked up in a child, for the heap may be broken. */
#define _GNU_SOURCE
#include "report/source/source.h"
#include "report/text/text.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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
