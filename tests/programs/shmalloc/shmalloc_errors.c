/* SHMALLOC: bad arguments are MPI errors of the right class, and change nothing. With an argument:
 * that one error under the fatal handler, for its text. Three ranks. */
#include "check.h"
#include "shmalloc.h"

#include <limits.h>
#include <stdint.h>

#define WORLD MPI_COMM_WORLD
static MPI_Comm comm;
static long *window, one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static MPI_Datatype raw;

static int put(int count, MPI_Datatype type, MPI_Aint offset, int rank, MPI_Comm c)
{
    return SHM_Put(one, count, type, offset, rank, c);
}
static int get(int count, MPI_Datatype type, MPI_Aint offset, int rank, MPI_Comm c)
{
    static long into[512];
    return SHM_Get(into, count, type, offset, rank, c);
}
#define BOTH(class, ...) (put(__VA_ARGS__) == (class) && get(__VA_ARGS__) == (class))

/* Windows: rank 0 has 64 bytes, rank 1 none (length 0), rank 2 none (NULL). */
static void arguments(void)
{
    static const MPI_Aint far = (MPI_Aint)1 << 62;
    check(BOTH(MPI_ERR_DISP, 1, MPI_LONG, -8, 0, comm), "a negative offset is MPI_ERR_DISP");
    check(BOTH(MPI_ERR_DISP, 1, MPI_LONG, 57, 0, comm) &&
              BOTH(MPI_ERR_DISP, 9, MPI_LONG, 0, 0, comm) &&
              BOTH(MPI_ERR_DISP, 1, MPI_BYTE, 64, 0, comm) &&
              BOTH(MPI_ERR_DISP, 1, MPI_BYTE, PTRDIFF_MAX, 0, comm) &&
              BOTH(MPI_ERR_DISP, INT_MAX, MPI_LONG, far, 0, comm),
          "a range past the window's end is MPI_ERR_DISP");
    check(BOTH(MPI_ERR_DISP, 1, MPI_BYTE, 0, 1, comm), "any byte of a window of no length is");
    check(BOTH(MPI_ERR_DISP, 1, MPI_BYTE, 0, 2, comm), "and of a process that opened none");
    check(BOTH(MPI_SUCCESS, 8, MPI_LONG, 0, 0, comm) && BOTH(MPI_SUCCESS, 1, MPI_BYTE, 63, 0, comm),
          "the last byte is inside");
    check(BOTH(MPI_ERR_RANK, 1, MPI_LONG, 0, 3, comm) &&
              BOTH(MPI_ERR_RANK, 1, MPI_LONG, 0, -5, comm),
          "a rank outside is MPI_ERR_RANK");
    check(BOTH(MPI_ERR_COUNT, -1, MPI_LONG, 0, 0, comm), "a negative count is MPI_ERR_COUNT");
    check(BOTH(MPI_ERR_TYPE, 1, MPI_DATATYPE_NULL, 0, 0, comm), "a null datatype is MPI_ERR_TYPE");
    check(BOTH(MPI_ERR_TYPE, 1, raw, 0, 0, comm), "a datatype that is not committed is");
    check(SHM_Put(NULL, 1, MPI_LONG, 0, 0, comm) == MPI_ERR_BUFFER &&
              SHM_Get(NULL, 1, MPI_LONG, 0, 0, comm) == MPI_ERR_BUFFER,
          "no buffer is MPI_ERR_BUFFER");
    check(BOTH(MPI_ERR_COMM, 1, MPI_LONG, 0, 0, WORLD) &&
              BOTH(MPI_ERR_COMM, 1, MPI_LONG, 0, 0, MPI_COMM_NULL),
          "a communicator that is no get/put communicator is MPI_ERR_COMM");
}

static void making(void)
{
    MPI_Comm bad = WORLD;
    char *memory = (char *)5;
    int code = SHM_Shmalloc(&memory, check_rank == 1 ? -1 : 64, WORLD, &bad);
    check(code == (check_rank == 1 ? MPI_ERR_SIZE : MPI_ERR_OTHER) && memory == (char *)5 &&
              bad == WORLD,
          "a negative length at one process is MPI_ERR_SIZE there, an error at all of them, and "
          "nobody waits");
    check(SHM_Shmalloc(&memory, 64, MPI_COMM_NULL, &bad) == MPI_ERR_COMM,
          "a null communicator is MPI_ERR_COMM");
    MPI_Comm part, across;
    MPI_Comm_split(WORLD, check_rank == 0, 0, &part);
    MPI_Intercomm_create(part, 0, WORLD, check_rank == 0, 0, &across);
    MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
    code = SHM_Shmalloc(&memory, 64, across, &bad);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    check(code == MPI_ERR_COMM, "an intercommunicator is, and its own handler hears of it");
    MPI_Comm_free(&across);
    MPI_Comm_free(&part);
}

static void freed(void)
{
    MPI_Comm late = comm, again;
    MPI_Comm_free(&comm);
    check(BOTH(MPI_ERR_COMM, 1, MPI_LONG, 0, 0, late),
          "a get or put after MPI_Comm_free is MPI_ERR_COMM");
    check(MPI_Barrier(late) == MPI_ERR_COMM, "so is a barrier");
    check(SHM_Shmalloc(&window, 8, late, &again) == MPI_ERR_COMM, "so is a new window");
    check(MPI_Comm_free(&late) == MPI_ERR_COMM, "so is freeing it twice");
    int alive = 1;
    for (int i = 0; i < 20; i++) { /* handles come again */
        MPI_Comm_dup(WORLD, &again);
        alive &= MPI_Barrier(again) == MPI_SUCCESS;
        MPI_Comm_free(&again);
    }
    check(alive, "a new communicator is none of those that were freed");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    SHM_Shmalloc(check_rank == 2 ? NULL : &window, check_rank == 0 ? 64 : 0, WORLD, &comm);
    MPI_Type_contiguous(2, MPI_LONG, &raw);
    if (argc > 1) {
        MPI_Comm late = comm;
        if (strcmp(argv[1], "negative") == 0 && check_rank == 1) put(1, MPI_LONG, -8, 0, comm);
        if (strcmp(argv[1], "past") == 0 && check_rank == 1) get(2, MPI_LONG, 56, 0, comm);
        if (strcmp(argv[1], "none") == 0 && check_rank == 1) put(1, MPI_LONG, 0, 2, comm);
        if (strcmp(argv[1], "rank") == 0 && check_rank == 1) put(1, MPI_LONG, 0, 3, comm);
        if (strcmp(argv[1], "type") == 0 && check_rank == 1) put(1, raw, 0, 0, comm);
        if (strcmp(argv[1], "world") == 0 && check_rank == 1) put(1, MPI_LONG, 0, 0, WORLD);
        if (strcmp(argv[1], "freed") == 0) MPI_Comm_free(&comm), put(1, MPI_LONG, 0, 0, late);
        if (strcmp(argv[1], "length") == 0) SHM_Shmalloc(&window, check_rank - 1, WORLD, &comm);
        MPI_Barrier(WORLD);
        return check_end();
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    arguments();
    making();
    MPI_Barrier(comm);
    check(check_rank != 0 || (window[0] == 1 && window[7] != 0), "and nothing else was written");
    freed();
    MPI_Type_free(&raw);
    return check_end();
}
