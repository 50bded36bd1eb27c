#include "world/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 500 /* numbers below are the program's */, STANDARD = 3 };

struct process {
    char *folder;       /* where it works */
    mode_t mask;        /* while another rank runs */
    char **environment; /* while another rank runs */
    int file[STANDARD]; /* open for its standard streams; negative: closed */
};

bool world_process_parted;
static struct process *process; /* of each rank */
static int here;                /* whose are in force */
static struct process shared;   /* of those that have changed nothing */

/* With room for so many more. */
static char **copy(char **variables, guint more)
{
    const guint n = variables ? g_strv_length(variables) : 0;
    char **copied = g_new0(char *, n + more + 1);
    if (n > 0) memcpy(copied, variables, n * sizeof *copied);
    return copied;
}

/* Ranks may be many: so may their files be. */
static int keep(int file)
{
    struct rlimit limit;
    int high = fcntl(file, F_DUPFD_CLOEXEC, FILES);
    if (high >= 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return high;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    high = fcntl(file, F_DUPFD_CLOEXEC, FILES);
    return high >= 0 ? high : fcntl(file, F_DUPFD_CLOEXEC, STANDARD);
}

static FILE *stream(int file) { return file == 0 ? stdin : file == 1 ? stdout : stderr; }

/* What is in the stream's buffer goes where it was printed to. */
static void take_file(int file, int kept)
{
    fflush(stream(file));
    if (kept < 0)
        close(file);
    else
        dup2(kept, file);
}

bool world_process_part(int rank, int ranks)
{
    if (world_process_parted) return true;
    if (!(shared.folder = getcwd(NULL, 0))) return false;
    for (int file = 0; file < STANDARD; file++) shared.file[file] = keep(file);
    umask(shared.mask = umask(0));
    process = g_new(struct process, ranks);
    for (int i = 0; i < ranks; i++) {
        process[i] = shared;
        process[i].environment = copy(environ, 0);
    }
    environ = process[rank].environment;
    here = rank;
    return world_process_parted = true;
}

bool world_process_moved(int rank)
{
    char *folder = getcwd(NULL, 0);
    if (!folder) return false;
    if (process[rank].folder != shared.folder) free(process[rank].folder);
    process[rank].folder = folder;
    return true;
}

bool world_process_is_standard(int file)
{
    if (file < 0 || file >= STANDARD) return false;
    fflush(stream(file));
    return true;
}

void world_process_opened(int rank, int file)
{
    int *kept = &process[rank].file[file];
    if (*kept != shared.file[file] && *kept >= 0) close(*kept);
    *kept = keep(file);
}

void world_process_end(void)
{
    for (int file = 0; world_process_parted && file < STANDARD; file++)
        if (process[here].file[file] != shared.file[file]) take_file(file, shared.file[file]);
    world_process_parted = false;
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
    for (int file = 0; file < STANDARD; file++)
        if (from->file[file] != to->file[file]) take_file(file, to->file[file]);
    if (strcmp(from->folder, to->folder) != 0 && chdir(to->folder) != 0)
        g_printerr("sidewinder: rank %d: %s: %s\n", rank, to->folder, g_strerror(errno));
    errno = before;
}
