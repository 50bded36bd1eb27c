/* Stand-ins for time, identity and the end of the process: the rank's own. */
#include "program/program.h"

#include <stdlib.h>
#include <unistd.h>

STAND_IN int gettimeofday(struct timeval *restrict tv, void *restrict zone) { return probe_calls.gettimeofday(tv, zone); }
STAND_IN int clock_gettime(clockid_t clock_id, struct timespec *t) { return probe_calls.clock_gettime(clock_id, t); }
STAND_IN int timespec_get(struct timespec *t, int from)
{
    return from == TIME_UTC && probe_calls.clock_gettime(CLOCK_REALTIME, t) == 0 ? from : 0;
}
STAND_IN time_t time(time_t *t) { return probe_calls.time(t); }
STAND_IN clock_t clock(void) { return probe_calls.clock(); }
STAND_IN clock_t times(struct tms *t) { return probe_calls.times(t); }
STAND_IN int getrusage(__rusage_who_t who, struct rusage *usage) { return probe_calls.getrusage(who, usage); }
STAND_IN unsigned sleep(unsigned seconds) { return probe_calls.sleep(seconds); }
STAND_IN int usleep(useconds_t us) { return probe_calls.usleep(us); }
STAND_IN int nanosleep(const struct timespec *t, struct timespec *left) { return probe_calls.nanosleep(t, left); }
STAND_IN pid_t getpid(void) { return probe_calls.getpid(); }

STAND_IN __attribute__((noreturn)) void exit(int code)
{
    probe_calls.exit(code);
    __builtin_unreachable();
}
STAND_IN __attribute__((noreturn)) void _exit(int code)
{
    probe_calls.exit_at_once(code);
    __builtin_unreachable();
}
STAND_IN __attribute__((noreturn)) void _Exit(int code)
{
    probe_calls.exit_at_once(code);
    __builtin_unreachable();
}

/* ---- the library's static answers: each rank has its own -------------------------------------------------------*/

STAND_IN struct tm *localtime(const time_t *t)
{
    static struct tm answer;
    return localtime_r(t, &answer);
}
STAND_IN struct tm *gmtime(const time_t *t)
{
    static struct tm answer;
    return gmtime_r(t, &answer);
}
STAND_IN char *asctime(const struct tm *t)
{
    static char answer[64];
    return asctime_r(t, answer);
}
STAND_IN char *ctime(const time_t *t)
{
    static char answer[64];
    return ctime_r(t, answer);
}
