/* Windows of shared memory: every member's loads and stores reach all of it (MPI-3 11.2.3).
 *
 * The members must be processors of one coherent node: there all of them have one view. A process
 * alone on its node shares with itself. Not modelled: a view for each of several processors on a
 * node without coherence.
 */
#include "world/pages/pages.h"
#include "sync/machine/machine.h"
#include "dialect/mpi/window/window.h"

#include <string.h>

enum { PAGE_BYTES = 4096 };

/* Where this member's part begins, of all of them; `bytes`: what everybody gives. Wrong arguments
 * count as none. */
static MPI_Aint lay_out(const MPI_Aint *bytes, int members, int win_rank, bool pages, MPI_Aint *all)
{
    MPI_Aint at = 0, own = 0;
    for (int i = 0; i < members; i++) {
        if (i == win_rank) own = at;
        MPI_Aint part = MAX(bytes[i], 0);
        at += pages ? (part + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : part;
    }
    *all = at;
    return own;
}

/* The first member allocates for all. NULL: no memory. */
static void *allocate(struct world_rank *r, MPI_Comm comm, int win_rank, MPI_Aint bytes)
{
    void *memory = win_rank == 0 ? world_pages_new(r, (uint64_t)bytes) : NULL;
    dialect_messages_begin(r, comm);
    PMPI_Bcast(&memory, sizeof memory, MPI_BYTE, 0, comm);
    dialect_messages_over(r, comm, true, sizeof memory);
    return memory;
}

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *base,
                            MPI_Win *win)
{
    struct world_rank *r = world_enter("MPI_Win_allocate_shared", DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_rank_group *ranks = dialect_rank_group_of(comm);
    const char *what = NULL;
    char *memory = NULL, *part = NULL;
    int wrong = MPI_SUCCESS, win_rank = 0;
    if (size < 0)
        wrong = MPI_ERR_SIZE, what = "the size is negative";
    else if (disp_unit <= 0)
        wrong = MPI_ERR_DISP, what = "the displacement unit is not positive";
    else if (ranks && !sync_shares_memory(ranks->world_rank, ranks->members))
        wrong = MPI_ERR_RMA_SHARED, what = "the processes do not share the memory of one coherent "
                                           "node (MPI_Comm_split_type finds those that do)";
    if (ranks && sync_shares_memory(ranks->world_rank, ranks->members)) {
        g_autofree MPI_Aint *bytes = g_new(MPI_Aint, ranks->members);
        MPI_Aint all;
        win_rank = dialect_rank_in(comm);
        dialect_messages_begin(r, comm);
        PMPI_Allgather(&size, 1, MPI_AINT, bytes, 1, MPI_AINT, comm);
        dialect_messages_over(r, comm, false, sizeof size);
        /* "The info key alloc_shared_noncontig": parts on pages of their own. */
        bool pages = dialect_info_is(info, "alloc_shared_noncontig", "true");
        MPI_Aint at = lay_out(bytes, ranks->members, win_rank, pages, &all);
        memory = allocate(r, comm, win_rank, all);
        if (memory)
            part = memory + at;
        else if (!wrong)
            wrong = MPI_ERR_NO_MEM, what = "not enough memory for the window";
    }
    struct dialect_win made = {.base = part,
                               .memory = win_rank == 0 ? memory : NULL,
                               .bytes = size,
                               .disp_unit = disp_unit,
                               .flavor = MPI_WIN_FLAVOR_SHARED};
    int code = dialect_win_new(r, __func__, made, info, comm, wrong, what, win);
    world_share();
    if (code == MPI_SUCCESS) *(void **)base = part;
    world_leave(r);
    return code;
}

/* "The lowest rank that specified size > 0" stands for MPI_PROC_NULL. */
static int meant(const struct dialect_win *w, int rank)
{
    int members = sync_win_members(w->sync);
    if (rank != MPI_PROC_NULL) return rank >= 0 && rank < members ? rank : -1;
    for (rank = 0; rank < members - 1 && sync_win_bytes(w->sync, rank) == 0;) rank++;
    return rank;
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return dialect_win_error(w, __func__, MPI_ERR_RMA_FLAVOR,
                                 "the window was created by MPI_Win_create_dynamic");
    int asked = meant(w, rank);
    if (asked < 0)
        return dialect_win_error(w, __func__, MPI_ERR_RANK,
                                 "rank %d is not in the window's group of %d ranks", rank,
                                 sync_win_members(w->sync));
    *size = (MPI_Aint)sync_win_bytes(w->sync, asked);
    *disp_unit = sync_win_disp_unit(w->sync, asked);
    if (w->flavor != MPI_WIN_FLAVOR_SHARED && asked != w->win_rank) {
        *size = 0; /* "cannot be accessed directly" (MPI-4.1 12.2.3) */
        *(void **)baseptr = NULL;
        return MPI_SUCCESS;
    }
    *(void **)baseptr = *size > 0 || rank != MPI_PROC_NULL ? sync_win_base(w->sync, asked) : NULL;
    return MPI_SUCCESS;
}
