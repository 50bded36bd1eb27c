/* Stand-ins for signals: a rank's own dispositions, and ranks as the processes that kill knows.
 * Linked from an archive, into programs that call one of them: others keep their layout. */
#include "program/program.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

STAND_IN int kill(pid_t pid, int number) { return probe_calls.kill(pid, number); }
STAND_IN int killpg(pid_t group, int number) { return probe_calls.killpg(group, number); }
STAND_IN int sigqueue(pid_t pid, int number, const union sigval value)
{
    return probe_calls.sigqueue(pid, number, value);
}
STAND_IN int tgkill(pid_t process, pid_t thread, int number)
{
    return probe_calls.tgkill(process, thread, number);
}
STAND_IN int pause(void) { return probe_calls.pause(); }
STAND_IN int sigsuspend(const sigset_t *set) { return probe_calls.sigsuspend(set); }
STAND_IN int sigpending(sigset_t *set) { return probe_calls.sigpending(set); }
STAND_IN int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict before)
{
    return probe_calls.mask(how, set, before);
}
STAND_IN int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before)
{
    int error = probe_calls.mask(how, set, before);
    if (error == 0) return 0;
    errno = error;
    return -1;
}
STAND_IN int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                          const struct timespec *restrict most)
{
    return probe_calls.sigtimedwait(set, info, most);
}
STAND_IN int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return probe_calls.sigtimedwait(set, info, NULL);
}
STAND_IN int sigwait(const sigset_t *restrict set, int *restrict number)
{
    int got = probe_calls.sigtimedwait(set, NULL, NULL);
    if (got < 0) return errno;
    *number = got;
    return 0;
}

STAND_IN int sigaction(int number, const struct sigaction *restrict action,
                       struct sigaction *restrict before)
{
    return probe_calls.sigaction(number, action, before);
}

STAND_IN __sighandler_t signal(int number, __sighandler_t handler)
{
    return probe_calls.signal(number, handler, SA_RESTART);
}
/* What signal becomes where <signal.h> must be C's alone. */
__sighandler_t __sysv_signal(int number, __sighandler_t handler);
STAND_IN __sighandler_t __sysv_signal(int number, __sighandler_t handler)
{
    return probe_calls.signal(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}
