/* What a rank changes of its process: from then on each rank has its own (world/process). */
#include "probe/access.h"
#include "probe/stand_ins.h"
#include "world/place/place.h"
#include "world/process/process.h"
#include "world/program/program.h"
#include "world/rank/rank.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The running rank, about to change something; negative: none is, or it cannot have its own. */
static int changing(void)
{
    const struct world_rank *r = world_here();
    return r && world_process_part(r->rank, world_ranks()) ? r->rank : -1;
}

static int moved(int rank, int failed)
{
    return failed || rank < 0 || world_process_moved(rank) ? failed : -1;
}

int probe_chdir(const char *path)
{
    const int rank = changing();
    probe_look_text(path, PROBE_CALLER);
    return moved(rank, chdir(path));
}

int probe_fchdir(int file)
{
    const int rank = changing();
    return moved(rank, fchdir(file));
}

void *probe_plug_in(const char *path, int mode)
{
    const char *copy = probe_active() ? world_plug_in(path) : NULL;
    void *handle = copy ? dlopen(copy, mode) : NULL;
    if (copy) world_plug_in_loaded(copy);
    return handle;
}

mode_t probe_umask(mode_t mask)
{
    changing();
    return umask(mask);
}

/* The running rank, if that is to be another file of a standard stream. */
static int opening(int file)
{
    const int rank = file >= 0 && file <= STDERR_FILENO ? changing() : -1;
    return rank >= 0 && world_process_is_standard(file) ? rank : -1;
}

int probe_dup2(int from, int to)
{
    const int rank = from == to ? -1 : opening(to), file = dup2(from, to);
    if (rank >= 0 && file >= 0) world_process_opened(rank, file);
    return file;
}

FILE *probe_freopen(const char *path, const char *mode, FILE *stream)
{
    const int file = stream == stdin    ? STDIN_FILENO
                     : stream == stdout ? STDOUT_FILENO
                     : stream == stderr ? STDERR_FILENO
                                        : -1,
              rank = opening(file);
    if (path) probe_look_text(path, PROBE_CALLER);
    FILE *opened = freopen(path, mode, stream);
    if (rank >= 0) world_process_opened(rank, file);
    return opened;
}

static bool is_name(const char *name)
{
    if (name && *name && !strchr(name, '=')) return true;
    errno = EINVAL;
    return false;
}

int probe_setenv(const char *name, const char *value, int overwrite)
{
    if (changing() < 0) return setenv(name, value, overwrite);
    if (!is_name(name)) return -1;
    probe_look_text(name, PROBE_CALLER);
    probe_look_text(value, PROBE_CALLER);
    if (overwrite || !getenv(name)) world_process_set(g_strdup_printf("%s=%s", name, value));
    return 0;
}

int probe_unsetenv(const char *name)
{
    if (changing() < 0) return unsetenv(name);
    if (!is_name(name)) return -1;
    probe_look_text(name, PROBE_CALLER);
    world_process_unset(name);
    return 0;
}

int probe_putenv(char *text)
{
    if (changing() < 0) return putenv(text);
    probe_look_text(text, PROBE_CALLER);
    if (strchr(text, '='))
        world_process_set(text);
    else
        world_process_unset(text);
    return 0;
}

int probe_clearenv(void)
{
    if (changing() < 0) return clearenv();
    world_process_clear();
    return 0;
}

/* All ranks are one process: another program in its place would end the others without a word. */
static void refuse_in_rank(const char *path, const char *function, uintptr_t pc)
{
    const struct world_rank *r = world_here();
    if (!r) return;
    world_say("rank %d: %s(\"%s\") at %s: all ranks are one process here, so none can become "
              "another program; a child that it forks can",
              r->rank, function, path, world_place(mem_place(world_cpu(), pc)));
    world_abort(1);
}

int probe_become(const char *path, char *const *argv, char *const *env, const char *function,
                 uintptr_t pc)
{
    refuse_in_rank(path, function, pc);
    return execve(path, argv, env);
}

int probe_become_found(const char *file, char *const *argv, char *const *env, const char *function,
                       uintptr_t pc)
{
    refuse_in_rank(file, function, pc);
    return execvpe(file, argv, env);
}

int probe_become_at(int folder, const char *path, char *const *argv, char *const *env, int flags,
                    const char *function, uintptr_t pc)
{
    refuse_in_rank(path, function, pc);
    return execveat(folder, path, argv, env, flags);
}
