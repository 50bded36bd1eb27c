/* A variable and a window in one line of the cache: what is stored beside the window before
 * MPI_Win_create, and after, is not written over what operations do to it. On the stack, in static
 * memory and on the heap. */
#include "check.h"

struct line {
    int outv, counter;
};
static _Alignas(64) struct line fixed;

/* Adds three, four times; the old values are 0 3 6 9. */
static int add(struct line *at, int how)
{
    MPI_Win win;
    int three = 3, right = 1;
    at->outv = -1; /* in the write buffer, which knows of no window */
    at->counter = 0;
    MPI_Win_create(&at->counter, sizeof at->counter, sizeof at->counter, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    for (int i = 0; i < 4; i++) {
        int seen = -1;
        if (how == 0) MPI_Win_fence(0, win);
        if (how == 0 && check_rank == 0)
            MPI_Get_accumulate(&three, 1, MPI_INT, &at->outv, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM,
                               win);
        if (how == 0) MPI_Win_fence(0, win);
        if (how == 1 && check_rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            at->outv = i;
            MPI_Get_accumulate(&three, 1, MPI_INT, &at->outv, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM,
                               win);
            MPI_Win_unlock(0, win);
        }
        if (how == 2) {
            at->outv = i; /* by rank 0 too, while rank 1 adds */
            if (check_rank == 1) {
                MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
                MPI_Get_accumulate(&three, 1, MPI_INT, &seen, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM,
                                   win);
                MPI_Win_unlock(0, win);
                right &= seen == 3 * i;
            }
            right &= at->outv == i;
            MPI_Barrier(MPI_COMM_WORLD);
        }
        if (how < 2 && check_rank == 0) right &= at->outv == 3 * i;
    }
    MPI_Win_free(&win);
    right &= check_rank != 0 || at->counter == 12;
    return right;
}

int main(int argc, char **argv)
{
    static const char *const sentence[] = {"between fences the line's counter counts",
                                           "under a lock, with stores beside it, it counts",
                                           "while its owner stores beside it, it counts"};
    _Alignas(64) struct line local;
    check_begin(&argc, &argv, 2);
    struct line *heap = aligned_alloc(64, 64);
    for (int how = 0; how < 3; how++)
        check(add(&fixed, how) & add(&local, how) & add(heap, how), sentence[how]);
    free(heap);
    return check_end();
}
