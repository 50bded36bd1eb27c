/* Sentences that a test program finds true or false. Plain MPI; a line of standard output each, by
 * rank 0. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_rank, check_ranks, check_failures;

static inline void check_begin(int *argc, char ***argv, int ranks_at_least)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &check_ranks);
    if (check_ranks < ranks_at_least) {
        if (check_rank == 0) fprintf(stderr, "at least %d ranks are needed\n", ranks_at_least);
        exit(2);
    }
}

/* Collective: is the sentence true at every rank? */
static inline void check(int truth, const char *sentence)
{
    int mine = truth ? check_ranks : check_rank, first; /* the first rank where it is false */
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == check_ranks) {
        if (check_rank == 0) printf("ok: %s\n", sentence);
    } else {
        check_failures++;
        if (check_rank == 0) printf("FAILED: %s (first at rank %d)\n", sentence, first);
    }
}

static inline int check_end(void)
{
    MPI_Finalize();
    return check_failures > 0;
}

#endif
