#include "cli/measure/pin.h"

#include <sched.h>
#include <time.h>

static cpu_set_t allowed;

bool cli_pin(void)
{
    cpu_set_t one;
    int here = sched_getcpu();
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || here < 0 || here >= CPU_SETSIZE)
        return false;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

int cli_pin_allowed(void) { return MAX(CPU_COUNT(&allowed), 1); }

bool cli_pin_to(int i)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed) || i-- > 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        return sched_setaffinity(0, sizeof one, &one) == 0;
    }
    return false;
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double cli_share(void)
{
    static double wall, own;
    double wall_now = seconds(CLOCK_MONOTONIC), own_now = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double share = wall_now > wall ? (own_now - own) / (wall_now - wall) : 1;
    wall = wall_now;
    own = own_now;
    return MIN(share, 1);
}
