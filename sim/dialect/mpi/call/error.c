/* Errors: what is wrong with a call goes to the handler of its communicator (MPI-2 8.3); those of
 * windows are window/error.c's.
 *
 * The default is fatal: one sentence on standard error with rank, call and line, then the run ends
 * with the error class. SMPI's PMPI functions return codes and call no handler, so refusals of
 * calls that only pass through end here too.
 */
#include "findings/findings.h"
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "dialect/mpi/call/call.h"

#include <stdarg.h>

const char *dialect_class_name(int code, char name[MPI_MAX_ERROR_STRING])
{
    int length;
    name[0] = '\0';
    if (code < 0 || code > MPI_T_ERR_PVAR_NO_ATOMIC ||
        PMPI_Error_string(code, name, &length) != MPI_SUCCESS)
        g_snprintf(name, MPI_MAX_ERROR_STRING, "error %d", code);
    return name;
}

void dialect_fatal(const struct world_rank *rank, const char *call, int class, const char *what)
{
    char name[MPI_MAX_ERROR_STRING];
    if (rank && world_site(rank) != 0)
        world_say("rank %d: %s at %s: %s (%s)", rank->rank, call, world_where(rank), what,
                  dialect_class_name(class, name));
    else if (rank)
        world_say("rank %d: %s: %s (%s)", rank->rank, call, what, dialect_class_name(class, name));
    else
        world_say("%s: %s (%s)", call, what, dialect_class_name(class, name));
    world_abort(class);
}

/* SMPI keeps MPI_COMM_WORLD's for each rank: once one has set its own, it has none for the others.
 */
static int errhandler_of(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    int code = PMPI_Comm_get_errhandler(comm, errhandler);
    if (code == MPI_SUCCESS && *errhandler == MPI_ERRHANDLER_NULL)
        *errhandler = MPI_ERRORS_ARE_FATAL;
    return code;
}

/* "When a new communicator is created ..., it inherits the error handler that is associated with
 * the parent" (MPI-3.1 8.3): in SMPI only a copy does. */
void dialect_inherits_handler(MPI_Comm parent, MPI_Comm made)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (made == MPI_COMM_NULL || errhandler_of(parent, &handler) != MPI_SUCCESS ||
        handler == MPI_ERRORS_ARE_FATAL)
        return;
    PMPI_Comm_set_errhandler(made, handler);
    if (handler != MPI_ERRORS_RETURN) PMPI_Errhandler_free(&handler);
}

/* Handlers made in Fortran, which get the communicator's number: MPI_Errhandler -> function. */
static GHashTable *in_fortran;

void dialect_errhandler_in_fortran(MPI_Errhandler handler, dialect_fortran_handler *function)
{
    if (!in_fortran) in_fortran = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(in_fortran, handler, *(void **)&function);
}

/* Its MPI_Comm_create_errhandler calls this one. */
int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
{
    DIALECT_AWAY;
    const int code = PMPI_Errhandler_create(function, errhandler);
    if (code != MPI_SUCCESS) return dialect_refused(world_here(), MPI_COMM_NULL, __func__, code);
    if (in_fortran) g_hash_table_remove(in_fortran, *errhandler); /* one freed was there */
    return code;
}

static void call_handler(MPI_Errhandler handler, MPI_Comm comm, int class)
{
    struct world_rank *r = dialect_callback_begin();
    dialect_fortran_handler *function = NULL;
    if (in_fortran) *(void **)&function = g_hash_table_lookup(in_fortran, handler);
    if (function) {
        MPI_Fint number = PMPI_Comm_c2f(comm), code = class;
        function(&number, &code);
    } else {
        PMPI_Comm_call_errhandler(comm, class);
    }
    dialect_callback_end(r, MPI_SUCCESS);
}

