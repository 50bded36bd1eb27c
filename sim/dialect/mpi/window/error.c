/* Errors of windows: what is wrong with a call on a window goes to the window's handler
 * (MPI-2 8.3, 11.6). The default is fatal. */
#include "world/place/place.h"
#include "check/check.h"
#include "dialect/mpi/type/type.h"
#include "dialect/mpi/window/window.h"

#include <stdarg.h>

/* ---- handlers of windows --------------------------------------------------------------------- */

/* SMPI makes the handle; who uses it is counted here, so that a handler freed by the program lives
 * on in its windows. */
struct handler {
    MPI_Win_errhandler_function *function;
    dialect_fortran_handler *in_fortran; /* NULL: that one; or it gets the window's number */
    int refs;
};
static GHashTable *handlers; /* MPI_Errhandler -> struct handler; those made for windows */

static struct handler *handler_of(MPI_Errhandler errhandler)
{
    return handlers ? g_hash_table_lookup(handlers, errhandler) : NULL;
}

static MPI_Errhandler errhandler_ref(MPI_Errhandler errhandler)
{
    struct handler *handler = handler_of(errhandler);
    if (handler) handler->refs++;
    return errhandler;
}

void dialect_errhandler_unref(MPI_Errhandler errhandler)
{
    struct handler *handler = handler_of(errhandler);
    if (!handler || --handler->refs > 0) return;
    DIALECT_AWAY;
    g_hash_table_remove(handlers, errhandler);
    PMPI_Errhandler_free(&errhandler);
    g_free(handler);
}

static int create(struct handler handler, MPI_Errhandler *errhandler)
{
    DIALECT_AWAY;
    int code = PMPI_Win_create_errhandler(handler.function, errhandler);
    if (code != MPI_SUCCESS)
        return dialect_refused(world_here(), MPI_COMM_NULL, "MPI_Win_create_errhandler", code);
    if (!handlers) handlers = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(handlers, *errhandler, g_memdup2(&handler, sizeof handler));
    return MPI_SUCCESS;
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_fn *function, MPI_Errhandler *errhandler)
{
    return create((struct handler){function, NULL, 1}, errhandler);
}

/* SMPI's handle: never called. */
static void nothing(MPI_Win *win, int *code, ...) { (void)win, (void)code; }

int dialect_win_errhandler_in_fortran(dialect_fortran_handler *function, MPI_Errhandler *errhandler)
{
    return create((struct handler){nothing, function, 1}, errhandler);
}

int MPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    if (handler_of(*errhandler)) {
        dialect_errhandler_unref(*errhandler);
        *errhandler = MPI_ERRHANDLER_NULL;
        return MPI_SUCCESS;
    }
    /* as got from a window */
    if (*errhandler == MPI_ERRORS_ARE_FATAL || *errhandler == MPI_ERRORS_RETURN) {
        *errhandler = MPI_ERRHANDLER_NULL;
        return MPI_SUCCESS;
    }
    DIALECT_AWAY;
    int code = PMPI_Errhandler_free(errhandler);
    return code == MPI_SUCCESS ? code
                               : dialect_refused(world_here(), MPI_COMM_NULL, __func__, code);
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    if (errhandler != MPI_ERRORS_ARE_FATAL && errhandler != MPI_ERRORS_RETURN &&
        !handler_of(errhandler))
        return dialect_win_error(w, __func__, MPI_ERR_ARG,
                                 "the error handler was not created by MPI_Win_create_errhandler");
    errhandler_ref(errhandler);
    dialect_errhandler_unref(w->errhandler);
    w->errhandler = errhandler;
    return MPI_SUCCESS;
}

int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler)
{
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    *errhandler = errhandler_ref(w->errhandler);
    return MPI_SUCCESS;
}

/* ---- raising --------------------------------------------------------------------------------- */

/* Where the standards list the class. */
static const char *section(int class)
{
    switch (class) {
    case MPI_ERR_WIN:
    case MPI_ERR_BASE:
    case MPI_ERR_SIZE:
    case MPI_ERR_DISP:
    case MPI_ERR_LOCKTYPE:
    case MPI_ERR_ASSERT:
    case MPI_ERR_RMA_CONFLICT:
    case MPI_ERR_RMA_SYNC: return "MPI-2 11.6.2";
    case MPI_ERR_RMA_RANGE:
    case MPI_ERR_RMA_ATTACH:
    case MPI_ERR_RMA_FLAVOR:
    case MPI_ERR_RMA_SHARED: return "MPI-3.1 11.6.2";
    default: return "MPI-3.1 8.4";
    }
}

/* A call that is refused breaks a rule whatever its handler does: every run reports it. */
static void note(const struct world_rank *rank, const char *call, int class, const char *what,
                 const struct dialect_beside *beside)
{
    char name[MPI_MAX_ERROR_STRING];
    g_autofree char *rule =
        g_strdup_printf("%s %s", section(class), dialect_class_name(class, name));
    dialect_broke_rule(rank, call, rule, what, beside);
}

void dialect_assert_lies(struct dialect_win *w, const char *call, const char *rule,
                         const char *what)
{
    if (!check_on) dialect_broke_rule(w->rank, call, rule, what, NULL);
}

void dialect_assert_conflicts(struct dialect_win *w, const char *call, const char *rule,
                              const char *what, const char *other_call, struct sync_other other)
{
    const struct dialect_beside beside = {other.rank, other_call, other.site};
    if (other.rank >= 0) dialect_broke_rule(w->rank, call, rule, what, &beside);
}

