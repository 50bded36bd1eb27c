/* Windows of shared memory: every member's loads and stores reach all of it (MPI-3 11.2.3).
 *
 * The members must be processors of one coherent node: there all of them have one view. A process
 * alone on its node shares with itself. Not modelled: a view for each of several processors on a
 * node without coherence.
 */
#include "dialect/mpi/window/window.h"

#include <string.h>

enum { PAGE_BYTES = 4096 };

/* "The info key alloc_shared_noncontig": parts on pages of their own. */
static bool apart(MPI_Info info)
{
    char value[8] = "";
    int found = 0;
    if (info != MPI_INFO_NULL)
        PMPI_Info_get(info, "alloc_shared_noncontig", sizeof value - 1, value, &found);
    return found && strcmp(value, "true") == 0;
}

/* Where this member's part begins, of all of them; `bytes`: what everybody gives. Wrong arguments
 * count as none. */
static MPI_Aint lay_out(const MPI_Aint *bytes, int members, int member, bool pages, MPI_Aint *all)
{
    MPI_Aint at = 0, own = 0;
    for (int i = 0; i < members; i++) {
        if (i == member) own = at;
        MPI_Aint part = MAX(bytes[i], 0);
        at += pages ? (part + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : part;
    }
    *all = at;
    return own;
}

/* The first member allocates for all. NULL: no memory. */
static void *allocate(struct world_rank *r, MPI_Comm comm, int member, MPI_Aint bytes)
{
    void *memory = member == 0 ? world_pages_new(r, (uint64_t)bytes) : NULL;
    PMPI_Bcast(&memory, sizeof memory, MPI_BYTE, 0, comm);
    return memory;
}

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *base,
                            MPI_Win *win)
{
    struct world_rank *r = world_enter("MPI_Win_allocate_shared", DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_team *team = dialect_team_of(comm);
    const char *what = NULL;
    char *memory = NULL, *part = NULL;
    int wrong = MPI_SUCCESS, member = 0;
    if (size < 0)
        wrong = MPI_ERR_SIZE, what = "a negative size";
    else if (disp_unit <= 0)
        wrong = MPI_ERR_DISP, what = "the displacement unit is not positive";
    else if (team && !sync_shares_memory(team->world_rank, team->members))
        wrong = MPI_ERR_RMA_SHARED, what = "the processes do not share the memory of one coherent "
                                           "node (MPI_Comm_split_type finds those that do)";
    if (team && sync_shares_memory(team->world_rank, team->members)) {
        g_autofree MPI_Aint *bytes = g_new(MPI_Aint, team->members);
        MPI_Aint all;
        member = dialect_rank_in(comm);
        PMPI_Allgather(&size, 1, MPI_AINT, bytes, 1, MPI_AINT, comm);
        MPI_Aint at = lay_out(bytes, team->members, member, apart(info), &all);
        memory = allocate(r, comm, member, all);
        if (memory)
            part = memory + at;
        else if (!wrong)
            wrong = MPI_ERR_NO_MEM, what = "no memory left for the window";
    }
    struct dialect_win made = {.base = part,
                               .memory = member == 0 ? memory : NULL,
                               .bytes = size,
                               .disp_unit = disp_unit,
                               .flavor = MPI_WIN_FLAVOR_SHARED};
    int code = dialect_win_new(r, __func__, made, info, comm, wrong, what, win);
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
    if (w->flavor != MPI_WIN_FLAVOR_SHARED)
        return dialect_win_error(w, __func__, MPI_ERR_RMA_FLAVOR,
                                 "the window is not of shared memory");
    int member = meant(w, rank);
    if (member < 0)
        return dialect_win_error(w, __func__, MPI_ERR_RANK, "rank %d is not one of the window's %d",
                                 rank, sync_win_members(w->sync));
    *size = (MPI_Aint)sync_win_bytes(w->sync, member);
    *disp_unit = sync_win_disp_unit(w->sync, member);
    *(void **)baseptr = *size > 0 || rank != MPI_PROC_NULL ? sync_win_base(w->sync, member) : NULL;
    return MPI_SUCCESS;
}
