/* What put_accept_kinds.c asks with: each call of PUT and ACCEPT, or of GET and OFFER (gets), and
 * what the memory then holds. */
#ifndef PUT_ACCEPT_KINDS_H
#define PUT_ACCEPT_KINDS_H

#include "check.h"
#include "put_accept.h"
#include "sidewinder.h"

enum { CELLS = 2048 };
static long *memory, *buffer;
static int gets; /* PUT and ACCEPT; or GET and OFFER */
static MPI_Comm world;
static double pause_s; /* what linger() takes */

static long sent(int origin, int i) { return 1000000L * (origin + 1) + i; }
static long held(int target, int i) { return -sent(target, i); }
static void linger(void) { sw_compute(3e6); }

static void fresh(void)
{
    for (int i = 0; i < CELLS; i++)
        memory[i] = held(check_rank, i), buffer[i] = sent(check_rank, i);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void ask_in(MPI_Comm comm, int hold, int target, int disp, int n, int tag, int from)
{
    if (gets)
        (hold ? PA_Gethold : PA_Get)(buffer + from, n, MPI_LONG, target, disp, n, MPI_LONG, tag,
                                     comm);
    else
        (hold ? PA_Puthold : PA_Put)(buffer + from, n, MPI_LONG, target, disp, n, MPI_LONG, tag,
                                     comm);
}
static void ask(int target, int disp, int n, int tag, int from)
{
    ask_in(world, 0, target, disp, n, tag, from);
}
static void hold(int target, int disp, int n, int tag, int from)
{
    ask_in(world, 1, target, disp, n, tag, from);
}
static void service_in(MPI_Comm comm, int tag, int count)
{
    (gets ? PA_Offer : PA_Accept)(memory, CELLS * sizeof *memory, sizeof *memory, tag, comm, count);
}
static void service(int tag, int count) { service_in(world, tag, count); }
static void own(int tag) { (gets ? PA_Offer : PA_Accept)(NULL, 0, 1, tag, world, 0); }
static void begin(int first, int n, int tag, int count, MPI_Request *request)
{
    (gets ? PA_Ioffer : PA_Iaccept)(memory + first, n * sizeof *memory, sizeof *memory, tag, world,
                                    count, request);
}

/* At the target of PUTs, or at the origin of GETs: has it come? */
static int came(int rank, int origin, int from, int target, int disp)
{
    if (check_rank != rank || rank != (gets ? origin : target)) return 1;
    return gets ? buffer[from] == held(target, disp) : memory[disp] == sent(origin, from);
}

static void says(int truth, const char *sentence)
{
    char text[300];
    snprintf(text, sizeof text, "%s: %s", gets ? "GET, OFFER" : "PUT, ACCEPT", sentence);
    check(truth, text);
}

#endif
