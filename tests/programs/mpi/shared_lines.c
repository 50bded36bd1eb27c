/* What it costs to load 64 lines that another processor has just stored: nanoseconds, the first and
 * the second time. 2 ranks. */
#include <mpi.h>
#include <stdio.h>

enum { LINES = 64, LINE = 64 };

static double look(const volatile char *from)
{
    double begin = MPI_Wtime();
    for (int i = 0; i < LINES; i++) (void)from[i * LINE];
    return MPI_Wtime() - begin;
}

int main(int argc, char **argv)
{
    int rank, unit;
    volatile char *mine, *theirs;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(LINES * LINE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    for (int i = 0; i < LINES; i++) mine[i * LINE] = 1;
    MPI_Win_shared_query(win, 0, &bytes, &unit, &theirs);
    MPI_Win_fence(0, win);
    if (rank == 1) {
        double first = look(theirs), second = look(theirs);
        printf("first %.0f\nsecond %.0f\n", first * 1e9, second * 1e9);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
