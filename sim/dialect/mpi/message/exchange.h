/* exchange: blocks from ranks of a communicator and to them, any number for each: what
 * neighbourhood collectives and those of intercommunicators are made of. */
#ifndef DIALECT_MPI_EXCHANGE_H
#define DIALECT_MPI_EXCHANGE_H

#include "dialect/mpi/message/message.h"

struct dialect_block {
    int rank; /* of the communicator; MPI_PROC_NULL: nothing moves */
    void *buf;
    int64_t count;
    MPI_Datatype type;
};

/* The blocks of one buffer, one for each of several ranks. */
struct dialect_blocks {
    const void *buf;
    int count; /* of each block, where counts is NULL */
    /* displs NULL: one behind the other; with types: in bytes */
    const int *counts, *displs;
    const MPI_Aint *bytes; /* displacements in bytes; NULL: none */
    MPI_Datatype type;
    const MPI_Datatype *types; /* NULL: `type` for each */
    bool same;                 /* one block for all */
};
struct dialect_block dialect_block_of(const struct dialect_blocks *blocks, int i, int rank);

/* What this rank gives and takes. Its k-th block for a rank is there the k-th block from this one.
 * All ranks of call->comm take part. Returns an error class that no handler has heard of. */
struct dialect_exchange {
    const struct dialect_block *out, *in;
    int outs, ins;
};
/* For the check: this rank takes so much from each rank of call->comm. */
void dialect_meet_from(struct dialect_call *call, const int *counts);
int dialect_exchange(struct dialect_call *call, const struct dialect_exchange *blocks);

#endif
