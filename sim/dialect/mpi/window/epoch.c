/* Synchronisation calls: arguments checked, groups and asserts translated, the rest is sync's
 * (MPI-2 11.4). */
#include "world/access/access.h"
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "check/check.h"
#include "dialect/mpi/window/window.h"

/* Asserts: the bits each call knows (MPI-2 11.4.4); others are MPI_ERR_ASSERT. */
static bool asserts(int given, int allowed, unsigned *bits)
{
    static const struct {
        int mpi;
        unsigned sync;
    } word[] = {
        {MPI_MODE_NOCHECK, SYNC_NOCHECK},     {MPI_MODE_NOSTORE, SYNC_NOSTORE},
        {MPI_MODE_NOPUT, SYNC_NOPUT},         {MPI_MODE_NOPRECEDE, SYNC_NOPRECEDE},
        {MPI_MODE_NOSUCCEED, SYNC_NOSUCCEED},
    };
    *bits = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(word); i++)
        if (given & word[i].mpi) *bits |= word[i].sync;
    return (given & ~allowed) == 0;
}

/* One synchronisation call: `w` and `bits` are known inside; evaluates to the code returned. */
#define SYNCHRONISE(given, allowed, ...)                                                           \
    ENTERED(world_enter_ahead(__func__, DIALECT_PC), given, allowed, __VA_ARGS__)
#define ENTERED(here, given, allowed, ...)                                                         \
    struct world_rank *r = here;                                                                   \
    struct dialect_win *w = dialect_win_find(win);                                                 \
    if (check_on && r)                                                                             \
        check_unwound(r->rank, DIALECT_FRAME, __func__, world_site(r), world_now());               \
    unsigned bits;                                                                                 \
    int code;                                                                                      \
    if (!w || !r)                                                                                  \
        code = dialect_bad_window(__func__);                                                       \
    else if (!asserts(given, allowed, &bits))                                                      \
        code = dialect_win_error(w, __func__, MPI_ERR_ASSERT,                                      \
                                 "assert %#x is not valid for this call", (unsigned)(given));      \
    else {                                                                                         \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    if (r) world_leave(r);                                                                         \
    return code

/* The call, for the check. */
static struct check_call recorded(const struct dialect_win *w, unsigned bits)
{
    return (struct check_call){w->sync, w->win_rank, bits, world_site(w->rank), world_now()};
}

/* Before and after calls of sync: what the check hears of them. */
#define RECORD(...)                                                                                \
    do {                                                                                           \
        if (!check_on) break;                                                                      \
        const struct check_call recorded_call = recorded(w, bits), *this_call = &recorded_call;    \
        __VA_ARGS__;                                                                               \
    } while (0)

/* A call that completed this rank's operations to a member; -1: to all. */
static int done(struct dialect_win *w, const char *call, int target, enum sync_status status)
{
    if (status != SYNC_OK) return dialect_sync_error(w, call, status);
    dialect_win_settled(w, target);
    return MPI_SUCCESS;
}

static void no_store(struct dialect_win *w, const char *call, unsigned bits)
{
    const op_site site = check_on ? 0 : sync_stored(w->sync, w->win_rank, bits);
    dialect_assert_conflicts(w, call, "MPI-2 11.4.4, MPI_MODE_NOSTORE",
                             "MPI_MODE_NOSTORE, but the rank has stored to its part of the window "
                             "since it last synchronised",
                             "a store", (struct sync_other){site ? w->rank->rank : -1, site});
}

static void fence_lies(struct dialect_win *w, const char *call, unsigned bits)
{
    if (sync_fence_lies(w->sync, w->win_rank, bits))
        dialect_assert_lies(
            w, call, "MPI-2 11.4.4, MPI_MODE_NOPRECEDE",
            "MPI_MODE_NOPRECEDE, but operations were issued since the fence before");
    dialect_assert_conflicts(
        w, call, "MPI-2 11.4.4, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED",
        "MPI_MODE_NOPRECEDE or MPI_MODE_NOSUCCEED, which all ranks give or none, and another does "
        "not do as this one",
        call, sync_fence_differs(w->sync, w->win_rank, bits, world_site(w->rank)));
    no_store(w, call, bits);
}

int MPI_Win_fence(int assert, MPI_Win win)
{
    SYNCHRONISE(assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED,
                fence_lies(w, __func__, bits);
                RECORD(check_fence(this_call));
                code = done(w, __func__, -1, sync_fence(w->sync, w->win_rank, r->proc, bits));
                if (w->flavor != MPI_WIN_FLAVOR_SHARED && sync_fence_idle(w->sync, w->win_rank))
                    world_in_vain(r);
                if (code == MPI_SUCCESS) RECORD(check_fenced(this_call)););
}

/* ---- post, start, complete, wait ------------------------------------------------------------- */

/* The group's ranks as members of the window; NULL: not a group, or a rank that is no member. */
static int *members_of(const struct dialect_win *w, MPI_Group group, int *n)
{
    if (group == MPI_GROUP_NULL || PMPI_Group_size(group, n) != MPI_SUCCESS) return NULL;
    int *win_rank = g_new0(int, *n + 1);
    g_autofree int *rank = g_new(int, *n + 1);
    for (int i = 0; i < *n; i++) rank[i] = i;
    if (*n > 0) PMPI_Group_translate_ranks(group, *n, rank, w->group, win_rank);
    for (int i = 0; i < *n; i++)
        if (win_rank[i] == MPI_UNDEFINED) {
            g_free(win_rank);
            return NULL;
        }
    return win_rank;
}

typedef enum sync_status (*group_call)(struct sync_win *, int, struct serve_proc *, const int *,
                                       int, unsigned);

static void group_lies(struct dialect_win *w, const char *call, unsigned bits, const int *group,
                       int n, bool post)
{
    if (post) no_store(w, call, bits);
    if (post && sync_post_lies(w->sync, w->win_rank, bits, group, n))
        dialect_assert_lies(w, call, "MPI-2 11.4.4, MPI_MODE_NOCHECK",
                            "MPI_MODE_NOCHECK, but an origin has called MPI_Win_start already");
    if (post) return;
    if (sync_start_lies(w->sync, bits, group, n))
        dialect_assert_lies(w, call, "MPI-2 11.4.4, MPI_MODE_NOCHECK",
                            "MPI_MODE_NOCHECK, but a target has not called MPI_Win_post");
    dialect_assert_conflicts(w, call, "MPI-2 11.4.4, MPI_MODE_NOCHECK",
                             "MPI_MODE_NOCHECK, which start and its post both have or neither, and "
                             "one of them has it",
                             "MPI_Win_post", sync_start_differs(w->sync, bits, group, n));
}

static int with_group(struct dialect_win *w, const char *call, MPI_Group group, unsigned bits,
                      group_call go)
{
    int n = 0;
    g_autofree int *win_rank = members_of(w, group, &n);
    if (!win_rank)
        return dialect_win_error(w, call, MPI_ERR_GROUP,
                                 "the group is not a subset of the window's group");
    group_lies(w, call, bits, win_rank, n, go == sync_post);
    if (go == sync_post) RECORD(check_post(this_call, win_rank, n));
    enum sync_status status = go(w->sync, w->win_rank, w->rank->proc, win_rank, n, bits);
    if (go == sync_start && status == SYNC_OK) RECORD(check_start(this_call, win_rank, n));
    return dialect_sync_error(w, call, status);
}

int MPI_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    SYNCHRONISE(assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT,
                code = with_group(w, __func__, group, bits, sync_post););
}

