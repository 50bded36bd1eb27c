/* PUT/ACCEPT: bad arguments are MPI errors of the right class; transfers beyond the size are errors
 * at both ends; broken rules, requests never serviced and missing counts are reported
 * (put_accept_test.sh reads them). */
#include "check.h"
#include "put_accept.h"

#include <string.h>

#define WORLD MPI_COMM_WORLD
static long memory[64], buffer[64];
volatile long neighbour;

static MPI_Comm freed, across;
static MPI_Datatype raw, gone;
static MPI_Request request = MPI_REQUEST_NULL;
static void *nothing, *given_back;

static int put(int count, MPI_Datatype type, int target, int tag, MPI_Comm comm)
{
    return PA_Put(buffer, count, type, target, 0, count, type, tag, comm);
}

/* Class, what is reported, the call. */
#define MISTAKES(X)                                                                                \
    X(COUNT, "PA_Put: the origin count is -1", put(-1, MPI_LONG, 0, 0, WORLD))                     \
    X(COUNT, "PA_Puthold: the target count is -2",                                                 \
      PA_Puthold(buffer, 0, MPI_LONG, 0, 0, -2, MPI_LONG, 0, WORLD))                               \
    X(COUNT, "PA_Getc: the origin count is -1",                                                    \
      PA_Getc(buffer, -1, MPI_LONG, 0, 0, 1, MPI_LONG, 0, WORLD))                                  \
    X(COUNT, "PA_Accept: the count is -1", PA_Accept(memory, 8, 8, 0, WORLD, -1))                  \
    X(COUNT, "PA_Ioffer: the count is -3", PA_Ioffer(memory, 8, 8, 0, WORLD, -3, &request))        \
    X(RANK, "PA_Put: target 2 is not in the communicator of 2 ranks",                              \
      put(1, MPI_LONG, 2, 0, WORLD))                                                               \
    X(RANK, "PA_Putc: target -3 is not in the communicator of 2 ranks",                            \
      PA_Putc(buffer, 1, MPI_LONG, -3, 0, 1, MPI_LONG, 0, WORLD))                                  \
    X(RANK, "PA_Gethold: target 1 is not in the communicator of 1 ranks",                          \
      PA_Gethold(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 0, MPI_COMM_SELF))                        \
    X(TAG, "PA_Put: tag -1 is not between 0 and", put(1, MPI_LONG, 0, -1, WORLD))                  \
    X(TAG, "PA_Get: tag -5 is not between 0 and",                                                  \
      PA_Get(buffer, 1, MPI_LONG, 0, 0, 1, MPI_LONG, -5, WORLD))                                   \
    X(TAG, "PA_Offerc: tag -1 is not between 0 and", PA_Offerc(memory, 8, 8, -1, WORLD))           \
    X(TAG, "PA_Iavail: tag -1 is not between 0 and", PA_Iavail(memory, 8, 8, -1, WORLD, &request)) \
    X(COMM, "PA_Put: not a valid intracommunicator (freed, or an intercommunicator)",              \
      put(1, MPI_LONG, 0, 0, MPI_COMM_NULL))                                                       \
    X(COMM, "PA_Get: not a valid intracommunicator (freed, or an intercommunicator)",              \
      PA_Get(buffer, 1, MPI_LONG, 0, 0, 1, MPI_LONG, 0, freed))                                    \
    X(COMM, "PA_Accept: not a valid intracommunicator (freed, or an intercommunicator)",           \
      PA_Accept(memory, 8, 8, 0, MPI_COMM_NULL, 1))                                                \
    X(COMM, "PA_Iacceptc: not a valid intracommunicator (freed, or an intercommunicator)",         \
      PA_Iacceptc(memory, 8, 8, 0, freed, &request))                                               \
    X(COMM, "PA_Puthold: not a valid intracommunicator (freed, or an intercommunicator)",          \
      PA_Puthold(buffer, 1, MPI_LONG, 0, 0, 1, MPI_LONG, 0, across))                               \
    X(COMM, "PA_Ioffer: not a valid intracommunicator (freed, or an intercommunicator)",           \
      PA_Ioffer(memory, 8, 8, 0, across, 1, &request))                                             \
    X(TYPE, "PA_Put: invalid origin datatype handle", put(1, MPI_DATATYPE_NULL, 0, 0, WORLD))      \
    X(TYPE, "PA_Get: invalid target datatype handle",                                              \
      PA_Get(buffer, 1, MPI_LONG, 0, 0, 1, MPI_DATATYPE_NULL, 0, WORLD))                           \
    X(TYPE, "PA_Putc: invalid origin datatype handle",                                             \
      PA_Putc(buffer, 1, gone, 0, 0, 1, MPI_LONG, 0, WORLD))                                       \
    X(TYPE, "PA_Put: the origin datatype is not committed", put(1, raw, 0, 0, WORLD))              \
    X(TRUNCATE, "PA_Put: 24 bytes do not fit a buffer of 16",                                      \
      PA_Put(buffer, 3, MPI_LONG, 0, 0, 2, MPI_LONG, 0, WORLD))                                    \
    X(TRUNCATE, "PA_Get: 24 bytes do not fit a buffer of 16",                                      \
      PA_Get(buffer, 2, MPI_LONG, 0, 0, 3, MPI_LONG, 0, WORLD))                                    \
    X(BUFFER, "PA_Put: no origin address", PA_Put(NULL, 1, MPI_LONG, 0, 0, 1, MPI_LONG, 0, WORLD)) \
    X(SIZE, "PA_Accept: the size is -8", PA_Accept(memory, -8, 8, 0, WORLD, 0))                    \
    X(SIZE, "PA_Rma_malloc: the size is -1", PA_Rma_malloc(&nothing, -1))                          \
    X(NO_MEM, "PA_Rma_malloc: cannot allocate 4611686018427387904 bytes",                          \
      PA_Rma_malloc(&nothing, (MPI_Aint)1 << 62))                                                  \
    X(ARG, "PA_Rma_malloc: the pointer to the address is NULL", PA_Rma_malloc(NULL, 8))            \
    X(BASE, "PA_Rma_free: the memory was not allocated by PA_Rma_malloc", PA_Rma_free(memory))     \
    X(BASE, "PA_Rma_free: the memory was not allocated by PA_Rma_malloc", PA_Rma_free(given_back)) \
    X(DISP, "PA_Avail: the displacement unit is 0", PA_Avail(memory, 8, 0, 0, WORLD))              \
    X(REQUEST, "PA_Ioffer: the pointer to the request is NULL",                                    \
      PA_Ioffer(memory, 8, 8, 0, WORLD, 1, NULL))                                                  \
    X(BASE, "PA_Iaccept: no base address", PA_Iaccept(NULL, 8, 8, 0, WORLD, 1, &request))

