/* What MPI_Start begins each time where SMPI has no persistent request for it. */
#ifndef DIALECT_MPI_AGAIN_H
#define DIALECT_MPI_AGAIN_H

#include "dialect/mpi/message/pending.h"

/* Of a partitioned message. */
struct dialect_parts {
    uint64_t held; /* number of those that are ready while others are not; 0: there are none */
    int left;      /* partitions that are not ready yet */
    bool ready[];  /* each; of a receive there are none */
};

/* The arguments; each call has some of them. The arrays of counts are the program's. */
struct dialect_again {
    int (*go)(const struct dialect_again *, MPI_Request *);
    uintptr_t pc; /* where it was made */
    const void *send;
    void *to;
    int sent, count, root;
    const int *sent_each, *sent_at, *each, *at;
    MPI_Datatype sent_type, type;
    MPI_Op op;
    MPI_Comm comm;
    int tag;                     /* of a message, whose peer is the root */
    int partitions, beyond;      /* of a partitioned one, whose tag is so much greater */
    struct dialect_parts *parts; /* NULL: a collective */
    /* of type and sent_type, which the program may free before; NULL: none. The handle's own */
    struct dialect_type *held[2];
    struct dialect_held *held_comm;
};

/* Copies the arguments. */
int dialect_again_make(const char *call, const struct dialect_again *again, MPI_Request *request);

#endif
