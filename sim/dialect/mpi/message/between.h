/* between: collectives of an intercommunicator (MPI-3.1 5.2.2): what one group gives, the other
 * takes. */
#ifndef DIALECT_MPI_BETWEEN_H
#define DIALECT_MPI_BETWEEN_H

#include "dialect/mpi/message/exchange.h"

struct dialect_between {
    struct world_rank *rank;
    const char *call;
    MPI_Comm comm;
    MPI_Request *request; /* NULL: it waits */
    /* MPI_ROOT: this rank; MPI_PROC_NULL: another of this group; else of the remote group */
    int root;
};

/* Each returns what its call does; the handler has heard of an error. */
int dialect_between_split(struct world_rank *rank, MPI_Comm comm, int colour, int key,
                          MPI_Comm *made);
int dialect_between_create(struct world_rank *rank, MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int dialect_between_dup(struct world_rank *rank, MPI_Comm comm, MPI_Comm *made);
int dialect_between_bcast(const struct dialect_between *between, void *buf, int count,
                          MPI_Datatype type);
int dialect_between_gather(const struct dialect_between *between, const struct dialect_blocks *give,
                           const struct dialect_blocks *take);
int dialect_between_scatter(const struct dialect_between *between,
                            const struct dialect_blocks *give, const struct dialect_blocks *take);
int dialect_between_allgather(const struct dialect_between *between,
                              const struct dialect_blocks *give, const struct dialect_blocks *take);
int dialect_between_alltoall(const struct dialect_between *between,
                             const struct dialect_blocks *give, const struct dialect_blocks *take);
int dialect_between_reduce(const struct dialect_between *between, const void *send, void *to,
                           int count, MPI_Datatype type, MPI_Op op);
int dialect_between_allreduce(const struct dialect_between *between, const void *send, void *to,
                              int count, MPI_Datatype type, MPI_Op op);
/* between_fold.c */
int dialect_between_ireduce(const struct dialect_between *between, const void *send, void *to,
                            int count, MPI_Datatype type, MPI_Op op);
int dialect_between_iallreduce(const struct dialect_between *between, const void *send, void *to,
                               int count, MPI_Datatype type, MPI_Op op);
int dialect_between_reduce_scatter(const struct dialect_between *between, const void *send,
                                   void *to, const int *counts, int count, MPI_Datatype type,
                                   MPI_Op op);

#endif
