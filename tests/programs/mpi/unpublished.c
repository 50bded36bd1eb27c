/* A get that reads memory before a store that the target made earlier has reached it: unpublished
 * HOW. "lock": rank 0 stores in its window outside any epoch; "published": between MPI_Win_lock and
 * unlock of itself, which publish it (MPI-2 11.7, rule 5); "later": after the get. Prints what rank
 * 1 got. */
#include "check.h"
#include "sidewinder.h"

static int memory[64];

int main(int argc, char **argv)
{
    MPI_Win win;
    int got[2] = {-1, -1};
    check_begin(&argc, &argv, 2);
    int publish = strcmp(argv[1], "published") == 0, later = strcmp(argv[1], "later") == 0;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 0) {
        if (later) sw_compute_seconds(1e-3);
        if (publish) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        memory[0] = 7; /* STORE */
        memory[1] = 8;
        if (publish) MPI_Win_unlock(0, win);
        sw_compute_seconds(1e-3);
    } else {
        sw_compute_seconds(4e-4);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(got, 2, MPI_INT, 0, 0, 2, MPI_INT, win); /* GET */
        MPI_Win_unlock(0, win);
        printf("got=%d\n", got[0]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    return check_end();
}
