/* dialect/mpi/comm: ranks that synchronise together, and the communicators they do it on. */
#ifndef DIALECT_MPI_COMM_H
#define DIALECT_MPI_COMM_H

#include "sync/barrier/barrier.h"
#include "sync/late/late.h"
#include "check/check.h"
#include "dialect/mpi/call/call.h"

/* ---- groups (rank_group.c) --------------------------------------------------------------------
 */

/* One a window, for all its members. */
struct dialect_shared {
    struct dialect_rank_group *ranks;
    struct sync_win *sync;
    struct sync_barrier *barrier; /* of those that join it, and of those that leave it */
    int number, kind;             /* the communicator's; what its members make */
    int joined, left;
    int wrong; /* error class of a member with wrong arguments; MPI_SUCCESS: none */
};

struct dialect_rank_group {
    int members;
    int *world_rank;               /* by member */
    GPtrArray *barriers;           /* by communicator */
    struct dialect_shared *making; /* the window that members are joining; NULL: none */
};
struct dialect_rank_group *
dialect_rank_group_of(MPI_Comm comm); /* NULL: not an intracommunicator */
/* The window that this group is making: its first member makes it, the last one to join closes it.
 * number: of the communicator. *wrong: this member's error class, *what: why. It is an error, too,
 * where the first member makes another kind, or over another communicator. The last to leave frees
 * it. */
struct dialect_shared *dialect_shared_join(struct dialect_rank_group *ranks, int number, int kind,
                                           int *wrong, const char **what);
void dialect_shared_leave(struct dialect_shared *shared);

int dialect_size_of(MPI_Comm comm); /* 0: no communicator */
int dialect_rank_in(MPI_Comm comm); /* -1: no communicator */
/* How many ranks a collective has blocks for; 0: the communicator is none. */
int dialect_blocks_for(MPI_Comm comm);

/* ---- communicators (comm.c) ------------------------------------------------------------------ */

/* One of a rank's. Communicators of the same ranks are made in the same order at each of them
 * (making one is collective), so a number within the group names one without a message. */
struct dialect_comm {
    MPI_Comm comm;
    struct dialect_rank_group *ranks;
    int number; /* of the communicator in its rank group */
    int comm_rank, members;
    struct dialect_inter *inter; /* intercomm.c; NULL: an intracommunicator */
};
/* -1: of a communicator that is in no rank's table */
int dialect_comm_number(struct world_rank *rank, MPI_Comm comm);
/* As sync/late knows it. */
struct sync_context dialect_context_of(const struct dialect_comm *comm);
/* Around a collective of SimGrid's messages, of so many bytes each: its wait is explained at once.
 * All wait for the last, or for the first member. */
void dialect_messages_begin(struct world_rank *rank, MPI_Comm comm);
void dialect_messages_over(struct world_rank *rank, MPI_Comm comm, bool from_first, uint64_t bytes);
/* NULL: not a valid intracommunicator */
struct dialect_comm *dialect_comm_find(struct world_rank *rank, MPI_Comm comm);
/* NULL: not a valid communicator */
struct dialect_comm *dialect_comm_known(struct world_rank *rank, MPI_Comm comm);
/* The same for the check; false: it is off, or that is no intracommunicator. */
bool dialect_comm_checked(struct world_rank *rank, MPI_Comm comm, struct check_comm *to);
/* The rank's handle of a new communicator. */
void dialect_comm_made(struct world_rank *rank, MPI_Comm comm);

/* MPI_Comm_split_type (rank_group.c). */
int dialect_split_type(MPI_Comm comm, int split_type, int order, MPI_Info info, MPI_Comm *made);

/* MPI_Cart_create (rank_group.c). */
int dialect_cart_create(MPI_Comm comm, int ndims, const int *dims, const int *periods, int reorder,
                        MPI_Comm *made);

/* ---- intercommunicators (inter.c, intercomm.c) ----------------------------------------------- */

struct dialect_inter {
    MPI_Comm bridge;
    int remote_members, *remote; /* their ranks in MPI_COMM_WORLD */
    int first;                   /* of them, in the bridge; the others follow */
};
/* NULL: an intracommunicator, or none */
struct dialect_inter *dialect_inter_of(struct world_rank *rank, MPI_Comm comm);
/* All ranks of both groups; an intracommunicator itself. */
MPI_Comm dialect_bridge(struct world_rank *rank, MPI_Comm comm);
/* Whose handler hears that it is no intracommunicator. */
static inline MPI_Comm dialect_comm_blamed(struct world_rank *rank, MPI_Comm comm)
{
    return dialect_inter_of(rank, comm) ? comm : MPI_COMM_NULL;
}
/* True: the call on an intercommunicator is refused, and has left MPI with *code. */
bool dialect_inter_refuses(struct world_rank *rank, MPI_Comm comm, const char *call, int *code);
/* A message on an intercommunicator goes along its bridge: *comm becomes that, and peers that are
 * ranks of the remote group (NULL: none) become its ranks. Returns what was added, to be taken from
 * the source in a status; 0: an intracommunicator, too. Below 0: a peer is no rank, and the call
 * has left MPI with *code. */
int dialect_across(struct world_rank *rank, MPI_Comm *comm, const char *call, int *target,
                   int *source, int *code);
static inline void dialect_came_across(MPI_Status *status, int shift)
{
    if (shift > 0 && status && status->MPI_SOURCE >= 0) status->MPI_SOURCE -= shift;
}
void dialect_bridge_made(struct world_rank *rank, MPI_Comm bridge);
void dialect_inter_keep(struct dialect_comm *comm, struct dialect_inter *inter);
/* MPI_Comm_dup of one. Returns SMPI's code. */
int dialect_inter_dup(struct world_rank *rank, MPI_Comm comm, MPI_Comm *made);
int dialect_inter_split(struct world_rank *rank, MPI_Comm comm, int colour, int key,
                        MPI_Comm *made);
void dialect_inter_free(struct dialect_inter *inter); /* NULL: none */

#endif
