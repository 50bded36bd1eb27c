/* What SHMALLOC shows on a machine: shmalloc_shows WHAT. Prints NAME=VALUE lines (shmalloc_test.sh
 * reads them). Two ranks or more. */
#include "check.h"
#include "shmalloc.h"
#include "sidewinder.h"

#define WORLD MPI_COMM_WORLD
static MPI_Comm comm;
static volatile long *cell;

static double us(double since) { return (MPI_Wtime() - since) * 1e6; }

/* A cell in the cache, a put to it, another communicator's barrier; then the get/put
 * communicator's. */
static void stale(void)
{
    long one = 1, before = 0, after_world = 0, after_copy = 0, after_own = 0;
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    if (check_rank == 1) before = cell[0];
    MPI_Barrier(WORLD);
    if (check_rank == 0) SHM_Put(&one, 1, MPI_LONG, 0, 1, comm); /* PUT */
    MPI_Barrier(WORLD);
    MPI_Barrier(WORLD);
    if (check_rank == 1) after_world = cell[0]; /* LOAD */
    MPI_Barrier(copy);
    if (check_rank == 1) after_copy = cell[0];
    MPI_Barrier(comm);
    if (check_rank == 1) {
        after_own = cell[0];
        printf("before=%ld\nafter_world=%ld\nafter_copy=%ld\nafter_own=%ld\n", before, after_world,
               after_copy, after_own);
    }
}

/* Operations to a rank that computes for 2 ms, and to others meanwhile. */
static void busy(void)
{
    long value = 5, back = 0;
    double start = MPI_Wtime(), cycles = atof(getenv("CYCLES"));
    MPI_Barrier(WORLD);
    if (check_rank == 1) {
        start = MPI_Wtime();
        sw_compute(cycles);
        printf("computed_us=%.3f\n", us(start));
    }
    if (check_rank == 0) {
        start = MPI_Wtime();
        SHM_Put(&value, 1, MPI_LONG, 8, 1, comm);
        printf("put_us=%.3f\n", us(start));
        start = MPI_Wtime();
        SHM_Put(&value, 1, MPI_LONG, 8, 2, comm);
        printf("put_elsewhere_us=%.3f\n", us(start));
        start = MPI_Wtime();
        SHM_Get(&back, 1, MPI_LONG, 8, 1, comm);
        printf("get_us=%.3f\nback=%ld\n", us(start), back);
    }
    MPI_Barrier(comm);
}

/* Puts that nobody waits for, at the end of the program. */
static void unfinished(void)
{
    static char big[100000];
    MPI_Barrier(WORLD);
    if (check_rank == 0) SHM_Put(big, sizeof big, MPI_BYTE, 0, 1, comm);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    void *window;
    check_begin(&argc, &argv, 2);
    SHM_Shmalloc(&window, 100000, WORLD, &comm);
    cell = window;
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "stale") == 0) stale();
    if (strcmp(what, "busy") == 0) busy();
    if (strcmp(what, "unfinished") == 0) return unfinished(), 0;
    MPI_Finalize();
    return 0;
}
