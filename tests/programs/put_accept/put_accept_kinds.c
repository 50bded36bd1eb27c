/* The PUT/ACCEPT proposal once more, its sentences that hold for PUT and ACCEPT tried for GET and
 * OFFER as well: "The semantics for GET, OFFER, GETHOLD, and IOFFER are identical ... after
 * replacing all PUT with GET, ACCEPT with OFFER". 3 ranks or more. */
#include "put_accept_kinds.h"

/* ---- matching -------------------------------------------------------------------------------- */

static void at_most_once(void)
{
    MPI_Request request[2];
    int flag = 0;
    fresh();
    if (check_rank == 1) {
        begin(0, 100, 1, 1, &request[0]);
        begin(100, 100, 1, 1, &request[1]);
    }
    if (check_rank == 0) ask(1, 3, 1, 1, 3);
    if (check_rank == 1) {
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        for (int i = 0; i < 20; i++) {
            int now = 0;
            MPI_Test(&request[1], &now, MPI_STATUS_IGNORE);
            flag |= now;
        }
    }
    MPI_Barrier(world);
    if (check_rank == 0) ask(1, 4, 1, 1, 4), own(1);
    if (check_rank == 1) MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    says(!flag && came(gets ? 0 : 1, 0, 3, 1, 3) &&
             (check_rank != 1 || gets || memory[104] == sent(0, 4)),
         "\"Each PUT request will be serviced at most once\"");
}

static void designated_process(void)
{
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &reversed);
    fresh();
    if (check_rank == 0)
        ask_in(reversed, 0, check_ranks - 2, 5, 1, 2, 5),
            (gets ? PA_Offer : PA_Accept)(NULL, 0, 1, 2, reversed, 0);
    if (check_rank == 1) service_in(reversed, 2, 1);
    says(came(gets ? 0 : 1, 0, 5, 1, 5),
         "\"executing in the process designated by the comm and target_rank arguments\"");
    MPI_Comm_free(&reversed);
}

static void in_order(void)
{
    fresh();
    if (check_rank == 0) {
        for (int i = 0; i < 12; i++) /* long and short ones in turn, over the same place */
            ask(1, gets ? i : 0, i % 3 ? 1 : 600, 3, gets ? 0 : i);
        own(3);
    }
    if (check_rank == 1) service(3, 12);
    says(came(gets ? 0 : 1, 0, gets ? 0 : 11, 1, gets ? 11 : 0) &&
             (check_rank != (gets ? 0 : 1) ||
              (gets ? buffer[599] == held(1, 608) : memory[599] == sent(0, 608))),
         "\"identical comm, tag, and target_rank arguments will be serviced in the order in which "
         "they are issued\"");
}

/* ---- completion ------------------------------------------------------------------------------ */

static void exactly_count(void)
{
    fresh();
    if (check_rank == 0) {
        for (int i = 0; i < 5; i++) ask(1, i, 1, 4, 10 + i);
        own(4);
    }
    int first = 1;
    if (check_rank == 1) {
        service(4, 2);
        first = gets || (memory[1] == sent(0, 11) && memory[2] == held(1, 2));
        if (gets) memory[1] = 7, memory[2] = 8;
        service(4, 3);
    }
    if (gets)
        says(check_rank != 0 || (buffer[11] == held(1, 1) && buffer[12] == 8),
             "\"has serviced exactly count\"; the rest stays for the next");
    else
        says(first && (check_rank != 1 || memory[4] == sent(0, 14)),
             "\"has serviced exactly count\"; the rest stays for the next");
}

/* Rank 2 asks at once; rank 1, who is asked, comes late. */
static void own_and_count(void)
{
    double took = 0;
    fresh();
    if (check_rank == 0) {
        double start = MPI_Wtime();
        ask(1, 0, 1, 5, 0);
        service(5, 1);
        took = MPI_Wtime() - start;
    }
    if (check_rank == 2) ask(0, 9, 1, 5, 9), own(5);
    if (check_rank == 1) linger(), service(5, 1);
    says(check_rank != 0 || took > 0.9 * pause_s, "\"if and only if all of the PUT requests issued "
                                                  "by the process ... have been fully serviced\"");
    fresh();
    if (check_rank == 1) {
        double start = MPI_Wtime();
        service(5, 1);
        took = MPI_Wtime() - start;
    }
    if (check_rank == 0) linger(), ask(1, 0, 1, 5, 0), own(5);
    says(check_rank != 1 || took > 0.9 * pause_s,
         "\"and the ACCEPT has serviced exactly count PUT requests\"");
}

