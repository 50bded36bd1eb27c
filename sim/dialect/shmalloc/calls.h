/* dialect/shmalloc: what its files share, and what the files of dialect/mpi call here. */
#ifndef DIALECT_SHMALLOC_CALLS_H
#define DIALECT_SHMALLOC_CALLS_H

#include "dialect/mpi/inside.h"

/* One rank's part of a get/put communicator. */
struct dialect_getput {
    MPI_Comm comm;
    struct dialect_shared *shared;
    int member;
    void *memory;        /* of the window; NULL: it has none */
};
struct dialect_getput *dialect_getput_of(struct world_rank *rank, MPI_Comm comm);   /* NULL: not a get/put communicator */
bool dialect_getput_gone(struct world_rank *rank, MPI_Comm comm);                   /* it was one, and was freed */
bool dialect_getput_holds(struct world_rank *rank, const char *from, const char *to);   /* bytes of this rank's windows? */

/* Names of communicators as they come and go. */
void dialect_getput_made(struct world_rank *rank, MPI_Comm comm);    /* any: the handle may have been another's */
void dialect_getput_free(struct world_rank *rank, MPI_Comm comm);    /* collective, if it is a get/put communicator: releases the windows */
void dialect_getput_end(struct world_rank *rank);                    /* at MPI_Finalize: its operations complete */

#endif
