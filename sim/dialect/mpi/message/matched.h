/* matched: a message that MPI_Mprobe has found. From then on only its handle receives it. */
#ifndef DIALECT_MPI_MATCHED_H
#define DIALECT_MPI_MATCHED_H

#include "dialect/mpi/message/message.h"

/* The message of that status, found on comm; any: no source was named; shift: dialect_across's.
 * Returns SMPI's code. */
int dialect_matched(struct world_rank *rank, MPI_Comm comm, MPI_Status *status, bool any, int shift,
                    MPI_Message *message);

#endif
