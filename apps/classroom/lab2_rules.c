/* Lab 2: the visibility rules of MPI-2 (section 11.7), as its examples 11.11 to 11.15 show them.
 * Rank 0 is process A, rank 1 is process B. X and Y are 0 at first, and their owner's cache holds
 * them. The first word chooses the example. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { A, B, X_AT = 32, Y_AT = 72 }; /* far apart: never in one cache line */
static long *window, got = -1, gotten = -1;
static const long one = 1;
static MPI_Win win;
#define X window[X_AT]
#define Y window[Y_AT]

static void lock(int target) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win); }
static void unlock(int target) { MPI_Win_unlock(target, win); }
static void put_x(void) { MPI_Put(&one, 1, MPI_LONG, B, X_AT, 1, MPI_LONG, win); }
static void get(long *into, int target, int at)
{
    MPI_Get(into, 1, MPI_LONG, target, at, 1, MPI_LONG, win);
}

int main(int argc, char **argv)
{
    const char *example = argc > 1 ? argv[1] : "11.12";
    int rank;
    MPI_Group world, a, b, both;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){A}, &a);
    MPI_Group_incl(world, 1, (int[]){B}, &b);
    MPI_Group_incl(world, 2, (int[]){A, B}, &both);
    MPI_Win_allocate((Y_AT + 1) * sizeof X, sizeof X, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    X = Y = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);
    if (X + Y != 0) printf("unexpected\n"); /* loads both: now they are in the cache */
    MPI_Barrier(MPI_COMM_WORLD);

    if (strcmp(example, "11.11") == 0) {
        if (rank == B) lock(B), X = 1, unlock(B); /* a store between lock and unlock */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == A)
            lock(B), get(&got, B, X_AT), unlock(B), printf("11.11: A gets X = %ld\n", got);
    } else if (strcmp(example, "11.12") == 0) {
        if (rank == A) lock(B), put_x(), unlock(B);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == B) printf("11.12: B loads X = %ld without a lock\n", X);
        if (rank == B) lock(B), printf("11.12: B loads X = %ld inside its lock\n", X), unlock(B);
    } else if (strcmp(example, "11.13") == 0) {
        if (rank == B) X = 1, MPI_Win_lock(MPI_LOCK_SHARED, B, 0, win); /* before the lock */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == A)
            MPI_Win_lock(MPI_LOCK_SHARED, B, 0, win), get(&got, B, X_AT), unlock(B),
                printf("11.13: A gets X = %ld\n", got);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == B) unlock(B);
    } else if (strcmp(example, "11.14") == 0) {
        if (rank == A) Y = 1, MPI_Win_post(both, 0, win);
        MPI_Win_start(a, 0, win);
        if (rank == A) X = 1;
        MPI_Win_complete(win);
        if (rank == A) MPI_Win_wait(win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == B)
            lock(A), get(&got, A, X_AT), get(&gotten, A, Y_AT), unlock(A),
                printf("11.14: B gets X = %ld, Y = %ld\n", got, gotten);
    } else if (strcmp(example, "11.15") == 0) {
        if (rank == A) lock(B), put_x(), unlock(B);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == B)
            MPI_Win_post(a, 0, win), printf("11.15: B loads X = %ld after its post\n", X);
        if (rank == A) MPI_Win_start(b, 0, win), MPI_Win_complete(win);
        if (rank == B) MPI_Win_wait(win), printf("11.15: B loads X = %ld after its wait\n", X);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
