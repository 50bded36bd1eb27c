/* PUT/ACCEPT: one-sided requests that a servicing call at the target accepts or offers memory to
 * (D. C. DiNucci, proposal to the MPI-2 one-sided working group, 1996). A request is issued and
 * completes at once; it is serviced by a call of the target with the same communicator and tag. The
 * proposal's own spelling, MPI_ for PA_: compile with `sidewinder cc --dialect put_accept`.
 */
#ifndef PUT_ACCEPT_H
#define PUT_ACCEPT_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* Memory that shares no cache line with any other: *(void **)base is set. */
int PA_Rma_malloc(void *base, MPI_Aint size);
int PA_Rma_free(void *base);

/* Requests. hold: counts for no servicer. c: for the collective servicers. */
#define PA_REQUEST_(origin)                                                                        \
    (origin origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,          \
     MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, int tag, MPI_Comm comm)
int PA_Put PA_REQUEST_(const void *);
int PA_Puthold PA_REQUEST_(const void *);
int PA_Putc PA_REQUEST_(const void *);
int PA_Get PA_REQUEST_(void *);
int PA_Gethold PA_REQUEST_(void *);
int PA_Getc PA_REQUEST_(void *);

/* Servicers. The target's location is base + target_disp * disp_unit. ACCEPT takes `count` PUTs,
 * OFFER `count` GETs, AVAIL one of either with the holds of its kind before it; each also waits for
 * this process's own requests of the kind with that tag. */
int PA_Accept(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm, int count);
int PA_Acceptc(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm);
int PA_Offer(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm, int count);
int PA_Offerc(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm);
int PA_Avail(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm);
/* Their requests work in every MPI_Wait and MPI_Test, mixed with others. */
int PA_Iaccept(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm, int count,
               MPI_Request *request);
int PA_Iacceptc(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm,
                MPI_Request *request);
int PA_Ioffer(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm, int count,
              MPI_Request *request);
int PA_Iofferc(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm,
               MPI_Request *request);
int PA_Iavail(void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm,
              MPI_Request *request);

/* MPI_Probe and MPI_Iprobe see requests, too: status.MPI_OP says what it is. */
#define MPI_OP cancelled
enum {
    MPI_SEND_PROBED = 0,
    MPI_PUT_PROBED = 2,
    MPI_PUTHOLD_PROBED = 3,
    MPI_GET_PROBED = 4,
    MPI_GETHOLD_PROBED = 5,
    MPI_PUTC_PROBED = 6,
    MPI_GETC_PROBED = 7
};
/* MPI_Probe of Fortran programs */
int PA_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
/* Requests may come, even while this rank probes and nobody has issued one yet: any file of a
 * program that includes this says so when the program is loaded. */
void PA_Present(void);
#if defined __GNUC__ && !defined DIALECT_MPI_INSIDE_H
__attribute__((constructor)) static void pa_present_(void) { PA_Present(); }
#endif

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
