/* The PUT/ACCEPT proposal's "Operational Semantics", sentence by sentence (D. C. DiNucci, 1996).
 * Each check names the sentence it proves. */
#include "check.h"
#include "put_accept.h"
#include "sidewinder.h"

enum { CELLS = 4096 };
static long *memory, *buffer;
static MPI_Comm world;

static void fresh(void)
{
    for (int i = 0; i < CELLS; i++) memory[i] = -1, buffer[i] = 1000000L * (check_rank + 1) + i;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void accept(int tag, int count)
{
    PA_Accept(memory, CELLS * sizeof *memory, sizeof *memory, tag, world, count);
}
static void offer(int tag, int count)
{
    PA_Offer(memory, CELLS * sizeof *memory, sizeof *memory, tag, world, count);
}
static void nothing_but_wait(int tag) { PA_Accept(NULL, 0, 1, tag, world, 0); }
static void put(int target, int disp, int n, int tag, int from)
{
    PA_Put(buffer + from, n, MPI_LONG, target, disp, n, MPI_LONG, tag, world);
}
static void puthold(int target, int disp, int n, int tag, int from)
{
    PA_Puthold(buffer + from, n, MPI_LONG, target, disp, n, MPI_LONG, tag, world);
}
static long sent(int origin, int from) { return 1000000L * (origin + 1) + from; }

/* ---- requesting ------------------------------------------------------------------------------ */

static void requesting(void)
{
    fresh();
    if (check_rank == 0) {
        put(1, 0, 1, 900, 0);
        PA_Get(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 901, world);
        put(1, 0, CELLS, 902, 0);
    }
    check(1, "\"A PUT operation will always complete\": nobody ever services these");
}

/* ---- matching -------------------------------------------------------------------------------- */

static void matching(void)
{
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    fresh();
    if (check_rank == 0) {
        PA_Put(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 7, other);
        put(1, 1, 1, 8, 1);
        put(1, 2, 1, 7, 2);
        nothing_but_wait(7);
    }
    if (check_rank == 1) {
        accept(7, 1);
        check_failures += memory[0] != -1 || memory[1] != -1 || memory[2] != sent(0, 2);
        accept(8, 1);
        PA_Accept(memory, CELLS * sizeof *memory, sizeof *memory, 7, other, 1);
    }
    check(check_failures == 0 &&
              (check_rank != 1 || (memory[0] == sent(0, 0) && memory[1] == sent(0, 1))),
          "\"only by an ACCEPT ... with matching comm and tag arguments\"");

    fresh();
    if (check_rank == 0) {
        for (int i = 0; i < 40; i++) puthold(1, 0, i == 0 ? 3000 : 1, 5, i);
        put(1, 0, 1, 5, 40);
        nothing_but_wait(5);
    }
    if (check_rank == 1) accept(5, 1);
    check(check_rank != 1 || (memory[0] == sent(0, 40) && memory[2999] == sent(0, 2999)),
          "\"Multiple PUT requests ... will be serviced in the order in which they are issued\"");

    fresh();
    if (check_rank == 0) {
        PA_Putc(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 6, world);
        PA_Get(buffer + 10, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 6, world);
        PA_Getc(buffer + 11, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 6, world);
        put(1, 3, 1, 6, 3);
        nothing_but_wait(6);
    }
    if (check_rank == 1) accept(6, 1);
    check(check_rank != 1 || (memory[0] == -1 && memory[3] == sent(0, 3)),
          "PUT, GET, PUTC and GETC never match each other's servicers");
    if (check_rank == 1) offer(6, 1);
    if (check_rank == 0) PA_Offer(NULL, 0, 1, 6, world, 0);
    PA_Acceptc(memory, CELLS * sizeof *memory, sizeof *memory, 6, world);
    PA_Offerc(memory, CELLS * sizeof *memory, sizeof *memory, 6, world);
    check(check_rank != 1 || memory[0] == sent(0, 0), "the collective forms service theirs");
    check(check_rank != 0 || buffer[10] == -1, "and the GET its own");
    MPI_Comm_free(&other);
}

/* ---- servicing ------------------------------------------------------------------------------- */

static void servicing(void)
{
    MPI_Datatype column, pair;
    MPI_Type_vector(4, 1, 8, MPI_LONG, &column);
    MPI_Type_contiguous(2, MPI_LONG, &pair);
    MPI_Type_commit(&column);
    MPI_Type_commit(&pair);
    fresh();
    if (check_rank == 0) {
        PA_Put(buffer, 1, column, 1, 5, 2, pair, 3, world);
        nothing_but_wait(3);
    }
    if (check_rank == 1) PA_Accept(memory + 100, 1000, 2 * sizeof *memory, 3, world, 1);
    check(check_rank != 1 || (memory[110] == sent(0, 0) && memory[111] == sent(0, 8) &&
                              memory[113] == sent(0, 24)),
          "\"multiplying the target_disp arg of the PUT request with the disp_unit arg of the "
          "ACCEPT ... and adding this to the base\"");
    fresh();
    if (check_rank == 0)
        PA_Get(buffer + 50, 2, pair, 1, 1, 1, column, 3, world), PA_Offer(NULL, 0, 1, 3, world, 0);
    if (check_rank == 1) {
        for (int i = 0; i < 64; i++) memory[i] = i;
        PA_Offer(memory, 64 * sizeof *memory, sizeof *memory, 3, world, 1);
    }
    check(check_rank != 0 || (buffer[50] == 1 && buffer[51] == 9 && buffer[53] == 25),
          "a GET is \"transferred from the process\"");
    MPI_Type_free(&column);
    MPI_Type_free(&pair);
    fresh();
    if (check_rank == 1) {
        put(1, 7, 2, 4, 0);
        accept(4, 1);
    }
    check(check_rank != 1 || memory[8] == sent(1, 1),
          "\"a PUT or GET which target one's own process\" works");
}

/* ---- completion ------------------------------------------------------------------------------ */

static void completion(void)
{
    double begin = MPI_Wtime(), end = 0;
    sw_compute(1e5);
    double pause = (MPI_Wtime() - begin) / 1e5 * 3e6;
    fresh();
    begin = MPI_Wtime();
    if (check_rank == 0) {
        put(1, 0, 2000, 2, 0);
        nothing_but_wait(2);
        end = MPI_Wtime();
    }
    if (check_rank == 1) {
        sw_compute(3e6);
        accept(2, 1);
    }
    check(check_rank != 0 || end - begin > 0.9 * pause,
          "ACCEPT(0) waits until all of the process's own PUTs \"have been fully serviced\"");

    fresh();
    if (check_rank != 1)
        for (int i = 0; i < 3; i++) put(1, 10 * check_rank + i, 1, 2, i);
    if (check_rank == 1)
        accept(2, 3 * (check_ranks - 1));
    else
        nothing_but_wait(2);
    int all = 1;
    for (int origin = 0; origin < check_ranks; origin++)
        for (int i = 0; origin != 1 && i < 3; i++)
            all &= check_rank != 1 || memory[10 * origin + i] == sent(origin, i);
    check(all, "an ACCEPT completes when it \"has serviced exactly count PUT requests\"");

    fresh();
    if (check_rank == 0)
        for (int i = 0; i < 5; i++) put(1, i, 1, 2, i);
    int first = 1;
    if (check_rank == 1) {
        accept(2, 2);
        first = memory[1] == sent(0, 1) && memory[2] == -1;
        accept(2, 3);
    }
    check(first && (check_rank != 1 || memory[4] == sent(0, 4)),
          "what exceeds the count stays for the next ACCEPT");

    fresh();
    if (check_rank == 0) {
        for (int i = 0; i < 9; i++) puthold(1, i, 1, 2, i);
        put(1, 9, 1, 2, 9);
        nothing_but_wait(2);
    }
    if (check_rank == 1) accept(2, 1);
    check(check_rank != 1 || (memory[0] == sent(0, 0) && memory[9] == sent(0, 9)),
          "\"the completion of an ACCEPT operation is independent of the number of PUTHOLD "
          "operations which it has serviced\"");
}

/* ---- collective ------------------------------------------------------------------------------ */

static void collective(void)
{
    fresh();
    int right = 1;
    for (int m = 0; m < 3; m++) {
        if (check_rank == m % check_ranks) sw_compute(1e5);
        for (int target = 0; target < check_ranks; target++)
            if ((target + check_rank + m) % 2 == 0)
                PA_Putc(buffer + m, 1, MPI_LONG, target, 10 * m + check_rank, 1, MPI_LONG, 1,
                        world);
        PA_Acceptc(memory, CELLS * sizeof *memory, sizeof *memory, 1, world);
        for (int origin = 0; origin < check_ranks; origin++)
            right &= memory[10 * m + origin] ==
                     ((origin + check_rank + m) % 2 == 0 ? sent(origin, m) : -1);
        right &= memory[10 * (m + 1)] == -1;
    }
    check(right, "\"if m-1 total ACCEPTCs ... have executed in this process prior to this one, "
                 "then m ... in each of the other processes\"");
    for (int target = 0; target < check_ranks; target++)
        PA_Getc(buffer + target, 1, MPI_LONG, target, check_rank, 1, MPI_LONG, 1, world);
    for (int i = 0; i < check_ranks; i++) memory[i] = 100 * check_rank + i;
    PA_Offerc(memory, CELLS * sizeof *memory, sizeof *memory, 1, world);
    for (int target = 0; target < check_ranks; target++)
        right &= buffer[target] == 100 * target + check_rank;
    check(right, "GETC and OFFERC: the same with GET for PUT");
}

/* ---- AVAIL ----------------------------------------------------------------------------------- */

static void avail(void)
{
    fresh();
    if (check_rank == 0) {
        puthold(1, 0, 1, 4, 0);
        PA_Gethold(buffer + 20, 1, MPI_LONG, 1, 1, 1, MPI_LONG, 4, world);
        PA_Get(buffer + 21, 1, MPI_LONG, 1, 2, 1, MPI_LONG, 4, world);
        sw_compute(1e5);
        put(1, 2, 1, 4, 2);
        nothing_but_wait(4);
        PA_Offer(NULL, 0, 1, 4, world, 0);
    }
    if (check_rank == 1) {
        PA_Avail(memory, CELLS * sizeof *memory, sizeof *memory, 4, world);
        memory[1] = 77;
        PA_Avail(memory, CELLS * sizeof *memory, sizeof *memory, 4, world);
    }
    check(check_rank != 0 || (buffer[20] == 77 && buffer[21] == sent(0, 2)),
          "\"If an AVAIL operation satisfies a PUTHOLD request, it will subsequently only satisfy "
          "PUTHOLD requests and a PUT request\"");
    check(check_rank != 1 || memory[0] == sent(0, 0),
          "an AVAIL services exactly one PUT or GET, and the holds before it");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    world = MPI_COMM_WORLD;
    PA_Rma_malloc(&memory, CELLS * sizeof *memory);
    PA_Rma_malloc(&buffer, CELLS * sizeof *buffer);
    matching();
    servicing();
    completion();
    collective();
    avail();
    requesting();
    PA_Rma_free(memory);
    PA_Rma_free(buffer);
    return check_end();
}
