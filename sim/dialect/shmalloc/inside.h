/* dialect/shmalloc: what its files share. */
#ifndef DIALECT_SHMALLOC_INSIDE_H
#define DIALECT_SHMALLOC_INSIDE_H

#include "sync/direct/direct.h"
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/type/type.h"

/* One rank's part of a get/put communicator. */
struct dialect_getput {
    MPI_Comm comm;
    struct dialect_shared *shared;
    int win_rank;
    void *memory; /* of the window; NULL: it has none */
};
/* NULL: not a get/put communicator */
struct dialect_getput *dialect_getput_of(struct world_rank *rank, MPI_Comm comm);

#endif
