/* dialect/mpi/hooks: what the other dialects do when MPI's own calls are made.
 *
 * A dialect ends in one constant table of hooks, with a line in dialect/models.def. The calls go
 * up, from MPI's calls to dialects that stand on them: MPI's calls must work for objects that a
 * dialect has tied something to, and no dialect may be named below. dialect/init.c hands the list
 * in.
 */
#ifndef DIALECT_MPI_HOOKS_H
#define DIALECT_MPI_HOOKS_H

#include "dialect/mpi/call/call.h"

struct dialect_rank_group;

/* NULL: the dialect does nothing then. */
struct dialect_hooks {
    /* Communicators: the rank's handle of a new one; why calls on it are refused (NULL: they are
     * not); it is let go (collective); its own barrier (false: it has none). */
    void (*comm_made)(struct world_rank *rank, MPI_Comm comm);
    const char *(*comm_refused)(struct world_rank *rank, MPI_Comm comm);
    void (*comm_free)(struct world_rank *rank, MPI_Comm comm);
    bool (*barrier)(struct world_rank *rank, MPI_Comm comm);
    /* May others reach some of these bytes? */
    bool (*exposes)(struct world_rank *rank, const char *from, const char *to);
    /* Messages as they leave, and as the program receives them. */
    void (*sent)(struct world_rank *rank, MPI_Comm comm, int target, int tag);
    void (*received)(struct world_rank *rank, MPI_Comm comm, const MPI_Status *status);
    /* Datatypes and operations (struct dialect_type, struct dialect_reduce_op): the target's own
     * struct, in operations among `ranks` (NULL: it knows none); what must come before one is freed
     * (NULL: nothing), and which call is why. */
    void *(*known_there)(struct world_rank *rank, const void *known, int target,
                         const struct dialect_rank_group *ranks);
    const char *(*keeps)(struct world_rank *rank, const void *known, struct dialect_beside *by);
    /* MPI_Finalize: what is under way completes; later, when nobody communicates any more. */
    void (*complete)(struct world_rank *rank);
    void (*end)(struct world_rank *rank);
};

/* The dialects, in the order in which they are asked; ends in NULL. Before any rank's first call
 * but MPI_Init. */
void dialect_hooks_use(const struct dialect_hooks *const *list);

/* All of them are asked. */
void dialect_hooks_made(struct world_rank *rank, MPI_Comm comm);
const char *dialect_hooks_refuse(struct world_rank *rank, MPI_Comm comm);
void dialect_hooks_free(struct world_rank *rank, MPI_Comm comm);
bool dialect_hooks_barrier(struct world_rank *rank, MPI_Comm comm);
bool dialect_hooks_expose(struct world_rank *rank, const char *from, const char *to);
void dialect_message_sent(struct world_rank *rank, MPI_Comm comm, int target, int tag);
void dialect_message_received(struct world_rank *rank, MPI_Comm comm, const MPI_Status *status);
void *dialect_known_there(struct world_rank *rank, const void *known, int target,
                          const struct dialect_rank_group *ranks);
const char *dialect_kept(struct world_rank *rank, const void *known, struct dialect_beside *by);
void dialect_hooks_complete(struct world_rank *rank);
void dialect_hooks_end(struct world_rank *rank);

#endif