/* Handles that are none any more. */
static void dead_handles(void)
{
    MPI_Comm copy;
    MPI_Datatype type;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, WORLD, 1 - check_rank, 0, &across);
    MPI_Comm_dup(WORLD, &copy);
    freed = copy;
    MPI_Comm_free(&copy);
    MPI_Type_contiguous(2, MPI_LONG, &raw);
    MPI_Type_contiguous(2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    gone = type;
    MPI_Type_free(&type);
    PA_Rma_malloc(&given_back, 8);
    PA_Rma_free(given_back);
}

static void arguments(void)
{
    dead_handles();
#define TRY(class, words, call) check(call == MPI_ERR_##class, words);
    MISTAKES(TRY)
    check(request == MPI_REQUEST_NULL && !nothing, "and nothing is made");
    check(put(1, MPI_LONG, MPI_PROC_NULL, 0, WORLD) == MPI_SUCCESS,
          "MPI_PROC_NULL takes everything");
}

/* The n-th mistake, fatal; n < 0: what is reported of each. */
static void one_mistake(int n)
{
    int i = 0;
    dead_handles();
#define LIST(class, words, call)                                                                   \
    if (n < 0 && check_rank == 0) printf("%s\n", words);
#define MAKE(class, words, call)                                                                   \
    if (i++ == n && check_rank == 0) call;
    MISTAKES(LIST)
    MISTAKES(MAKE)
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
    if (check_rank == 1)
        theirs = PA_Accept(memory + 8, 8 * sizeof *memory, sizeof *memory, 1, WORLD, 1);
    int clean = 1;
    for (int i = 0; i < 64; i++) clean &= memory[i] == 0;
    check(check_rank != 0 || own == MPI_ERR_DISP,
          "a transfer beyond the size is an error of the origin's ACCEPT");
    check(check_rank != 1 || theirs == MPI_ERR_DISP, "and of the target's");
    check(clean, "and nothing is written, outside or inside");
}

