/* Stand-ins for what changes the process: ranks are one here, and have each their own. */
#include "program/program.h"

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