void dialect_types_match(struct dialect_win *w, const char *call, const struct dialect_type *from,
                         const struct dialect_type *to, uint64_t bytes)
{
    g_autofree char *what = from == to ? NULL : dialect_signature_difference(from, to, bytes);
    if (what)
        dialect_broke_rule(w->rank, call, "MPI-2 11.3.1, MPI-3.1 3.3.1 (type matching)", what,
                           NULL);
}

static int raise_on_window(struct dialect_win *w, const char *call, int class, const char *what)
{
    struct handler *handler = handler_of(w->errhandler);
    if (handler) {
        MPI_Win win = dialect_win_handle(w);
        int code = class;
        DIALECT_AWAY;
        struct world_rank *r = dialect_callback_begin();
        MPI_Fint number = handler->in_fortran ? MPI_Win_c2f(win) : 0;
        if (handler->in_fortran)
            handler->in_fortran(&number, &code);
        else
            handler->function(&win, &code);
        dialect_callback_end(r, MPI_SUCCESS);
    } else if (w->errhandler == MPI_ERRORS_ARE_FATAL) {
        dialect_fatal(w->rank, call, class, what);
    }
    return class;
}

int dialect_win_error(struct dialect_win *w, const char *call, int class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    note(w->rank, call, class, what, NULL);
    return raise_on_window(w, call, class, what);
}

int dialect_still_locked(struct dialect_win *w, const char *call, int holder)
{
    g_autofree char *what = g_strdup_printf("rank %d still holds a lock on the window of rank %d",
                                            holder, w->rank->rank);
    struct check_beside lock = {.rank = -1};
    if (check_on) lock = check_holder(w->sync, w->win_rank);
    note(w->rank, call, MPI_ERR_RMA_SYNC, what,
         &(struct dialect_beside){lock.rank, lock.call, lock.site});
    return raise_on_window(w, call, MPI_ERR_RMA_SYNC, what);
}

int dialect_not_attached(struct dialect_win *w, const char *call, int target, int64_t first,
                         uint64_t bytes)
{
    g_autofree char *what = g_strdup_printf("not all of the %" G_GUINT64_FORMAT
                                            " bytes at that address are attached by rank %d",
                                            bytes, target);
    struct check_beside gone = {.rank = -1};
    if (check_on) gone = check_detached(w->sync, target, (uintptr_t)first);
    note(w->rank, call, MPI_ERR_RMA_RANGE, what,
         &(struct dialect_beside){gone.rank, gone.call, gone.site});
    return raise_on_window(w, call, MPI_ERR_RMA_RANGE, what);
}

int dialect_bad_window(const char *call)
{
    static const char what[] = "invalid window handle";
    struct world_rank *rank = world_here();
    if (world_unseen_here()) return MPI_ERR_OTHER; /* threads find no windows */
    if (rank) note(rank, call, MPI_ERR_WIN, what, NULL);
    return dialect_error(rank, MPI_COMM_NULL, call, MPI_ERR_WIN, "%s", what);
}

/* The epoch that the call is in, in words, and what began it, or what of it is not complete. */
static int refuse(struct dialect_win *w, const char *call, int target, const char *what)
{
    struct check_beside in = {.rank = -1}, open;
    if (check_on) in = check_in_epoch(w->sync, w->win_rank, target);
    open = in;
    if (check_on && !in.epoch) open = check_in_epoch(w->sync, w->win_rank, -1); /* of others */
    g_autofree char *epoch =
        open.epoch ? g_strdup_printf(". Rank %d: %s from %s, still open", w->rank->rank, open.epoch,
                                     world_place(open.opened))
                   : g_strdup("");
    g_autofree char *all = g_strconcat(what, epoch, NULL);
    note(w->rank, call, MPI_ERR_RMA_SYNC, all, &(struct dialect_beside){in.rank, in.call, in.site});
    return raise_on_window(w, call, MPI_ERR_RMA_SYNC, what);
}

int dialect_lock_error(struct dialect_win *w, const char *call, enum sync_status status, int target)
{
    return status == SYNC_OK ? MPI_SUCCESS : refuse(w, call, target, sync_status_text(status));
}

int dialect_operation_error(struct dialect_win *w, const struct move_op *op,
                            enum sync_status status)
{
    if (status == SYNC_OK) return MPI_SUCCESS;
    const int rank = sync_win_world_rank(w->sync, op->target);
    const bool dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC; /* addresses are the host's */
    g_autofree char *at = dynamic ? g_strdup("")
                                  : g_strdup_printf(" at offset %" G_GINT64_FORMAT,
                                                    (gint64)op->to.addr + op->to.layout.low),
                    *what = g_strdup_printf(
                        "%s (%" G_GUINT64_FORMAT " bytes%s of the window of rank %d)",
                        sync_status_text(status), op->to.layout.bytes, at, rank);
    return refuse(w, op->call, op->target, what);
}

int dialect_sync_error(struct dialect_win *w, const char *call, enum sync_status status)
{
    return dialect_lock_error(w, call, status, -1);
}

int MPI_Win_call_errhandler(MPI_Win win, int errorcode)
{
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    raise_on_window(w, __func__, errorcode, "raised by the program");
    return MPI_SUCCESS;
}
