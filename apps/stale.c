/* Rank 0 puts 1 into rank 1's x; what does rank 1 load? (Example 11.12 of MPI-2: after the barrier
 * the put is complete, yet rank 1 need not see it before it has locked its own window.) */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, x = 0, one = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) printf("before the put:        x = %d\n", x);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        printf("put done, and barrier: x = %d\n", x);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        printf("own window locked:     x = %d  %s\n", x, x == 1 ? "ok" : "WRONG");
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && x != 1;
}
