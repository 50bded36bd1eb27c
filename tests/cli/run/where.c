/* Programs whose first question has a known answer: which line, which rank, whose lock? */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 18 };
double near[64], far[N]; /* not static: their values are nobody's to guess */
static volatile double sum;

/* A loop whose loads hit and one whose loads miss. */
static void loops(void)
{
    double s = 0;
    for (int i = 0; i < N / 8; i++) s += near[i % 64];
    for (int i = 0; i < N; i += 8) s += far[i]; /* the bad loop */
    sum = s;
}

/* Registers only. */
static void divide(void)
{
    double s = 3;
    for (int i = 1; i < 100000; i++) s = s / 1.0001 + i;
    sum = s;
}

static void add(void)
{
    double s = 3;
    for (int i = 1; i < 100000; i++) s = s * 1.0001 + i;
    sum = s;
}

/* As many rounds, and what each divides the next one needs. */
static void remainders(void)
{
    unsigned long s = 3;
    for (unsigned long i = 1; i < 100000; i++) s = s * 31 % (i + 7);
    sum = (double)s;
}

/* Everybody wants rank 0's part of the window. */
static void lock(MPI_Win win)
{
    int one = 1;
    for (int i = 0; i < 20; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); /* the lock */
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(0, win);
    }
}

/* Rank 0 computes while the others put to it. */
static void put(int rank, MPI_Win win)
{
    int one = 1;
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* the request */
        MPI_Put(&one, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    if (rank == 0) divide();
    MPI_Barrier(MPI_COMM_WORLD); /* the barrier */
}

/* Rank 1 posts late. */
static void post(int rank, MPI_Win win)
{
    int one = 1, other = 1 - rank;
    MPI_Group all, peer;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (rank > 1) return;
    MPI_Group_incl(all, 1, &other, &peer);
    if (rank == 1) {
        divide();
        MPI_Win_post(peer, 0, win); /* the post */
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(peer, 0, win); /* the start */
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
}

/* Rank 1 comes late. */
static void late(int rank, MPI_Win win)
{
    for (int i = 0; i < 3; i++) {
        if (rank == 1) loops();
        MPI_Win_fence(0, win); /* the fence */
    }
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, *base;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (strcmp(argv[1], "loops") == 0) loops();
    if (strcmp(argv[1], "divide") == 0) divide();
    if (strcmp(argv[1], "add") == 0) add();
    if (strcmp(argv[1], "remainders") == 0) remainders();
    if (strcmp(argv[1], "late") == 0) late(rank, win);
    if (strcmp(argv[1], "put") == 0) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        put(rank, win);
    }
    if (strcmp(argv[1], "post") == 0) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        post(rank, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (strcmp(argv[1], "lock") == 0) lock(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
