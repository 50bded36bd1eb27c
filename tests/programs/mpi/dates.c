/* Puts and stores late in simulated time: dates SECONDS: everybody waits so long, then 20 rounds.
 * Negative: computes so long instead, four times. */
#include "check.h"
#include "sidewinder.h"

#include <unistd.h>

static volatile int memory[16];

static void late(double seconds)
{
    for (int i = 0; seconds < 0 && i < 4; i++) sw_compute_seconds(-seconds);
    if (seconds > 0) sleep((unsigned)seconds);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int right = 1;
    check_begin(&argc, &argv, 2);
    late(atof(argv[1]));
    MPI_Win_create((void *)memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    for (int i = 1; i <= 20; i++) {
        MPI_Win_fence(0, win);
        if (check_rank == 0) MPI_Put(&i, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        memory[8] = i;
        MPI_Win_fence(0, win);
        right &= (check_rank == 0 || memory[0] == i) && memory[8] == i;
        if (check_rank == 1) MPI_Put(&i, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        right &= check_rank == 1 || memory[1] == i;
    }
    check(right, "late puts and stores have their values");
    MPI_Win_free(&win);
    return check_end();
}
