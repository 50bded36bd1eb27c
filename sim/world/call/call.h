/* In and out of MPI (dialects). */
#ifndef WORLD_CALL_H
#define WORLD_CALL_H

#include "world/rank/rank.h"

/* Every MPI call is wrapped in enter/leave. enter: the rank is inside MPI: it pays what it owes,
 * and requests that waited for it are serviced. `pc` is the caller's return address. NULL: not
 * simulated (the caller then says how to run the program). Calls nest: only the outermost counts.
 * leave: back in the program's code; waits until servicing begun is done. */
struct world_rank *world_enter(const char *call, uintptr_t pc);
void world_leave(struct world_rank *rank);
/* Around the refusal of a call that enters no MPI, since it needs no clock: messages have its line,
 * and before MPI_Init the run is over. Nothing is paid. NULL: not simulated. */
struct world_rank *world_refuse(const char *call, uintptr_t pc);
void world_refused(struct world_rank *rank);
/* As enter, but the rank may stay ahead of the clock by up to the quantum: for calls that pay by
 * themselves when they wait. */
struct world_rank *world_enter_ahead(const char *call, uintptr_t pc);
/* As one of these, for a poll: the call takes no mpi.call, since mpi.test is its time, and while
 * nobody else acts, the rank pays nothing. If it finds something, it settles first. */
struct world_rank *world_enter_polling(const char *call, uintptr_t pc, bool ahead);
void world_settle_poll(struct world_rank *rank); /* the same, later in the call */
/* The call in progress found nothing, or had nothing to do: the profile says so. */
void world_in_vain(struct world_rank *rank);
/* The same if the rank's call before came from the same place: a loop that waits for a store. */
void world_polls(struct world_rank *rank);
/* The same of a barrier among those, if no rank has called MPI otherwise since this one came to the
 * barrier before, among the same ranks, nor between that and the one before it: what comes before
 * the one may have to be apart from what comes behind the other. Not where ranks share memory
 * (world_share). */
void world_at_barrier(struct world_rank *rank, uintptr_t among);
void world_share(void);
/* The rank's MPI_Finalize is done: from now on it services whatever comes, and its time stands
 * still. Before leave. */
void world_finalized(struct world_rank *rank);
/* What the call waits for until the rank leaves it, for the report of a deadlock: a message of that
 * rank of MPI_COMM_WORLD (-1: of any) with that tag (-1: with any), or that the rank receives one.
 * Of a call that waits for both it is not known which. */
void world_awaits_message(struct world_rank *rank, int from, int tag);
void world_awaits_receive(struct world_rank *rank, int by, int tag);
/* Pays what calls made inside MPI have charged (world_buffer_read before a blocking send, say). */
void world_settle(struct world_rank *rank);

#endif
