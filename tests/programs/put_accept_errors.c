/* PUT/ACCEPT: bad arguments are MPI errors of the right class; transfers beyond the size are errors at both ends; broken rules, requests
 * never serviced and missing counts are told (put_accept_test.sh reads them). */
#include "check.h"
#include "put_accept.h"

#include <string.h>

#define WORLD MPI_COMM_WORLD
static long memory[64], buffer[64];
volatile long neighbour;

static int put(int count, MPI_Datatype type, int target, int tag, MPI_Comm comm)
{
    return PA_Put(buffer, count, type, target, 0, count, type, tag, comm);
}

static void arguments(void)
{
    MPI_Comm freed, copy;
    MPI_Datatype raw;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_dup(WORLD, &freed);
    copy = freed;
    MPI_Comm_free(&freed);
    MPI_Type_contiguous(2, MPI_LONG, &raw);
    check(put(-1, MPI_LONG, 0, 0, WORLD) == MPI_ERR_COUNT, "a negative count");
    check(put(1, MPI_LONG, check_ranks, 0, WORLD) == MPI_ERR_RANK && put(1, MPI_LONG, -3, 0, WORLD) == MPI_ERR_RANK, "a bad rank");
    check(put(1, MPI_LONG, 0, -1, WORLD) == MPI_ERR_TAG, "a tag out of range");
    check(put(1, MPI_LONG, 0, 0, MPI_COMM_NULL) == MPI_ERR_COMM, "a null communicator");
    check(put(1, MPI_LONG, 0, 0, copy) == MPI_ERR_COMM, "a freed communicator");
    check(put(1, MPI_DATATYPE_NULL, 0, 0, WORLD) == MPI_ERR_TYPE, "a null datatype");
    check(put(1, raw, 0, 0, WORLD) == MPI_ERR_TYPE, "a datatype that is not committed");
    check(PA_Put(buffer, 3, MPI_LONG, 0, 0, 2, MPI_LONG, 0, WORLD) == MPI_ERR_TRUNCATE, "more data than the target's buffer takes");
    check(PA_Accept(memory, -8, 8, 0, WORLD, 0) == MPI_ERR_SIZE, "a negative size");
    check(PA_Accept(memory, 8, 0, 0, WORLD, 0) == MPI_ERR_DISP, "a displacement unit of zero");
    check(PA_Accept(memory, 8, 8, 0, WORLD, -1) == MPI_ERR_COUNT, "a negative count of requests");
    check(PA_Iaccept(NULL, 8, 8, 0, WORLD, 1, &request) == MPI_ERR_BASE && request == MPI_REQUEST_NULL, "no base");
    check(put(1, MPI_LONG, MPI_PROC_NULL, 0, WORLD) == MPI_SUCCESS, "MPI_PROC_NULL takes everything");
    MPI_Type_free(&raw);
}

static void beyond(void)
{
    int own = MPI_SUCCESS, theirs = MPI_SUCCESS;
    memset(memory, 0, sizeof memory);
    MPI_Barrier(WORLD);
    if (check_rank == 0) {
        PA_Put(buffer, 4, MPI_LONG, 1, 6, 4, MPI_LONG, 1, WORLD);
        own = PA_Accept(NULL, 0, 1, 1, WORLD, 0);
    }
    if (check_rank == 1) theirs = PA_Accept(memory + 8, 8 * sizeof *memory, sizeof *memory, 1, WORLD, 1);
    int clean = 1;
    for (int i = 0; i < 64; i++) clean &= memory[i] == 0;
    check(check_rank != 0 || own == MPI_ERR_DISP, "a transfer beyond the size is an error of the origin's ACCEPT");
    check(check_rank != 1 || theirs == MPI_ERR_DISP, "and of the target's");
    check(clean, "and nothing is written, outside or inside");
}

static void rules(void)
{
    MPI_Request request;
    if (check_rank == 1) {
        PA_Iaccept(memory, sizeof memory, sizeof *memory, 2, WORLD, 1, &request);
        neighbour = memory[3];   /* RANGE */
    }
    MPI_Barrier(WORLD);
    if (check_rank == 0) {
        put(1, MPI_LONG, 1, 2, WORLD);
        buffer[0] = 5;           /* ORIGIN */
        PA_Accept(NULL, 0, 1, 2, WORLD, 0);
        buffer[0] = 6;
    }
    if (check_rank == 1) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        memory[3] = 1;
    }
    check(1, "rules are broken twice");
}

/* Edges of a range share lines with what lies beside it: the neighbours' bytes survive, and so do the range's. */
static void false_sharing(void)
{
    static long cell[64] __attribute__((aligned(128)));
    MPI_Request request;
    for (int i = 0; i < 64; i++) cell[i] = 1, buffer[i] = 7;
    MPI_Barrier(WORLD);
    if (check_rank == 1) {
        PA_Iaccept(cell + 1, 20 * sizeof *cell, sizeof *cell, 3, WORLD, 1, &request);
        cell[0] += 1, cell[21] += 2;      /* not in the range, but in its lines */
    }
    MPI_Barrier(WORLD);
    if (check_rank == 0) {
        PA_Put(buffer, 20, MPI_LONG, 1, 0, 20, MPI_LONG, 3, WORLD);
        PA_Accept(NULL, 0, 1, 3, WORLD, 0);
    }
    if (check_rank == 1) {
        cell[0] += 1, cell[21] += 2;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int right = 1;
    for (int i = 1; i < 21; i++) right &= check_rank != 1 || cell[i] == 7;
    check(right, "what is put beside lines that the target uses is all there");
    check(check_rank != 1 || (cell[0] == 3 && cell[21] == 5), "lines that lie partly outside the range lose no neighbour's byte");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (argc > 1 && strcmp(argv[1], "starve") == 0) {
        if (check_rank == 0) put(1, MPI_LONG, 1, 4, WORLD);
        if (check_rank == 1) PA_Accept(memory, sizeof memory, 8, 4, WORLD, 3);
    } else {
        arguments();
        beyond();
        rules();
        false_sharing();
        if (check_rank == 0) put(1, MPI_LONG, 1, 99, WORLD);   /* LEFT */
    }
    return check_end();
}
