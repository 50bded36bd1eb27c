/* dialect/mpi: what its files share. MPI calls are checked and translated here; nothing is
 * modelled.
 *
 * Every MPI_X of <mpi.h> is defined by this dialect: by hand in one of these files, or by
 * generate.awk, which wraps the rest around PMPI_X as calls.def says. A handle of a window is ours
 * and never reaches SMPI; datatypes are SMPI's handles, but their maps are kept here (types.c),
 * because SMPI 3.32 gets several of them wrong.
 */
#ifndef DIALECT_MPI_INSIDE_H
#define DIALECT_MPI_INSIDE_H

#include "base/base.h"
#include "op/op.h"
#include "sync/sync.h"
#include "world/world.h"

#include <mpi.h>

/* The line a call is made at: its own caller's, or, of a binding for Fortran (dialect/fortran), its
 * caller's. */
#define DIALECT_HERE ((uintptr_t)__builtin_return_address(0))
#define DIALECT_PC   dialect_caller(DIALECT_HERE)
extern uintptr_t dialect_fortran_pc; /* noted by a binding for the call it makes next; 0: none */
static inline uintptr_t dialect_caller(uintptr_t here)
{
    uintptr_t pc = dialect_fortran_pc ? dialect_fortran_pc : here;
    dialect_fortran_pc = 0;
    return pc;
}

/* First in a block that calls SMPI outside world_enter: other ranks may run meanwhile, until the
 * block ends. */
static inline void dialect_back(struct mem_cpu **self) { world_back(*self); }
#define DIALECT_AWAY                                                                               \
    __attribute__((cleanup(dialect_back), unused)) struct mem_cpu *self = world_away()

/* ---- datatypes (types.c, construct.c) -------------------------------------------------------- */

/* The constructor's arguments, for MPI_Type_get_contents. */
struct dialect_made {
    int combiner, integers, addresses, types;
    int *integer;
    MPI_Aint *address;
    MPI_Datatype *type;
};

/* Entries of a type map: `count` of one predefined type, one right behind the other. */
struct dialect_run {
    MPI_Datatype basic;
    int64_t offset;
    uint64_t count;
};

struct dialect_type {
    MPI_Datatype handle;  /* SMPI's */
    struct op_layout one; /* one element: merged pieces in type-map order */
    int64_t lb, extent;
    bool lb_fixed, ub_fixed; /* by MPI_LB, MPI_UB or a resize: they stick (MPI-2 3.12.3) */
    uint64_t alignment;
    /* the only predefined type inside; MPI_DATATYPE_NULL: none or several */
    MPI_Datatype basic;
    bool mixed; /* several */
    /* the type map; NULL where it follows from the pieces, because they are all of `basic` */
    struct dialect_run *run;
    uint32_t runs;
    int rank;         /* whose handle */
    uint64_t number;  /* no other type's, ever; 0: predefined */
    uint64_t encoded; /* bytes of its description (map.c) */
    bool committed;
    int refs;                  /* handles, types made of it, requests */
    struct dialect_made *made; /* NULL: predefined */
};

/* NULL: not a datatype. */
struct dialect_type *dialect_type_find(MPI_Datatype handle);
struct dialect_type *dialect_type_ref(struct dialect_type *type);
void dialect_type_unref(struct dialect_type *type);

/* `count` elements as pieces. Not to be copied: `layout` may point into the struct. */
struct dialect_layout {
    struct op_layout layout;
    struct op_piece single;
    struct op_piece *several;
};
void dialect_layout_init(struct dialect_layout *layout, const struct dialect_type *type,
                         int64_t count);
/* its first bytes only */
void dialect_layout_limit(struct dialect_layout *layout, uint64_t bytes);
void dialect_layout_clear(struct dialect_layout *layout);

