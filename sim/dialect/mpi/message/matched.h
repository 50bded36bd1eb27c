/* matched: a message that MPI_Mprobe has found. From then on only its handle receives it. */
#ifndef DIALECT_MPI_MATCHED_H
#define DIALECT_MPI_MATCHED_H

#include "dialect/mpi/message/message.h"

/* The message of that status, found on comm; any: no source was named; shift: dialect_across's.
 * Returns SMPI's code. */
int dialect_matched(struct world_rank *rank, MPI_Comm comm, MPI_Status *status, bool any, int shift,
                    MPI_Message *message);

/* A probe has found a partitioned message: no probe may, nor may it hide what comes behind it. It
 * is set aside for the receive that it matches. Returns SMPI's code. dialect_aside: is there one
 * for such a receive? MPI_Imrecv takes it. comm and source are dialect_across's. */
int dialect_set_aside(struct world_rank *rank, MPI_Comm comm, MPI_Status *status);
bool dialect_aside(const struct world_rank *rank, MPI_Comm comm, int source, int tag, int shift,
                   MPI_Message *message);

#endif
