/* What runs when a rank exits may call MPI: at_exit before: MPI_Finalize comes in a handler;
 * at_exit after: it has been called. */
#include "check.h"

static int rank, first;

static void last(void)
{
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    printf("rank %d: initialized %d, finalized %d, %s\n", rank, initialized, finalized,
           first ? "in order" : "out of order");
    if (!finalized) {
        int sum = 0;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        printf("sum %d at %s\n", sum, MPI_Wtime() > 0 ? "a date" : "none");
        MPI_Finalize();
    }
}

static void before_it(void) { first = 1; }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(last);
    atexit(before_it);
    if (strcmp(argv[1], "after") == 0) MPI_Finalize();
    return 0;
}
