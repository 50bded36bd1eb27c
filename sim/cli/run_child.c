/* The simulator as a child process: signals pass through, and the parent outlives it to clean up.
 */
#define _GNU_SOURCE
#include "cli/run_parts.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static sigset_t before; /* the mask this process was started with; the child gets it back */

static sigset_t passed_on(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    sigaddset(&set, SIGCHLD);
    return set;
}

void cli_run_hold_signals(void)
{
    sigset_t set = passed_on();
    signal(SIGCHLD, SIG_DFL); /* an ignored SIGCHLD, inherited, would make wait fail */
    sigprocmask(SIG_BLOCK, &set, &before);
}

void cli_run_release_signals(void) { sigprocmask(SIG_SETMASK, &before, NULL); }

static int heard; /* the last signal that cli_run_child was sent; 0: none */

int cli_run_heard(void) { return heard; }

int cli_run_child(char **argv)
{
    heard = 0;
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        fprintf(stderr, "sidewinder: cannot start a process: %s\n", strerror(errno));
        return W_EXITCODE(1, 0);
    }
    if (child == 0) {
        /* nobody else would end it if the parent were killed */
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(1);
        cli_run_release_signals();
        execv(argv[0], argv);
        fprintf(stderr, "sidewinder: cannot start %s: %s\n", argv[0], strerror(errno));
        _exit(1);
    }
    sigset_t set = passed_on();
    for (;;) {
        siginfo_t info;
        int status, number = sigwaitinfo(&set, &info);
        if (number == SIGCHLD || number < 0) {
            if (waitpid(child, &status, WNOHANG) == child) return status;
        } else {
            heard = number;
            /* from the keyboard (SI_KERNEL) the child has it already */
            if (info.si_code != SI_KERNEL) kill(child, number);
        }
    }
}

int cli_run_end(int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); /* the child's core is the one of interest */
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 128 + number;
}

static int unlink_entry(const char *path, const struct stat *status, int kind, struct FTW *ftw)
{
    (void)status, (void)kind, (void)ftw;
    remove(path);
    return 0;
}

char *cli_run_folder(const char *name, GError **error)
{
    char *folder = g_dir_make_tmp(name, error);
    if (!folder)
        g_prefix_error(
            error, "no folder for temporary files in %s (TMPDIR says where): ", g_get_tmp_dir());
    return folder;
}

void cli_run_remove(const char *folder) { nftw(folder, unlink_entry, 16, FTW_DEPTH | FTW_PHYS); }
