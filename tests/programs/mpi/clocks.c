/* Loops that end when the clock says so: argument 1 names the clock, or the call that is repeated
 * until the clock has passed. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static double wtime(void) { return MPI_Wtime(); }
static double gettime(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double timeofday(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}
static double processor(void) { return (double)clock() / CLOCKS_PER_SEC; }
static double ticks(void)
{
    struct tms t;
    return (double)times(&t) / (double)sysconf(_SC_CLK_TCK);
}
static double usage(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

static MPI_Request request, none = MPI_REQUEST_NULL;
static int flag, number;

static void test(void) { MPI_Test(&request, &flag, MPI_STATUS_IGNORE); }
static void testall(void) { MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE); }
static void testany(void) { MPI_Testany(1, &request, &number, &flag, MPI_STATUS_IGNORE); }
static void testsome(void)
{
    MPI_Testsome(1, &request, &flag, &number, MPI_STATUSES_IGNORE);
    if (flag == MPI_UNDEFINED) flag = 0;
}
static void iprobe(void)
{
    MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (flag) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        double (*read)(void), length_s;
    } clocks[] = {{"MPI_Wtime", wtime, 1e-4},
                  {"clock_gettime", gettime, 1e-4},
                  {"gettimeofday", timeofday, 1e-4},
                  {"clock", processor, 1e-4},
                  {"times", ticks, 0.02},
                  {"getrusage", usage, 1e-4}};
    static const struct {
        const char *name;
        void (*once)(void);
    } calls[] = {{"MPI_Test", test},
                 {"MPI_Testall", testall},
                 {"MPI_Testany", testany},
                 {"MPI_Testsome", testsome},
                 {"MPI_Iprobe", iprobe}};
    int rank;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        if (strcmp(what, clocks[i].name) != 0) continue;
        double begin = clocks[i].read(), now;
        while ((now = clocks[i].read()) - begin < clocks[i].length_s) {
        }
        printf("%s: %d\n", what, now - begin >= clocks[i].length_s && now - begin < 0.04);
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(what, calls[i].name) != 0) continue;
        if (rank == 0) usleep(1000);
        if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 1 && calls[i].once != iprobe)
            MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        if (rank == 1) {
            while (!flag) calls[i].once();
            printf("%s: %d\n", what, MPI_Wtime() >= 0.001);
        }
    }
    if (strcmp(what, "tick") == 0) {
        double a = MPI_Wtime(), b = MPI_Wtime();
        if (rank == 0) printf("%d %g\n", b > a && b - a < 1e-6, MPI_Wtick());
    }
    if (strcmp(what, "still") == 0)
        for (int i = 0; i < 1000001; i++) MPI_Wait(&none, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (strcmp(what, "finalized") == 0) {
        double begin = gettime();
        while (gettime() - begin < 1e-5) sleep(1);
        begin = gettime();
        while (gettime() - begin < 1e-5) {
        }
        if (rank == 0) printf("ended\n");
    }
    return 0;
}
