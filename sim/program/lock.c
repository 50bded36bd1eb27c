/* Stand-ins for locks on files. A process's are all its ranks' here, so a rank's are those of the
 * file as it has opened it (fcntl(2), "open file description locks"), and who waits for one lets
 * others run. Linked from an archive, into programs that call one of them. Left out: that closing
 * any of a rank's files of that name gives its locks back, and that it has no quarrel with itself.
 */
#include "program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Between two looks at one that another has. */
static void let_others_run(long *ns)
{
    probe_calls.nanosleep(&(struct timespec){.tv_nsec = *ns}, NULL);
    if (*ns < 100000) *ns *= 2;
}

static bool busy(int code) { return code < 0 && (errno == EAGAIN || errno == EACCES); }

static int lock(int file, int command, const struct flock *asked, struct flock *found)
{
    struct flock mine = *asked;
    mine.l_pid = 0;
    if (command == F_GETLK) {
        int code = (int)syscall(SYS_fcntl, file, F_OFD_GETLK, &mine);
        *found = mine;
        return code;
    }
    int code;
    for (long ns = 1000;
         busy(code = (int)syscall(SYS_fcntl, file, F_OFD_SETLK, &mine)) && command == F_SETLKW;)
        let_others_run(&ns);
    return code;
}

static int control(int file, int command, void *argument)
{
    bool locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
    if (locks && probe_calls.simulated()) return lock(file, command, argument, argument);
    return (int)syscall(SYS_fcntl, file, command, argument);
}

#define CONTROL(file, command)                                                                     \
    va_list rest;                                                                                  \
    va_start(rest, command);                                                                       \
    void *argument = va_arg(rest, void *);                                                         \
    va_end(rest);                                                                                  \
    return control(file, command, argument)

STAND_IN int fcntl(int file, int command, ...) { CONTROL(file, command); }
STAND_IN int fcntl64(int file, int command, ...) { CONTROL(file, command); }

STAND_IN int lockf(int file, int command, off_t n)
{
    struct flock range = {
        .l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK, .l_whence = SEEK_CUR, .l_len = n};
    if (command != F_TEST) return control(file, command == F_LOCK ? F_SETLKW : F_SETLK, &range);
    if (control(file, F_GETLK, &range) != 0) return -1;
    if (range.l_type == F_UNLCK) return 0;
    errno = EACCES;
    return -1;
}
STAND_IN int lockf64(int file, int command, off64_t n) { return lockf(file, command, n); }

STAND_IN int flock(int file, int how)
{
    if ((how & LOCK_NB) || !probe_calls.simulated()) return (int)syscall(SYS_flock, file, how);
    int code;
    for (long ns = 1000; busy(code = (int)syscall(SYS_flock, file, how | LOCK_NB));)
        let_others_run(&ns);
    return code;
}