static int raise_on_comm(const struct world_rank *rank, MPI_Comm comm, const char *call, int class,
                         const char *what)
{
    if (!rank) return class; /* not simulated, or before MPI_Init: no handler is set */
    DIALECT_AWAY;
    MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
    if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
    if (dialect_finalized() || errhandler_of(comm, &errhandler) != MPI_SUCCESS ||
        errhandler == MPI_ERRORS_ARE_FATAL)
        dialect_fatal(rank, call, class, what);
    else if (errhandler != MPI_ERRORS_RETURN)
        call_handler(errhandler, comm, class);
    return class;
}

int dialect_error(struct world_rank *rank, MPI_Comm comm, const char *call, int class,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    return raise_on_comm(rank, comm, call, class, what);
}

void dialect_broke_rule(const struct world_rank *rank, const char *call, const char *rule,
                        const char *what, const struct dialect_beside *beside)
{
    g_autofree char *message = g_strdup_printf("%s: %s", call, what);
    findings_violation_note(&(struct findings_violation){.rule = g_intern_string(rule),
                                                         .message = message,
                                                         .call = call,
                                                         .rank = rank->rank,
                                                         .time_s = world_now(),
                                                         .site = world_site(rank),
                                                         .other_rank = beside ? beside->rank : -1,
                                                         .other_call = beside ? beside->call : NULL,
                                                         .other_site = beside ? beside->site : 0});
}

int dialect_rule_conflict(struct world_rank *rank, MPI_Comm comm, const char *proposal,
                          const char *call, int class, const char *what,
                          const struct dialect_beside *beside)
{
    g_autofree char *rule = g_strdup_printf("%s: %s", proposal, call);
    if (rank) dialect_broke_rule(rank, call, rule, what, beside);
    return raise_on_comm(rank, comm, call, class, what);
}

int dialect_rule_error(struct world_rank *rank, MPI_Comm comm, const char *proposal,
                       const char *call, int class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    return dialect_rule_conflict(rank, comm, proposal, call, class, what, NULL);
}

int dialect_kept_error(const char *call, uintptr_t pc, MPI_Comm comm, int class, const char *why,
                       const struct dialect_beside *beside)
{
    struct world_rank *r = world_enter(call, pc);
    dialect_rule_conflict(r, comm, "registration", call, class, why, beside);
    if (r) world_leave(r);
    return class;
}

bool dialect_finalized(void)
{
    int flag = 0;
    PMPI_Finalized(&flag);
    return flag != 0;
}

int dialect_refused(struct world_rank *rank, MPI_Comm comm, const char *call, int code)
{
    return raise_on_comm(rank, comm, call, code,
                         dialect_finalized() ? "MPI is already finalized"
                                             : "SMPI rejected the arguments of the call");
}

int dialect_refused_outside(uintptr_t pc, MPI_Comm comm, const char *call, int code)
{
    struct world_rank *rank = world_refuse(call, pc);
    dialect_refused(rank, comm, call, code);
    world_refused(rank);
    return code;
}

int dialect_null(const char *call, uintptr_t pc, MPI_Comm comm, int class, const char *argument)
{
    struct world_rank *rank = world_refuse(call, pc);
    g_autofree char *what = g_strdup_printf("%s is a null pointer", argument);
    raise_on_comm(rank, comm, call, class, what);
    world_refused(rank);
    return class;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    DIALECT_AWAY;
    int code = errhandler_of(comm, errhandler);
    return code == MPI_SUCCESS ? code : dialect_refused_outside(DIALECT_PC, comm, __func__, code);
}

int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct world_rank *rank = world_refuse(__func__, DIALECT_PC);
    raise_on_comm(rank, comm, __func__, errorcode, "raised by the program");
    world_refused(rank);
    return MPI_SUCCESS;
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    DIALECT_AWAY;
    int code = errhandler_of(comm, errhandler);
    return code == MPI_SUCCESS ? code : dialect_refused_outside(DIALECT_PC, comm, __func__, code);
}

/* SMPI says so of one rank alone. */
int MPI_Is_thread_main(int *flag)
{
    *flag = !world_unseen_here();
    return MPI_SUCCESS;
}
