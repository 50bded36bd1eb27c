/* <mpi.h> for `sidewinder cc --dialect shmalloc`: MPI_Put is the SHMALLOC proposal's Put, and so on. MPI's windows have no Put and Get in
 * such a program. */
#ifndef SIDEWINDER_SHMALLOC_MPI_H
#define SIDEWINDER_SHMALLOC_MPI_H

#include_next <mpi.h>
#include <shmalloc.h>

#define MPI_Shmalloc SHM_Shmalloc
#define MPI_Get SHM_Get
#define MPI_Put SHM_Put

#endif
