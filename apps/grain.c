/* Who does the work, and when: rank 0 has work of its own and computes in blocks of a grain,
 * looking at MPI once between two blocks; all others put or get a few bytes of its memory. Printed:
 * how long one operation takes when its origin waits for it at once, how much of it an origin that
 * computes meanwhile still sees, what servicing costs rank 0, and when all are done.
 *
 * spread: before each operation an origin idles for a random part of a grain, so that requests come
 * at any moment of a block. closed: it does not, and goes on as soon as it was answered, which may
 * be always at the same moment of a block. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { DONE_TAG = 1, LARGEST = 65536 };

static int rank, ranks;
static double cycles_of_us; /* of this machine's processor */
static MPI_Win win;
static unsigned char *window, buffer[LARGEST];

static void compute(double us) { sw_compute(us * cycles_of_us); }

static void look_at_the_clock(void)
{
    const double cycles = 1e6;
    double start = MPI_Wtime();
    sw_compute(cycles);
    cycles_of_us = cycles / ((MPI_Wtime() - start) * 1e6);
}

/* Rank 0: its work in blocks, and more of the same kind until every origin has finished. */
static double compute_in_blocks(double work, double grain, double *seconds_of_work)
{
    double start = MPI_Wtime(), blocks = 0, done = 0;
    *seconds_of_work = 0;
    for (int finished = 0; finished < ranks - 1 || done < work;) {
        compute(grain);
        done += grain, blocks++;
        if (*seconds_of_work == 0 && done >= work) *seconds_of_work = MPI_Wtime() - start;
        int flag = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, DONE_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (!flag) continue;
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, DONE_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        finished++;
    }
    return (MPI_Wtime() - start) / blocks;
}

static void operate(int get, int bytes)
{
    if (get)
        MPI_Get(buffer, bytes, MPI_BYTE, 0, 0, bytes, MPI_BYTE, win);
    else
        MPI_Put(buffer, bytes, MPI_BYTE, 0, (MPI_Aint)rank * bytes, bytes, MPI_BYTE, win);
}

/* An origin: half of its operations waited for at once, half behind computation of its own. Seconds
 * of one. */
static void issue(int get, int bytes, int operations, double think, double idle, double *latency,
                  double *seen)
{
    uint64_t seed = (uint64_t)rank;
    *latency = *seen = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i < operations; i++) {
        compute(idle * next_uniform(&seed));
        double start = MPI_Wtime();
        operate(get, bytes);
        if (i % 2) compute(think);
        double ready = MPI_Wtime();
        MPI_Win_flush(0, win);
        if (i % 2)
            *seen += MPI_Wtime() - ready;
        else
            *latency += MPI_Wtime() - start;
        if (i % 2 == 0) compute(think);
    }
    MPI_Win_unlock_all(win);
    *latency /= (operations + 1) / 2;
    *seen /= operations / 2;
}

int main(int argc, char **argv)
{
    int get = argc > 1 && strcmp(argv[1], "get") == 0,
        closed = argc > 2 && strcmp(argv[2], "closed") == 0;
    double grain = argc > 3 ? atof(argv[3]) : 50, work = argc > 6 ? atof(argv[6]) : 10000,
           think = argc > 7 ? atof(argv[7]) : 50;
    int operations = argc > 4 ? atoi(argv[4]) : 100, bytes = argc > 5 ? atoi(argv[5]) : 8;
    int words = argc < 2 || ((get || strcmp(argv[1], "put") == 0) &&
                             (argc < 3 || closed || strcmp(argv[2], "spread") == 0));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!words || argc > 8 || !(grain >= 0.01) || operations < 2 || bytes < 1 || bytes > LARGEST ||
        !(work >= 1) || !(think >= 0) || ranks < 2) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: grain [put|get] [spread|closed] [grain in us, 50] [operations of an "
                    "origin, 100, at least 2]\n"
                    "             [bytes, 8, at most %d] [us of rank 0's work, 10000] [us between "
                    "operations, 50]\n"
                    "  at least 2 ranks: rank 0 is the target, all others are origins\n",
                    LARGEST);
        MPI_Finalize();
        return 2;
    }
    MPI_Win_allocate(rank == 0 ? (MPI_Aint)ranks * bytes : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window, &win);
    if (rank == 0) memset(window, 0, (size_t)ranks * (size_t)bytes);
    memset(buffer, rank, (size_t)bytes);
    look_at_the_clock();
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    /* latency, seen, end */
    double start = MPI_Wtime(), mine[3] = {0, 0, 0}, all[3], block = 0, work_s = 0;
    if (rank == 0) {
        block = compute_in_blocks(work, grain, &work_s);
        mine[2] = work_s;
    } else {
        issue(get, bytes, operations, think, closed ? 0 : grain, &mine[0], &mine[1]);
        mine[2] = MPI_Wtime() - start;
        MPI_Send(NULL, 0, MPI_BYTE, 0, DONE_TAG, MPI_COMM_WORLD);
    }
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine[2], &all[2], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);

    int wrong = 0;
    if (rank == 0)
        for (int r = 1; r < ranks; r++)
            wrong |=
                window[r * bytes] != (get ? 0 : r) || window[(r + 1) * bytes - 1] != (get ? 0 : r);
    if (rank > 0 && get) wrong = buffer[0] != 0;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) {
        double latency = all[0] / (ranks - 1), seen = all[1] / (ranks - 1);
        printf("latency:  %.3f us\nseen:     %.3f us of it behind computation: overlap %.3f\n",
               latency * 1e6, seen * 1e6, 1 - seen / latency);
        printf("block:    %.3f us\nwork:     %.3f ms until rank 0 had done its own\n", block * 1e6,
               work_s * 1e3);
        printf("total:    %.3f ms\ngrain: every byte is right: %s\n", all[2] * 1e3,
               wrong ? "WRONG" : "ok");
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