int MPI_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    SYNCHRONISE(assert, MPI_MODE_NOCHECK, code = with_group(w, __func__, group, bits, sync_start););
}

int MPI_Win_complete(MPI_Win win)
{
    SYNCHRONISE(0, 0, RECORD(check_complete(this_call));
                code = done(w, __func__, -1, sync_complete(w->sync, w->win_rank, r->proc));
                RECORD(check_returned(this_call)););
}

int MPI_Win_wait(MPI_Win win)
{
    SYNCHRONISE(0, 0,
                code = dialect_sync_error(w, __func__, sync_wait(w->sync, w->win_rank, r->proc));
                if (code == MPI_SUCCESS) RECORD(check_waited(this_call)););
}

/* The program does not know before it looks at the flag. */
static void tested(struct world_rank *r, const struct check_call *call, const int *flag)
{
    check_test(r->rank);
    check_waited(call);
    check_tested(r->rank);
    check_watch(r->rank, (uintptr_t)flag, sizeof *flag);
    world_unfilter(r, (uintptr_t)flag, sizeof *flag);
}

int MPI_Win_test(MPI_Win win, int *flag)
{
    ENTERED(world_enter_polling(__func__, DIALECT_PC, true), 0, 0, bool yes = false;
            code = dialect_sync_error(w, __func__, sync_test(w->sync, w->win_rank, r->proc, &yes));
            *flag = yes; if (!yes) world_in_vain(r); else RECORD(tested(r, this_call, flag)););
}

/* ---- locks ----------------------------------------------------------------------------------- */

static int bad_rank(struct dialect_win *w, const char *call, int rank)
{
    return dialect_win_error(w, call, MPI_ERR_RANK,
                             "rank %d is not in the window's group of %d ranks", rank,
                             sync_win_members(w->sync));
}

