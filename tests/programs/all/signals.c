/* Signals between ranks: argument 1 says which. Each rank's handler counts in the rank's own
 * variables. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, ranks;
static volatile sig_atomic_t got, value, sender;

static void count(int number)
{
    got += number;
    printf("rank %d takes signal %d\n", rank, number);
}

static void queued(int number, siginfo_t *info, void *context)
{
    (void)context;
    got += number;
    value = info->si_value.sival_int;
    sender = info->si_pid;
}

static void count_alarms(int number) { got += number; }

static pid_t pid_of(int other)
{
    pid_t mine = getpid(), all[64];
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    return all[other];
}

static void to_itself(void)
{
    signal(SIGUSR1, count);
    int code = kill(getpid(), SIGUSR1), first = got;
    raise(SIGUSR1);
    printf("rank %d: %d, %d then %d\n", rank, code, first == SIGUSR1, got == 2 * SIGUSR1);
}

static void to_another(void)
{
    struct sigaction action = {.sa_sigaction = queued, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR2, &action, NULL);
    pid_t zero = pid_of(0), one = pid_of(1);
    if (rank == 0) sigqueue(one, SIGUSR2, (union sigval){.sival_int = 42});
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: got %d, value %d, from rank 0: %d\n", rank, got, value, sender == zero);
}

static void to_all(void)
{
    signal(SIGUSR1, count);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) kill(0, SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) killpg(getpgrp(), SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) kill(-1, SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: got %d\n", rank, got);
}

static void ignored(void)
{
    if (rank == 1) signal(SIGTERM, SIG_IGN);
    pid_t one = pid_of(1);
    if (rank == 0) printf("kill: %d\n", kill(one, SIGTERM));
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d goes on\n", rank);
}

static void blocked(void)
{
    sigset_t set;
    signal(SIGUSR1, count);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    tgkill(getpid(), gettid(), SIGUSR1);
    int before = got;
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("rank %d: %d before, %d after\n", rank, before, got);
}

/* Each rank's mask, and what waits for it to go, are its own, whoever runs meanwhile. */
static void masked(void)
{
    sigset_t set, before, waits;
    signal(SIGUSR1, count_alarms);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    sigpending(&waits);
    printf("rank %d: got %d, waits %d\n", rank, got, sigismember(&waits, SIGUSR1));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) sigprocmask(SIG_SETMASK, &before, NULL);
    printf("rank %d: then %d\n", rank, got);
}

/* Two ranks take turns by signals that they block but while they wait for one. */
static void in_turn(void)
{
    sigset_t set, none;
    signal(SIGUSR1, count_alarms);
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pid_t other = pid_of(1 - rank);
    for (int turn = 0; turn < 10; turn++) {
        if (rank == 0) kill(other, SIGUSR1);
        if (turn % 2)
            sigsuspend(&none);
        else
            sigwait(&set, &(int){0});
        if (rank == 1) kill(other, SIGUSR1);
    }
    printf("rank %d: %d were handled\n", rank, got / SIGUSR1);
    if (rank == 0) kill(other, SIGTERM);
    MPI_Barrier(MPI_COMM_WORLD);
    struct timespec brief = {.tv_nsec = 1000000};
    double begun = MPI_Wtime();
    int number = sigtimedwait(&set, NULL, &brief);
    printf("rank %d: %d after %d ms\n", rank, number, (int)((MPI_Wtime() - begun) * 1e3 + 0.5));
}

/* An alarm comes at its time, which is simulated: it ends a sleep, and a loop. */
static void in_time(void)
{
    signal(SIGALRM, count_alarms);
    if (rank == 1) alarm(2);
    double begun = MPI_Wtime();
    unsigned left = sleep(5);
    printf("rank %d: slept %.0f s, left %u, got %d\n", rank, MPI_Wtime() - begun, left, got);
    got = 0;
    begun = MPI_Wtime();
    struct itimerval often = {{0, 100}, {0, 300}}, before;
    if (rank == 0) setitimer(ITIMER_REAL, &often, NULL);
    while (rank == 0 && got < 3 * SIGALRM && MPI_Wtime() - begun < 1) continue;
    if (rank == 0) setitimer(ITIMER_REAL, &(struct itimerval){0}, &before);
    if (rank == 0) printf("after %.0f us\n", (MPI_Wtime() - begun) * 1e6);
    getitimer(ITIMER_REAL, &before);
    printf("rank %d: alarms %d, then none: %d\n", rank, got / SIGALRM,
           before.it_value.tv_sec == 0 && before.it_value.tv_usec == 0);
    /* at the latest when the host looks */
    volatile double *many = calloc(1 << 17, sizeof(double));
    const int before_it = got;
    alarm(1);
    for (unsigned i = 0; got == before_it; i++) many[i * 64 % (1 << 17)]++;
    alarm(3600); /* a watchdog that has nothing to do */
}

