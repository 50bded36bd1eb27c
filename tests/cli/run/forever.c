/* Waits for a flag that never comes, with a put to the other rank each time; says each 1,000. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, *base, one = 1, puts = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    printf("begun\n");
    fflush(stdout);
    while (*base < 2) {
        MPI_Put(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
        MPI_Win_flush(1 - rank, win); /* forever */
        if (++puts % 1000 == 0) printf("more\n"), fflush(stdout);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
