/* Stand-ins for time, identity and the end of the process: the rank's own. */
#include "program/program.h"

#include <stdlib.h>
#include <unistd.h>

OF_THE_RANK int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    return probe_calls.gettimeofday(tv, zone);
}
OF_THE_RANK int clock_gettime(clockid_t clock_id, struct timespec *t)
{
    return probe_calls.clock_gettime(clock_id, t);
}
OF_THE_RANK int timespec_get(struct timespec *t, int from)
{
    return from == TIME_UTC && probe_calls.clock_gettime(CLOCK_REALTIME, t) == 0 ? from : 0;
}
OF_THE_RANK time_t time(time_t *t) { return probe_calls.time(t); }
OF_THE_RANK clock_t clock(void) { return probe_calls.clock(); }
OF_THE_RANK clock_t times(struct tms *t) { return probe_calls.times(t); }
OF_THE_RANK int getrusage(__rusage_who_t who, struct rusage *usage)
{
    return probe_calls.getrusage(who, usage);
}
OF_THE_RANK unsigned sleep(unsigned seconds) { return probe_calls.sleep(seconds); }
OF_THE_RANK int usleep(useconds_t us) { return probe_calls.usleep(us); }
OF_THE_RANK int nanosleep(const struct timespec *t, struct timespec *left)
{
    return probe_calls.nanosleep(t, left);
}
OF_THE_RANK pid_t getpid(void) { return probe_calls.getpid(); }

OF_THE_RANK __attribute__((noreturn)) void exit(int code)
{
    probe_calls.exit(code);
    __builtin_unreachable();
}
/* C++ calls this one for its static objects. */
STAND_IN int __cxa_atexit(void (*run)(void *), void *data, void *object);
int __cxa_atexit(void (*run)(void *), void *data, void *object)
{
    return probe_calls.at_exit(run, data, object);
}
STAND_IN int atexit(void (*run)(void))
{
    return probe_calls.at_exit((void (*)(void *))run, NULL, NULL);
}

OF_THE_RANK __attribute__((noreturn)) void _exit(int code)
{
    probe_calls.exit_at_once(code);
    __builtin_unreachable();
}
OF_THE_RANK __attribute__((noreturn)) void _Exit(int code)
{
    probe_calls.exit_at_once(code);
    __builtin_unreachable();
}

/* ---- the library's static answers: each rank has its own ------------------------------------- */

OF_THE_RANK struct tm *localtime(const time_t *t)
{
    static struct tm answer;
    return localtime_r(t, &answer);
}
OF_THE_RANK struct tm *gmtime(const time_t *t)
{
    static struct tm answer;
    return gmtime_r(t, &answer);
}
OF_THE_RANK char *asctime(const struct tm *t)
{
    static char answer[64];
    return asctime_r(t, answer);
}
OF_THE_RANK char *ctime(const time_t *t)
{
    static char answer[64];
    return ctime_r(t, answer);
}
