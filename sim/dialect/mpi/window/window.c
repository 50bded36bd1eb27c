/* Windows: life, names and what they are made of (MPI-2 11.2).
 *
 * A handle is a pointer to one rank's part (struct dialect_win); what the members share is made by
 * the first of them to come and found through their rank group. Wrong arguments of one member are
 * known to all before any returns, so nobody waits for ever.
 */
#include "world/access/access.h"
#include "world/pages/pages.h"
#include "world/place/place.h"
#include "sync/machine/machine.h"
#include "dialect/mpi/reduce/reduce.h"
#include "dialect/mpi/window/window.h"

#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static void win_forget(struct dialect_win *w)
{
    dialect_win_remove(w);
    PMPI_Group_free(&w->group);
    if (w->info != MPI_INFO_NULL) PMPI_Info_free(&w->info);
    dialect_errhandler_unref(w->errhandler);
    g_ptr_array_free(w->arguments, TRUE);
    dialect_counter_leave(w);
    world_pages_free(w->memory);
    g_free(w);
}

/* The keys that say what accumulates may do at once, and whether freeing is a barrier. */
static unsigned info_of(MPI_Info info)
{
    static const struct {
        const char *word;
        enum check_info lacks;
    } order[] = {
        {"rar", CHECK_NO_RAR}, {"raw", CHECK_NO_RAW}, {"war", CHECK_NO_WAR}, {"waw", CHECK_NO_WAW}};
    char found[64] = "";
    int flag = 0;
    unsigned bits = 0;
    if (info == MPI_INFO_NULL) return 0;
    if (dialect_info_is(info, "no_locks", "true")) bits |= CHECK_NO_LOCKS;
    if (dialect_info_is(info, "accumulate_ops", "same_op")) bits |= CHECK_SAME_OP;
    PMPI_Info_get(info, "accumulate_ordering", sizeof found - 1, found, &flag);
    for (size_t i = 0; flag && i < G_N_ELEMENTS(order); i++)
        if (!strstr(found, order[i].word)) bits |= order[i].lacks;
    return bits;
}

/* For the check, before the others are waited for. */
static void joined(const struct dialect_win *w, const char *call,
                   const struct dialect_rank_group *ranks, int wrong)
{
    check_win_begin(w->sync, ranks->members, ranks->world_rank, w->flavor == MPI_WIN_FLAVOR_SHARED);
    check_win_info(w->sync, info_of(w->info));
    if (!wrong && w->bytes > 0) dialect_win_checked(w, call, w->base, (uint64_t)w->bytes);
    check_win_arrive(w->sync, w->win_rank, call, world_site(w->rank));
}

