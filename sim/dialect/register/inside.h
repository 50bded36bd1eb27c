/* dialect/register: what its files share. */
#ifndef DIALECT_REGISTER_INSIDE_H
#define DIALECT_REGISTER_INSIDE_H

#include "dialect/mpi/inside.h"

/* What is registered: a datatype (struct dialect_type), or an operation (struct dialect_op). */
enum dialect_kind { DIALECT_TYPE, DIALECT_OP };
struct dialect_object {
    enum dialect_kind kind;
    void *known;     /* NULL: none, or wrong */
    bool predefined; /* registered anyway */
};

/* One rank's part in a registration (g_rc_box). */
struct dialect_part {
    struct dialect_object object;
    int rank; /* MPI_COMM_WORLD's */
    MPI_Comm comm;
    bool ended;                   /* taken back, or never agreed on */
    struct dialect_meeting *over; /* collective: where the others are; NULL: sparse */
    /* sparse: world rank -> its struct dialect_part; NULL: collective */
    GHashTable *others;
};

/* ---- meet.c: ranks that register together ---------------------------------------------------- */

/* Collective over the communicator, or over `peers` (world ranks) and the caller: gives what is
 * wrong with the call at this rank to everybody (`error`; NULL: nothing), and returns what is wrong
 * for it, NULL: nothing, it is registered. Free it. `class`: of the error. */
char *dialect_meet(struct world_rank *r, const struct dialect_comm *comm,
                   struct dialect_object object, const char *error, int *class);
char *dialect_meet_sparse(struct world_rank *r, const struct dialect_comm *comm, const int *peers,
                          int n, struct dialect_object object, const char *error, int *class);
/* The member's part of a collective one; NULL: not a member. */
struct dialect_part *dialect_meeting_part(const struct dialect_meeting *meeting, int rank);
/* Are all of that team's processes in it? */
bool dialect_meeting_holds(struct dialect_meeting *meeting, const struct dialect_team *team);
void dialect_meeting_unref(struct dialect_meeting *meeting);

/* ---- register.c: who has registered what ----------------------------------------------------- */

struct dialect_register_state {
    GHashTable *registered; /* datatype or operation -> its registrations */
    /* meet.c: sparse registrations of others that name this rank; NULL: none yet */
    GHashTable *tokens;
};
struct dialect_register_state *dialect_register_of(struct world_rank *r);

struct dialect_part *dialect_part_new(struct world_rank *r, MPI_Comm comm,
                                      struct dialect_object object);
void dialect_part_unref(struct dialect_part *part);
/* takes the reference */
void dialect_registered_add(struct world_rank *r, struct dialect_part *part);
/* the last one over comm; false: there is none */
bool dialect_registered_drop(struct world_rank *r, const void *known, MPI_Comm comm);

#endif
