/* What a program can do by itself where caches are not coherent: flush and invalidate, by range and
 * whole. Prints the values seen. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>

static MPI_Win win;
static long *x;

static void put_from_0(long value)
{
    MPI_Barrier(MPI_COMM_WORLD);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static long get_at_0(void)
{
    long value;
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Get(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(1, win);
    return value;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &x, &win);
    *x = 0;
    MPI_Win_fence(0, win);
    long first = *x; /* now the line is in rank 1's cache */
    put_from_0(first + 1);
    if (rank == 1) printf("after a put: %ld\n", *x);
    if (rank == 1) sw_invalidate(x, sizeof *x);
    if (rank == 1) printf("after a put and sw_invalidate: %ld\n", *x);
    put_from_0(2);
    if (rank == 1) sw_invalidate_all();
    if (rank == 1) printf("after a put and sw_invalidate_all: %ld\n", *x);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) *x = 3;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("got after a store: %ld\n", get_at_0());
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) *x = 4;
    if (rank == 1) sw_flush(x, sizeof *x);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("got after a store and sw_flush: %ld\n", get_at_0());
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
