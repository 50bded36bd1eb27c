/* What a process has for itself, and a rank must: argument 1 says what. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

extern char **environ;

/* Two a rank, one of them by posix_spawn; each waits for any of its children. */
static void children(void)
{
    char *const shell[] = {"sh", "-c", "exit 7", NULL};
    int status, sum = 0, ended = 0, number = 10 * (check_rank + 1);
    pid_t child = fork(), other;
    if (child == 0) _exit(number);
    check(posix_spawnp(&other, "sh", NULL, NULL, shell, environ) == 0, "a child is made");
    MPI_Barrier(MPI_COMM_WORLD);
    while (wait(&status) > 0) {
        sum += WEXITSTATUS(status);
        ended++;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    check(errno == ECHILD && ended == 2 && sum == number + 7, "wait gives a rank its own children");
    check(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD, "and waitpid, when none is left");
    if ((child = vfork()) == 0) _exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
    check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3,
          "and the one that it asks for");
    siginfo_t end = {.si_pid = 0};
    if ((child = fork()) == 0) _exit(number + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    check(waitid(P_ALL, 0, &end, WEXITED | WNOWAIT) == 0 && end.si_pid == child &&
              waitid(P_ALL, 0, &end, WEXITED) == 0 && end.si_pid == child &&
              end.si_status == number + 1,
          "waitid gives a rank its own children");
    check(waitid(P_ALL, 0, &end, WEXITED) == -1 && errno == ECHILD, "and then says it has none");
}

/* So many ranks add to a number in a file, so many times, each time with the lock and a pause. */
enum { TIMES = 5 };

static int add(int file)
{
    int value = -1;
    int failed = pread(file, &value, sizeof value, 0) != sizeof value;
    usleep(10);
    value++;
    return failed + (pwrite(file, &value, sizeof value, 0) != sizeof value);
}

static int by_fcntl(int file, int type)
{
    struct flock whole = {.l_type = (short)type, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLKW, &whole) != 0;
}

static void locks(const char *name)
{
    const int file = open(name, O_RDWR | O_CREAT, 0600);
    int value = 0, before = 0, failed = 0;
    if (check_rank == 0) failed = pwrite(file, &value, sizeof value, 0) != sizeof value;
    for (int way = 0; way < 3; way++, before += TIMES * check_ranks) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < TIMES; i++) {
            failed += way == 0   ? by_fcntl(file, F_WRLCK)
                      : way == 1 ? lockf(file, F_LOCK, 0) != 0
                                 : flock(file, LOCK_EX) != 0;
            failed += add(file);
            if (lseek(file, 0, SEEK_SET) != 0) failed++;
            failed += way == 0   ? by_fcntl(file, F_UNLCK)
                      : way == 1 ? lockf(file, F_ULOCK, 0) != 0
                                 : flock(file, LOCK_UN) != 0;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        failed += pread(file, &value, sizeof value, 0) != sizeof value;
        check(value == before + TIMES * check_ranks, "a lock on a file keeps other ranks out");
    }
    if (check_rank == 0) failed += by_fcntl(file, F_WRLCK);
    check(!failed, "and no call fails");
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    check(fcntl(file, F_GETLK, &whole) == 0 && (whole.l_type == F_UNLCK) == (check_rank == 0),
          "F_GETLK reports another's");
    check((lockf(file, F_TLOCK, 0) == 0) == (check_rank == 0), "F_TLOCK fails at another's");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void slept(double since_s, const char *how)
{
    double took_s = MPI_Wtime() - since_s;
    check(took_s >= 0.01 && took_s < 0.0101, how);
}

static void sleeps(void)
{
    struct timespec ten = {.tv_nsec = 10000000}, then;
    double begun = MPI_Wtime();
    clock_nanosleep(CLOCK_MONOTONIC, 0, &ten, NULL);
    slept(begun, "clock_nanosleep sleeps");
    begun = MPI_Wtime();
    clock_gettime(CLOCK_REALTIME, &then);
    then.tv_nsec += ten.tv_nsec;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &then, NULL);
    slept(begun, "and until a date");
    begun = MPI_Wtime();
    poll(NULL, 0, 10);
    slept(begun, "poll of no file sleeps");
    begun = MPI_Wtime();
    select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = 10000});
    slept(begun, "select of no file sleeps");
    begun = MPI_Wtime();
    pselect(0, NULL, NULL, NULL, &ten, NULL);
    slept(begun, "pselect of no file sleeps");
    begun = MPI_Wtime();
    ppoll(NULL, 0, &ten, NULL);
    slept(begun, "ppoll of no file sleeps");
    begun = MPI_Wtime();
    thrd_sleep(&ten, NULL);
    slept(begun, "thrd_sleep sleeps");
    int ends[2];
    check(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 &&
              poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 1000) == 1,
          "poll looks at files");
}

/* Texts that C's library keeps until the next call. */
static void answers(void)
{
    int point, negative;
    char own[32];
    char *digits = ecvt(check_rank + 1.5, 3, &point, &negative);
    char *places = fcvt(-check_rank - 2.25, 1, &point, &negative);
    char *code = l64a(1000 + check_rank);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(own, sizeof own, "%d50", check_rank + 1);
    check(strcmp(digits, own) == 0, "ecvt's text is the rank's");
    snprintf(own, sizeof own, "%d2", check_rank + 2);
    check(strcmp(places, own) == 0 && negative && point == 1, "fcvt's text is the rank's");
    check(a64l(code) == 1000 + check_rank, "l64a's text is the rank's");
    check(strcmp(l64a(0), "") == 0 && (int)a64l(l64a(-2)) == -2, "l64a has 32 bits");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    if (strcmp(argv[1], "children") == 0) children();
    if (strcmp(argv[1], "locks") == 0) locks(argv[2]);
    if (strcmp(argv[1], "sleeps") == 0) sleeps();
    if (strcmp(argv[1], "answers") == 0) answers();
    return check_end();
}
