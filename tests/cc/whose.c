/* Whose processor is it? Code that runs before main, in threads, in children, in handlers, in
 * callbacks and in plug-ins does what it says, and what is no rank's is not counted. */
#define _GNU_SOURCE
#include <mpi.h>
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200000 };
static int early[64], from_thread[N], handled[8], parallel[N];
static int rank;

static void check(const char *what, int yes)
{
    if (rank == 0) printf("%s %s\n", yes ? "ok:" : "FAILED:", what);
}

__attribute__((constructor)) static void begin(void)
{
    for (int i = 0; i < 64; i++) early[i] = 3 * i;
}

/* A resolver, and what it calls, run before the program's variables have their addresses. */
static int choice[2] = {7, 8};
static __attribute__((noinline)) int chosen(volatile int *which) { return choice[which[0]]; }
static int seven(int x) { return 7 * x; }
static int eight(int x) { return 8 * x; }
static int (*resolve(void))(int)
{
    volatile int zero[1] = {0};
    return chosen(zero) == 7 ? seven : eight;
}
int times(int x) __attribute__((ifunc("resolve")));

static void *work(void *to)
{
    int *p = to;
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < N; i++) p[i] = i + round;
    return NULL;
}

static void handle(int number)
{
    for (int i = 0; i < 8; i++) handled[i] += number;
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int sum = 0, ranks = 1, native = argc > 1 && strcmp(argv[1], "native") == 0;
    for (int i = 0; i < 64; i++) sum += early[i];
    if (!native) {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    }
    check("a constructor's stores stay", sum == 3 * 64 * 63 / 2);
    check("a resolver resolves", times(6) == 42);

    pthread_t thread;
    pthread_create(&thread, NULL, work, from_thread);
    static int own[1000];
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < 1000; i++) own[i] += i;
    pthread_join(thread, NULL);
    check("a thread stores", from_thread[N - 1] == N + 3 && own[999] == 50 * 999);

    long total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < N; i++) {
        parallel[i] = i;
        total += parallel[i];
    }
    check("a parallel region computes", total == (long)N * (N - 1) / 2);

    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 1000; i++) own[i] = i;
        _exit(own[999] == 999 ? 5 : 6);
    }
    int status;
    waitpid(child, &status, 0);
    check("a child stores", WIFEXITED(status) && WEXITSTATUS(status) == 5);
    check("and its parent sees none of it", own[999] == 50 * 999);

    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    check("a handler stores", handled[7] == SIGUSR1);

    int numbers[100];
    for (int i = 0; i < 100; i++) numbers[i] = i * 37 % 100;
    qsort(numbers, 100, sizeof numbers[0], by_value);
    check("a comparison is called back", numbers[42] == 42);

    if (!native) {
        MPI_Op op;
        int mine[3] = {rank, 1, 2}, all[3];
        MPI_Op_create(add, 1, &op);
        MPI_Allreduce(mine, all, 3, MPI_INT, op, MPI_COMM_WORLD);
        check("an operation is called back", all[0] == ranks * (ranks - 1) / 2 && all[1] == ranks);
        MPI_Op_free(&op);
    }

    void *plug = dlopen(argc > 2 ? argv[2] : "./plug.so", RTLD_NOW);
    int (*fill)(int *, int) = plug ? (int (*)(int *, int))dlsym(plug, "fill") : NULL;
    check("a plug-in stores", fill && fill(own, 1000) == 1000 && own[500] == 501);

    fesetround(FE_UPWARD);
    feraiseexcept(FE_INEXACT);
    errno = 77;
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < N; i += 8) parallel[i] = round;
    check("errno is left alone", errno == 77);
    check("so are rounding and flags", fegetround() == FE_UPWARD && fetestexcept(FE_INEXACT));
    fesetround(FE_TONEAREST);
    if (!native) MPI_Finalize();
    return 0;
}
