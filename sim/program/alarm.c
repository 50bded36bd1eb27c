/* Stand-ins for SIGALRM's timer, which runs in simulated time. Linked from an archive, into
 * programs that call one of them. Timers of processor time are the host's. */
#include "program/program.h"

#include <sys/syscall.h>
#include <unistd.h>

static int set(int64_t us, int64_t every_us, struct itimerval *before)
{
    struct itimerval timer = {{every_us / 1000000, every_us % 1000000},
                              {us / 1000000, us % 1000000}};
    return probe_calls.itimer(&timer, before);
}

/* Whole seconds, and never 0 of one that is set (POSIX.1-2017, alarm). */
STAND_IN unsigned alarm(unsigned seconds)
{
    struct itimerval before;
    set((int64_t)seconds * 1000000, 0, &before);
    unsigned left = (unsigned)before.it_value.tv_sec + (before.it_value.tv_usec >= 500000);
    return left == 0 && before.it_value.tv_usec > 0 ? 1 : left;
}
STAND_IN useconds_t ualarm(useconds_t us, useconds_t every)
{
    struct itimerval before;
    set(us, every, &before);
    return (useconds_t)(before.it_value.tv_sec * 1000000 + before.it_value.tv_usec);
}
STAND_IN int setitimer(enum __itimer_which which, const struct itimerval *restrict timer,
                       struct itimerval *restrict before)
{
    return which == ITIMER_REAL ? probe_calls.itimer(timer, before)
                                : (int)syscall(SYS_setitimer, which, timer, before);
}
STAND_IN int getitimer(enum __itimer_which which, struct itimerval *timer)
{
    return which == ITIMER_REAL ? probe_calls.itimer(NULL, timer)
                                : (int)syscall(SYS_getitimer, which, timer);
}
