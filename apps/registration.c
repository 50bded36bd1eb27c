/* What a put costs whose target datatype is described with each operation, or remembered by the
 * target (register.cache), and what it costs when the datatype is registered.
 *
 * Every rank puts into its right neighbour's window, 8 times to places of their own between two
 * fences, twice; the second time counts. The target's datatype arranges `bytes` bytes in `blocks`
 * equal blocks: a vector (evenly spaced), an indexed (unevenly), or a struct of two vectors
 * (nested). */
#include "type_register.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUTS = 8 };
static int blocks, each; /* longs in a block */

static int place(int block) { return block * (each + 2) + block % 2; } /* of an indexed's block */

static MPI_Datatype vector(int count)
{
    MPI_Datatype type;
    MPI_Type_vector(count, each, each + 1, MPI_LONG, &type);
    return type;
}

static MPI_Datatype indexed(void)
{
    MPI_Datatype type;
    int *lengths = malloc((size_t)blocks * sizeof *lengths),
        *at = malloc((size_t)blocks * sizeof *at);
    for (int i = 0; i < blocks; i++) lengths[i] = each, at[i] = place(i);
    MPI_Type_indexed(blocks, lengths, at, MPI_LONG, &type);
    free(lengths);
    free(at);
    return type;
}

/* A struct of two vectors: constructors within constructors. */
static MPI_Datatype nested(void)
{
    MPI_Datatype part[2] = {vector(blocks - blocks / 2), vector(blocks / 2)}, type;
    int lengths[2] = {1, 1};
    MPI_Aint at[2] = {0, (MPI_Aint)(blocks - blocks / 2) * (each + 1) * (MPI_Aint)sizeof(long)};
    MPI_Type_create_struct(blocks > 1 ? 2 : 1, lengths, at, part, &type);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&part[1]);
    return type;
}

static int rank, ranks, bytes;
static MPI_Aint cells; /* of one put */
static long *sent;
static MPI_Win win;

/* Seconds of one put, at the slowest rank. */
static double put_time(MPI_Datatype type)
{
    double elapsed = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    /* the first finds caches empty, and descriptions not remembered */
    for (int round = 0; round < 2; round++) {
        double begin = MPI_Wtime();
        for (int i = 0; i < PUTS; i++)
            MPI_Put(sent, bytes / 8, MPI_LONG, (rank + 1) % ranks, i * cells, 1, type, win);
        MPI_Win_fence(round ? MPI_MODE_NOSUCCEED : 0, win);
        elapsed = (MPI_Wtime() - begin) / PUTS;
    }
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return elapsed;
}

static double register_time(MPI_Datatype type)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Type_register(type, MPI_COMM_WORLD);
    double elapsed = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return elapsed;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *shape = argc > 1 ? argv[1] : "vector";
    int even = strcmp(shape, "vector") == 0 || strcmp(shape, "nested") == 0;
    blocks = argc > 2 ? atoi(argv[2]) : 16;
    bytes = argc > 3 ? atoi(argv[3]) : 1024;
    if ((!even && strcmp(shape, "indexed") != 0) || argc > 4 || blocks < 1 || blocks > 65536 ||
        bytes < 8 || bytes > 1 << 24 || bytes % (8 * blocks) != 0) {
        if (rank == 0)
            fprintf(stderr, "usage: registration [vector|indexed|nested] [blocks, 16] [bytes, "
                            "1024; a multiple of 8 x blocks]\n");
        MPI_Finalize();
        return 2;
    }
    each = bytes / 8 / blocks;
    cells = (MPI_Aint)blocks * (each + 2) + 2;
    long *cell;
    sent = malloc((size_t)bytes);
    MPI_Win_allocate(PUTS * cells * (MPI_Aint)sizeof *cell, sizeof *cell, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &cell, &win);
    for (int i = 0; i < bytes / 8; i++) sent[i] = 1000L * rank + i;
    memset(cell, 0, PUTS * (size_t)cells * sizeof *cell);

    MPI_Datatype type = strcmp(shape, "vector") == 0 ? vector(blocks) : even ? nested() : indexed();
    MPI_Type_commit(&type);
    double described_s = put_time(type), register_s = register_time(type),
           registered_s = put_time(type);

    double saved_us = (double)(lround(described_s * 1e9) - lround(registered_s * 1e9)) / 1e3;
    int wrong = 0, from = (rank + ranks - 1) % ranks;
    for (int put = 0; put < PUTS; put++)
        for (int b = 0, i = 0; b < blocks; b++)
            for (int k = 0; k < each; k++, i++)
                wrong |=
                    cell[put * cells + (even ? b * (each + 1) : place(b)) + k] != 1000L * from + i;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0)
        printf("registration %s of %d blocks, %d bytes: a put takes %.3f us described, %.3f us "
               "registered, saves %.3f us; registering took %.3f us: %s\n",
               shape, blocks, bytes, described_s * 1e6, registered_s * 1e6, saved_us,
               register_s * 1e6, wrong ? "WRONG" : "ok");
    MPI_Type_dereg(type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
    free(sent);
    MPI_Finalize();
    return wrong;
}
