/* SHMALLOC get/put: memory that remote processes get from and put to, tied to a communicator (E.
 * Salo, "Plea for simplicity", MPI-2 mailing list, 31 October 1995). The proposal's own spelling,
 * MPI_ for SHM_: compile with `sidewinder cc --dialect shmalloc`.
 *
 * One process's operations on a get/put communicator are performed in the order of its calls.
 * MPI_Barrier on it completes everybody's, and every window is then as its owner's loads see it.
 * MPI_Comm_free releases the windows; duplicates and parts of such a communicator are ordinary
 * ones.
 */
#ifndef SHMALLOC_H
#define SHMALLOC_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* Collective. Allocates a window of len bytes, all zero, and sets *(void **)buf to it; newcomm has
 * the members of oldcomm. Lengths may differ and be 0. buf NULL (in Fortran MPI_BOTTOM): no window
 * here, but access to the others. */
int SHM_Shmalloc(void *buf, MPI_Aint len, MPI_Comm oldcomm, MPI_Comm *newcomm);

/* From offset bytes on, in the window of that rank, the elements' bytes lie one after the other. */
/* returns when the data is in buf */
int SHM_Get(void *buf, int count, MPI_Datatype type, MPI_Aint offset, int rank, MPI_Comm comm);
/* when buf may be used again */
int SHM_Put(const void *buf, int count, MPI_Datatype type, MPI_Aint offset, int rank,
            MPI_Comm comm);

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
