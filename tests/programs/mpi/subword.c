/* Bytes of one word where a store of a byte writes the word (cpu.subword=rmw8): subword WHO. Each
 * way is legal: of memory that is no window, MPI says nothing; of a window it says (MPI-2 11.7, in
 * MPI-4.1 12.7): "a local update in process memory to a location in a window must not start once a
 * put or accumulate update to that target window has started", and "if a location is updated by a
 * put or accumulate operation, then this location cannot be accessed by a load or an RMA operation
 * other than accumulate until the updating operation has completed". So what no call may lose:
 * "beside": rank 0 stores private bytes beside its window while rank 1 puts into it; "windows": it
 * stores into one window while rank 1 puts into another of the same word; "origins": ranks 1 and 2
 * put to different bytes; "passive": as beside, under locks, and the window is freed without
 * another call of rank 0. Prints how many of whose bytes were lost. */
#include "check.h"
#include "sidewinder.h"

enum { ROUNDS = 300 };

static _Alignas(64) struct {
    volatile unsigned char left[2], window[4], right[2];
} at;

static int put_lost, own_lost;

/* Rank 0 stores right and left of the window, now and then. */
static void store(int round, volatile unsigned char *right)
{
    for (int i = 0; i < 4; i++) {
        sw_compute(round * 11 % 170);
        at.left[1] = (unsigned char)(round + i);   /* LEFT */
        right[0] = (unsigned char)(2 * round + i); /* RIGHT */
    }
}

static void count(int round, const volatile unsigned char *put, int bytes,
                  const volatile unsigned char *right)
{
    for (int i = 0; i < bytes; i++) put_lost += put[i] != (unsigned char)(round % 255 + 1);
    own_lost += at.left[1] != (unsigned char)(round + 3);
    own_lost += right[0] != (unsigned char)(2 * round + 3);
}

static void put(int round, int bytes, int offset, MPI_Win win)
{
    static unsigned char mine[4];
    memset(mine, round % 255 + 1, sizeof mine);
    sw_compute(round * (7 + 4 * check_rank) % 190);
    MPI_Put(mine, bytes, MPI_BYTE, 0, offset, bytes, MPI_BYTE, win); /* PUT */
}

static void with_fences(const char *who)
{
    int windows = strcmp(who, "windows") == 0, origins = strcmp(who, "origins") == 0;
    volatile unsigned char *right = windows ? at.window + 2 : at.right;
    int bytes = windows || origins ? 2 : 4;
    MPI_Win win, other;
    MPI_Win_create((void *)at.window, windows ? 2 : 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create((void *)(at.window + 2), windows ? 2 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &other);
    for (int round = 1; round <= ROUNDS; round++) {
        MPI_Win_fence(0, win);
        MPI_Win_fence(0, other);
        if (check_rank == 0 && !origins) store(round, right);
        if (check_rank == 1) put(round, bytes, 0, win);
        if (check_rank == 2 && origins) put(round, bytes, 2, win);
        MPI_Win_fence(0, win);
        MPI_Win_fence(0, other);
        if (check_rank == 0 && origins) store(round, right);
        if (check_rank == 0) count(round, at.window, origins ? 4 : bytes, right);
    }
    MPI_Win_free(&other);
    MPI_Win_free(&win);
}

static void with_locks(void)
{
    for (int round = 1; round <= ROUNDS; round++) {
        MPI_Win win;
        MPI_Win_create((void *)at.window, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        if (check_rank == 0) store(round, at.right);
        if (check_rank == 1) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            put(round, 4, 0, win);
            MPI_Win_unlock(0, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_free(&win);
        if (check_rank == 0) count(round, at.window, 4, at.right);
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    if (strcmp(argv[1], "passive") == 0)
        with_locks();
    else
        with_fences(argv[1]);
    if (check_rank == 0) {
        printf("put_lost=%d\nown_lost=%d\n", put_lost, own_lost);
        if (strcmp(argv[1], "beside") == 0) { /* the C library sees it too */
            char text[16];
            snprintf(text, sizeof text, "%.4s", (const char *)at.window);
            printf("text=%d\n", (unsigned char)text[0] == ROUNDS % 255 + 1);
        }
        printf("time_us=%.3f\n", MPI_Wtime() * 1e6);
    }
    return check_end();
}