static void paused(void)
{
    signal(SIGUSR1, count);
    pid_t one = pid_of(1);
    if (rank == 0) usleep(5000), kill(one, SIGUSR1);
    if (rank == 1) {
        int code = pause(), why = errno;
        printf("pause: %d, %s, after 5 ms: %d\n", code, strerror(why), MPI_Wtime() >= 0.005);
    }
}

static void nobody(void)
{
    int none = kill(getpid() + ranks, SIGUSR1), why = errno;
    printf("rank %d: %d %s, %d\n", rank, none, strerror(why), kill(getpid(), 0));
}

static void to_a_child(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        for (;;) pause();
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    printf("rank %d: the child ends by %d\n", rank, WTERMSIG(status));
}

static void fatal(void)
{
    pid_t one = pid_of(1);
    if (rank == 0) kill(one, SIGTERM);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d goes on\n", rank);
}

/* Stores of the handler go into a window: others run meanwhile. */
static int *stored;

static void store(int number)
{
    (void)number;
    stored[got++] = rank;
}

static void into_a_window(void)
{
    MPI_Win win;
    int all[8], other = (rank + 1) % ranks;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &stored, &win);
    signal(SIGUSR1, store);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++) raise(SIGUSR1);
    MPI_Win_fence(0, win);
    MPI_Get(all, 8, MPI_INT, other, 0, 8, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    int theirs = 0;
    for (int i = 0; i < 8; i++) theirs += all[i] == other;
    printf("rank %d: got %d, stored by the next %d\n", rank, got, theirs);
}

/* The last rank's alarms of processor time come to whoever runs, and also when the run is over. */
static void alarmed(void)
{
    struct itimerval often = {{0, 200}, {0, 200}};
    if (rank == ranks - 1) {
        signal(SIGPROF, count_alarms);
        setitimer(ITIMER_PROF, &often, NULL);
    }
    volatile double sum = 0;
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < 2000; i++) sum += i;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("rank %d has alarms: %d\n", rank, got > 0);
}

static sigjmp_buf back;

static void again(int number)
{
    if (got++ == 0) {
        raise(number);
        printf("rank %d: %d in the handler\n", rank, got);
    }
    if (got == 3) siglongjmp(back, 1);
}

static void in_its_handler(void)
{
    signal(SIGUSR1, again);
    raise(SIGUSR1);
    printf("rank %d: %d after it\n", rank, got);
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
    raise(SIGUSR1);
    printf("rank %d: %d after it was left\n", rank, got);
}

/* By ways of another depth. */
static void out(int number) { siglongjmp(back, number); }
static void left_by_others(void)
{
    signal(SIGUSR1, out);
    volatile int times = 0;
    if (sigsetjmp(back, 1) == 0)
        raise(SIGUSR1);
    else
        times++;
    if (sigsetjmp(back, 1) == 0)
        kill(getpid(), SIGUSR1);
    else
        times++;
    printf("rank %d left its handler %d times\n", rank, times);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } test[] = {{"itself", to_itself},     {"another", to_another},     {"all", to_all},
                {"ignored", ignored},      {"blocked", blocked},        {"pause", paused},
                {"masked", masked},        {"turns", in_turn},          {"time", in_time},
                {"nobody", nobody},        {"child", to_a_child},       {"fatal", fatal},
                {"window", into_a_window}, {"handler", in_its_handler}, {"alarms", alarmed},
                {"left", left_by_others}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof test / sizeof *test; i++)
        if (argc > 1 && strcmp(argv[1], test[i].name) == 0) test[i].run();
    MPI_Finalize();
    return 0;
}
