/* Windows: life, and what their synchronisation has in common. */
#include "sync/match/match.h"
#include "sync/window/win.h"

static struct move *way;
static int windows; /* made so far */

void sync_open(struct move *move)
{
    way = move;
    windows = 0;
    if (move) sync_watches_clear();
}

struct move *sync_way(void) { return way; }

bool sync_unified(void) { return move_shares_view(way); }

bool sync_shares_memory(const int *world_rank, int ranks)
{
    for (int i = 1; i < ranks; i++)
        if (way->proc[world_rank[i]]->node != way->proc[world_rank[0]]->node) return false;
    return ranks == 1 || sync_unified();
}

bool sync_registered_only(void) { return way->mach->register_required; }

void sync_tell(struct serve_proc *me, int rank, move_effect effect, void *data)
{
    move_control(way, me, way->proc[rank], false, effect, data);
}

bool sync_barrier_network(void) { return move_barrier_network(way); }

double sync_barrier_time(int members) { return move_barrier(way, members); }

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
    win->move = way;
    win->number = windows++;
    win->barrier = sync_barrier_new(members);
    win->members = members;
    win->member = g_new0(struct sync_member, members);
    for (int i = 0; i < members; i++) {
        win->member[i].proc = way->proc[world_rank[i]];
        win->member[i].exposed_to = -1;
    }
    return win;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static struct sync_piece *piece_at(const struct sync_member *m, guint i)
{
    return &g_array_index(m->piece, struct sync_piece, i);
}

/* A piece that has bytes of the range; NULL: none has. */
static const struct sync_piece *piece_touched(const struct sync_member *m, uintptr_t from,
                                              uintptr_t to)
{
    for (guint i = 0; i < m->piece->len; i++) {
        const struct mem_range *range = &piece_at(m, i)->range;
        if (from < range->addr + range->bytes && range->addr < to) return piece_at(m, i);
    }
    return NULL;
}

bool sync_win_touches(const struct sync_win *win, int member, const void *from, const void *to)
{
    return piece_touched(&win->member[member], (uintptr_t)from, (uintptr_t)to) != NULL;
}

bool sync_win_attach(struct sync_win *win, int member, struct serve_proc *me, void *base,
                     uint64_t bytes)
{
    struct sync_member *m = &win->member[member];
    struct sync_piece piece = {.range = {(uintptr_t)base, bytes}};
    if (piece_touched(m, piece.range.addr, piece.range.addr + bytes)) return false;
    piece.segment = op_segment_add(me->rank, piece.range.addr, bytes,
                                   win->direct ? "MPI_Barrier on the get/put communicator"
                                               : "MPI_Win_fence, MPI_Win_wait or MPI_Win_lock");
    op_segment_name(piece.segment, m->name);
    mem_segment_add(me->memory, piece.segment, piece.range.addr, bytes);
    g_array_append_val(m->piece, piece);
    return true;
}

bool sync_win_detach(struct sync_win *win, int member, struct serve_proc *me, const void *base)
{
    struct sync_member *m = &win->member[member];
    guint i = 0;
    while (i < m->piece->len && piece_at(m, i)->range.addr != (uintptr_t)base) i++;
    if (i == m->piece->len) return false;
    serve_memory(me, mem_publish(me->cpu, piece_at(m, i)->range.addr, piece_at(m, i)->range.bytes,
                                 serve_now(me)));
    mem_segment_remove(me->memory, piece_at(m, i)->segment);
    g_array_remove_index(m->piece, i);
    return true;
}

bool sync_win_holds(const struct sync_win *win, int member, int64_t offset,
                    const struct op_layout *layout)
{
    const struct sync_member *m = &win->member[member];
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uintptr_t from = (uintptr_t)m->base + (uintptr_t)(offset + layout->piece[i].offset),
                  to = from + layout->piece[i].bytes;
        while (from < to) {
            const struct sync_piece *piece = piece_touched(m, from, from + 1);
            if (!piece) return false;
            from = piece->range.addr + piece->range.bytes; /* the next may begin there */
        }
    }
    return true;
}

void sync_win_name(struct sync_win *win, int member, const char *name)
{
    struct sync_member *m = &win->member[member];
    g_free(m->name);
    m->name = g_strdup(name);
    for (guint i = 0; i < m->piece->len; i++) op_segment_name(piece_at(m, i)->segment, name);
}

/* ---- joining and leaving --------------------------------------------------------------------- */

void sync_win_join(struct sync_win *win, int member, struct serve_proc *me, void *base,
                   uint64_t bytes, int disp_unit)
{
    struct sync_member *m = &win->member[member];
    m->base = base;
    m->bytes = bytes;
    m->disp_unit = disp_unit;
    m->epoch.origin = me;
    m->name = g_strdup_printf("%swindow %d", win->direct ? "get/put " : "", win->number);
    m->piece = g_array_new(FALSE, FALSE, sizeof(struct sync_piece));
    if (bytes > 0) sync_win_attach(win, member, me, base, bytes);
}

