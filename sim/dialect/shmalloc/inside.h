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

/* For the check (checked.c). The rank joins with that many bytes of memory, and waits for the
 * others; they have joined. It comes to the communicator's barrier; leaves it. It lets the window
 * go. */
void dialect_getput_joins(struct world_rank *r, const struct dialect_getput *getput,
                          uint64_t bytes);
void dialect_getput_joined(const struct world_rank *r, const struct dialect_getput *getput);
void dialect_getput_meets(const struct world_rank *r, const struct dialect_getput *getput);
void dialect_getput_met(const struct world_rank *r, const struct dialect_getput *getput);
void dialect_getput_leaves(const struct dialect_getput *getput);
/* An operation; returns the number that the check gives it. Its call returns. */
uint64_t dialect_getput_begins(const struct dialect_getput *getput, const struct move_op *op);
void dialect_getput_ends(const struct world_rank *r, const struct dialect_getput *getput,
                         const struct move_op *op);

#endif
