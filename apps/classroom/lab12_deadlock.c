/* Lab 12: two ranks that wait for each other. The word chooses for what: locks, start, fence, send
 * (its second word is the length), or poll, where one rank waits for a value and not for a call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Win win;
static int *window, me, other, one = 1;

static void locks(void) /* both windows' locks at once, to copy from one to the other */
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
    MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_unlock(other, win);
    MPI_Win_unlock(me, win);
}

static void start(void) /* each puts to the other */
{
    MPI_Group all, partner;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &partner);
    MPI_Win_start(partner, 0, win);
    MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_post(partner, 0, win);
    MPI_Win_wait(win);
}

static void fence(void) /* rank 0 puts to rank 1 */
{
    if (me == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
    }
}

static void send(int bytes) /* each sends to the other */
{
    char *mine = calloc(1, (size_t)bytes), *others = malloc((size_t)bytes);
    MPI_Send(mine, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    MPI_Recv(others, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(mine), free(others);
}

static void poll(void) /* rank 1 loads until it sees rank 0's put, or has loaded 20,000 times */
{
    int loads = 0;
    MPI_Win_lock_all(0, win);
    if (me == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_Win_flush(1, win);
    if (me == 1)
        while (*(volatile int *)window == 0 && loads < 20000) loads++;
    if (me == 1) printf("poll: %s\n", loads < 20000 ? "rank 1 saw it" : "rank 1 gave up");
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "locks";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    *window = 0, other = 1 - me;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (strcmp(what, "locks") == 0) locks();
    if (strcmp(what, "start") == 0) start();
    if (strcmp(what, "fence") == 0) fence();
    if (strcmp(what, "send") == 0) send(argc > 2 ? atoi(argv[2]) : 100);
    if (strcmp(what, "poll") == 0) poll();
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) printf("%s: both ranks have ended\n", what);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
