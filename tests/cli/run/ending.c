/* A program whose ranks end in the way its first argument says: without MPI_Finalize. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void last(void) { printf("last\n"), fflush(stdout); }
static void first(void) { printf("first\n"), fflush(stdout); }

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2) return 2;
    if (strcmp(argv[1], "return") == 0) return 0;
    if (strcmp(argv[1], "one") == 0 && rank == 1) return 0;
    if (strcmp(argv[1], "early") == 0) {
        if (rank == 1) return 0;
        if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(argv[1], "quick") == 0) {
        at_quick_exit(last);
        at_quick_exit(first);
        quick_exit(0);
    }
    if (strcmp(argv[1], "quick-after") == 0) {
        MPI_Finalize();
        quick_exit(7);
    }
    if (strcmp(argv[1], "fail") == 0) {
        sw_compute(rank == 1 ? 100 : 1000);
        printf("%d\n", rank);
        if (rank == 1) exit(5);
    }
    MPI_Finalize();
    return 0;
}
