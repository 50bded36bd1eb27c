/* What the program learns of its computer: the name, processors and caches of the machine's node.
 * Natively it is the library's answer.
 *
 * Left out: how much memory there is, and /proc. */
#include "probe/access.h"
#include "probe/stand_ins.h"
#include "world/rank/rank.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* As MPI_Get_processor_name calls it (kern). */
int probe_uname(struct utsname *about)
{
    int code = PROBE_LIBRARY(uname)(about), node = world_node();
    if (code == 0 && node >= 0) snprintf(about->nodename, sizeof about->nodename, "node-%d", node);
    if (code == 0) probe_stored(about, sizeof *about, PROBE_CALLER);
    return code;
}

long probe_sysconf(int name)
{
    long answer;
    return world_sysconf(name, &answer) ? answer : PROBE_LIBRARY(sysconf)(name);
}

int probe_processor(void)
{
    int processor = world_processor();
    return processor >= 0 ? processor : PROBE_LIBRARY(sched_getcpu)();
}
