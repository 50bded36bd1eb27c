/* Loads what lies in memory that neither the program nor its heap holds: attributes of windows, and
 * variables of threads. A direct-mapped cache of 8 KiB is used up between. */
#include <mpi.h>
#include <stdio.h>

static _Thread_local int counted[40];
static int table[3000];

int main(int argc, char **argv)
{
    int rank, *unit, *model, found, sum = 0;
    MPI_Aint *size, bytes;
    void *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bytes = 64 * (rank + 1);
    MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &found);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &found);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &found);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 3000; i++) table[i] += i * rank;
        for (int i = 0; i < 40; i++) counted[i] += table[i * 7] + *unit + *model + (int)*size;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < 40; i++) sum += counted[i];
    MPI_Win_free(&win);
    printf("%d %d\n", rank, sum);
    MPI_Finalize();
    return 0;
}
