/* Dynamic windows: memory comes and goes while the window lives (MPI-3 11.2.4). A displacement is
 * the address at the target, as MPI_Get_address gives it there: "the value of target_disp for RMA
 * functions is the address at the target".
 */
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "dialect/mpi/window/window.h"

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct world_rank *r = world_enter("MPI_Win_create_dynamic", DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    struct dialect_win made = {.base = NULL, .disp_unit = 1, .flavor = MPI_WIN_FLAVOR_DYNAMIC};
    int code = dialect_win_new(r, __func__, made, info, comm, MPI_SUCCESS, NULL, win);
    world_leave(r);
    return code;
}

static int attach(struct world_rank *r, struct dialect_win *w, void *base, MPI_Aint size)
{
    static const char call[] = "MPI_Win_attach";
    if (w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        return dialect_win_error(w, call, MPI_ERR_RMA_FLAVOR,
                                 "the window was not created by MPI_Win_create_dynamic");
    if (size < 0) return dialect_win_error(w, call, MPI_ERR_SIZE, "the size is %td", size);
    if (size == 0) return MPI_SUCCESS;
    if (!base || base == MPI_BOTTOM)
        return dialect_win_error(w, call, MPI_ERR_BASE, "no base address");
    if (!dialect_there(base, (uint64_t)size))
        return dialect_win_error(w, call, MPI_ERR_SIZE,
                                 "the program has no memory at some of these addresses");
    if (!sync_win_attach(w->sync, w->win_rank, r->proc, base, (uint64_t)size))
        return dialect_win_error(w, call, MPI_ERR_RMA_ATTACH,
                                 "some of the %td bytes are attached to the window already", size);
    if (check_on) dialect_win_checked(w, call, base, (uint64_t)size);
    return MPI_SUCCESS;
}

/* Local, but loads and stores know from now on that the memory has two copies. */
int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    struct dialect_win *w = dialect_win_find(win);
    int code = w && r ? attach(r, w, base, size) : dialect_bad_window(__func__);
    if (r) world_leave(r);
    return code;
}

static int detach(struct world_rank *r, struct dialect_win *w, const void *base)
{
    static const char call[] = "MPI_Win_detach";
    if (w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        return dialect_win_error(w, call, MPI_ERR_RMA_FLAVOR,
                                 "the window was not created by MPI_Win_create_dynamic");
    if (sync_win_detach(w->sync, w->win_rank, r->proc, base)) {
        if (check_on)
            check_detach(w->sync, w->win_rank, (uintptr_t)base, world_site(r), world_now());
        return MPI_SUCCESS;
    }
    return dialect_win_error(w, call, MPI_ERR_BASE,
                             "no memory that begins there is attached to the window");
}

int MPI_Win_detach(MPI_Win win, const void *base)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    struct dialect_win *w = dialect_win_find(win);
    int code = w && r ? detach(r, w, base) : dialect_bad_window(__func__);
    if (r) world_leave(r);
    return code;
}
