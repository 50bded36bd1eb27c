/* Signals among ranks: kill and its family, by the process numbers that getpid gives.
 *
 * No process of the host can have the number of a rank. The ranks are one process group, whatever
 * getpgrp says; -1 means them too, and nothing of the host. Other numbers, a child's that the rank
 * has forked, are the host's. Natively everything is the library's.
 */
#include "base/floating/floating.h"
#include "world/rank/rank.h"
#include "world/signal/signal.h"
#include "probe/stand_ins.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux gives its processes numbers below 2^22 (include/linux/threads.h, PID_MAX_LIMIT). */
enum { PIDS = 1 << 22 };

pid_t probe_getpid(void)
{
    int rank = probe_rank();
    return rank < 0 ? PROBE_LIBRARY(getpid)() : PIDS + 1 + rank;
}

int probe_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    int code = world_signal_action(number, action, before);
    if (code == 0) probe_stored(before, sizeof *before, PROBE_CALLER);
    return code;
}

static int answer(int error)
{
    if (error == 0) return 0;
    errno = error;
    return -1;
}

static int send_to(int rank, int number, int code, union sigval value)
{
    if (rank < 0 || rank >= world_ranks()) return ESRCH;
    siginfo_t info = {.si_signo = number, .si_code = code};
    info.si_pid = probe_getpid();
    info.si_uid = getuid();
    info.si_value = value;
    return world_signal_send(rank, &info);
}

/* The sender comes last: it may not return. */
static int send_to_all(int number)
{
    int me = probe_rank(), error = 0;
    for (int rank = 0; rank < world_ranks(); rank++)
        if (rank != me) error = send_to(rank, number, SI_USER, (union sigval){0});
    return me >= 0 ? send_to(me, number, SI_USER, (union sigval){0}) : error;
}

static bool of_the_ranks(pid_t group) { return group == 0 || group == getpgrp() || group > PIDS; }

int probe_killpg(pid_t group, int number)
{
    if (!world_simulated() || !of_the_ranks(group)) return killpg(group, number);
    return answer(send_to_all(number));
}

int probe_kill(pid_t pid, int number)
{
    if (!world_simulated()) return kill(pid, number);
    if (pid == -1) return answer(send_to_all(number));
    if (pid <= 0) return probe_killpg(-pid, number);
    if (pid <= PIDS) return kill(pid, number);
    return answer(send_to(pid - PIDS - 1, number, SI_USER, (union sigval){0}));
}

int probe_sigqueue(pid_t pid, int number, union sigval value)
{
    if (!world_simulated() || pid <= PIDS) return sigqueue(pid, number, value);
    return answer(send_to(pid - PIDS - 1, number, SI_QUEUE, value));
}

int probe_tgkill(pid_t process, pid_t thread, int number)
{
    if (!world_simulated() || process <= PIDS)
        return (int)syscall(SYS_tgkill, process, thread, number);
    return answer(send_to(process - PIDS - 1, number, SI_TKILL, (union sigval){0}));
}

int probe_pause(void)
{
    world_signal_suspend(NULL, "pause", PROBE_CALLER);
    return answer(EINTR);
}

int probe_sigsuspend(const sigset_t *set)
{
    world_signal_suspend(set, "sigsuspend", PROBE_CALLER);
    return answer(EINTR);
}

int probe_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    int error = world_signal_mask(how, set, before);
    if (error == 0) probe_stored(before, sizeof *before, PROBE_CALLER);
    return error;
}

int probe_sigpending(sigset_t *set)
{
    int code = world_signal_pending(set);
    if (code == 0) probe_stored(set, sizeof *set, PROBE_CALLER);
    return code;
}

int probe_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *most)
{
    int number = world_signal_wait(set, info, most, PROBE_CALLER);
    if (number > 0) probe_stored(info, sizeof *info, PROBE_CALLER);
    return number;
}

static __attribute__((noinline)) void seconds_of(double seconds, struct timeval *t)
{
    t->tv_sec = (time_t)seconds;
    t->tv_usec = (suseconds_t)((seconds - (double)t->tv_sec) * 1e6);
}

/* Not in line: base_floating. */
static __attribute__((noinline)) bool set_alarm(const struct itimerval *timer,
                                                struct itimerval *before)
{
    double left_s, every_s,
        seconds =
            timer ? (double)timer->it_value.tv_sec + 1e-6 * (double)timer->it_value.tv_usec : -1,
        again_s =
            timer ? (double)timer->it_interval.tv_sec + 1e-6 * (double)timer->it_interval.tv_usec
                  : 0;
    if (!world_alarm(seconds, again_s, &left_s, &every_s)) return false;
    seconds_of(left_s, &before->it_value);
    seconds_of(every_s, &before->it_interval);
    return true;
}

int probe_itimer(const struct itimerval *timer, struct itimerval *before)
{
    struct base_floating floating;
    struct itimerval was = {0};
    base_floating_begin(&floating);
    const bool ours = set_alarm(timer, &was);
    base_floating_end(&floating);
    if (!ours)
        return timer ? setitimer(ITIMER_REAL, timer, before) : getitimer(ITIMER_REAL, before);
    if (before) *before = was;
    probe_stored(before, sizeof *before, PROBE_CALLER);
    return 0;
}

__sighandler_t probe_signal(int number, __sighandler_t handler, int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sigemptyset(&action.sa_mask);
    if (!(flags & (int)SA_NODEFER)) sigaddset(&action.sa_mask, number);
    return world_signal_action(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
