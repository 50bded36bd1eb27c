#include "world/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 500 /* numbers below are the program's */, STANDARD = 3 };

struct process {
    int directory;      /* open */
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

static int keep(int file) { return fcntl(file, F_DUPFD_CLOEXEC, FILES); }

static int open_directory(void)
{
    const int file = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), high = keep(file);
    if (file >= 0) close(file);
    return high;
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
    if ((shared.directory = open_directory()) < 0) return false;
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

static void replace(int *kept, int by, int common)
{
    if (*kept != common && *kept >= 0) close(*kept);
    *kept = by;
}

bool world_process_moved(int rank)
{
    const int directory = open_directory();
    if (directory < 0) return false;
    replace(&process[rank].directory, directory, shared.directory);
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
    replace(&process[rank].file[file], keep(file), shared.file[file]);
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
    if (from->directory != to->directory && fchdir(to->directory) != 0)
        g_printerr("sidewinder: rank %d: its working folder: %s\n", rank, g_strerror(errno));
    errno = before;
}
