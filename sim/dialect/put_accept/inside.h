/* dialect/put_accept: what its files share. */
#ifndef DIALECT_PUT_ACCEPT_INSIDE_H
#define DIALECT_PUT_ACCEPT_INSIDE_H

#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/message/message.h"

/* Requests meet servicers of the same communicator only. Made when a rank first needs it. */
struct sync_match *dialect_match_of(struct world_rank *rank, const struct dialect_comm *comm);
bool dialect_put_accept_used(void); /* is the program one that may issue requests? */

/* Memory that a call has until a servicing call ends: told to the check, if it is on. Returns its
 * number, or 0. first: is it the first side of a pair that is forced into order? */
uint64_t dialect_lend(struct world_rank *rank, const char *call, uintptr_t frame, uintptr_t pc,
                      const struct check_buffer *buffer, enum check_kind kind, bool *first);
/* It is: waits until it is complete; by that, or its bytes have been carried. */
void dialect_lent_first(struct world_rank *rank, struct sync_servicer *servicer);

#endif
