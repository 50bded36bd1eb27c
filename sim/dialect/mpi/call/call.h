/* dialect/mpi/call: what every call needs: the line it is made at, its rank's state, and where
 * errors go.
 *
 * Every MPI_X of <mpi.h> is defined by this dialect: by hand in one of the folders beside this one,
 * or by generate.awk, which wraps the rest around PMPI_X as calls.def says. A handle of a window is
 * ours and never reaches SMPI; datatypes are SMPI's handles, but their maps are kept in type/,
 * because SMPI 3.32 gets several of them wrong. Nothing is modelled here.
 */
#ifndef DIALECT_MPI_CALL_H
#define DIALECT_MPI_CALL_H

#include "base/base.h"
#include "op/op.h"
#include "world/call/call.h"
#include "world/detached/detached.h"
#include "world/place/place.h"
#include "world/rank/rank.h"

#include <mpi.h>

/* ---- where a call is made -------------------------------------------------------------------- */

/* The line a call is made at: its own caller's, or, of a binding for Fortran (dialect/fortran), its
 * caller's. Of a PMPI_X that a wrapper calls, the line that called the wrapper. */
#define DIALECT_HERE ((uintptr_t)__builtin_return_address(0))
#define DIALECT_PC   dialect_caller(DIALECT_HERE)
/* Where the caller's part of the stack begins, for the check. */
#define DIALECT_FRAME ((uintptr_t)__builtin_frame_address(0))
extern uintptr_t dialect_fortran_pc; /* noted by a binding for the call it makes next; 0: none */
/* A call of the profiling interface has been made since the last line was asked for (profile.awk):
 * the next is looked at more closely. */
extern bool dialect_profiled;
static inline uintptr_t dialect_caller(uintptr_t here)
{
    uintptr_t pc = dialect_fortran_pc ? dialect_fortran_pc : here;
    dialect_fortran_pc = 0;
    if (!dialect_profiled) return pc;
    dialect_profiled = false;
    return world_wrapped(pc);
}

/* First in a block that calls SMPI outside world_enter: other ranks may run meanwhile, until the
 * block ends. */
static inline void dialect_back(struct mem_cpu **self) { world_back(*self); }
#define DIALECT_AWAY                                                                               \
    __attribute__((cleanup(dialect_back), unused)) struct mem_cpu *self = world_away()

/* ---- a rank's state -------------------------------------------------------------------------- */

/* Each folder's own; NULL: it has needed none yet. */
struct dialect_rank {
    struct dialect_win *windows; /* window/ */
    GHashTable *pending;         /* message/: MPI_Request -> struct dialect_pending */
    GHashTable *channels;        /* message/partitioned.c: how many were made of each; NULL: none */
    int gone;                    /* of those, SMPI does not know (get_status.c) */
    int counters;                /* window/counter.c: registers in use */
    GHashTable *held;            /* held.c */
    GHashTable *comms;           /* comm/: MPI_Comm -> struct dialect_comm */
    GHashTable *own;             /* name of a dialect -> its own state */
    GArray *codes;               /* code.c: error codes of the program's own */
    GArray *on_self;             /* keyval.c: keys of what MPI_COMM_SELF has, as set */
    int last_used_code;          /* what MPI_LASTUSEDCODE points to */
    int sessions;                /* that are open */
    bool sessions_only;          /* one has begun MPI, and MPI_Init has not been called */
    bool sessions_last;          /* MPI_Finalize has, and the last session ends MPI */
};
struct dialect_rank *dialect_rank(struct world_rank *rank);

/* What another dialect keeps for a rank, by its name; NULL: nothing yet. keep: from now on, for
 * ever; returns it. */
void *dialect_own(struct world_rank *rank, const char *dialect);
void *dialect_own_keep(struct world_rank *rank, const char *dialect, void *state);

/* A function of the program's begins, called by SMPI or by a dialect that is away: what it computes
 * takes the running rank's time, and is its own, not the call's. NULL: there is no rank.
 * (callback.c)
 */
struct world_rank *dialect_callback_begin(void);
/* It has returned `code`, which this returns. */
int dialect_callback_end(struct world_rank *rank, int code);

/* "MPI_FINALIZE ... will first execute the equivalent of an MPI_COMM_FREE on MPI_COMM_SELF. This
 * will cause the delete callback function to be executed on all keys associated with MPI_COMM_SELF,
 * in the reverse order that they were set" (MPI-3.1 8.7.1); keyval.c. */