int dialect_win_new(struct world_rank *r, const char *call, struct dialect_win made, MPI_Info info,
                    MPI_Comm comm, int wrong, const char *what, MPI_Win *win)
{
    if (dialect_finalized())
        return dialect_error(r, comm, call, MPI_ERR_OTHER, "MPI is already finalized");
    struct dialect_rank_group *ranks = dialect_rank_group_of(comm);
    if (!ranks) {
        world_pages_free(made.memory);
        return dialect_error(r, dialect_comm_blamed(r, comm), call, MPI_ERR_COMM,
                             "not a valid intracommunicator (freed, or an intercommunicator)");
    }
    struct dialect_win *w = g_memdup2(&made, sizeof made);
    w->win_rank = dialect_rank_in(comm);
    w->rank = r;
    if (!wrong) wrong = dialect_counter_take(w, &what);
    w->shared = dialect_shared_join(ranks, dialect_comm_number(r, comm), w->flavor, &wrong, &what);
    w->sync = w->shared->sync;
    bool shared = w->flavor == MPI_WIN_FLAVOR_SHARED; /* updated by loads and stores */
    w->model = (shared ? sync_shares_view() : sync_unified()) ? MPI_WIN_UNIFIED : MPI_WIN_SEPARATE;
    w->errhandler = MPI_ERRORS_ARE_FATAL;
    w->arguments = g_ptr_array_new_with_free_func(dialect_argument_free);
    w->info = MPI_INFO_NULL;
    if (info != MPI_INFO_NULL) PMPI_Info_dup(info, &w->info);
    PMPI_Comm_group(comm, &w->group);
    sync_win_join(w->sync, w->win_rank, r->proc, w->base, wrong ? 0 : (uint64_t)w->bytes,
                  wrong ? 1 : w->disp_unit);
    if (check_on) joined(w, call, ranks, wrong);
    dialect_win_add(w);
    sync_barrier_wait(w->shared->barrier, r->proc); /* everybody has joined */
    if (check_on) check_win_made(w->sync, w->win_rank);
    if (w->shared->wrong != MPI_SUCCESS) {
        if (check_on) check_win_free(w->sync, w->win_rank);
        if (check_on) check_win_freed(w->sync, w->win_rank);
        sync_win_leave(w->sync, w->win_rank, r->proc);
        dialect_shared_leave(w->shared);
        win_forget(w);
        if (wrong) return dialect_error(r, comm, call, wrong, "%s", what);
        return dialect_error(r, comm, call, MPI_ERR_OTHER,
                             "the arguments of another rank are invalid");
    }
    *win = dialect_win_handle(w);
    return MPI_SUCCESS;
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    (void)info;
    struct world_rank *r = world_here();
    if (!r) return MPI_ERR_OTHER;
    if (size < 0)
        return dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_SIZE, "the size is %td", size);
    void *memory = world_pages_new(r, (uint64_t)size);
    if (!memory)
        return dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_NO_MEM,
                             "cannot allocate %td bytes", size);
    *(void **)baseptr = memory;
    return MPI_SUCCESS;
}

int MPI_Free_mem(void *base)
{
    uint64_t bytes = base ? world_pages_bytes(base) : 0; /* 0: not such memory */
    if (check_on && bytes > 0) world_freed((uintptr_t)base, bytes, __func__, DIALECT_PC);
    if (!base || world_pages_free(base)) return MPI_SUCCESS;
    return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_BASE,
                         "the memory was not allocated by MPI_Alloc_mem");
}

