/* The simulator as a child process: signals pass through, and the parent outlives it to clean up.
 */
#include "cli/common/child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/personality.h>
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
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGCHLD);
    return set;
}

void cli_child_hold_signals(void)
{
    sigset_t set = passed_on();
    signal(SIGCHLD, SIG_DFL); /* an ignored SIGCHLD, inherited, would make wait fail */
    sigprocmask(SIG_BLOCK, &set, &before);
}

void cli_child_release_signals(void) { sigprocmask(SIG_SETMASK, &before, NULL); }

static int heard; /* the last signal that cli_child_run was sent; 0: none */

int cli_child_heard(void) { return heard; }

/* A run is the same every time, so are its addresses: a program may print them, and what is left in
 * a register may be taken for one. Where the host refuses, they are random. */
static void fix_addresses(void)
{
    const int now = personality(0xffffffff);
    if (now >= 0 && !getenv("SIDEWINDER_RANDOMIZE")) personality((unsigned)now | ADDR_NO_RANDOMIZE);
}

int cli_child_run(char **argv)
{
    heard = 0;
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        fprintf(stderr, "sidewinder: cannot start a process: %s\n", strerror(errno));
        return W_EXITCODE(1, 0);
    }
    if (child == 0) {
        /* the child must not outlive a killed parent */
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(1);
        cli_child_release_signals();
        fix_addresses();
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
            if (number != SIGUSR1) heard = number;
            /* from the keyboard (SI_KERNEL) the child has it already */
            if (info.si_code != SI_KERNEL) kill(child, number);
        }
    }
}

int cli_child_end(int status)
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

/* One directory open at a time: the run may have ended because it had no more files to open. */
void cli_child_remove(const char *folder) { nftw(folder, unlink_entry, 1, FTW_DEPTH | FTW_PHYS); }

/* Folders of that name whose command was killed: nobody holds their lock. */
static void sweep(const char *name)
{
    size_t prefix = strlen(name) - strlen("XXXXXX");
    GDir *place = g_dir_open(g_get_tmp_dir(), 0, NULL);
    for (const char *entry; place && (entry = g_dir_read_name(place));) {
        if (strlen(entry) != strlen(name) || strncmp(entry, name, prefix) != 0) continue;
        g_autofree char *folder = g_build_filename(g_get_tmp_dir(), entry, NULL);
        g_autofree char *lock = g_build_filename(folder, "lock", NULL);
        int file = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (file < 0) continue;
        if (flock(file, LOCK_EX | LOCK_NB) == 0) cli_child_remove(folder);
        close(file);
    }
    if (place) g_dir_close(place);
}

/* For as long as this process lives. It is there only once it is held. */
static void hold(const char *folder)
{
    g_autofree char *made = g_build_filename(folder, "lock.new", NULL),
                    *lock = g_build_filename(folder, "lock", NULL);
    int file = open(made, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) rename(made, lock);
}

char *cli_child_folder(const char *name, GError **error)
{
    sweep(name);
    char *folder = g_dir_make_tmp(name, error);
    if (folder)
        hold(folder);
    else
        g_prefix_error(
            error, "no folder for temporary files in %s (TMPDIR says where): ", g_get_tmp_dir());
    return folder;
}

/* ---- with its output kept ---------------------------------------------------------------------
 */

static void point_at(int number, const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC, 0666);
    if (file < 0) return;
    dup2(file, number);
    close(file);
}

int cli_child_run_quietly(char **argv, const char *folder, const char *out, const char *err)
{
    int ours[3];
    g_autofree char *tmpdir = g_strdup(g_getenv("TMPDIR")),
                    *whole = g_canonicalize_filename(folder, NULL);
    g_setenv("TMPDIR", whole, TRUE);
    fflush(NULL);
    for (int i = 0; i < 3; i++) ours[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
    point_at(STDIN_FILENO, "/dev/null", O_RDONLY);
    point_at(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
    if (strcmp(out, err) == 0)
        dup2(STDOUT_FILENO, STDERR_FILENO);
    else
        point_at(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
    cli_child_hold_signals();
    int status = cli_child_run(argv);
    cli_child_release_signals();
    for (int i = 0; i < 3; i++) {
        if (ours[i] < 0) continue;
        dup2(ours[i], i);
        close(ours[i]);
    }
    if (tmpdir)
        g_setenv("TMPDIR", tmpdir, TRUE);
    else
        g_unsetenv("TMPDIR");
    return status;
}

/* Whatever a run ends with that we passed a signal on to counts as that, too: SimGrid leaves by
 * exit() from within its handler of SIGINT, and may fall over its own state. */
int cli_child_stopped(int status)
{
    static const int by[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL};
    if (status == 0) return 0;
    for (size_t i = 0; i < G_N_ELEMENTS(by) && WIFSIGNALED(status); i++)
        if (WTERMSIG(status) == by[i]) return by[i];
    return cli_child_heard();
}

char *cli_child_printed(const char *path)
{
    char *text = NULL;
    gsize bytes = 0;
    if (!g_file_get_contents(path, &text, &bytes, NULL)) return g_strdup("");
    char *valid = g_utf8_make_valid(text, (gssize)bytes);
    g_free(text);
    return valid;
}

char *cli_child_last_words(const char *path)
{
    enum { LINES = 20 };
    g_autofree char *said = cli_child_printed(path);
    g_auto(GStrv) line = g_strsplit(g_strchomp(said), "\n", -1);
    const guint lines = g_strv_length(line);
    return *said ? g_strjoinv("\n", line + (lines > LINES ? lines - LINES : 0)) : NULL;
}

char *cli_child_failed(int status)
{
    if (WIFSIGNALED(status))
        return g_strdup_printf("signal %d (%s)", WTERMSIG(status), g_strsignal(WTERMSIG(status)));
    return g_strdup_printf("exit code %d", WEXITSTATUS(status));
}
