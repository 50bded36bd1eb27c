/* Beginning and end: the calls that know every dialect. */
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "world/thread/thread.h"
#include "dialect/alone.h"
#include "dialect/beside.h"
#include "dialect/session.h"
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/message.h"

#define DIALECT(name) extern const struct dialect_hooks dialect_##name;
#include "dialect/models.def"
#undef DIALECT

static const struct dialect_hooks *const dialects[] = {
#define DIALECT(name) &dialect_##name,
#include "dialect/models.def"
#undef DIALECT
    NULL,
};

/* Numbers of predefined handles follow the order in which SMPI makes them, so they come before any
 * other: a C program may call Fortran. */
extern void smpi_init_fortran_types(void);

/* Has this rank begun before? */
bool dialect_begin(void)
{
    int initialized = 0;
    if (world_simulated()) MPI_Initialized(&initialized);
    dialect_hooks_use(dialects);
    world_beside_use(dialect_beside);
    if (!world_simulated()) dialect_alone();
    return initialized != 0;
}

/* "Subsequent calls to any initialization routines are erroneous" (MPI-3.1, 8.7). */
static int called_again(struct world_rank *r, const char *call)
{
    return dialect_error(r, MPI_COMM_NULL, call, MPI_ERR_OTHER,
                         dialect_finalized() ? "MPI is already finalized"
                                             : "MPI is already initialized");
}

/* A session has begun MPI: it is the program's first call of its own. */
static bool beside_sessions(struct world_rank *r)
{
    const bool beside = r && dialect_rank(r)->sessions_only;
    if (beside) dialect_rank(r)->sessions_only = false;
    return beside;
}

int MPI_Init(int *argc, char ***argv)
{
    const bool again = dialect_begin();
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    smpi_init_fortran_types();
    int code = MPI_SUCCESS;
    if (!beside_sessions(r)) code = again ? called_again(r, __func__) : PMPI_Init(argc, argv);
    if (r) world_leave(r);
    return code;
}

/* Threads run, unseen, and what they call is refused (world/thread): the main one alone calls MPI.
 */
int MPI_Query_thread(int *provided)
{
    DIALECT_NO_NULL(provided, MPI_ERR_ARG);
    *provided = MPI_THREAD_FUNNELED;
    return MPI_SUCCESS;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const bool again = dialect_begin();
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    smpi_init_fortran_types();
    int code = MPI_SUCCESS;
    if (!beside_sessions(r))
        code = again ? called_again(r, __func__) : PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) *provided = MPI_THREAD_FUNNELED;
    if (r) world_leave(r);
    return code;
}

/* SMPI says no after MPI_Finalize; MPI says that MPI_Init has been called. */
int MPI_Initialized(int *flag)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    DIALECT_AWAY;
    int code = PMPI_Initialized(flag);
    if (code == MPI_SUCCESS && !*flag) *flag = dialect_finalized();
    struct world_rank *r = world_here();
    if (r && dialect_rank(r)->sessions_only) *flag = 0;
    return code;
}

/* An exit code has eight bits: no error may look like success. */
static int exit_code(int errorcode)
{
    return errorcode != 0 && (errorcode & 255) == 0 ? 255 : errorcode;
}

int MPI_Abort(MPI_Comm comm, int errorcode)
{
    if (world_detached() >= 0) { /* the one call a user-defined operation may make */
        world_say("rank %d: MPI_Abort(%d) in a user-defined operation", world_detached(),
                  errorcode);
        world_abort(exit_code(errorcode));
    }
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r && !world_simulated()) return PMPI_Abort(comm, errorcode);
    if (!r) { /* in a thread, which ends the run itself */
        world_say_threads();
        world_abort(exit_code(errorcode));
    }
    world_say("rank %d: MPI_Abort(%d) at %s", r->rank, errorcode, world_where(r));
    world_abort(exit_code(errorcode));
    return MPI_SUCCESS;
}

int MPI_Pcontrol(const int level, ...)
{
    (void)level; /* no profiling levels here */
    return MPI_SUCCESS;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Nobody leaves while another may still need its processor for servicing. */
static int finalize(struct world_rank *r)
{
    dialect_delete_on_self(r);
    if (check_on) check_finalize(r->rank, world_site(r), world_now());
    dialect_hooks_complete(r);
    static struct sync_barrier *last;
    if (!last) last = sync_barrier_new(world_ranks());
    sync_barrier_wait(last, r->proc);
    dialect_hooks_end(r);
    dialect_requests_free(dialect_rank(r));
    int code = PMPI_Finalize();
    world_finalized(r);
    return code;
}

int MPI_Finalize(void)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return world_simulated() ? MPI_ERR_OTHER : PMPI_Finalize();
    if (dialect_finalized()) {
        int error =
            dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_OTHER, "MPI is already finalized");
        world_leave(r);
        return error;
    }
    int code = MPI_SUCCESS;
    dialect_rank(r)->sessions_last = dialect_rank(r)->sessions > 0;
    if (!dialect_rank(r)->sessions_last) code = finalize(r);
    world_leave(r);
    return code;
}

/* ---- sessions (session.c) -------------------------------------------------------------------- */

int dialect_session_begins(struct world_rank *r, const char *call, bool again)
{
    struct dialect_rank *state = dialect_rank(r);
    if (dialect_finalized()) return called_again(r, call);
    if (!again && !state->sessions_only) {
        smpi_init_fortran_types();
        const int code = PMPI_Init(NULL, NULL);
        if (code != MPI_SUCCESS) return code;
        state->sessions_only = true;
    }
    state->sessions++;
    return MPI_SUCCESS;
}

int dialect_session_ends(struct world_rank *r)
{
    struct dialect_rank *state = dialect_rank(r);
    const bool last = --state->sessions == 0;
    return last && (state->sessions_only || state->sessions_last) ? finalize(r) : MPI_SUCCESS;
}
