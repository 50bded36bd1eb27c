/* Every rank takes the lock of rank 0's window ROUNDS times, and computes under it for as long as
 * its number says: the last one holds it longest. With "apart", each takes its own. */
#include <mpi.h>
#include <sidewinder.h>
#include <string.h>

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, one = 1, ranks;
    long counter = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int target = strcmp(argv[1], "apart") == 0 ? rank : 0;
    MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win); /* fights */
        MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win);
        sw_compute_seconds(20e-6 * (1 + rank));
        MPI_Win_unlock(target, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win); /* shares */
    MPI_Win_unlock(target, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
