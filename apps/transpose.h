/* Transpose of an n x n matrix spread by rows: every rank sends every rank one block, and the
 * datatypes do the work. The origin's type walks a block by columns, the target's by rows. What
 * every interface's version shares, so that transpose*.c differ in nothing but how blocks travel.
 */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, n, rows; /* rows of each rank; blocks are rows x rows */
/* this rank's rows of the matrix, and of its transpose */
static double *a, *b;
/* one of the origin's, `rows` of them make a block; a block at the target */
static MPI_Datatype columns, block;

struct transpose_interface {
    const char *name;
    /* sets b, where others can write it; the datatypes are there */
    void (*allocate)(MPI_Aint bytes);
    void (*begin)(void); /* b has its first values; NULL: nothing to do */
    /* puts all blocks; when it returns, this rank may load b */
    void (*exchange)(void);
    void (*release)(void);
};

/* Where the block for that rank begins in a; where this rank's begins in b, in numbers. */
static double *block_for(int target) { return &a[target * rows]; }
static inline MPI_Aint block_at(void) { return (MPI_Aint)rank * rows; }

static int run(const struct transpose_interface *with)
{
    MPI_Datatype column;
    MPI_Type_vector(rows, 1, n, MPI_DOUBLE, &column);
    /* the next column begins 8 bytes on */
    MPI_Type_create_resized(column, 0, sizeof(double), &columns);
    MPI_Type_vector(rows, rows, n, MPI_DOUBLE, &block);
    MPI_Type_commit(&columns);
    MPI_Type_commit(&block);
    a = malloc((size_t)rows * (size_t)n * sizeof *a);
    with->allocate((MPI_Aint)rows * n * (MPI_Aint)sizeof *b);
    /* one after the other: where pages lie in the caches depends on who is first */
    for (int i = 0; i < rows * n; i++) b[i] = -1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = (double)(rank * rows + i) * n + j;

    if (with->begin) with->begin();
    double start = MPI_Wtime();
    with->exchange();
    double elapsed = MPI_Wtime() - start;

    int wrong = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) wrong |= b[i * n + j] != (double)j * n + (rank * rows + i);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d x %d on %d ranks, %.3f us, %.2f MB/s per rank: %s\n", with->name, n, n,
               ranks, elapsed * 1e6, 1e-6 * rows * n * (double)sizeof *a / elapsed,
               wrong ? "WRONG" : "ok");
    with->release();
    MPI_Type_free(&column);
    MPI_Type_free(&columns);
    MPI_Type_free(&block);
    free(a);
    return wrong;
}

/* The whole program but for its interface. */
static int transpose(int argc, char **argv, const struct transpose_interface *with)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    n = argc > 1 ? atoi(argv[1]) : 16 * ranks;
    int code = 2;
    if (argc <= 2 && n > 0 && n <= 16384 && n % ranks == 0) {
        rows = n / ranks;
        code = run(with);
    } else if (rank == 0)
        fprintf(stderr, "usage: %s [n, 16 x ranks; a multiple of the number of ranks]\n",
                with->name);
    MPI_Finalize();
    return code;
}

#endif
