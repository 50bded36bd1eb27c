/* A histogram spread over all ranks, filled by random remote increments: the pattern of GUPS and of hash tables. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* splitmix64, Steele et al., OOPSLA 2014 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int main(int argc, char **argv)
{
    int rank, ranks, updates = argc > 1 ? atoi(argv[1]) : 500, bins = argc > 2 ? atoi(argv[2]) : 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 3 || updates < 0 || bins < 1 || (argc > 1 && updates == 0)) {
        if (rank == 0) fprintf(stderr, "usage: histogram [updates per rank, 500] [bins per rank, 64]\n");
        MPI_Finalize();
        return 2;
    }
    long *bin;
    MPI_Win win;
    MPI_Win_allocate(bins * (MPI_Aint)sizeof *bin, sizeof *bin, MPI_INFO_NULL, MPI_COMM_WORLD, &bin, &win);
    for (int i = 0; i < bins; i++) bin[i] = 0;

    uint64_t seed = (uint64_t)rank + 1;
    const long one = 1;
    long sent[2] = {0, 0}, found[2] = {0, 0};      /* how many, and the sum of their bin numbers */
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    double start = MPI_Wtime();
    for (int i = 0; i < updates; i++) {
        long where = (long)(next_random(&seed) % ((uint64_t)ranks * (uint64_t)bins));
        MPI_Accumulate(&one, 1, MPI_LONG, (int)(where / bins), where % bins, 1, MPI_LONG, MPI_SUM, win);
        sent[0]++, sent[1] += where;
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    double elapsed = MPI_Wtime() - start;

    for (int i = 0; i < bins; i++) found[0] += bin[i], found[1] += bin[i] * ((long)rank * bins + i);
    MPI_Allreduce(MPI_IN_PLACE, sent, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    int wrong = sent[0] != found[0] || sent[1] != found[1];
    if (rank == 0)
        printf("histogram: %ld of %ld updates found, %.3f us each at every rank: %s\n", found[0], sent[0],
               elapsed / updates * 1e6, wrong ? "WRONG" : "ok");
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
