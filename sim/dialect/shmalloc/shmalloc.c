/* Get/put communicators: life, and what MPI's own calls do with them (SHMALLOC proposal, E. Salo,
 * MPI-2 mailing list, 31 October 1995).
 *
 * The windows hang on the handle that SHM_Shmalloc returned, so a duplicate or a part of the
 * communicator has none.
 */
#include "world/pages/pages.h"
#include "check/check.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/shmalloc/inside.h"
#include "shmalloc.h"

struct dialect_shmalloc_state {
    GPtrArray *getputs; /* struct dialect_getput, in the order made */
    GHashTable *gone;   /* handles of those that were freed */
};

static struct dialect_shmalloc_state *state_of(struct world_rank *rank)
{
    struct dialect_shmalloc_state *state = dialect_own(rank, "shmalloc");
    if (state) return state;
    state = g_new(struct dialect_shmalloc_state, 1);
    *state = (struct dialect_shmalloc_state){g_ptr_array_new(), g_hash_table_new(NULL, NULL)};
    return dialect_own_keep(rank, "shmalloc", state);
}

/* The i-th of a rank; NULL: there are fewer. */
static struct dialect_getput *getput_at(struct world_rank *rank, guint i)
{
    const struct dialect_shmalloc_state *state = dialect_own(rank, "shmalloc");
    return state && i < state->getputs->len ? state->getputs->pdata[i] : NULL;
}

struct dialect_getput *dialect_getput_of(struct world_rank *rank, MPI_Comm comm)
{
    struct dialect_getput *getput;
    for (guint i = 0; (getput = getput_at(rank, i)) != NULL; i++)
        if (getput->comm == comm) return getput;
    return NULL;
}

static const char *refused(struct world_rank *rank, MPI_Comm comm)
{
    const struct dialect_shmalloc_state *state = dialect_own(rank, "shmalloc");
    return state && g_hash_table_contains(state->gone, comm)
               ? "the get/put communicator was freed before"
               : NULL;
}

/* ---- making ---------------------------------------------------------------------------------- */

enum { KIND = -1 }; /* no window's flavour */

static void forget(struct dialect_getput *getput)
{
    dialect_shared_leave(getput->shared);
    world_pages_free(getput->memory);
    g_free(getput);
}

static int duplicate(struct world_rank *r, MPI_Comm comm, MPI_Comm *copy)
{
    dialect_messages_begin(r, comm);
    const int code = PMPI_Comm_dup(comm, copy);
    dialect_messages_over(r, comm, false, 0);
    return code;
}

/* Wrong arguments of one member are known to all before any returns, so nobody waits for ever. */
static int make(struct world_rank *r, const char *call, struct dialect_rank_group *ranks,
                MPI_Comm oldcomm, struct dialect_getput made, MPI_Aint bytes, int wrong,
                const char *what, MPI_Comm *newcomm)
{
    struct dialect_getput *getput = g_memdup2(&made, sizeof made);
    getput->win_rank = dialect_rank_in(oldcomm);
    getput->shared =
        dialect_shared_join(ranks, dialect_comm_number(r, oldcomm), KIND, &wrong, &what);
    struct sync_win *sync = getput->shared->sync;
    sync_win_direct(sync);
    sync_win_join(sync, getput->win_rank, r->proc, getput->memory,
                  wrong || !getput->memory ? 0 : (uint64_t)bytes, 1);
    dialect_getput_joins(r, getput, wrong || !getput->memory ? 0 : (uint64_t)bytes);
    sync_barrier_wait(getput->shared->barrier, r->proc); /* everybody has joined */
    dialect_getput_joined(r, getput);
    int code = wrong;
    if (wrong)
        dialect_rule_error(r, oldcomm, "SHMALLOC", call, wrong, "%s", what);
    else if (getput->shared->wrong)
        code = dialect_rule_error(r, oldcomm, "SHMALLOC", call, MPI_ERR_OTHER,
                                  "the arguments of another rank are invalid");
    else if ((code = duplicate(r, oldcomm, &getput->comm)) != MPI_SUCCESS)
        dialect_refused(r, oldcomm, call, code);
    if (code) {
        dialect_getput_leaves(getput);
        sync_win_leave(sync, getput->win_rank, r->proc);
        forget(getput);
        return code;
    }
    dialect_comm_made(r, getput->comm);
    g_ptr_array_add(state_of(r)->getputs, getput);
    *newcomm = getput->comm;
    return MPI_SUCCESS;
}

