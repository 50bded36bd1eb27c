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

/* The arguments; each call has some of them. The arrays of counts are the program's; those of
 * datatypes are copied. */
struct dialect_again {
    int (*go)(const struct dialect_again *, MPI_Request *);
    uintptr_t pc; /* where it was made */
    const void *send;
    void *to;
    int sent, count, root;
    const int *sent_each, *sent_at, *each, *at;
    const MPI_Aint *sent_bytes, *bytes; /* displacements of neighbours' blocks */
    MPI_Datatype sent_type, type;
    const MPI_Datatype *sent_types, *types; /* of each block */
    int sent_blocks, blocks;                /* how many have datatypes of their own */
    MPI_Op op;
    MPI_Comm comm;
    int tag;                     /* of a message, whose peer is the root */
    int partitions, beyond;      /* of a partitioned one, whose tag is so much greater */
    struct dialect_parts *parts; /* NULL: a collective */
    /* every datatype, which the program may free before, the first of them `type`. The handle's
     * own, NULL behind the last */
    struct dialect_type **held;
    struct dialect_held *held_comm;
};

/* Copies the arguments. */
int dialect_again_make(const char *call, const struct dialect_again *again, MPI_Request *request);

/* A call that makes one: MPI_Start begins what BEGIN, a nonblocking call, begins. The parameters
 * end with `MPI_Comm comm, MPI_Info info, MPI_Request *request`; what comes last are the arguments.
 */
#define DIALECT_AGAIN(name, begin, parameters, arguments, ...)                                     \
    static int go_##name(const struct dialect_again *a, MPI_Request *request)                      \
    {                                                                                              \
        return begin arguments;                                                                    \
    }                                                                                              \
    int MPI_##name##_init parameters                                                               \
    {                                                                                              \
        const struct dialect_again again = {                                                       \
            .go = go_##name, .pc = DIALECT_PC, .comm = comm, __VA_ARGS__};                         \
        (void)info;                                                                                \
        return dialect_again_make("MPI_" #name "_init", &again, request);                          \
    }

/* Those of which several have the same parameters: every rank reduces; blocks of one length, of
 * others' own lengths, of lengths both ways. */
#define DIALECT_AGAIN_REDUCES(name, begin)                                                         \
    DIALECT_AGAIN(name, begin,                                                                     \
                  (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,           \
                   MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request),                 \
                  (a->send, a->to, a->count, a->type, a->op, a->comm, request), .send = sendbuf,   \
                  .to = recvbuf, .count = count, .type = datatype, .op = op)
#define DIALECT_AGAIN_BLOCKS(name, begin)                                                          \
    DIALECT_AGAIN(name, begin,                                                                     \
                  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,       \
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,             \
                   MPI_Request *request),                                                          \
                  (a->send, a->sent, a->sent_type, a->to, a->count, a->type, a->comm, request),    \
                  .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,        \
                  .count = recvcount, .type = recvtype)
#define DIALECT_AGAIN_EACH_COMES(name, begin)                                                      \
    DIALECT_AGAIN(                                                                                 \
        name, begin,                                                                               \
        (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,                 \
         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,         \
         MPI_Info info, MPI_Request *request),                                                     \
        (a->send, a->sent, a->sent_type, a->to, a->each, a->at, a->type, a->comm, request),        \
        .send = sendbuf, .sent = sendcount, .sent_type = sendtype, .to = recvbuf,                  \
        .each = recvcounts, .at = displs, .type = recvtype)
#define DIALECT_AGAIN_EACH(name, begin)                                                            \
    DIALECT_AGAIN(                                                                                 \
        name, begin,                                                                               \
        (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,  \
         void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,        \
         MPI_Comm comm, MPI_Info info, MPI_Request *request),                                      \
        (a->send, a->sent_each, a->sent_at, a->sent_type, a->to, a->each, a->at, a->type, a->comm, \
         request),                                                                                 \
        .send = sendbuf, .sent_each = sendcounts, .sent_at = sdispls, .sent_type = sendtype,       \
        .to = recvbuf, .each = recvcounts, .at = rdispls, .type = recvtype)

#endif
