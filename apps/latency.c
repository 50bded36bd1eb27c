/* Latency of single operations on a word: rank 0 puts, gets or adds and waits until that is done,
 * while rank 1 waits in a barrier; beside them a ball of 8 bytes thrown with ordinary messages,
 * there and back. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum operation { PUT, GET, FETCH_AND_OP, OPERATIONS };
static const char *const name[OPERATIONS] = {"put", "get", "fetch_and_op"};

/* Seconds for one operation and its flush; the value fetched, if any, must be the one expected. */
static double measure(enum operation which, int repeats, MPI_Win win, int *wrong)
{
    double elapsed = 0;
    for (int i = -1; i < repeats; i++) { /* the first warms up */
        long value = 1000 + i, found = -1, one = 1;
        double start = MPI_Wtime();
        switch (which) {
        case PUT: MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win); break;
        case GET: MPI_Get(&found, 1, MPI_LONG, 1, 1, 1, MPI_LONG, win); break;
        default: MPI_Fetch_and_op(&one, &found, MPI_LONG, 1, 2, MPI_SUM, win);
        }
        MPI_Win_flush(1, win);
        if (i >= 0) elapsed += MPI_Wtime() - start;
        if (which == GET) *wrong |= found != 7;
        if (which == FETCH_AND_OP) *wrong |= found != i + 1;
    }
    return elapsed / repeats;
}

static double throw_ball(int rank, int repeats)
{
    long ball = rank;
    double start = 0;
    for (int i = -1; i < repeats; i++) {
        if (i == 0) start = MPI_Wtime();
        if (rank == 0) MPI_Send(&ball, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&ball, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(&ball, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / repeats;
}

int main(int argc, char **argv)
{
    int rank, ranks, repeats = argc > 1 ? atoi(argv[1]) : 20, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 2 || repeats < 1 || ranks != 2) {
        if (rank == 0) fprintf(stderr, "usage: latency [repeats, 20]    (2 ranks)\n");
        MPI_Finalize();
        return 2;
    }
    long *words;
    MPI_Win win;
    MPI_Win_allocate(3 * (MPI_Aint)sizeof *words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &words, &win);
    words[0] = 0, words[1] = 7, words[2] = 0;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int o = 0; rank == 0 && o < OPERATIONS; o++)
        printf("%-14s %10.3f us\n", name[o], measure(o, repeats, win, &wrong) * 1e6);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win); /* on a machine without coherence rank 1 would still see zeros */
    if (rank == 1) wrong |= words[0] != 1000 + repeats - 1 || words[2] != repeats + 1;
    MPI_Win_unlock_all(win);
    double ball = throw_ball(rank, repeats);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-14s %10.3f us\nlatency: every value is right: %s\n", "send and recv", ball * 1e6,
               wrong ? "WRONG" : "ok");
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