static bool no_releases(void *data)
{
    const struct sync_member *me = data;
    return me->releases == 0;
}

enum sync_status sync_win_leave(struct sync_win *win, int member, struct serve_proc *me)
{
    struct sync_member *m = &win->member[member];
    serve_wait(me, no_releases, m);
    bool locked =
        m->holds || m->exclusive_held || m->shared_holders > 0 || m->lock_queue.length > 0;
    if (locked || m->started || m->exposed_to >= 0 || m->epoch.outstanding > 0 ||
        m->fence_operations > 0)
        return SYNC_EPOCH_OPEN;
    sync_publish(m);
    for (guint i = 0; i < m->piece->len; i++)
        mem_segment_remove(me->memory, piece_at(m, i)->segment);
    g_array_free(m->piece, TRUE);
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

int sync_win_world_rank(const struct sync_win *win, int member)
{
    return win->member[member].proc->rank;
}

void *sync_win_base(const struct sync_win *win, int member) { return win->member[member].base; }

uint64_t sync_win_bytes(const struct sync_win *win, int member)
{
    return win->member[member].bytes;
}

int sync_win_disp_unit(const struct sync_win *win, int member)
{
    return win->member[member].disp_unit;
}

struct sync_hold *sync_hold_of(const struct sync_member *me, int target)
{
    return me->hold_of ? g_hash_table_lookup(me->hold_of, GINT_TO_POINTER(target)) : NULL;
}

bool sync_started(const struct sync_member *me, int target)
{
    for (guint i = 0; me->started && i < me->started->len; i++)
        if (g_array_index(me->started, int, i) == target) return true;
    return false;
}

static double with_all(struct sync_member *me,
                       double (*agree)(struct mem_cpu *, const struct mem_range *, size_t, double))
{
    g_autofree struct mem_range *range = g_new(struct mem_range, me->piece->len);
    for (guint i = 0; i < me->piece->len; i++) range[i] = piece_at(me, i)->range;
    return agree(me->proc->cpu, range, me->piece->len, serve_now(me->proc));
}

void sync_publish(struct sync_member *me) { serve_memory(me->proc, with_all(me, mem_publish_all)); }

void sync_refresh(struct sync_member *me) { serve_memory(me->proc, with_all(me, mem_refresh_all)); }

/* ---- operations ------------------------------------------------------------------------------ */

/* The epoch an operation to that target belongs to; NULL: none is open that allows it. */
static struct move_set *epoch_for(struct sync_win *win, int member, int target, bool passive,
                                  enum sync_status *status)
{
    struct sync_member *me = &win->member[member];
    struct sync_hold *hold = sync_hold_for(win, member, target);
    if (hold) return &hold->set;
    if (passive) {
        *status = SYNC_NOT_PASSIVE;
        return NULL;
    }
    if (sync_started(me, target)) return &me->epoch;
    if (me->fenced) {
        me->fence_operations++;
        return &me->epoch;
    }
    *status = me->started ? SYNC_NOT_IN_GROUP : SYNC_NO_EPOCH;
    return NULL;
}

void sync_launch(struct sync_win *win, struct serve_proc *me, const struct sync_request *request,
                 struct move_set *set)
{
    struct sync_member *target = &win->member[request->target];
    struct move_transfer *op = move_transfer_new(win->move, request->kind, me->rank, target->proc->rank,
                                     request->target_layout.bytes);
    op->trail.call = request->call;
    op->trail.site = request->site;
    op->trail.at_s[OP_CALLED] = serve_now(me);
    move_transfer_side(&op->from, &op->inline_piece[0], request->origin_addr, &request->origin_layout);
    move_transfer_side(&op->to, &op->inline_piece[1],
                 (void *)((uintptr_t)target->base + request->target_offset),
                 &request->target_layout);
    if (request->kind == OP_GET_ACCUMULATE)
        move_transfer_side(&op->result, &op->inline_piece[2], request->result_addr,
                     &request->result_layout);
    if (win->direct)
        move_chunk_split(op, piece_at(target, 0)->segment, (uintptr_t)target->base, target->bytes);
    op->combine = request->combine;
    op->combine_arg = request->combine_arg;
    op->combine_is_code = request->combine_is_code;
    op->described = request->described;
    op->set = set;
    move_start(op);
}

enum sync_status sync_operate(struct sync_win *win, int member, struct serve_proc *me,
                              const struct sync_request *request)
{
    enum sync_status status = SYNC_OK;
    struct move_set *set = epoch_for(win, member, request->target, request->passive, &status);
    if (!set) return status;
    serve_completing(me, false);
    sync_launch(win, me, request, set);
    return SYNC_OK;
}
