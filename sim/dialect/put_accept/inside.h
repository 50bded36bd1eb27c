/* dialect/put_accept: what its files share. */
#ifndef DIALECT_PUT_ACCEPT_INSIDE_H
#define DIALECT_PUT_ACCEPT_INSIDE_H

#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/message/message.h"

/* Requests meet servicers of the same communicator only. Made when a rank first needs it. */
struct sync_match *dialect_match_of(struct world_rank *rank, const struct dialect_comm *comm);
bool dialect_put_accept_used(void); /* is the program one that may issue requests? */

#endif
