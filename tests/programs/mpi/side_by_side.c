/* Two processors of a node count in words of one line, and load the number of the word for each
 * count. Argument 1: how many rounds later rank 1 begins. Prints the nanoseconds of one count. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 1000 };
static int mine;

int main(int argc, char **argv)
{
    int ranks, unit;
    MPI_Aint bytes;
    MPI_Win win;
    volatile long *word;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate_shared(mine ? 0 : 4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &word);
    if (mine == 0) memset((void *)word, 0, 4096);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime(), longest;
    for (volatile int i = 0; i < mine * atoi(argv[1]); i++) continue;
    for (int i = 0; i < TIMES; i++) word[mine]++;
    took = MPI_Wtime() - took;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (mine == 0) printf("%.1f\n", 1e9 * longest / (TIMES * ranks));
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return argc != 2;
}
