/* Runs the underlying compiler transparently: its exit code, signals and standard error are ours.
 */
#include "cli/cc/parts.h"
#include "cli/common/common.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
static sigset_t before;

static int refused(const char *compiler, int why)
{
    fprintf(stderr, "sidewinder: cannot run %s: %s%s\n", compiler, g_strerror(why),
            strcmp(compiler, "gfortran") == 0 ? " (Debian: gfortran)" : "");
    return 1;
}

int cli_cc_exec(GPtrArray *argv)
{
    g_ptr_array_add(argv, NULL);
    fflush(NULL);
    execvp(argv->pdata[0], (char **)argv->pdata);
    return refused(argv->pdata[0], errno);
}

void cli_cc_print(GPtrArray *argv)
{
    g_ptr_array_add(argv, NULL);
    g_autofree char *text = cli_words("", (char **)argv->pdata);
    puts(text);
}

void cli_cc_hold_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < G_N_ELEMENTS(held); i++) sigaddset(&set, held[i]);
    sigprocmask(SIG_BLOCK, &set, &before);
}

void cli_cc_release_signals(void) { sigprocmask(SIG_SETMASK, &before, NULL); }

static char *read_all(int file)
{
    GString *text = g_string_new(NULL);
    char piece[4096];
    ssize_t n;
    while ((n = read(file, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) g_string_append_len(text, piece, n);
    return g_string_free(text, FALSE);
}

int cli_cc_child(GPtrArray *argv, char **output)
{
    int end[2] = {-1, -1};
    if (output && pipe(end) != 0) {
        refused(argv->pdata[0], errno);
        return -1;
    }
    g_ptr_array_add(argv, NULL);
    posix_spawnattr_t how;
    posix_spawn_file_actions_t files;
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &before);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&files);
    if (output) {
        posix_spawn_file_actions_adddup2(&files, end[1], STDOUT_FILENO);
        posix_spawn_file_actions_addclose(&files, end[0]);
        posix_spawn_file_actions_addclose(&files, end[1]);
    }
    pid_t child;
    int why = posix_spawnp(&child, argv->pdata[0], &files, &how, (char **)argv->pdata, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (output) close(end[1]);
    if (why != 0) {
        refused(argv->pdata[0], why);
        if (output) close(end[0]);
        return -1;
    }
    if (output) {
        *output = read_all(end[0]);
        close(end[0]);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

int cli_cc_end(int status)
{
    if (status < 0) return 1;
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