void dialect_delete_on_self(struct world_rank *rank);

/* MPI_Type_dup of SMPI's handle, with its attributes. Returns what a copy callback did. */
int dialect_type_copy(MPI_Datatype type, MPI_Datatype *copy);

/* A request holds that handle of the rank, beside others: one that the program frees lives on until
 * the last of them is over (held.c). frees: the program does; false: no request holds it. True:
 * `free` is called when they are over. */
struct dialect_held;
struct dialect_held *dialect_held_by(struct world_rank *rank, void *handle);
void dialect_held_over(struct dialect_held *held); /* NULL: none */
bool dialect_held_frees(struct world_rank *rank, void *handle, void (*free)(void *handle));

/* ---- errors ---------------------------------------------------------------------------------- */

/* Something is wrong with a call: the communicator's handler decides; MPI_COMM_NULL stands for
 * MPI_COMM_WORLD. Returns the class. `call`: __func__. */
int dialect_error(struct world_rank *rank, MPI_Comm comm, const char *call, int class,
                  const char *format, ...) G_GNUC_PRINTF(5, 6);
/* An earlier call that is to blame, of that rank. */
struct dialect_beside {
    int rank;
    const char *call;
    op_site site;
};
/* Every run reports that the call, which the rank has entered, breaks a rule; what: how. beside:
 * what it is in conflict with; NULL: nothing that is known. */
void dialect_broke_rule(const struct world_rank *rank, const char *call, const char *rule,
                        const char *what, const struct dialect_beside *beside);
/* An error of a call that breaks a rule of a proposal, which every run reports: "SHMALLOC". Static
 * storage. */
int dialect_rule_error(struct world_rank *rank, MPI_Comm comm, const char *proposal,
                       const char *call, int class, const char *format, ...) G_GNUC_PRINTF(6, 7);
int dialect_rule_conflict(struct world_rank *rank, MPI_Comm comm, const char *proposal,
                          const char *call, int class, const char *what,
                          const struct dialect_beside *beside);
/* The same of a call at pc that is not entered: an object is kept, or not registered. */
int dialect_kept_error(const char *call, uintptr_t pc, MPI_Comm comm, int class, const char *why,
                       const struct dialect_beside *beside);
bool dialect_finalized(void); /* Has this rank called MPI_Finalize? */
/* The handler was made in Fortran, of that function. */
typedef void dialect_fortran_handler(MPI_Fint *comm, MPI_Fint *code);
void dialect_errhandler_in_fortran(MPI_Errhandler handler, dialect_fortran_handler *function);
/* A communicator has been made of another one. */
void dialect_inherits_handler(MPI_Comm parent, MPI_Comm made);
/* SMPI refused: PMPI_X returned `code`. */
int dialect_refused(struct world_rank *rank, MPI_Comm comm, const char *call, int code);
/* The same of a call that has not entered MPI, made at pc. */
int dialect_refused_outside(uintptr_t pc, MPI_Comm comm, const char *call, int code);
/* An argument that the call stores to is a null pointer: that is an error of that class. */
int dialect_null(const char *call, uintptr_t pc, MPI_Comm comm, int class, const char *argument);
/* Is the call made in a thread of the program, or in a region? That is reported, and it returns
 * MPI_ERR_OTHER: what it would look into is the ranks' thread's. For calls that do not enter. */
static inline bool dialect_in_thread(const char *call, uintptr_t pc)
{
    return world_unseen_here() && !world_enter(call, pc);
}
/* The same behind world_enter, which has reported it. */
#define DIALECT_NO_THREAD(rank)                                                                    \
    if (!(rank) && world_unseen_here()) return MPI_ERR_OTHER
#define DIALECT_NO_NULL(argument, class)                                                           \
    if (!(argument)) return dialect_null(__func__, DIALECT_PC, MPI_COMM_NULL, class, #argument)
/* What every call on files returns: they are not simulated. */
int dialect_no_file(const char *call, uintptr_t pc);
/* Ends the run with the class, after one sentence on standard error. `rank`: NULL: unknown. */
void dialect_fatal(const struct world_rank *rank, const char *call, int class, const char *what);

/* What the attribute MPI_LASTUSEDCODE of MPI_COMM_WORLD is. (code.c) */
int *dialect_last_used_code(struct world_rank *rank);

/* The class in words; `name` holds them. */
const char *dialect_class_name(int code, char name[MPI_MAX_ERROR_STRING]);

#endif