/* A datatype being composed: blocks of known types at byte displacements. */
struct dialect_shape {
    GArray *pieces, *runs; /* runs: NULL as long as one predefined type is inside */
    struct dialect_type type;
    bool any_lb, any_ub;
};
void dialect_shape_init(struct dialect_shape *shape);
void dialect_shape_add(struct dialect_shape *shape, const struct dialect_type *type, int64_t count,
                       int64_t displacement);
/* Makes the datatype, and SMPI's for it; the shape is used up. */
struct dialect_type *dialect_shape_end(struct dialect_shape *shape, struct dialect_made *made);

struct dialect_made *dialect_made_new(int combiner, int integers, int addresses, int types);
int *dialect_made_integers(struct dialect_made *made);
MPI_Aint *dialect_made_addresses(struct dialect_made *made);
/* fill with known handles; dialect_shape_end takes a reference of each */
MPI_Datatype *dialect_made_types(struct dialect_made *made);

/* ---- type maps (map.c) ----------------------------------------------------------------------- */

struct dialect_run dialect_run_of(const struct dialect_type *type, uint32_t i);
uint32_t dialect_runs_of(const struct dialect_type *type);
void dialect_runs_append(GArray *runs, MPI_Datatype basic, int64_t offset, uint64_t count);
/* Where the type maps and bounds of two types differ: "entry 2 is MPI_INT at byte 8 on rank 0,
 * ..."; NULL: they agree. Free it. */
char *dialect_map_difference(const struct dialect_type *a, int a_rank, const struct dialect_type *b,
                             int b_rank);
/* Do so many bytes of the two hold the same predefined types, one after the other? */
bool dialect_signature_agrees(const struct dialect_type *a, const struct dialect_type *b,
                              uint64_t bytes);
/* What a user's operation is called on: see type_register.h. */
struct dialect_type *dialect_type_element(struct dialect_type *type);
/* Bytes of a description, by the encoding of type_register.h; its parts' are known. */
uint64_t dialect_type_encoded(const struct dialect_made *made);

/* ---- accumulating (combine.c, op.c) ---------------------------------------------------------- */

/* False: the operation is not predefined for the type. */
bool dialect_combine(MPI_Op op, MPI_Datatype basic, sync_combine *combine, const void **arg);
/* An operation of the program's. NULL: predefined, or none. */
struct dialect_op {
    MPI_Op handle;
    MPI_User_function *function;
    int rank;     /* whose handle */
    bool fortran; /* its function is: it takes the datatype's number */
    int refs;     /* the handle, registrations */
};
struct dialect_op *dialect_op_find(MPI_Op op);
bool dialect_op_predefined(MPI_Op op);
void dialect_op_unref(struct dialect_op *op);

/* What a combine needs until the operation is complete; on the heap. */
struct dialect_argument {
    int target;
    uint32_t bytes; /* compare-and-swap: the value expected */
    uint8_t value[16];
    /* a user's operation: the target's world rank, function and datatype */
    int rank;
    MPI_User_function *function;
    bool fortran;
    struct dialect_type *element;
};
void dialect_argument_free(void *argument);
double dialect_combine_swap(const void *in, void *inout, uint64_t bytes, const void *arg);
double dialect_combine_user(const void *in, void *inout, uint64_t bytes, const void *arg);

/* ---- teams (team.c) -------------------------------------------------------------------------- */

/* One a window, for all its members. */
struct dialect_shared {
    struct dialect_team *team;
    struct sync_win *sync;
    int joined, left;
    int wrong; /* error class of a member with wrong arguments; MPI_SUCCESS: none */
};

struct dialect_team {
    int members;
    int *world_rank; /* by member */
    struct sync_barrier *barrier;
    struct dialect_shared *making; /* the window that members are joining; NULL: none */
};
struct dialect_team *dialect_team_of(MPI_Comm comm); /* NULL: not an intracommunicator */
/* What the target must be told about an operation with that target datatype (map.c). */
struct move_described dialect_describe(struct world_rank *rank, const struct dialect_type *type,
                                       int target, const struct dialect_team *team);
/* The window this team is making: its first member makes it, the last one to join closes it.
 * `wrong`: this member's error class. The last to leave frees it. */
