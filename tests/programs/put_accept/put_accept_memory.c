/* PUT/ACCEPT and caches: "On non-cache-coherent architectures, where remote operations access main
 * memory but not cache, an OFFER or ACCEPT operation can begin by performing a cache flush of the
 * memory range". 2 ranks. Prints what the flush takes, in seconds.
 *
 * Memory that is a window's besides is memory that others touch before and after: there, each flush
 * left out is an old value. */
#include "check.h"
#include "put_accept.h"
#include "sidewinder.h"

enum { CELLS = 256 };
static long *memory, *buffer;
static volatile long sum;

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void offer(void)
{
    MPI_Request request;
    for (int i = 0; i < CELLS; i++) memory[i] = 1, buffer[i] = 0;
    meet();
    if (check_rank == 1) {
        /* still in the cache or in the write buffer when the call is made */
        for (int i = 0; i < CELLS; i++) memory[i] = 500 + i;
        PA_Ioffer(memory, CELLS * sizeof *memory, sizeof *memory, 1, MPI_COMM_WORLD, 1, &request);
    }
    meet();
    if (check_rank == 0) {
        PA_Get(buffer, CELLS, MPI_LONG, 1, 0, CELLS, MPI_LONG, 1, MPI_COMM_WORLD);
        PA_Offer(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
    } else if (check_rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    int right = 1;
    for (int i = 0; i < CELLS; i++) right &= check_rank != 0 || buffer[i] == 500 + i;
    check(right, "\"to ensure that remote processes will see ... the freshest values\": an OFFER's "
                 "stores are what a GET gets");
}

static void accept(void)
{
    MPI_Request request;
    for (int i = 0; i < CELLS; i++) memory[i] = 1, buffer[i] = 700 + i;
    meet();
    if (check_rank == 1) {
        for (int i = 0; i < CELLS; i++) sum += memory[i]; /* in the cache now */
        PA_Iaccept(memory, CELLS * sizeof *memory, sizeof *memory, 2, MPI_COMM_WORLD, 1, &request);
    }
    meet();
    if (check_rank == 0) {
        PA_Put(buffer, CELLS / 2, MPI_LONG, 1, 0, CELLS / 2, MPI_LONG, 2, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 2, MPI_COMM_WORLD, 0);
    } else if (check_rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    int right = 1;
    for (int i = 0; i < CELLS; i++)
        right &= check_rank != 1 || memory[i] == (i < CELLS / 2 ? 700 + i : 1);
    check(right, "\"or update the freshest values\": what is put into an ACCEPT's range is what "
                 "the target loads, and the rest is as it was");
}

/* What is beside the range, in its first and its last line, is used meanwhile: those lines come
 * back into the cache. */
static void edges(void)
{
    MPI_Request request;
    enum { FIRST = 1, END = 22 };
    for (int i = 0; i < CELLS; i++) memory[i] = 1, buffer[i] = 70 + i;
    meet();
    if (check_rank == 1)
        PA_Iaccept(memory + FIRST, (END - FIRST) * sizeof *memory, sizeof *memory, 5,
                   MPI_COMM_WORLD, 1, &request);
    if (check_rank == 1) memory[0] += 1, memory[END] += 2;
    meet();
    if (check_rank == 0) {
        PA_Put(buffer, END - FIRST, MPI_LONG, 1, 0, END - FIRST, MPI_LONG, 5, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 5, MPI_COMM_WORLD, 0);
    } else if (check_rank == 1) {
        memory[0] += 1, memory[END] += 2;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int right = 1;
    for (int i = FIRST; i < END; i++) right &= check_rank != 1 || memory[i] == 70 + i - FIRST;
    check(right && (check_rank != 1 || (memory[0] == 3 && memory[END] == 5)),
          "\"cases where false sharing exists -- i.e. where cache lines may contain data from both "
          "inside and outside\"");
}

/* The same with bytes: a processor may store them by putting a whole word back (t3d), which others
 * write part of. */
static void bytes_at_edges(void)
{
    unsigned char *at = (unsigned char *)memory;
    MPI_Request request;
    int right = 1;
    for (int first = 1; first < 8; first += 3)
        for (int bytes = 1; bytes < 40; bytes += 6) {
            for (int i = 0; i < 64; i++) at[i] = (unsigned char)i;
            memset(buffer, 200, 64);
            meet();
            if (check_rank == 1) PA_Iaccept(at + first, bytes, 1, 6, MPI_COMM_WORLD, 1, &request);
            if (check_rank == 1) at[first - 1] = 150, at[first + bytes] = 160;
            meet();
            if (check_rank == 0)
                PA_Put(buffer, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, 6, MPI_COMM_WORLD);
            for (int i = 0; check_rank == 1 && i < 9; i++)
                at[first - 1] += 1, at[first + bytes] += 1;
            if (check_rank == 0) PA_Accept(NULL, 0, 1, 6, MPI_COMM_WORLD, 0);
            if (check_rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int i = 0; check_rank == 1 && i < 64; i++)
                right &= at[i] == (i == first - 1                    ? 159
                                   : i == first + bytes              ? 169
                                   : i >= first && i < first + bytes ? 200
                                                                     : i);
        }
    check(right, "\"the implementor may need to perform additional work in the cases where false "
                 "sharing exists\": nor are bytes lost that share a word");
}

static void to_oneself(void)
{
    for (int i = 0; i < CELLS; i++) memory[i] = 1, buffer[i] = 900 + i;
    for (int i = 0; i < CELLS; i++) sum += memory[i];
    PA_Put(buffer, CELLS, MPI_LONG, check_rank, 0, CELLS, MPI_LONG, 3, MPI_COMM_WORLD);
    PA_Accept(memory, CELLS * sizeof *memory, sizeof *memory, 3, MPI_COMM_WORLD, 1);
    int right = 1;
    for (int i = 0; i < CELLS; i++) right &= memory[i] == 900 + i;
    for (int i = 0; i < CELLS; i++) memory[i] = 30 + i;
    PA_Get(buffer, CELLS, MPI_LONG, check_rank, 0, CELLS, MPI_LONG, 3, MPI_COMM_WORLD);
    PA_Offer(memory, CELLS * sizeof *memory, sizeof *memory, 3, MPI_COMM_WORLD, 1);
    for (int i = 0; i < CELLS; i++) right &= buffer[i] == 30 + i;
    check(right, "\"What about a PUT or GET which target one's own process?\" They see and leave "
                 "the freshest values, too");
}

/* Of the call that begins. */
static double time_of(void *base, MPI_Aint size)
{
    MPI_Request request;
    for (int i = 0; i < CELLS; i++) sum += memory[i];
    double start = MPI_Wtime();
    PA_Iaccept(base, size, 8, 4, MPI_COMM_WORLD, 0, &request);
    double took = MPI_Wtime() - start;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return took;
}

/* To load, for the first time, what lies there. */
static double load_time(const long *cells)
{
    long all = 0; /* not in memory, where it may lie in one of the cells' places of the cache */
    double start = MPI_Wtime();
    for (int i = 0; i < CELLS; i++) all += cells[i];
    double took = MPI_Wtime() - start;
    sum += all;
    return took;
}

/* Memory that others reach is no nearer for its interface's sake. */
static void distance(void)
{
    static long elsewhere[CELLS];
    MPI_Win win;
    long *windows;
    load_time(elsewhere); /* the loop's end is foreseen from now on */
    PA_Rma_malloc(&memory, CELLS * sizeof *memory);
    double accept_s = load_time(memory);
    MPI_Win_allocate(CELLS * sizeof *windows, sizeof *windows, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &windows, &win);
    double window_s = load_time(windows);
    MPI_Win_free(&win);
    PA_Rma_free(memory);
    check(accept_s > 0.9 * window_s && accept_s < 1.1 * window_s,
          "what MPI_RMA_MALLOC gives lies where a window lies");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    distance();
    PA_Rma_malloc(&memory, CELLS * sizeof *memory);
    PA_Rma_malloc(&buffer, CELLS * sizeof *buffer);
    for (int window = 0; window < 2; window++) {
        MPI_Win win = MPI_WIN_NULL;
        if (window)
            MPI_Win_create(memory, CELLS * sizeof *memory, sizeof *memory, MPI_INFO_NULL,
                           MPI_COMM_WORLD, &win);
        offer();
        accept();
        edges();
        bytes_at_edges();
        to_oneself();
        if (window) MPI_Win_free(&win);
    }
    time_of(NULL, 0);
    double nothing_s = time_of(NULL, 0), range_s = time_of(memory, CELLS * sizeof *memory);
    if (check_rank == 0) printf("flush=%.9f\n", range_s - nothing_s);
    PA_Rma_free(memory);
    PA_Rma_free(buffer);
    return check_end();
}