/* Three at once, of which one fits. */
static void in_statuses(void)
{
    MPI_Request requests[3];
    MPI_Status status[3];
    int code = MPI_ERR_IN_STATUS, index = 2, outside = MPI_ERR_DISP, fits = MPI_SUCCESS;
    MPI_Barrier(WORLD);
    if (check_rank == 0)
        for (int i = 0; i < 3; i++)
            PA_Put(buffer, 1, MPI_LONG, 1, i == 1 ? 63 : 64 - 80 * i, 1, MPI_LONG, 90 + i, WORLD);
    for (int i = 0; check_rank == 0 && i < 3; i++) {
        int own = PA_Accept(NULL, 0, 1, 90 + i, WORLD, 0);
        if (i == 1)
            fits = own;
        else if (own != MPI_ERR_DISP)
            outside = own;
    }
    if (check_rank == 1) {
        for (int i = 0; i < 3; i++)
            PA_Iaccept(memory, sizeof memory, 8, 90 + i, WORLD, 1, &requests[i]);
        code = MPI_Waitall(3, requests, status);
        outside = status[0].MPI_ERROR, fits = status[1].MPI_ERROR;
        if (status[2].MPI_ERROR != outside) outside = MPI_SUCCESS;
    }
    check(outside == MPI_ERR_DISP && fits == MPI_SUCCESS,
          "a request outside the size fails at both ends, one that fits does not");
    check(code == MPI_ERR_IN_STATUS && outside == MPI_ERR_DISP && fits == MPI_SUCCESS,
          "MPI_Waitall returns MPI_ERR_IN_STATUS, and each status has its own error");
    MPI_Barrier(WORLD);
    if (check_rank == 0) {
        PA_Put(buffer, 1, MPI_LONG, 1, 64, 1, MPI_LONG, 93, WORLD);
        PA_Put(buffer, 1, MPI_LONG, 1, 1, 1, MPI_LONG, 94, WORLD);
        PA_Accept(NULL, 0, 1, 93, WORLD, 0), PA_Accept(NULL, 0, 1, 94, WORLD, 0);
    }
    code = outside = MPI_SUCCESS;
    if (check_rank == 1) {
        for (int i = 0; i < 2; i++)
            PA_Iaccept(memory, sizeof memory, 8, 94 - i, WORLD, 1, &requests[i]);
        do outside = MPI_Testany(2, requests, &index, &fits, status);
        while (!fits);
        code = MPI_Wait(&requests[1 - index], status);
        if (index == 1) fits = code, code = outside, outside = fits;
    }
    check(check_rank != 1 || (outside == MPI_SUCCESS && code == MPI_ERR_DISP),
          "a call that completes one request returns that one's error");
}