struct dialect_shared *dialect_shared_join(struct dialect_team *team, int wrong);
void dialect_shared_leave(struct dialect_shared *shared);

/* ---- communicators (comm.c) ------------------------------------------------------------------ */

/* One of a rank's. Communicators of the same ranks are made in the same order at each of them
 * (making one is collective), so a number within the team names one without a message. */
struct dialect_comm {
    MPI_Comm comm;
    struct dialect_team *team;
    int number; /* of the communicator in its team */
    int member, members;
};
/* NULL: not an intracommunicator that lives */
struct dialect_comm *dialect_comm_find(struct world_rank *rank, MPI_Comm comm);
/* The rank's handle of a new communicator. */
void dialect_comm_made(struct world_rank *rank, MPI_Comm comm);

/* ---- dialects (members.c) -------------------------------------------------------------------- */

/* What a dialect has to say when MPI's own calls are made; one line each in dialect/models.def.
 * NULL: nothing. */
struct dialect_member {
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
    /* Datatypes and operations (struct dialect_type, struct dialect_op): the target's own struct,
     * in operations among `team` (NULL: it knows none); what must come before one is freed (NULL:
     * nothing). */
    void *(*known_there)(struct world_rank *rank, const void *known, int target,
                         const struct dialect_team *team);
    const char *(*keeps)(struct world_rank *rank, const void *known);
    /* MPI_Finalize: what is under way completes; later, when nobody communicates any more. */
    void (*complete)(struct world_rank *rank);
    void (*end)(struct world_rank *rank);
};

/* All of them are asked. */
void dialect_members_made(struct world_rank *rank, MPI_Comm comm);
const char *dialect_members_refuse(struct world_rank *rank, MPI_Comm comm);
void dialect_members_free(struct world_rank *rank, MPI_Comm comm);
bool dialect_members_barrier(struct world_rank *rank, MPI_Comm comm);
bool dialect_members_expose(struct world_rank *rank, const char *from, const char *to);
void dialect_message_sent(struct world_rank *rank, MPI_Comm comm, int target, int tag);
void dialect_message_received(struct world_rank *rank, MPI_Comm comm, const MPI_Status *status);
void *dialect_known_there(struct world_rank *rank, const void *known, int target,
                          const struct dialect_team *team);
const char *dialect_kept(struct world_rank *rank, const void *known);
void dialect_members_complete(struct world_rank *rank);
void dialect_members_end(struct world_rank *rank);

/* ---- windows (window.c) ---------------------------------------------------------------------- */

struct dialect_win {
    struct dialect_shared *shared;
    struct sync_win *sync;
    struct world_rank *rank;
    int member;
    void *base;
    MPI_Aint bytes;
    int disp_unit, flavor, model;
    void *memory; /* ours, to free; NULL: the program's */
    MPI_Group group;
    MPI_Info info;
    GHashTable *attributes;    /* attribute.c; NULL: none */
    MPI_Errhandler errhandler; /* error.c */
    GPtrArray *arguments;      /* struct dialect_argument, of operations in flight */
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Fint fortran;
    struct dialect_win *next; /* of this rank */
};

struct dialect_win *dialect_win_find(MPI_Win win); /* NULL: not a window */
/* Collective: one of that flavor. `wrong` is this member's error class so far (MPI_SUCCESS: none),
 * `what` its text. Returns a class. */
int dialect_win_new(struct world_rank *r, const char *call, struct dialect_win made, MPI_Info info,
                    MPI_Comm comm, int wrong, const char *what, MPI_Win *win);
struct dialect_team *dialect_win_team(const struct dialect_win *w);
static inline MPI_Win dialect_win_handle(struct dialect_win *w) { return (MPI_Win)(void *)w; }
int dialect_attributes_delete_all(struct dialect_win *w); /* attribute.c */
/* operations to that member (-1: all) are complete */
void dialect_win_settled(struct dialect_win *w, int target);