int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win *win)
{
    struct world_rank *r = world_enter("MPI_Win_create", DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const char *what = NULL;
    int wrong = MPI_SUCCESS;
    if (size < 0)
        wrong = MPI_ERR_SIZE, what = "the size is negative";
    else if (disp_unit <= 0)
        wrong = MPI_ERR_DISP, what = "the displacement unit is not positive";
    else if (size > 0 && (base == NULL || base == MPI_BOTTOM))
        wrong = MPI_ERR_BASE, what = "no base address";
    else if (size > 0 && !dialect_there(base, (uint64_t)size))
        wrong = MPI_ERR_SIZE, what = "the program has no memory at some of these addresses";
    struct dialect_win made = {
        .base = base, .bytes = size, .disp_unit = disp_unit, .flavor = MPI_WIN_FLAVOR_CREATE};
    int code = dialect_win_new(r, __func__, made, info, comm, wrong, what, win);
    world_leave(r);
    return code;
}

int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *base,
                     MPI_Win *win)
{
    struct world_rank *r = world_enter("MPI_Win_allocate", DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    const char *what = NULL;
    int wrong = MPI_SUCCESS;
    void *memory = NULL;
    if (size < 0)
        wrong = MPI_ERR_SIZE, what = "the size is negative";
    else if (disp_unit <= 0)
        wrong = MPI_ERR_DISP, what = "the displacement unit is not positive";
    else if (!(memory = world_pages_new(r, (uint64_t)size)))
        wrong = MPI_ERR_NO_MEM, what = "not enough memory for the window";
    struct dialect_win made = {.base = memory,
                               .memory = memory,
                               .bytes = size,
                               .disp_unit = disp_unit,
                               .flavor = MPI_WIN_FLAVOR_ALLOCATE,
                               .counter = dialect_counter_asked(info)};
    int code = dialect_win_new(r, __func__, made, info, comm, wrong, what, win);
    if (code == MPI_SUCCESS) *(void **)base = memory;
    world_leave(r);
    return code;
}

/* ---- freeing --------------------------------------------------------------------------------- */

void dialect_win_checked(const struct dialect_win *w, const char *call, const void *base,
                         uint64_t bytes)
{
    check_attach(w->sync, w->win_rank, (uintptr_t)base, bytes, call, world_site(w->rank));
    for (int i = 0; i < world_ranks(); i++)
        if (i == w->rank->rank || w->flavor == MPI_WIN_FLAVOR_SHARED)
            world_unfilter(world_rank_of(i), (uintptr_t)base, bytes);
}

void dialect_win_settled(struct dialect_win *w, int target)
{
    for (guint i = w->arguments->len; i-- > 0;) {
        const struct dialect_argument *argument = g_ptr_array_index(w->arguments, i);
        if (target < 0 || argument->target == target)
            g_ptr_array_remove_index_fast(w->arguments, i);
    }
}

static int win_free(struct world_rank *r, struct dialect_win *w)
{
    /* before it waits for others, which may wait for the end of the epoch */
    int refused = dialect_sync_error(w, "MPI_Win_free", sync_win_leaves(w->sync, w->win_rank));
    if (check_on && !refused) check_win_free(w->sync, w->win_rank);
    sync_barrier_wait(w->shared->barrier, r->proc);
    if (refused) return refused;
    int holder = sync_win_holder(w->sync, w->win_rank);
    if (holder >= 0) return dialect_still_locked(w, "MPI_Win_free", holder);
    enum sync_status status = sync_win_leave(w->sync, w->win_rank, r->proc);
    if (status != SYNC_OK) return dialect_sync_error(w, "MPI_Win_free", status);
    if (check_on) check_win_freed(w->sync, w->win_rank);
    int code = dialect_attributes_delete_all(w);
    dialect_shared_leave(w->shared);
    win_forget(w);
    return code;
}

int MPI_Win_free(MPI_Win *win)
{
    DIALECT_NO_NULL(win, MPI_ERR_WIN);
    struct world_rank *r = world_enter("MPI_Win_free", DIALECT_PC);
    struct dialect_win *w = dialect_win_find(*win);
    int code = w && r ? win_free(r, w) : dialect_bad_window(__func__);
    if (code == MPI_SUCCESS) *win = MPI_WIN_NULL;
    if (r) world_leave(r);
    return code;
}

/* ---- what a window is ------------------------------------------------------------------------ */

/* A local query: `w` is known. */
#define LOCAL(...)                                                                                 \
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;                             \
    DIALECT_AWAY;                                                                                  \
    struct dialect_win *w = dialect_win_find(win);                                                 \
    if (!w) return dialect_bad_window(__func__);                                                   \
    __VA_ARGS__                                                                                    \
    return MPI_SUCCESS

int MPI_Win_get_group(MPI_Win win, MPI_Group *group)
{
    int none = 0;
    LOCAL(PMPI_Group_excl(w->group, 0, &none, group);); /* another reference of the same group */
}

int MPI_Win_set_name(MPI_Win win, const char *name)
{
    struct dialect_win *known = dialect_win_find(win);
    if (known && !name) return dialect_win_error(known, __func__, MPI_ERR_ARG, "the name is NULL");
    LOCAL(g_strlcpy(w->name, name, sizeof w->name); sync_win_name(w->sync, w->win_rank, w->name);
          if (check_on) check_win_name(w->sync, w->name););
}

int MPI_Win_get_name(MPI_Win win, char *name, int *len)
{
    LOCAL(*len = (int)g_strlcpy(name, w->name, sizeof w->name););
}

int MPI_Win_set_info(MPI_Win win, MPI_Info info)
{
    struct dialect_win *known = dialect_win_find(win);
    if (known && info == MPI_INFO_NULL)
        return dialect_win_error(known, __func__, MPI_ERR_INFO, "the info object is MPI_INFO_NULL");
    LOCAL(if (w->info == MPI_INFO_NULL) PMPI_Info_create(&w->info);
          dialect_info_update(w->info, info););
}

int MPI_Win_get_info(MPI_Win win, MPI_Info *info)
{
    LOCAL(if (w->info == MPI_INFO_NULL) PMPI_Info_create(info); else PMPI_Info_dup(w->info, info););
}
