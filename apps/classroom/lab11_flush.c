/* Lab 11: rank 0 puts a table into rank 1's window and then a flag; rank 1 waits for the flag and
 * gets the table from its own window. One word chooses what rank 0 does between the two: nothing,
 * local (MPI_Win_flush_local) or flush (MPI_Win_flush); the second is the table's length. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRITER, READER };            /* ranks */
enum { FLAG_AT = 0, TABLE_AT = 1 }; /* places in rank 1's window */

static MPI_Win win;

static void write_table(const char *how, const int *table, int n)
{
    int one = 1;
    MPI_Put(table, n, MPI_INT, READER, TABLE_AT, n, MPI_INT, win);
    if (strcmp(how, "local") == 0) MPI_Win_flush_local(READER, win);
    if (strcmp(how, "flush") == 0) MPI_Win_flush(READER, win);
    MPI_Accumulate(&one, 1, MPI_INT, READER, FLAG_AT, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(READER, win);
}

static void read_table(const char *how, int *table, int n)
{
    int flag, ones = 0;
    do {
        MPI_Fetch_and_op(NULL, &flag, MPI_INT, READER, FLAG_AT, MPI_NO_OP, win);
        MPI_Win_flush(READER, win);
    } while (!flag);
    MPI_Get(table, n, MPI_INT, READER, TABLE_AT, n, MPI_INT, win);
    MPI_Win_flush(READER, win);
    for (int i = 0; i < n; i++) ones += table[i];
    printf("%s: the flag is there, and %d of %d numbers\n", how, ones, n);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "nothing";
    int rank, n = argc > 2 ? atoi(argv[2]) : 1000;
    int *window, *table = malloc((size_t)n * sizeof *table);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate((n + 1) * (MPI_Aint)sizeof *window, sizeof *window, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win); /* one epoch for the whole program */
    for (int i = 0; i <= n; i++) window[i] = 0;
    for (int i = 0; i < n; i++) table[i] = 1;
    MPI_Win_sync(win); /* the zeros are in the public copy */
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == WRITER) write_table(how, table, n);
    if (rank == READER) read_table(how, table, n);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    free(table);
    return 0;
}
