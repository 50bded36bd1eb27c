/* Transpose of an n x n matrix spread by rows: one put per target rank, and the datatypes do the work. The
 * origin's type walks a block by columns, the target's by rows. What transpose*.c share: they differ in how the target knows its type. */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* begin: before the first put with that target datatype; end: after the last. NULL: nothing to do. */
static int transpose(int argc, char **argv, const char *program, int (*begin)(MPI_Datatype, MPI_Comm), int (*end)(MPI_Datatype, MPI_Comm))
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int n = argc > 1 ? atoi(argv[1]) : 16 * ranks;
    if (argc > 2 || n < 1 || n > 16384 || n % ranks != 0) {
        if (rank == 0) fprintf(stderr, "usage: %s [n, 16 x ranks; a multiple of the number of ranks]\n", program);
        MPI_Finalize();
        return 2;
    }
    int rows = n / ranks;      /* of each rank; blocks are rows x rows */
    double *a = malloc((size_t)rows * (size_t)n * sizeof *a), *b;
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)rows * n * (MPI_Aint)sizeof *b, sizeof *b, MPI_INFO_NULL, MPI_COMM_WORLD, &b, &win);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = (double)(rank * rows + i) * n + j, b[i * n + j] = -1;

    MPI_Datatype column, columns, block;
    MPI_Type_vector(rows, 1, n, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &columns);      /* the next column begins 8 bytes on */
    MPI_Type_vector(rows, rows, n, MPI_DOUBLE, &block);
    MPI_Type_commit(&columns);
    MPI_Type_commit(&block);
    if (begin) begin(block, MPI_COMM_WORLD);

    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    double clock = MPI_Wtime();
    for (int step = 0; step < ranks; step++) {
        int target = (rank + step) % ranks;      /* not everybody to the same target at once */
        MPI_Put(&a[target * rows], rows, columns, target, (MPI_Aint)rank * rows, 1, block, win);
    }
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
    double elapsed = MPI_Wtime() - clock;

    int wrong = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) wrong |= b[i * n + j] != (double)j * n + (rank * rows + i);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d x %d on %d ranks, %.3f us, %.2f MB/s per rank: %s\n", program, n, n, ranks, elapsed * 1e6,
               1e-6 * rows * n * (double)sizeof *a / elapsed, wrong ? "WRONG" : "ok");
    if (end) end(block, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Type_free(&columns);
    MPI_Type_free(&block);
    MPI_Win_free(&win);
    free(a);
    MPI_Finalize();
    return wrong;
}

#endif
