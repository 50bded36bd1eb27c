/* What the launchers share. */
#include "cli/common/common.h"
#include "cli/sweep/parts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_MS = 200 };

static bool typed; /* the signal that stopped us came from the keyboard */

static sigset_t awaited(void)
{
    static const int number[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < G_N_ELEMENTS(number); i++) sigaddset(&set, number[i]);
    return set;
}

void cli_launch_hold_signals(void)
{
    sigset_t set = awaited();
    /* an ignored SIGCHLD, inherited, would hide the children's ends */
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

char **cli_point_process(const struct cli_sweep *s, const char *number)
{
    const char *const words[] = {s->self,    "sweep",   "--point", number,
                                 "--output", s->output, s->file,   NULL};
    return g_strdupv((char **)words);
}

pid_t cli_launch(char **argv, int output, GError **error)
{
    pid_t parent = getpid(), child;
    fflush(NULL);
    child = fork();
    if (child < 0)
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot start a process: %s",
                    g_strerror(errno));
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(CLI_FAILED);
    sigset_t set = awaited();
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    if (output >= 0) dup2(output, STDOUT_FILENO);
    execvp(argv[0], argv);
    fprintf(stderr, "sidewinder sweep: cannot start %s: %s\n", argv[0], g_strerror(errno));
    _exit(127);
}

pid_t cli_launch_wait(struct cli_sweep *s, int *status)
{
    sigset_t set = awaited();
    const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
    pid_t child = waitpid(-1, status, WNOHANG); /* one signal may stand for several children */
    if (child > 0) return child;
    siginfo_t info;
    int number = sigtimedwait(&set, &info, &tick);
    if (number < 0 || number == SIGCHLD) {
        child = waitpid(-1, status, WNOHANG);
        return MAX(child, 0);
    }
    s->stopped = number;
    typed = info.si_code == SI_KERNEL;
    return -1;
}

bool cli_launch_from_keyboard(void) { return typed; }

int cli_launch_one(struct cli_sweep *s, char **argv, int output,
                   void (*stop)(struct cli_sweep *s, pid_t child), GError **error)
{
    int status = 0;
    pid_t child = cli_launch(argv, output, error), ended = 0;
    if (child < 0) return -1;
    while (ended != child) {
        ended = cli_launch_wait(s, &status);
        if (ended < 0) stop(s, child);
        cli_progress_show();
    }
    return status;
}

char *cli_launch_points(const struct cli_sweep *s, GPtrArray *todo, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < todo->len; i++)
        g_string_append_printf(text, "%d\n", ((struct cli_point *)todo->pdata[i])->number);
    g_autofree char *name = cli_journal_file(s, "points");
    char *path = g_canonicalize_filename(name, NULL);
    if (g_file_set_contents(path, text->str, (gssize)text->len, error)) return path;
    g_free(path);
    return NULL;
}
