/* Stand-ins for signals: a rank's own dispositions, and ranks as the processes that kill knows.
 * Linked from an archive, into programs that call one of them: others keep their layout. */
#include "program/program.h"

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
