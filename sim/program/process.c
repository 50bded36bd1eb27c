/* Stand-ins for what changes the process: ranks are one here, and have each their own. */
#include "program/program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

OF_THE_RANK int chdir(const char *path) { return probe_calls.chdir(path); }
OF_THE_RANK int fchdir(int file) { return probe_calls.fchdir(file); }
OF_THE_RANK mode_t umask(mode_t mask) { return probe_calls.umask(mask); }
STAND_IN int setenv(const char *name, const char *value, int overwrite)
{
    return probe_calls.setenv(name, value, overwrite);
}
STAND_IN int putenv(char *text) { return probe_calls.putenv(text); }
STAND_IN int unsetenv(const char *name) { return probe_calls.unsetenv(name); }
STAND_IN int clearenv(void) { return probe_calls.clearenv(); }
OF_THE_RANK int dup2(int from, int to) { return probe_calls.dup2(from, to); }
STAND_IN FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return probe_calls.freopen(path, mode, stream);
}
STAND_IN FILE *freopen64(const char *restrict path, const char *restrict mode,
                         FILE *restrict stream)
{
    return probe_calls.freopen(path, mode, stream);
}

/* A plug-in that sidewinder cc has linked is the rank's own. The loader looks for others as it does
 * for the file that calls it. */
STAND_IN void *dlopen(const char *path, int mode)
{
    union {
        void *found;
        void *(*open)(const char *path, int mode);
    } library = {.found = dlsym(RTLD_NEXT, "dlopen")};
    void *handle = path ? probe_calls.plug_in(path, mode) : NULL;
    return handle ? handle : library.open(path, mode);
}

/* ---- exec: in a child that a rank has forked ------------------------------------------------- */

#define HERE ((uintptr_t)__builtin_return_address(0))

STAND_IN int execve(const char *path, char *const argv[], char *const env[])
{
    return probe_calls.become(path, argv, env, __func__, HERE);
}
STAND_IN int execv(const char *path, char *const argv[])
{
    return probe_calls.become(path, argv, environ, __func__, HERE);
}
STAND_IN int execvpe(const char *file, char *const argv[], char *const env[])
{
    return probe_calls.become_found(file, argv, env, __func__, HERE);
}
STAND_IN int execvp(const char *file, char *const argv[])
{
    return probe_calls.become_found(file, argv, environ, __func__, HERE);
}

STAND_IN int execveat(int folder, const char *path, char *const argv[], char *const env[],
                      int flags)
{
    return probe_calls.become_at(folder, path, argv, env, flags, __func__, HERE);
}
STAND_IN int fexecve(int file, char *const argv[], char *const env[])
{
    return probe_calls.become_at(file, "", argv, env, AT_EMPTY_PATH, __func__, HERE);
}

/* The arguments from `first` to NULL: argv, on the stack; rest: those behind. */
#define LIST(argv, first, rest)                                                                    \
    size_t n = 1;                                                                                  \
    va_list rest, count;                                                                           \
    va_start(count, first);                                                                        \
    while (va_arg(count, char *)) n++;                                                             \
    va_end(count);                                                                                 \
    char *argv[n + 1];                                                                             \
    argv[0] = (char *)(uintptr_t)(first);                                                          \
    va_start(rest, first);                                                                         \
    for (size_t i = 1; i <= n; i++) argv[i] = va_arg(rest, char *);

STAND_IN int execl(const char *path, const char *first, ...)
{
    LIST(argv, first, rest)
    va_end(rest);
    return probe_calls.become(path, argv, environ, __func__, HERE);
}
STAND_IN int execlp(const char *file, const char *first, ...)
{
    LIST(argv, first, rest)
    va_end(rest);
    return probe_calls.become_found(file, argv, environ, __func__, HERE);
}
STAND_IN int execle(const char *path, const char *first, ...)
{
    LIST(argv, first, rest)
    char *const *env = va_arg(rest, char *const *);
    va_end(rest);
    return probe_calls.become(path, argv, env, __func__, HERE);
}
