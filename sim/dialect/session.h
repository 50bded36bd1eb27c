/* Sessions begin and end MPI as MPI_Init and MPI_Finalize do. */
#ifndef DIALECT_SESSION_H
#define DIALECT_SESSION_H

#include "dialect/mpi/call/call.h"

bool dialect_begin(void); /* Has this rank begun before? */
/* Each returns an error class. again: what dialect_begin said. */
int dialect_session_begins(struct world_rank *rank, const char *call, bool again);
int dialect_session_ends(struct world_rank *rank);

#endif