static bool is_member(const struct dialect_win *w, int rank)
{
    return rank >= 0 && rank < sync_win_members(w->sync);
}

static void lock_lies(struct dialect_win *w, const char *call, int target, bool exclusive,
                      unsigned bits)
{
    const struct sync_other other = sync_lock_lies(w->sync, w->win_rank, target, exclusive, bits);
    if (!check_on)
        dialect_assert_conflicts(w, call, "MPI-2 11.4.4, MPI_MODE_NOCHECK",
                                 "MPI_MODE_NOCHECK of one of two locks that exclude each other, "
                                 "and both are held",
                                 "its lock", other);
}

static int lock(struct dialect_win *w, const char *call, int target, bool exclusive, unsigned bits)
{
    lock_lies(w, call, target, exclusive, bits);
    enum sync_status status = sync_lock(w->sync, w->win_rank, target, exclusive, bits);
    if (status == SYNC_OK) RECORD(check_lock(this_call, target, exclusive));
    return dialect_lock_error(w, call, status, target);
}

static int unlock(struct dialect_win *w, const char *call, int target)
{
    unsigned bits = 0;
    RECORD(check_unlock(this_call, target));
    int code = done(w, call, target,
                    target < 0 ? sync_unlock_all(w->sync, w->win_rank, w->rank->proc)
                               : sync_unlock(w->sync, w->win_rank, w->rank->proc, target));
    RECORD(check_returned(this_call));
    return code;
}

int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    SYNCHRONISE(assert, MPI_MODE_NOCHECK, bool exclusive = lock_type == MPI_LOCK_EXCLUSIVE;
                if (!exclusive && lock_type != MPI_LOCK_SHARED) code = dialect_win_error(
                    w, __func__, MPI_ERR_LOCKTYPE, "%d is not a lock type", lock_type);
                else if (rank == MPI_PROC_NULL) code = MPI_SUCCESS;
                else if (!is_member(w, rank)) code = bad_rank(w, __func__, rank);
                else code = lock(w, __func__, rank, exclusive, bits););
}

int MPI_Win_unlock(int rank, MPI_Win win)
{
    SYNCHRONISE(0, 0, if (rank == MPI_PROC_NULL) code = MPI_SUCCESS;
                else if (!is_member(w, rank)) code = bad_rank(w, __func__, rank);
                else code = unlock(w, __func__, rank););
}

int MPI_Win_lock_all(int assert, MPI_Win win)
{
    SYNCHRONISE(assert, MPI_MODE_NOCHECK,
                code = dialect_sync_error(w, __func__, sync_lock_all(w->sync, w->win_rank, bits));
                if (code == MPI_SUCCESS) RECORD(check_lock(this_call, -1, false)););
}

int MPI_Win_unlock_all(MPI_Win win) { SYNCHRONISE(0, 0, code = unlock(w, __func__, -1);); }

/* ---- flushes (MPI-3) ------------------------------------------------------------------------- */

static int flush(struct dialect_win *w, const char *call, int target, bool local)
{
    unsigned bits = 0;
    RECORD(check_flush(this_call, target, local));
    if (sync_flush_idle(w->sync, w->win_rank, target)) world_in_vain(w->rank);
    int code = done(w, call, target, sync_flush(w->sync, w->win_rank, w->rank->proc, target));
    RECORD(check_returned(this_call));
    return code;
}

/* A local flush also waits for the target: earlier than asked is never seen. */
#define FLUSH(target, local)                                                                       \
    SYNCHRONISE(0, 0, int to = (target); if (to == MPI_PROC_NULL) code = MPI_SUCCESS;              \
                else if (to != -1 && !is_member(w, to)) code = bad_rank(w, __func__, to);          \
                else code = flush(w, __func__, to, local);)

int MPI_Win_flush(int rank, MPI_Win win)
{
    FLUSH(rank < 0 && rank != MPI_PROC_NULL ? INT32_MAX : rank, false);
}
int MPI_Win_flush_local(int rank, MPI_Win win)
{
    FLUSH(rank < 0 && rank != MPI_PROC_NULL ? INT32_MAX : rank, true);
}
int MPI_Win_flush_all(MPI_Win win) { FLUSH(-1, false); }
int MPI_Win_flush_local_all(MPI_Win win) { FLUSH(-1, true); }

int MPI_Win_sync(MPI_Win win)
{
    SYNCHRONISE(0, 0, RECORD(check_sync(this_call)); world_polls(r);
                code = dialect_sync_error(w, __func__, sync_agree(w->sync, w->win_rank, r->proc)););
}
