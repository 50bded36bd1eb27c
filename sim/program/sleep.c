/* Stand-ins for further ways to sleep, in simulated time. Linked from an archive, into programs
 * that call one of them. */
#include "program/program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

STAND_IN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                             struct timespec *left)
{
    if (!probe_calls.simulated())
        return syscall(SYS_clock_nanosleep, clock, flags, t, left) == 0 ? 0 : errno;
    struct timespec wait = *t, now;
    if (flags & TIMER_ABSTIME) {
        if (probe_calls.clock_gettime(clock, &now) != 0) return errno;
        int64_t ns = (t->tv_sec - now.tv_sec) * INT64_C(1000000000) + t->tv_nsec - now.tv_nsec;
        if (ns <= 0) return 0;
        wait = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    }
    return probe_calls.nanosleep(&wait, flags & TIMER_ABSTIME ? NULL : left) == 0 ? 0 : errno;
}
STAND_IN int thrd_sleep(const struct timespec *t, struct timespec *left)
{
    if (probe_calls.nanosleep(t, left) == 0) return 0;
    return errno == EINTR ? -1 : -2;
}

/* Waits for no file. */
static int sleep_only(const struct timespec *t) { return probe_calls.nanosleep(t, NULL); }

STAND_IN int poll(struct pollfd *files, nfds_t n, int ms)
{
    if (n > 0 || ms <= 0 || !probe_calls.simulated()) return (int)syscall(SYS_poll, files, n, ms);
    return sleep_only(&(struct timespec){ms / 1000, ms % 1000 * 1000000L});
}
STAND_IN int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                    struct timeval *restrict t)
{
    if (n > 0 || !t || !probe_calls.simulated())
        return (int)syscall(SYS_select, n, in, out, other, t);
    return sleep_only(&(struct timespec){t->tv_sec, t->tv_usec * 1000});
}
/* With a mask they wait for a signal, too: that is the host's. */
STAND_IN int ppoll(struct pollfd *files, nfds_t n, const struct timespec *t, const sigset_t *mask)
{
    if (n > 0 || !t || mask || !probe_calls.simulated()) {
        struct timespec left = t ? *t : (struct timespec){0};
        return (int)syscall(SYS_ppoll, files, n, t ? &left : NULL, mask, _NSIG / 8);
    }
    return sleep_only(t);
}
STAND_IN int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                     const struct timespec *restrict t, const sigset_t *restrict mask)
{
    if (n > 0 || !t || mask || !probe_calls.simulated()) {
        struct timespec left = t ? *t : (struct timespec){0};
        const struct {
            const sigset_t *mask;
            size_t bytes;
        } with = {mask, _NSIG / 8};
        return (int)syscall(SYS_pselect6, n, in, out, other, t ? &left : NULL, &with);
    }
    return sleep_only(t);
}
