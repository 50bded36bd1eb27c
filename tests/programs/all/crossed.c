/* Calls of all ranks that do not come in the same order on each of them: refused, or a deadlock
 * that names the calls, and never taken for one another. With the order to try; three ranks. */
#include "check.h"
#include "shmalloc.h"
#include "type_register.h"

#define WORLD MPI_COMM_WORLD
static MPI_Comm other;
static long cell[4];

static void window_over(MPI_Comm comm)
{
    MPI_Win win;
    MPI_Win_create(cell, sizeof cell, 8, MPI_INFO_NULL, comm, &win);
}

static void allocated_over(MPI_Comm comm)
{
    MPI_Win win;
    void *base;
    MPI_Win_allocate(32, 8, MPI_INFO_NULL, comm, &base, &win);
}

static void getput_over(MPI_Comm comm)
{
    MPI_Comm getput;
    void *base;
    SHM_Shmalloc(&base, 32, comm, &getput);
}

static void type_over(MPI_Comm comm)
{
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_LONG, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_register(pair, comm);
}

static void barrier_over(MPI_Comm comm) { MPI_Barrier(comm); }

static void free_two(int first)
{
    MPI_Win win[2];
    for (int i = 0; i < 2; i++) MPI_Win_create(cell + i, 8, 8, MPI_INFO_NULL, WORLD, &win[i]);
    MPI_Win_free(&win[first]);
    MPI_Win_free(&win[1 - first]);
}

static void (*call_of(const char *name))(MPI_Comm)
{
    return strcmp(name, "window") == 0      ? window_over
           : strcmp(name, "allocated") == 0 ? allocated_over
           : strcmp(name, "getput") == 0    ? getput_over
           : strcmp(name, "type") == 0      ? type_over
                                            : barrier_over;
}

/* crossed CALL: over two communicators, in another order on rank 0. crossed CALL OTHER: rank 0
 * begins with the other call, or ends with none. */
int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    MPI_Comm_dup(WORLD, &other);
    const int first = check_rank == 0;
    if (strcmp(argv[1], "free") == 0)
        free_two(first);
    else if (argc == 2)
        call_of(argv[1])(first ? other : WORLD), call_of(argv[1])(first ? WORLD : other);
    else if (strcmp(argv[2], "none") == 0)
        first ? (void)0 : call_of(argv[1])(WORLD);
    else
        call_of(argv[1 + first])(WORLD), call_of(argv[2 - first])(WORLD);
    check(0, "nobody comes here");
    return check_end();
}