int SHM_Shmalloc(void *buf, MPI_Aint len, MPI_Comm oldcomm, MPI_Comm *newcomm)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    struct dialect_rank_group *ranks = refused(r, oldcomm) ? NULL : dialect_rank_group_of(oldcomm);
    struct dialect_getput made = {0};
    const char *what = NULL;
    int wrong = MPI_SUCCESS, code;
    if (buf == MPI_BOTTOM) buf = NULL; /* Fortran has no other name for it */
    if (len < 0)
        wrong = MPI_ERR_SIZE, what = "the length of the window is negative";
    else if (!newcomm)
        wrong = MPI_ERR_ARG, what = "the pointer to the new communicator is NULL";
    else if (buf && ranks && !(made.memory = world_pages_new(r, (uint64_t)len)))
        wrong = MPI_ERR_NO_MEM, what = "not enough memory for the window";
    if (ranks)
        code = make(r, __func__, ranks, oldcomm, made, len, wrong, what, newcomm);
    else
        code = dialect_rule_error(
            r, dialect_comm_blamed(r, oldcomm), "SHMALLOC", __func__, MPI_ERR_COMM,
            "the old communicator is not a valid intracommunicator (freed, or an "
            "intercommunicator)");
    if (code == MPI_SUCCESS && buf) *(void **)buf = made.memory;
    world_leave(r);
    return code;
}

/* ---- beside MPI's own calls ------------------------------------------------------------------ */

/* The handle may have been that of one that was freed. */
static void comm_made(struct world_rank *r, MPI_Comm comm)
{
    const struct dialect_shmalloc_state *state = dialect_own(r, "shmalloc");
    if (state) g_hash_table_remove(state->gone, comm);
}

static bool barrier(struct world_rank *r, MPI_Comm comm)
{
    const struct dialect_getput *getput = dialect_getput_of(r, comm);
    if (!getput) return false;
    dialect_getput_meets(r, getput);
    sync_direct_barrier(getput->shared->sync, getput->win_rank, r->proc);
    dialect_getput_met(r, getput);
    return true;
}

/* Collective: releases the windows. */
static void comm_free(struct world_rank *r, MPI_Comm comm)
{
    struct dialect_getput *getput = dialect_getput_of(r, comm);
    if (!getput) return;
    struct sync_win *sync = getput->shared->sync;
    sync_direct_complete(sync, getput->win_rank, r->proc);
    if (check_on) check_win_free(sync, getput->win_rank);
    /* nobody reaches into memory that is gone */
    sync_barrier_wait(getput->shared->barrier, r->proc);
    if (check_on) check_win_freed(sync, getput->win_rank);
    sync_win_leave(sync, getput->win_rank, r->proc);
    g_ptr_array_remove(state_of(r)->getputs, getput);
    g_hash_table_add(state_of(r)->gone, comm);
    forget(getput);
}

static bool exposes(struct world_rank *rank, const char *from, const char *to)
{
    const struct dialect_getput *getput;
    for (guint i = 0; (getput = getput_at(rank, i)) != NULL; i++)
        if (sync_win_touches(getput->shared->sync, getput->win_rank, from, to)) return true;
    return false;
}

static void complete(struct world_rank *r)
{
    const struct dialect_getput *getput;
    for (guint i = 0; (getput = getput_at(r, i)) != NULL; i++)
        sync_direct_complete(getput->shared->sync, getput->win_rank, r->proc);
}

const struct dialect_hooks dialect_shmalloc = {
    .comm_made = comm_made,
    .comm_refused = refused,
    .comm_free = comm_free,
    .barrier = barrier,
    .exposes = exposes,
    .complete = complete,
};
