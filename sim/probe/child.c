/* Children that a rank makes, and waits for: its own only (world/process). Natively, and in a
 * child, everything is the library's. */
#include "world/process/process.h"
#include "world/rank/rank.h"
#include "probe/stand_ins.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t born(pid_t child)
{
    const struct world_rank *r = child > 0 ? world_here() : NULL;
    if (r) world_process_bore(r->rank, child);
    return child;
}

pid_t probe_fork(void) { return born(fork()); }

int probe_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *argv, char *const *env,
                bool search)
{
    pid_t child;
    int error = (search ? posix_spawnp : posix_spawn)(&child, path, actions, attributes, argv, env);
    if (error != 0) return error;
    born(child);
    if (pid) *pid = child;
    probe_stored(pid, sizeof *pid, PROBE_CALLER);
    return 0;
}

/* Those of a group, too, if it is the caller's. */
static bool any_of(pid_t which) { return which == -1 || which == 0; }

pid_t probe_wait4(pid_t which, int *status, int options, struct rusage *usage)
{
    const struct world_rank *r = world_here();
    pid_t pid = r && any_of(which) ? world_process_wait(r->rank, status, options, usage)
                                   : wait4(which, status, options, usage);
    if (pid > 0) probe_stored(status, sizeof *status, PROBE_CALLER);
    if (pid > 0) probe_stored(usage, sizeof *usage, PROBE_CALLER);
    return pid;
}

int probe_waitid(idtype_t kind, id_t which, siginfo_t *info, int options)
{
    const struct world_rank *r = world_here();
    const bool any = kind == P_ALL || (kind == P_PGID && which == 0);
    const int code = r && any ? world_process_waitid(r->rank, info, options)
                              : waitid(kind, which, info, options);
    if (code == 0) probe_stored(info, sizeof *info, PROBE_CALLER);
    return code;
}
