/* dialect/put_accept: what its files share, and what the files of dialect/mpi call here. */
#ifndef DIALECT_PUT_ACCEPT_CALLS_H
#define DIALECT_PUT_ACCEPT_CALLS_H

#include "dialect/mpi/inside.h"

/* A communicator of one rank. */
struct dialect_channel {
    MPI_Comm comm;
    struct dialect_team *team;
    int number;                  /* of the communicator in its team */
    struct sync_match *match;    /* made when the rank first needs it */
    int member, members;
};
/* NULL: not an intracommunicator that lives. of: for matching; find: without its `match`. */
struct dialect_channel *dialect_channel_find(struct world_rank *rank, MPI_Comm comm);
struct dialect_channel *dialect_channel_of(struct world_rank *rank, MPI_Comm comm);
/* The rank's handle of a new communicator, or of one that is about to be freed. */
void dialect_channel_made(struct world_rank *rank, MPI_Comm comm);
void dialect_channel_freed(struct world_rank *rank, MPI_Comm comm);
bool dialect_put_accept_used(void);      /* is the program one that may issue requests? */
void dialect_put_accept_end(struct world_rank *rank);   /* at MPI_Finalize: names what was never serviced */

/* request.c of dialect/mpi: a request for a servicer; MPI_Wait and the others complete it. */
int dialect_servicer_request(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer, MPI_Request *request);
/* Ends one that is done; what went wrong goes to the communicator's handler. Returns an error class. */
int dialect_servicer_end(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer);

#endif
