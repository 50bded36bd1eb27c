/* dialect/register: what its files share. */
#ifndef DIALECT_REGISTER_INSIDE_H
#define DIALECT_REGISTER_INSIDE_H

#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/reduce/reduce.h"

/* What is registered: a datatype (struct dialect_type), or an operation (struct dialect_reduce_op).
 */
enum dialect_kind { DIALECT_TYPE, DIALECT_OP };
struct dialect_object {
    enum dialect_kind kind;
    void *known;      /* NULL: none, or wrong */
    bool predefined;  /* registered anyway */
    const char *call; /* that registers it; static storage */
};

/* One rank's part in a registration (g_rc_box). */
struct dialect_part {
    struct dialect_object object;
    int rank; /* MPI_COMM_WORLD's */
    struct dialect_beside by;
    MPI_Comm comm;
    bool ended;                   /* taken back, or never agreed on */
    struct dialect_meeting *over; /* collective: where the others are; NULL: sparse */
    /* sparse: world rank -> its struct dialect_part; NULL: collective */
    GHashTable *others;
};

/* ---- collective_register.c: ranks that register together ------------------------------------- */

/* Collective over the communicator, or over `peers` (world ranks) and the caller: gives what is
 * wrong with the call at this rank to everybody (`error`; NULL: nothing), and returns what is wrong
 * for it; free it. NULL: nothing, and `registered` is this rank's part, for dialect_registered_add
 * (left alone: a predefined thing). `class`: of the error; `beside`: another rank's call that does
 * not agree, rank -1: none. */
char *dialect_collective_register(struct world_rank *r, const struct dialect_comm *comm,
                                  struct dialect_object object, const char *error, int *class,
                                  struct dialect_beside *beside, struct dialect_part **registered);
char *dialect_sparse_register(struct world_rank *r, const struct dialect_comm *comm,
                              const int *peers, int n, struct dialect_object object,
                              const char *error, int *class, struct dialect_beside *beside,
                              struct dialect_part **registered);
/* The member's part of a collective one; NULL: not a member. */
struct dialect_part *dialect_meeting_part(const struct dialect_meeting *meeting, int rank);
/* Are all ranks of that group in it? */
bool dialect_meeting_holds(struct dialect_meeting *meeting, const struct dialect_rank_group *ranks);
void dialect_meeting_unref(struct dialect_meeting *meeting);

/* ---- part.c: what one rank brings, and its state --------------------------------------------- */

struct dialect_register_state {
    GHashTable *registered; /* datatype or operation -> its registrations */
    /* collective_register.c: sparse registrations of others that name this rank; NULL: none yet */
    GHashTable *tokens;
};
struct dialect_register_state *dialect_register_of(struct world_rank *r);

struct dialect_part *dialect_part_new(struct world_rank *r, MPI_Comm comm,
                                      struct dialect_object object);
void dialect_part_unref(struct dialect_part *part);

/* ---- register.c: who has registered what ----------------------------------------------------- */

/* takes the reference */
void dialect_registered_add(struct world_rank *r, struct dialect_part *part);
/* the last one over comm; false: there is none */
bool dialect_registered_drop(struct world_rank *r, const void *known, MPI_Comm comm);

#endif
