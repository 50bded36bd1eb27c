/* dialect/mpi/window: windows as handles: life, attributes, errors, synchronisation calls.
 *
 * A handle is a pointer to one rank's part (struct dialect_win); what the members share is made by
 * the first of them to come.
 */
#ifndef DIALECT_MPI_WINDOW_H
#define DIALECT_MPI_WINDOW_H

#include "sync/epoch/epoch.h"
#include "dialect/mpi/comm/comm.h"

struct dialect_type;

struct dialect_win {
    struct dialect_shared *shared;
    struct sync_win *sync;
    struct world_rank *rank;
    int win_rank;
    void *base;
    MPI_Aint bytes;
    int disp_unit, flavor, model;
    bool counter, registered; /* counter.c: such a window; this member has a register */
    void *memory;             /* ours, to free; NULL: the program's */
    MPI_Group group;
    MPI_Info info;
    GHashTable *attributes;    /* attribute.c; NULL: none */
    MPI_Errhandler errhandler; /* error.c */
    GPtrArray *arguments;      /* struct dialect_argument, of operations in flight */
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Fint fortran;
    struct dialect_win *next; /* of this rank */
};

/* ---- handles (handle.c) ---------------------------------------------------------------------- */

struct dialect_win *dialect_win_find(MPI_Win win); /* NULL: not a window */
static inline MPI_Win dialect_win_handle(struct dialect_win *w) { return (MPI_Win)(void *)w; }
/* Lives from now on; does so no more. */
void dialect_win_add(struct dialect_win *w);
void dialect_win_remove(struct dialect_win *w);

/* ---- life (window.c) ------------------------------------------------------------------------- */

/* Collective: one of that flavor. `wrong` is this member's error class so far (MPI_SUCCESS: none),
 * `what` its text. Returns a class. */
int dialect_win_new(struct world_rank *r, const char *call, struct dialect_win made, MPI_Info info,
                    MPI_Comm comm, int wrong, const char *what, MPI_Win *win);
/* Operations to that member (-1: all) are complete: what their combines needed is freed. */
void dialect_win_settled(struct dialect_win *w, int target);
/* For the check: the member's memory is the window's from now on, by that call. */
void dialect_win_checked(const struct dialect_win *w, const char *call, const void *base,
                         uint64_t bytes);
int dialect_attributes_delete_all(struct dialect_win *w); /* attribute.c; returns an error class */

/* ---- the program's memory (memory.c) -----------------------------------------------------------
 */

/* Has the program memory at all of these addresses? */
bool dialect_there(const void *base, uint64_t bytes);
/* The error of an operation that writes to read-only memory of its origin, or of the target's
 * window. What was once writable is taken to be so for ever. */
int dialect_read_only(struct dialect_win *w, const struct move_op *op);
/* The error of an operation that leaves the target's window. */
int dialect_outside(struct dialect_win *w, const char *call, int target, MPI_Aint disp,
                    const struct op_layout *map, uint64_t bytes, int unit);

/* Has the info that value of the key? It is not MPI_INFO_NULL. (info.c) */
bool dialect_info_is(MPI_Info info, const char *key, const char *value);
/* What `from` has is in `info` from now on; the rest stays. */
void dialect_info_update(MPI_Info info, MPI_Info from);

/* ---- counters (counter.c) -------------------------------------------------------------------- */

/* Does the info ask for one, of a machine that has any? */
bool dialect_counter_asked(MPI_Info info);
/* This member's register. Returns an error class, and its text. */
int dialect_counter_take(struct dialect_win *w, const char **what);
void dialect_counter_leave(const struct dialect_win *w);
/* The error of what no register does. `number`: what is added. */
int dialect_counter_allows(struct dialect_win *w, const char *call, int target, MPI_Op op,
                           MPI_Datatype basic, const void *number, uint64_t bytes);

/* ---- errors (error.c) ------------------------------------------------------------------------ */

/* Something is wrong with a call: the window's handler decides. Returns the class. */
int dialect_win_error(struct dialect_win *w, const char *call, int class, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* The window is freed while that rank holds a lock; some of the bytes are not attached: an earlier
 * call that is to blame is named where it is known. */
int dialect_still_locked(struct dialect_win *w, const char *call, int holder);
int dialect_not_attached(struct dialect_win *w, const char *call, int target, int64_t first,
                         uint64_t bytes);
int dialect_bad_window(const char *call); /* the handle is not a window */
int dialect_sync_error(struct dialect_win *w, const char *call, enum sync_status status);
/* The same of an operation: its bytes are said. */
int dialect_operation_error(struct dialect_win *w, const struct move_op *op,
                            enum sync_status status);
/* The same of a call that locks one target: beside it stands where that was locked. */
int dialect_lock_error(struct dialect_win *w, const char *call, enum sync_status status,
                       int target);
/* An assert of the call claims what is not so: only noted. The check, if it is on, finds it itself.
 * other: the call or store that it is in conflict with, other_call. */
void dialect_assert_lies(struct dialect_win *w, const char *call, const char *rule,
                         const char *what);
void dialect_assert_conflicts(struct dialect_win *w, const char *call, const char *rule,
                              const char *what, const char *other_call, struct sync_other other);
/* Notes a broken rule where the data of one type would not match the other as a message's: entries
 * of different kinds or sizes (MPI-2 11.3.1; MPI-3.1 3.3.1). MPI_BYTE and MPI_PACKED match all. */
void dialect_types_match(struct dialect_win *w, const char *call, const struct dialect_type *from,
                         const struct dialect_type *to, uint64_t bytes);
void dialect_errhandler_unref(MPI_Errhandler errhandler);
/* MPI_Win_create_errhandler of a function in Fortran. */
int dialect_win_errhandler_in_fortran(dialect_fortran_handler *function,
                                      MPI_Errhandler *errhandler);

#endif
