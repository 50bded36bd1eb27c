/* <mpi.h> for `sidewinder cc --dialect put_accept`: MPI_Put is the PUT/ACCEPT proposal's Put, and so on. MPI's windows have no Put
 * in such a program. */
#ifndef SIDEWINDER_PUT_ACCEPT_MPI_H
#define SIDEWINDER_PUT_ACCEPT_MPI_H

#include_next <mpi.h>
#include <put_accept.h>

#define MPI_Rma_malloc PA_Rma_malloc
#define MPI_Rma_free PA_Rma_free
#define MPI_Put PA_Put
#define MPI_Puthold PA_Puthold
#define MPI_Putc PA_Putc
#define MPI_Get PA_Get
#define MPI_Gethold PA_Gethold
#define MPI_Getc PA_Getc
#define MPI_Accept PA_Accept
#define MPI_Iaccept PA_Iaccept
#define MPI_Acceptc PA_Acceptc
#define MPI_Iacceptc PA_Iacceptc
#define MPI_Offer PA_Offer
#define MPI_Ioffer PA_Ioffer
#define MPI_Offerc PA_Offerc
#define MPI_Iofferc PA_Iofferc
#define MPI_Avail PA_Avail
#define MPI_Iavail PA_Iavail

#endif
