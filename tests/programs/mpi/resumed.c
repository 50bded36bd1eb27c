/* What a rank does after a call is dated after it, whatever the call waited for: resumed HOW.
 * "waits": rank 1 sends, and reduces, long after rank 0 has begun to wait. Rank 0 then goes through
 * memory of its own, which nobody keeps it from. "self": one rank sends to itself and puts to
 * itself, and goes through memory in between. "stale": rank 0 loads what rank 1 has put, after a
 * message; prints when. */
#include "check.h"
#include "sidewinder.h"

enum { WORDS = 4096, ROUNDS = 20 };

static volatile int own[WORDS];

static int go_through(int round)
{
    int sum = 0;
    for (int i = 0; i < WORDS; i += 64) sum += own[(i + round) % WORDS];
    return sum;
}

static void wait_for_it(void)
{
    int message[50] = {0}, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (check_rank == 1) {
            sw_compute_seconds(1e-3);
            MPI_Send(message, 50, MPI_INT, 0, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(message, 50, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += go_through(round);
        }
        if (check_rank == 1) sw_compute_seconds(1e-3);
        MPI_Allreduce(&round, message, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (check_rank == 0) sum += go_through(round + 32);
    }
    check(sum == 0, "nothing was stored there");
}

static void to_itself(void)
{
    static int from[200], to[200], window[200];
    int sum = 0;
    MPI_Win win;
    MPI_Win_create(window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request request;
        for (int i = 0; i < 200; i++) from[i] = round;
        MPI_Isend(from, 200, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        sum += go_through(round);
        MPI_Recv(to, 200, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sum += go_through(round + 16);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Put(to, 200, MPI_INT, 0, 0, 200, MPI_INT, win);
        sum += go_through(round + 32);
        MPI_Win_flush(0, win);
        sum += go_through(round + 48);
    }
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    check(sum == 0, "nothing was stored there");
}

static void load_old(void)
{
    static volatile int window[8];
    int seven = 7;
    MPI_Win win;
    MPI_Win_create((void *)window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (check_rank == 0) {
        seven += window[0];
        MPI_Recv(&seven, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seven = window[0];
        double now = MPI_Wtime();
        printf("seen=%d\nnow=%.9f\n", seven, now);
    } else {
        sw_compute_seconds(1e-3);
        MPI_Put(&seven, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        sw_compute_seconds(1e-3);
        MPI_Send(&seven, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    if (argc > 1 && strcmp(argv[1], "self") == 0)
        to_itself();
    else if (argc > 1 && strcmp(argv[1], "stale") == 0)
        load_old();
    else
        wait_for_it();
    return check_end();
}