static void rules(void)
{
    MPI_Request accepting, offering;
    MPI_Datatype column;
    volatile long *apart; /* pages that nobody else may touch */
    PA_Rma_malloc(&apart, 8 * sizeof *apart);
    apart[0] = apart[1] = 1;
    MPI_Type_vector(4, 1, 4, MPI_LONG, &column);
    MPI_Type_commit(&column);
    if (check_rank == 1) {
        PA_Iaccept(memory, 32 * sizeof *memory, sizeof *memory, 2, WORLD, 3, &accepting);
        neighbour = memory[3]; /* RANGE */
        memory[40] = neighbour;
        PA_Ioffer(memory + 32, 32 * sizeof *memory, sizeof *memory, 2, WORLD, 1, &offering);
        memory[35] = 2;                                 /* OFFERED */
        MPI_Send(memory + 5, 1, MPI_LONG, 0, 2, WORLD); /* SENT */
    }
    MPI_Barrier(WORLD);
    if (check_rank == 0) {
        (void)apart[1];
        PA_Put((long *)apart, 1, MPI_LONG, 1, 9, 1, MPI_LONG, 2, WORLD);
        (void)apart[1];
        (void)apart[0]; /* LOADED */
        put(1, MPI_LONG, 1, 2, WORLD);
        buffer[0] = 5; /* ORIGIN */
        PA_Put(buffer + 16, 1, column, 1, 4, 4, MPI_LONG, 2, WORLD);
        buffer[17] = buffer[19] = buffer[21] = 4;
        neighbour = buffer[20]; /* ELEMENT */
        MPI_Recv((long *)apart + 1, 1, MPI_LONG, 1, 2, WORLD, MPI_STATUS_IGNORE);
        PA_Accept(NULL, 0, 1, 2, WORLD, 0);
        buffer[0] = 6, buffer[20] = 8;
        PA_Get(buffer + 50, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 2, WORLD);
        neighbour = buffer[50]; /* GOT */
        PA_Offer(NULL, 0, 1, 2, WORLD, 0);
        neighbour = buffer[50];
    }
    if (check_rank == 1) {
        MPI_Wait(&accepting, MPI_STATUS_IGNORE);
        memory[3] = 1;
        MPI_Wait(&offering, MPI_STATUS_IGNORE);
        memory[35] = 1;
    }
    neighbour = apart[0];
    PA_Rma_free((long *)apart);
    MPI_Type_free(&column);
    check(1, "rules are broken seven times");
}

/* Edges of a range share lines with what lies beside it: the neighbours' bytes survive, and so do
 * the range's. */
static void false_sharing(void)
{
    static long cell[64] __attribute__((aligned(128)));
    MPI_Request request;
    for (int i = 0; i < 64; i++) cell[i] = 1, buffer[i] = 7;
    MPI_Barrier(WORLD);
    if (check_rank == 1) {
        PA_Iaccept(cell + 1, 20 * sizeof *cell, sizeof *cell, 3, WORLD, 1, &request);
        cell[0] += 1, cell[21] += 2; /* not in the range, but in its lines */
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
    check(check_rank != 1 || (cell[0] == 3 && cell[21] == 5),
          "lines that lie partly outside the range lose no neighbour's byte");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "wrong") == 0) {
        one_mistake(argc > 2 ? atoi(argv[2]) : -1);
        return check_end();
    }
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (strcmp(what, "starve") == 0) {
        if (check_rank == 0) put(1, MPI_LONG, 1, 4, WORLD);
        if (check_rank == 1) PA_Accept(memory, sizeof memory, 8, 4, WORLD, 3);
    } else if (strcmp(what, "starve_all") ==
               0) { /* each waits for what the other will never ask for */
        if (check_rank == 0)
            put(1, MPI_LONG, 1, 5, WORLD), PA_Offer(memory, sizeof memory, 8, 6, WORLD, 2);
        if (check_rank == 1)
            PA_Iaccept(memory, sizeof memory, 8, 5, WORLD, 2, &request),
                MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(what, "starve_round") ==
               0) { /* one process never comes; the other waits for its own, too */
        if (check_rank == 0)
            PA_Putc(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 7, WORLD),
                PA_Acceptc(memory, sizeof memory, 8, 7, WORLD);
        if (check_rank == 1) PA_Avail(memory, sizeof memory, 8, 8, WORLD);
    } else {
        arguments();
        beyond();
        in_statuses();
        rules();
        false_sharing();
        /* nobody puts or waits: undefined, no harm */
        if (check_rank == 1) PA_Iaccept(memory, sizeof memory, 8, 98, WORLD, 1, &request);
        if (check_rank == 0) {
            put(1, MPI_LONG, 1, 99, WORLD);                                /* LEFT */
            PA_Gethold(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 97, WORLD); /* HELD */
        }
        MPI_Comm first, second;
        MPI_Comm_dup(WORLD, &first);
        MPI_Comm_dup(WORLD, &second);
        if (check_rank == 0) {
            put(1, MPI_LONG, 1, 96, second);
            put(1, MPI_LONG, 1, 95, first);
        }
        MPI_Comm_free(&second);
    }
    return check_end();
}
