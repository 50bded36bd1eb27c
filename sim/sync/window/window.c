/* Windows: life and memory. */
#include "sync/window/state.h"
#include "mem/segment/segment.h"

const char *sync_status_text(enum sync_status status)
{
    switch (status) {
    case SYNC_OK: return "no error";
    case SYNC_NO_EPOCH:
        return "no epoch is open that allows this: it belongs between fences, or after a start or "
               "lock that names the target";
    case SYNC_EPOCH_OPEN: return "an epoch is still open on this window";
    case SYNC_NOT_LOCKED: return "this rank holds no lock on that target";
    case SYNC_LOCKED_TWICE: return "this rank already holds a lock on that target";
    case SYNC_NONE_LOCKED: return "this rank holds no lock on the window";
    case SYNC_OTHER_LOCK:
        return "MPI_Win_unlock ends what MPI_Win_lock began, MPI_Win_unlock_all what "
               "MPI_Win_lock_all began";
    case SYNC_NOT_PASSIVE:
        return "a request-based operation belongs between a lock of the target and its unlock";
    case SYNC_NOT_IN_GROUP: return "the target is not in the group given to MPI_Win_start";
    }
    g_assert_not_reached();
}

struct sync_win *sync_win_new(int members, const int *world_rank)
{
    struct sync_win *win = g_new0(struct sync_win, 1);
    win->move = sync_move();
    win->number = sync_window_number();
    win->barrier = sync_barrier_new(members);
    win->members = members;
    win->member = g_new0(struct sync_member, members);
    for (int i = 0; i < members; i++) {
        win->member[i].proc = sync_move()->proc[world_rank[i]];
        win->member[i].exposed_to = -1;
    }
    return win;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static const struct mem_range *place_at(const struct sync_member *m, guint i)
{
    return &g_array_index(m->place, struct mem_range, i);
}

/* The place of the first that ends behind that address. */
static guint place_of(const struct sync_member *m, uintptr_t addr)
{
    guint low = 0, high = m->place->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        const struct mem_range *range = place_at(m, middle);
        if (range->addr + range->bytes <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Memory of the window that has bytes of the range; NULL: none has. */
static const struct mem_range *touched(const struct sync_member *m, uintptr_t from, uintptr_t to)
{
    const guint i = place_of(m, from);
    return i < m->place->len && place_at(m, i)->addr < to ? place_at(m, i) : NULL;
}

bool sync_win_touches(const struct sync_win *win, int win_rank, const void *from, const void *to)
{
    return touched(&win->member[win_rank], (uintptr_t)from, (uintptr_t)to) != NULL;
}

bool sync_win_attach(struct sync_win *win, int win_rank, struct serve_proc *me, void *base,
                     uint64_t bytes)
{
    struct sync_member *m = &win->member[win_rank];
    struct sync_piece piece = {.range = {(uintptr_t)base, bytes}};
    if (touched(m, piece.range.addr, piece.range.addr + bytes)) return false;
    piece.segment = op_segment_add(me->rank, piece.range.addr, bytes,
                                   win->direct ? "MPI_Barrier on the get/put communicator"
                                               : "MPI_Win_fence, MPI_Win_wait or MPI_Win_lock");
    op_segment_name(piece.segment, m->name);
    mem_segment_add(me->memory, piece.segment, piece.range.addr, bytes);
    if (!win->direct) mem_segment_protect(me->memory, piece.segment);
    g_array_append_val(m->piece, piece);
    g_array_insert_val(m->place, place_of(m, piece.range.addr), piece.range);
    return true;
}

bool sync_win_detach(struct sync_win *win, int win_rank, struct serve_proc *me, const void *base)
{
    struct sync_member *m = &win->member[win_rank];
    const struct mem_range *range = touched(m, (uintptr_t)base, (uintptr_t)base + 1);
    if (!range || range->addr != (uintptr_t)base) return false;
    g_array_remove_index(m->place, place_of(m, range->addr));
    guint i = 0;
    while (sync_piece_at(m, i)->range.addr != (uintptr_t)base) i++;
    serve_memory(me, mem_publish(me->cpu, sync_piece_at(m, i)->range.addr,
                                 sync_piece_at(m, i)->range.bytes, serve_now(me)));
    serve_memory(me, mem_segment_remove(me->memory, sync_piece_at(m, i)->segment));
    g_array_remove_index(m->piece, i);
    return true;
}

bool sync_win_holds(const struct sync_win *win, int win_rank, int64_t offset,
                    const struct op_layout *layout)
{
    const struct sync_member *m = &win->member[win_rank];
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uintptr_t from = (uintptr_t)m->base + (uintptr_t)(offset + layout->piece[i].offset),
                  to = from + layout->piece[i].bytes;
        while (from < to) {
            const struct mem_range *range = touched(m, from, from + 1);
            if (!range) return false;
            from = range->addr + range->bytes; /* the next may begin there */
        }
    }
    return true;
}

void sync_win_name(struct sync_win *win, int win_rank, const char *name)
{
    struct sync_member *m = &win->member[win_rank];
    g_free(m->name);
    m->name = g_strdup(name);
    for (guint i = 0; i < m->piece->len; i++) op_segment_name(sync_piece_at(m, i)->segment, name);
}

/* ---- joining and leaving --------------------------------------------------------------------- */

void sync_win_join(struct sync_win *win, int win_rank, struct serve_proc *me, void *base,
                   uint64_t bytes, int disp_unit)
{
    struct sync_member *m = &win->member[win_rank];
    m->base = base;
    m->bytes = bytes;
    m->disp_unit = disp_unit;
    m->epoch.origin = me;
    m->name = g_strdup_printf("%swindow %d", win->direct ? "get/put " : "", win->number);
    m->piece = g_array_new(FALSE, FALSE, sizeof(struct sync_piece));
    m->place = g_array_new(FALSE, FALSE, sizeof(struct mem_range));
    if (bytes > 0) sync_win_attach(win, win_rank, me, base, bytes);
}

static bool no_releases(void *data)
{
    const struct sync_member *me = data;
    return me->releases == 0;
}

enum sync_status sync_win_leaves(const struct sync_win *win, int win_rank)
{
    const struct sync_member *m = &win->member[win_rank];
    return m->started || m->exposed_to >= 0 || m->fence_operations > 0 ? SYNC_EPOCH_OPEN : SYNC_OK;
}

enum sync_status sync_win_leave(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    struct sync_member *m = &win->member[win_rank];
    serve_wait(me, PROFILE_PARTNER, no_releases, m);
    bool locked =
        m->holds || m->exclusive_held || m->shared_holders > 0 || m->lock_queue.length > 0;
    if (locked || m->epoch.outstanding > 0 || sync_win_leaves(win, win_rank) != SYNC_OK)
        return SYNC_EPOCH_OPEN;
    sync_publish(m);
    for (guint i = 0; i < m->piece->len; i++)
        serve_memory(me, mem_segment_remove(me->memory, sync_piece_at(m, i)->segment));
    g_array_free(m->piece, TRUE);
    g_array_free(m->place, TRUE);
    g_free(m->name);
    if (m->posts) g_hash_table_unref(m->posts);
    g_clear_pointer(&m->hold_of, g_hash_table_unref);
    if (++win->left == win->members) {
        sync_barrier_free(win->barrier);
        g_free(win->member);
        g_free(win);
    }
    return SYNC_OK;
}

int sync_win_members(const struct sync_win *win) { return win->members; }

int sync_win_world_rank(const struct sync_win *win, int win_rank)
{
    return win->member[win_rank].proc->rank;
}

void *sync_win_base(const struct sync_win *win, int win_rank) { return win->member[win_rank].base; }

uint64_t sync_win_bytes(const struct sync_win *win, int win_rank)
{
    return win->member[win_rank].bytes;
}

int sync_win_disp_unit(const struct sync_win *win, int win_rank)
{
    return win->member[win_rank].disp_unit;
}

static double with_all(struct sync_member *me,
                       double (*flush)(struct mem_cpu *, const struct mem_range *, size_t, double))
{
    g_autofree struct mem_range *range = g_new(struct mem_range, me->piece->len);
    for (guint i = 0; i < me->piece->len; i++) range[i] = sync_piece_at(me, i)->range;
    return flush(me->proc->cpu, range, me->piece->len, serve_now(me->proc));
}

void sync_publish(struct sync_member *me) { serve_memory(me->proc, with_all(me, mem_publish_all)); }

void sync_synchronised(const struct sync_member *me)
{
    for (guint i = 0; i < me->piece->len; i++)
        mem_segment_synchronised(me->proc->memory, sync_piece_at(me, i)->segment);
}

void sync_refresh(struct sync_member *me)
{
    serve_memory(me->proc, with_all(me, mem_refresh_all));
    for (guint i = 0; i < me->piece->len; i++)
        serve_memory(me->proc,
                     mem_segment_restore(me->proc->memory, sync_piece_at(me, i)->segment));
}