/* What is fully serviced has left the origin's buffer, or come there: the program may use it. */
static void fully_serviced(void)
{
    MPI_Request request;
    fresh();
    if (check_rank == 1) begin(0, CELLS, 6, 1, &request);
    if (check_rank == 0) {
        ask(1, 0, CELLS, 6, 0);
        own(6);
        if (!gets) memset(buffer, 0, CELLS * sizeof *buffer);
    }
    if (check_rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
    int right = 1;
    for (int i = 0; i < CELLS; i++) right &= came(gets ? 0 : 1, 0, i, 1, i);
    says(right, "\"fully serviced\": \"the entire data transfer is complete\"");
}

static void holding(void)
{
    MPI_Request request;
    int flag = 0;
    fresh();
    if (check_rank == 1) begin(0, CELLS, 7, 1, &request);
    if (check_rank == 0)
        for (int i = 0; i < 4; i++) hold(1, i, 1, 7, i);
    MPI_Barrier(world);
    for (int i = 0; check_rank == 1 && i < 20; i++) {
        int now = 0;
        MPI_Test(&request, &now, MPI_STATUS_IGNORE);
        flag |= now;
    }
    MPI_Barrier(world);
    if (check_rank == 0) ask(1, 9, 1, 7, 9), own(7);
    if (check_rank == 1 && !flag) MPI_Wait(&request, MPI_STATUS_IGNORE);
    says(!flag && came(gets ? 0 : 1, 0, 0, 1, 0) && came(gets ? 0 : 1, 0, 3, 1, 3) &&
             came(gets ? 0 : 1, 0, 9, 1, 9),
         "\"the completion of an ACCEPT operation is independent of the number of PUTHOLD "
         "operations which it has serviced\"");
}

/* ---- the non-blocking rule ------------------------------------------------------------------- */

static void other_operations(void)
{
    MPI_Request request;
    MPI_Status status;
    double took = 0;
    long word = 0;
    fresh();
    if (check_rank == 1) {
        double start = MPI_Wtime();
        begin(0, 100, 8, 1, &request);
        took = MPI_Wtime() - start;
        MPI_Recv(&word, 1, MPI_LONG, 0, 8, world, &status);
        (gets ? PA_Offer : PA_Accept)(memory + 100, 100 * sizeof *memory, sizeof *memory, 9, world,
                                      1);
        MPI_Send(&word, 1, MPI_LONG, 0, 8, world);
        MPI_Wait(&request, &status);
    }
    if (check_rank == 0) {
        linger();
        MPI_Send(buffer, 1, MPI_LONG, 1, 8, world);
        ask(1, 0, 1, 9, 20), own(9);
        MPI_Recv(&word, 1, MPI_LONG, 1, 8, world, &status);
        ask(1, 1, 1, 8, 1), own(8);
    }
    says(check_rank != 1 || took < 0.5 * pause_s, "\"The operation Iop will always complete\"");
    says(came(gets ? 0 : 1, 0, 1, 1, 1) && (check_rank > 1 || word == sent(0, 0)),
         "\"other operations in the same thread may execute after inception and before the "
         "completion\"");
}

/* ---- the collective forms -------------------------------------------------------------------- */

static void collective_ask(int target, int disp, int from)
{
    if (gets)
        PA_Getc(buffer + from, 1, MPI_LONG, target, disp, 1, MPI_LONG, 10, world);
    else
        PA_Putc(buffer + from, 1, MPI_LONG, target, disp, 1, MPI_LONG, 10, world);
}

static void collective_begin(int first, MPI_Request *request)
{
    (gets ? PA_Iofferc : PA_Iacceptc)(memory + first, 64 * sizeof *memory, sizeof *memory, 10,
                                      world, request);
}

static void totals(void)
{
    const int next = (check_rank + 1) % check_ranks,
              last = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Request request[2];
    int right = 1;
    fresh();
    for (int m = 0; m < 4; m++) {
        collective_ask(next, m, m);
        if ((m + check_rank) % 2) {
            collective_begin(0, request);
            MPI_Wait(request, MPI_STATUS_IGNORE);
        } else
            (gets ? PA_Offerc : PA_Acceptc)(memory, 64 * sizeof *memory, sizeof *memory, 10, world);
        right &= gets ? buffer[m] == held(next, m) : memory[m] == sent(last, m);
    }
    says(right,
         "\"m total ACCEPTCs and IACCEPTCs with the same tag and communicator\", in any mixture");

    fresh();
    collective_ask(next, 5, 5);
    collective_begin(0, &request[0]);
    collective_begin(64, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    says(gets ? buffer[5] == held(next, 5) : memory[5] == sent(last, 5),
         "two rounds under way, the second waited for first");

    fresh();
    double start = MPI_Wtime();
    if (check_rank == 0) linger();
    (gets ? PA_Offerc : PA_Acceptc)(NULL, 0, 1, 10, world);
    says(MPI_Wtime() - start > 0.9 * pause_s,
         "\"have completed (or will complete) in each of the other processes\": nobody is done "
         "before all have come");
}

static void second_first(void)
{
    MPI_Request request[2];
    fresh();
    if (check_rank == 0) ask(1, 0, 1, 11, 30), ask(1, 0, 1, 11, 31), own(11);
    if (check_rank == 1) {
        begin(0, 10, 11, 1, &request[0]);
        begin(10, 10, 11, 1, &request[1]);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    if (gets)
        says(check_rank != 0 || (buffer[30] == held(1, 0) && buffer[31] == held(1, 10)),
             "two servicers of one tag, the second waited for first");
    else
        says(check_rank != 1 || (memory[0] == sent(0, 30) && memory[10] == sent(0, 31)),
             "two servicers of one tag, the second waited for first");
}

/* ---- AVAIL ----------------------------------------------------------------------------------- */

static void avail(void)
{
    double took = 0;
    int between = 1;
    fresh();
    if (check_rank == 0) {
        PA_Gethold(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 12, world);
        PA_Put(buffer + 1, 1, MPI_LONG, 1, 1, 1, MPI_LONG, 12, world);
        linger();
        PA_Get(buffer + 2, 1, MPI_LONG, 1, 1, 1, MPI_LONG, 12, world);
        PA_Offer(NULL, 0, 1, 12, world, 0);
        PA_Accept(NULL, 0, 1, 12, world, 0);
    }
    if (check_rank == 1) {
        PA_Avail(memory, CELLS * sizeof *memory, sizeof *memory, 12, world);
        between = memory[1] == held(1, 1);
        PA_Avail(memory, CELLS * sizeof *memory, sizeof *memory, 12, world);
        between &= memory[1] == sent(0, 1);
    }
    check(between && (check_rank != 0 || (buffer[0] == held(1, 0) && buffer[2] == held(1, 1))),
          "\"If an AVAIL operation satisfies a GETHOLD request, it will subsequently only satisfy "
          "GETHOLD requests and a GET request\"");
    for (int kind = 0; kind < 2; kind++) {
        fresh();
        if (check_rank == 0) {
            double start = MPI_Wtime();
            if (kind)
                PA_Get(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 13, world);
            else
                PA_Puthold(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 13, world);
            PA_Avail(memory, CELLS * sizeof *memory, sizeof *memory, 13, world);
            took = MPI_Wtime() - start;
            if (!kind)
                PA_Put(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 14, world),
                    PA_Accept(NULL, 0, 1, 14, world, 0);
        }
        if (check_rank == 2)
            PA_Put(buffer, 1, MPI_LONG, 0, 0, 1, MPI_LONG, 13, world),
                PA_Accept(NULL, 0, 1, 13, world, 0);
        if (check_rank == 1) {
            MPI_Request request;
            linger();
            if (kind)
                PA_Offer(memory, 64, 8, 13, world, 1);
            else {
                /* it takes the hold, and a PUT that ends it */
                PA_Iaccept(memory, 64, 8, 13, world, 1, &request);
                PA_Put(buffer, 1, MPI_LONG, 1, 1, 1, MPI_LONG, 13, world);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
                PA_Accept(memory, 64, 8, 14, world, 1);
            }
        }
        check(check_rank != 0 || took > 0.9 * pause_s,
              kind ? "an AVAIL waits for its own process's GETs"
                   : "\"all of the PUT, GET, PUTHOLD, and GETHOLD requests issued by the process "
                     "executing the AVAIL\": for its PUTHOLDs");
    }
}

/* ---- requesting, last: nobody ever services these -------------------------------------------- */

static void requesting(void)
{
    double took = 0;
    fresh();
    if (check_rank == 1) linger();
    if (check_rank == 0) {
        double start = MPI_Wtime();
        PA_Put(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 90, world);
        PA_Puthold(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 90, world);
        PA_Putc(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 90, world);
        PA_Get(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 90, world);
        PA_Gethold(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 90, world);
        PA_Getc(buffer, 1, MPI_LONG, 1, 0, 1, MPI_LONG, 90, world);
        took = MPI_Wtime() - start;
    }
    check(check_rank != 0 || took < 0.1 * pause_s,
          "\"A PUT operation will always complete\", and at once: the six kinds, never serviced");
}

/* Prints whether a target that computes was waited for: "allow a servicing operation to delay the
 * servicing ... until the servicing operation completes or tries to complete". */
static void delay(void)
{
    MPI_Request request;
    double took = 0;
    fresh();
    if (check_rank == 1) {
        begin(0, 64, 15, 1, &request);
        MPI_Barrier(world);
        linger();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else
        MPI_Barrier(world);
    if (check_rank == 0) {
        double start = MPI_Wtime();
        ask(1, 0, 1, 15, 0), own(15);
        took = MPI_Wtime() - start;
        printf("delayed_%s=%d\n", gets ? "get" : "put", took > 0.9 * pause_s);
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    world = MPI_COMM_WORLD;
    double start = MPI_Wtime();
    linger();
    pause_s = MPI_Wtime() - start;
    PA_Rma_malloc(&memory, CELLS * sizeof *memory);
    PA_Rma_malloc(&buffer, CELLS * sizeof *buffer);
    for (gets = 0; gets < 2; gets++) {
        at_most_once();
        designated_process();
        in_order();
        exactly_count();
        own_and_count();
        fully_serviced();
        holding();
        other_operations();
        totals();
        second_first();
        delay();
    }
    avail();
    requesting();
    PA_Rma_free(memory);
    PA_Rma_free(buffer);
    return check_end();
}
