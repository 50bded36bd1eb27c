/* A histogram spread over all ranks, filled by random remote increments: the pattern of GUPS and of
 * hash tables. What every interface's version shares, so that histogram*.c differ in nothing but
 * how an increment reaches its bin. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static int rank, ranks, updates, bins; /* of each rank */

struct histogram_interface {
    const char *name;
    long *(*allocate)(void); /* this rank's bins, all 0 */
    /* before the first increment; NULL: nothing to do */
    void (*begin)(void);
    void (*increment)(int owner, long bin); /* may be on its way afterwards */
    /* every increment of every rank is in its bin, for loads too */
    void (*finish)(void);
    void (*release)(void);
};

static int run(const struct histogram_interface *with)
{
    long *bin = with->allocate();
    uint64_t seed = (uint64_t)rank + 1;
    long sent[2] = {0, 0}, found[2] = {0, 0}; /* how many, and the sum of their bin numbers */
    if (with->begin) with->begin();
    double start = MPI_Wtime();
    for (int i = 0; i < updates; i++) {
        long where = (long)(next_random(&seed) % ((uint64_t)ranks * (uint64_t)bins));
        with->increment((int)(where / bins), where % bins);
        sent[0]++, sent[1] += where;
    }
    with->finish();
    double elapsed = MPI_Wtime() - start;

    for (int i = 0; i < bins; i++) found[0] += bin[i], found[1] += bin[i] * ((long)rank * bins + i);
    MPI_Allreduce(MPI_IN_PLACE, sent, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    int wrong = sent[0] != found[0] || sent[1] != found[1];
    if (rank == 0)
        printf("%s: %ld of %ld updates found, %.3f us each at every rank: %s\n", with->name,
               found[0], sent[0], elapsed / updates * 1e6, wrong ? "WRONG" : "ok");
    with->release();
    return wrong;
}

/* The whole program but for its interface. */
static int histogram(int argc, char **argv, const struct histogram_interface *with)
{
    updates = argc > 1 ? atoi(argv[1]) : 500, bins = argc > 2 ? atoi(argv[2]) : 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int code = 2;
    if (argc <= 3 && updates > 0 && bins > 0)
        code = run(with);
    else if (rank == 0)
        fprintf(stderr, "usage: %s [updates per rank, 500] [bins per rank, 64]\n", with->name);
    MPI_Finalize();
    return code;
}

#endif
