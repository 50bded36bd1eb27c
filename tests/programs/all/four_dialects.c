/* One program, four interfaces at once: windows, PUT/ACCEPT, SHMALLOC get/put, and accumulates of a
 * registered datatype and operation are all under way at the same time, and each completes by its
 * own rule only. */
#include "check.h"
#include <put_accept.h>
#include <shmalloc.h>
#include <type_register.h>

enum { TAG = 7, CELLS = 6, ROUNDS = 3 };

/* a, b -> a * b modulo 9973: commutes, and is none of the predefined ones. */
static void multiply(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++) ((long *)inout)[i] = ((long *)inout)[i] * ((long *)in)[i] % 9973;
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    int ranks, rank = check_rank;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;

    long *window, *products, *accepted, *shared;
    MPI_Win win, product_win;
    MPI_Comm shm;
    MPI_Datatype every_second;
    MPI_Op op;
    MPI_Win_allocate(CELLS * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    MPI_Win_allocate(CELLS * sizeof *products, sizeof *products, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &products, &product_win);
    PA_Rma_malloc(&accepted, CELLS * sizeof *accepted);
    SHM_Shmalloc(&shared, CELLS * sizeof *shared, MPI_COMM_WORLD, &shm);
    MPI_Type_vector(CELLS / 2, 1, 2, MPI_LONG, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Op_create(multiply, 1, &op);
    MPI_Type_register(every_second, MPI_COMM_WORLD);
    MPI_Op_register(op, MPI_COMM_WORLD);
    for (int i = 0; i < CELLS; i++) window[i] = accepted[i] = shared[i] = -1, products[i] = 1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, product_win);
    MPI_Barrier(shm);

    int put_right = 1, accepted_right = 1, shared_right = 1, got_right = 1;
    long expected = 1;
    for (int round = 0; round < ROUNDS; round++) {
        long mine[CELLS], back = -1, factor[CELLS / 2];
        for (int i = 0; i < CELLS; i++) mine[i] = 1000 * rank + 10 * round + i;
        for (int i = 0; i < CELLS / 2; i++) factor[i] = 2 + rank + round;
        MPI_Put(mine, CELLS, MPI_LONG, right, 0, CELLS, MPI_LONG, win);
        PA_Put(mine, CELLS, MPI_LONG, left, 0, CELLS, MPI_LONG, TAG, MPI_COMM_WORLD);
        MPI_Accumulate(factor, CELLS / 2, MPI_LONG, 0, round % 2, 1, every_second, op, product_win);
        SHM_Put(mine, CELLS, MPI_LONG, 0, right, shm);
        /* strict order: what was just put */
        SHM_Get(&back, 1, MPI_LONG, 2 * sizeof back, right, shm);
        got_right &= back == mine[2];

        PA_Accept(accepted, CELLS * sizeof *accepted, sizeof *accepted, TAG, MPI_COMM_WORLD, 1);
        for (int i = 0; i < CELLS; i++)
            accepted_right &= accepted[i] == 1000 * right + 10 * round + i;
        MPI_Barrier(shm);
        for (int i = 0; i < CELLS; i++) shared_right &= shared[i] == 1000 * left + 10 * round + i;
        MPI_Barrier(shm);
        MPI_Win_fence(0, win);
        for (int i = 0; i < CELLS; i++) put_right &= window[i] == 1000 * left + 10 * round + i;
        MPI_Win_fence(0, win);
        for (int r = 0; round % 2 == 0 && r < ranks; r++)
            expected = expected * (2 + r + round) % 9973;
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, product_win);
    check(put_right, "what was put into the window is there after the fence");
    check(accepted_right, "what was put to an ACCEPT is there after the ACCEPT");
    check(shared_right, "what was put into the SHMALLOC window is there after its barrier");
    check(got_right, "a SHMALLOC get after a put returns the put's data");
    check(rank != 0 ||
              (products[0] == expected && products[2] == expected && products[4] == expected),
          "every rank's accumulate with the registered operation was applied");
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

    MPI_Op_dereg(op, MPI_COMM_WORLD);
    MPI_Type_dereg(every_second, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&every_second);
    MPI_Comm_free(&shm);
    PA_Rma_free(accepted);
    MPI_Win_free(&product_win);
    MPI_Win_free(&win);
    return check_end();
}