/* ---- a rank's state (init.c) ----------------------------------------------------------------- */

struct dialect_rank {
    struct dialect_win *windows;
    GHashTable *pending; /* request.c: MPI_Request -> struct dialect_pending */
    GHashTable *comms;   /* comm.c: MPI_Comm -> struct dialect_comm */
#define DIALECT(name) struct dialect_##name##_state *name##_state;
#include "dialect/models.def" /* a dialect's own; NULL: it has needed none yet */
#undef DIALECT
};
struct dialect_rank *dialect_rank(struct world_rank *rank);

/* ---- errors (error.c) ------------------------------------------------------------------------ */

/* Something is wrong with a call: the window's (communicator's) handler decides. Returns the class.
 * `call`: __func__. */
int dialect_win_error(struct dialect_win *w, const char *call, int class, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
int dialect_error(struct world_rank *rank, MPI_Comm comm, const char *call, int class,
                  const char *format, ...) G_GNUC_PRINTF(5, 6);
/* SMPI refused: PMPI_X returned `code`. */
int dialect_refused(struct world_rank *rank, MPI_Comm comm, const char *call, int code);
int dialect_bad_window(const char *call); /* the handle is not a window */
int dialect_sync_error(struct dialect_win *w, const char *call, enum sync_status status);
MPI_Errhandler dialect_errhandler_ref(MPI_Errhandler errhandler);
void dialect_errhandler_unref(MPI_Errhandler errhandler);

/* ---- messages (messages.c, request.c) -------------------------------------------------------- */

/* One call that loads and stores buffers; lives on its stack. */
struct dialect_call {
    struct world_rank *rank;
    const char *name;
    MPI_Comm comm;
    MPI_Request *request; /* stores happen when it completes; NULL: now */
};
void dialect_read(const struct dialect_call *call, const void *buf, int64_t count,
                  MPI_Datatype type);
void dialect_write(const struct dialect_call *call, void *buf, int64_t count, MPI_Datatype type);
void dialect_got(const struct dialect_call *call, void *buf, int64_t count, MPI_Datatype type,
                 const MPI_Status *status);
void dialect_readv(const struct dialect_call *call, const void *buf, const int *counts,
                   const int *displs, MPI_Datatype type);
void dialect_writev(const struct dialect_call *call, void *buf, const int *counts,
                    const int *displs, MPI_Datatype type);
void dialect_readw(const struct dialect_call *call, const void *buf, const int *counts,
                   const int *displs, const MPI_Datatype *types);
void dialect_writew(const struct dialect_call *call, void *buf, const int *counts,
                    const int *displs, const MPI_Datatype *types);
void *dialect_at(const void *buf, int64_t count, MPI_Datatype type); /* the count-th element */
int64_t dialect_sum(const int *counts, MPI_Comm comm);
int dialect_size_of(MPI_Comm comm);
int dialect_rank_in(MPI_Comm comm);
/* The bytes of one buffer, loaded or stored. */
void dialect_load_pieces(struct world_rank *rank, const void *buf, const struct op_layout *layout);
void dialect_store_pieces(struct world_rank *rank, void *buf, const struct op_layout *layout,
                          const char *call);

void dialect_later(const struct dialect_call *call, void *buf, int64_t count,
                   struct dialect_type *type);
/* MPI_Send_init */
void dialect_starts(const struct dialect_call *call, const void *buf, int count, MPI_Datatype type);
void dialect_requests_free(struct dialect_rank *state);
/* A request-based operation: the request is complete once the operations to that target are.
 * Returns an error class. */
int dialect_operation_request(struct dialect_win *w, int target, MPI_Request *request);
/* A request for a servicer of PUT/ACCEPT; MPI_Wait and the others complete it. Returns an error
 * class. */
int dialect_servicer_request(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer,
                             MPI_Request *request);
/* Ends one that is done; what went wrong goes to the communicator's handler. Returns an error
 * class. */
int dialect_servicer_end(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer);

#endif
