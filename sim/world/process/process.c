#include "world/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 500 }; /* numbers below are the program's */

struct process {
    int directory;      /* open */
    mode_t mask;        /* while another rank runs */
    char **environment; /* while another rank runs */
};

bool world_process_parted;
static struct process *process; /* of each rank */
static int here;                /* whose are in force */
static int shared;              /* the directory of those that have not moved */

/* With room for so many more. */
static char **copy(char **variables, guint more)
{
    const guint n = variables ? g_strv_length(variables) : 0;
    char **copied = g_new0(char *, n + more + 1);
    if (n > 0) memcpy(copied, variables, n * sizeof *copied);
    return copied;
}

static int open_directory(void)
{
    const int file = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return -1;
    const int high = fcntl(file, F_DUPFD_CLOEXEC, FILES);
    if (high < 0) return file;
    close(file);
    return high;
}

bool world_process_part(int rank, int ranks)
{
    if (world_process_parted) return true;
    if ((shared = open_directory()) < 0) return false;
    const mode_t mask = umask(0);
    umask(mask);
    process = g_new(struct process, ranks);
    for (int i = 0; i < ranks; i++) process[i] = (struct process){shared, mask, copy(environ, 0)};
    environ = process[rank].environment;
    here = rank;
    return world_process_parted = true;
}

bool world_process_moved(int rank)
{
    const int directory = open_directory();
    if (directory < 0) return false;
    if (process[rank].directory != shared) close(process[rank].directory);
    process[rank].directory = directory;
    return true;
}

/* ---- the environment ------------------------------------------------------------------------- */

/* C's library would have one array, and take it for another rank's when that grows. Arrays and
 * texts are not freed: the program may have kept them, and environ may be its own. */

/* The place of the variable, or of the end. */
static guint find(const char *name, size_t n)
{
    guint i = 0;
    if (!environ) environ = copy(NULL, 0);
    while (environ[i] && (strncmp(environ[i], name, n) != 0 || environ[i][n] != '=')) i++;
    return i;
}

void world_process_set(char *text)
{
    const guint i = find(text, strcspn(text, "="));
    if (!environ[i]) environ = copy(environ, 1);
    environ[i] = text;
}

void world_process_unset(const char *name)
{
    for (guint i = find(name, strlen(name)); environ[i]; i++) environ[i] = environ[i + 1];
}

void world_process_clear(void) { environ = copy(NULL, 0); }

/* ---------------------------------------------------------------------------------------------- */

void world_process_enter(int rank)
{
    if (rank < 0 || rank == here) return;
    struct process *from = &process[here], *to = &process[rank];
    from->environment = environ;
    environ = to->environment;
    from->mask = umask(to->mask);
    here = rank;
    const int before = errno; /* the program's */
    if (from->directory != to->directory && fchdir(to->directory) != 0)
        g_printerr("sidewinder: rank %d: its working folder: %s\n", rank, g_strerror(errno));
    errno = before;
}
