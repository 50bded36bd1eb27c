/* All processors of a node change one word, or store to words of one line: argument 1 is how.
 * Prints the nanoseconds that one change takes, of all that are made. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 1000 };

static void change(const char *how, long *word, int rank)
{
    volatile long *mine = word + 8 + rank % 8;
    for (int i = 0; i < TIMES && strcmp(how, "store") == 0; i++) *mine = i;
    for (int i = 0; i < TIMES && strcmp(how, "store") != 0; i++) {
        long was = i;
        if (strcmp(how, "add") == 0) atomic_fetch_add((atomic_long *)word, 1);
        if (strcmp(how, "compare") == 0)
            while (!atomic_compare_exchange_strong((atomic_long *)word, &was, was + 1)) continue;
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, unit;
    MPI_Aint bytes;
    MPI_Win win;
    long *word;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate_shared(rank ? 0 : 4096, sizeof *word, MPI_INFO_NULL, MPI_COMM_WORLD, &word,
                            &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &word);
    MPI_Win_fence(0, win);
    double took = MPI_Wtime(), longest;
    change(argv[argc - 1], word, rank);
    took = MPI_Wtime() - took;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    const int changes = TIMES * ranks;
    if (rank == 0) printf("%.1f\n", 1e9 * longest / changes);
    if (rank == 0 && strcmp(argv[argc - 1], "store") != 0 && *word != changes)
        printf("%ld, not %d\n", *word, changes);
    MPI_Win_free(&win);
    MPI_Finalize();
    return argc != 2;
}
