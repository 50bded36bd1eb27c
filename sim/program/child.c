/* Stand-ins for what makes children and waits for them: a rank's own. Linked from an archive, into
 * programs that call one of them. */
#include "program/program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

STAND_IN pid_t fork(void) { return probe_calls.fork(); }
/* POSIX lets it be fork. In memory that it shared, what the child does would be the rank's. */
STAND_IN pid_t vfork(void) { return probe_calls.fork(); }

STAND_IN int posix_spawn(pid_t *restrict pid, const char *restrict path,
                         const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
                         char *const *restrict env)
{
    return probe_calls.spawn(pid, path, actions, attributes, argv, env, false);
}
STAND_IN int posix_spawnp(pid_t *restrict pid, const char *restrict file,
                          const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
                          char *const *restrict env)
{
    return probe_calls.spawn(pid, file, actions, attributes, argv, env, true);
}

STAND_IN pid_t wait(int *status) { return probe_calls.wait4(-1, status, 0, NULL); }
STAND_IN pid_t waitpid(pid_t which, int *status, int options)
{
    return probe_calls.wait4(which, status, options, NULL);
}
STAND_IN pid_t wait3(int *status, int options, struct rusage *usage)
{
    return probe_calls.wait4(-1, status, options, usage);
}
STAND_IN pid_t wait4(pid_t which, int *status, int options, struct rusage *usage)
{
    return probe_calls.wait4(which, status, options, usage);
}
STAND_IN int waitid(idtype_t kind, id_t which, siginfo_t *info, int options)
{
    return probe_calls.waitid(kind, which, info, options);
}
