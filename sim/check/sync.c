/* Calls of synchronisation on windows: which operations they complete, what they order, which
 * copies agree afterwards, and whether their asserts are true. */
#include "check/meet.h"
#include "check/moment.h"
#include "check/operate.h"
#include "check/request.h"
#include "check/parts.h"

static struct check_member *member_of(const struct check_call *call, struct check_window **win)
{
    *win = check_window_find(call->win);
    return &(*win)->member[call->win_rank];
}

/* ---- asserts --------------------------------------------------------------------------------- */

static bool stored_since(const struct check_member *m, const struct check_record *record)
{
    const struct check_actor *a = record->use.actor;
    return a->rank == m->rank && !check_remote(a->kind) && check_writes(a) &&
           check_done(&record->use) > m->synced;
}

static void no_store_on(const struct check_call *call, const struct check_member *m,
                        const struct check_part *part, uintptr_t addr, uint32_t bytes)
{
    const struct check_page *page = check_page_find(addr);
    uint32_t from = addr & (CHECK_PAGE - 1), first;
    for (guint i = 0; page && i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        const struct check_at where = {part->win, part->rank, 0, 0};
        if (stored_since(m, record) && check_bits_overlap(&record->bits, from, bytes, &first) > 0)
            check_note_call(CHECK_RULE_NOSTORE, m->rank, "assert", call->site, &record->use, &where,
                            call->time_s);
    }
}

static void check_no_store(const struct check_call *call, const struct check_member *m)
{
    for (const struct check_part *part = m->parts; part; part = part->next) {
        uintptr_t end = part->base + part->bytes;
        for (uintptr_t at = part->base, next; at < end; at = next) {
            next = MIN((at | (CHECK_PAGE - 1)) + 1, end);
            no_store_on(call, m, part, at, (uint32_t)(next - at));
        }
    }
}

/* Two locks held at once of which one was not asked for. */
static void check_no_check(const struct check_call *call, const struct check_window *win,
                           const struct check_epoch *mine)
{
    for (int i = 0; i < win->members; i++)
        for (guint k = 0; i != call->win_rank && k < win->member[i].holds->len; k++) {
            const struct check_epoch *other = win->member[i].holds->pdata[k];
            bool same = mine->target == other->target || mine->target < 0 || other->target < 0;
            if (!same || !(mine->nocheck || other->nocheck) ||
                !(mine->exclusive || other->exclusive))
                continue;
            const struct check_actor lock = {.rank = other->rank,
                                             .kind = CHECK_KINDS,
                                             .site = other->opened,
                                             .call = check_lock_call(other)};
            const struct check_use use = {.actor = check_actor(&lock)};
            int owner = win->member[MAX(mine->target, 0)].rank;
            const struct check_at where = {win, owner, 0, 0};
            check_note_call(CHECK_RULE_NOCHECK_LOCK, mine->rank, check_lock_call(mine), call->site,
                            &use, &where, call->time_s);
        }
}

/* ---- fence ----------------------------------------------------------------------------------- */

static struct check_meeting *fence_meeting(struct check_window *win, struct check_member *m)
{
    gpointer key = GUINT_TO_POINTER(m->fences);
    struct check_meeting *meeting = win->meetings ? g_hash_table_lookup(win->meetings, key) : NULL;
    if (meeting) return meeting;
    meeting = check_meeting_new(win->members, CHECK_ALL, 0);
    if (!win->meetings) win->meetings = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(win->meetings, key, meeting);
    return meeting;
}

static void close_epoch(struct check_epoch **epoch, op_site site)
{
    if (*epoch) (*epoch)->closed = site;
    check_epoch_unref(*epoch);
    *epoch = NULL;
}

void check_fence(const struct check_call *call)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_moved(m->rank);
    if (call->asserts & CHECK_NOPRECEDE)
        check_note_pending(CHECK_RULE_NOPRECEDE, "assert", call, win, m);
    else
        check_operations_end(m, -1, false);
    if (call->asserts & CHECK_NOSTORE) check_no_store(call, m);
    check_publish(m);
    close_epoch(&m->fence, call->site);
    if (call->asserts & CHECK_NOPUT) {
        m->no_put_fence = m->fences + 1;
        m->no_put_site = call->site;
    }
    check_meeting_arrive(fence_meeting(win, m), m->rank, call->win_rank);
}

void check_fenced(const struct check_call *call)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    struct check_meeting *meeting = fence_meeting(win, m);
    gpointer key = GUINT_TO_POINTER(m->fences++);
    bool over;
    if (call->asserts & CHECK_NOPRECEDE) {
        struct check_clock *behind = NULL;
        check_clock_merge(&behind, check_meeting_clock(meeting));
        check_behind(m, -1, behind);
        over = check_meeting_pass(meeting);
    } else {
        g_hash_table_remove(m->behind, GINT_TO_POINTER(-1));
        over = check_meeting_leave(meeting, m->rank, call->win_rank);
    }
    if (over) g_hash_table_remove(win->meetings, key);
    check_operations_landed(m);
    check_refresh(m);
    m->synced = check_clock_tick(m->rank);
    if (call->asserts & CHECK_NOSUCCEED) return;
    m->fence = check_epoch_new(&(struct check_epoch){
        .kind = CHECK_FENCED, .rank = m->rank, .win = win, .opened = call->site});
}

/* ---- post, start, complete, wait ------------------------------------------------------------- */

void check_post(const struct check_call *call, const int *group, int n)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_moved(m->rank);
    if (call->asserts & CHECK_NOSTORE) check_no_store(call, m);
    check_publish(m);
    m->synced = check_clock_own(m->rank);
    m->no_put = call->asserts & CHECK_NOPUT;
    m->no_put_site = call->site;
    if (!m->posted) m->posted = call->site;
    struct check_clock *clock = check_clock_release(m->rank);
    for (int i = 0; i < n; i++) check_posted(m, group[i], clock);
    check_clock_unref(clock);
}

void check_start(const struct check_call *call, const int *group, int n)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_moved(m->rank);
    m->start = check_epoch_new(&(struct check_epoch){
        .kind = CHECK_STARTED, .rank = m->rank, .win = win, .opened = call->site});
    m->started = g_array_sized_new(FALSE, FALSE, sizeof(int), (guint)n);
    g_array_append_vals(m->started, group, (guint)n);
    close_epoch(&m->fence, call->site);
    for (int i = 0; i < n; i++) {
        const struct check_member *target = &win->member[group[i]];
        GQueue *queue = g_hash_table_lookup(target->posts, GINT_TO_POINTER(call->win_rank));
        struct check_clock *clock = queue ? g_queue_pop_head(queue) : NULL;
        bool known = clock && clock->of[target->rank] <= check_clock_of(m->rank)[target->rank];
        const struct check_at where = {win, target->rank, 0, 0};
        if ((call->asserts & CHECK_NOCHECK) && !known)
            check_note_call(CHECK_RULE_NOCHECK_START, m->rank, "MPI_Win_start", call->site, NULL,
                            &where, call->time_s);
        check_behind(m, group[i], clock);
    }
}

void check_complete(const struct check_call *call)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_moved(m->rank);
    check_operations_end(m, -1, false);
    struct check_clock *clock = check_clock_release(m->rank);
    for (guint i = 0; m->started && i < m->started->len; i++)
        check_clock_merge(&win->member[g_array_index(m->started, int, i)].completed, clock);
    check_clock_unref(clock);
    g_clear_pointer(&m->started, g_array_unref);
    close_epoch(&m->start, call->site);
}

void check_waited(const struct check_call *call)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_moved(m->rank);
    m->no_put = false;
    m->posted = 0;
    m->synced = check_clock_own(m->rank);
    if (!check_wait_later(win, m)) check_exposure_over(m);
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* Does the call make the member's own loads and stores consistent with the others'? In a shared
 * window, whichever part it names: "A consistent view can be created in the unified memory model by
 * utilizing the window synchronization functions" (MPI-3.1 11.2.3). Of the separate model the
 * standard says nothing there; it is taken to be the same. */
static bool makes_consistent(const struct check_window *win, const struct check_call *call,
                             int target)
{
    return win->shared || target < 0 || target == call->win_rank;
}

void check_lock(const struct check_call *call, int target, bool exclusive)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    struct check_rank *me = check_rank(m->rank);
    check_moved(m->rank);
    close_epoch(&m->fence, call->site);
    struct check_epoch *hold =
        check_epoch_new(&(struct check_epoch){.kind = target < 0 ? CHECK_LOCKED_ALL : CHECK_LOCKED,
                                              .rank = m->rank,
                                              .win = win,
                                              .target = target,
                                              .exclusive = exclusive,
                                              .nocheck = call->asserts & CHECK_NOCHECK,
                                              .opened = call->site});
    check_no_check(call, win, hold);
    check_list_add(&m->holds, hold, NULL);
    me->holds = check_holds_with(me->holds, hold);
    check_changed(m->rank);
    if (makes_consistent(win, call, target)) check_refresh(m);
}

void check_unlock(const struct check_call *call, int target)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    struct check_rank *me = check_rank(m->rank);
    check_moved(m->rank);
    check_operations_end(m, target, false);
    if (makes_consistent(win, call, target)) {
        check_publish(m);
        m->synced = check_clock_own(m->rank);
    }
    for (guint i = m->holds->len; i-- > 0;) {
        struct check_epoch *hold = m->holds->pdata[i];
        if (hold->target != target) continue;
        hold->closed = call->site;
        if (!check_epoch_release(hold)) check_window_folded(win, target);
        g_ptr_array_remove_index(m->holds, i);
        me->holds = check_holds_without(me->holds, hold);
        check_changed(m->rank);
        check_list_add(&m->closing, hold, NULL);
    }
}

void check_flush(const struct check_call *call, int target, bool local)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_moved(m->rank);
    check_operations_end(m, target, local);
    m->flushes = win->shared && !local;
    if (m->flushes) check_publish(m);
}

void check_returned(const struct check_call *call)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    check_operations_landed(m);
    if (m->flushes) check_refresh(m); /* with what its operations brought */
    m->flushes = false;
    for (guint i = m->closing->len; i-- > 0;) {
        struct check_epoch *hold = m->closing->pdata[i];
        hold->over = true;
        check_epoch_unref(hold);
        g_ptr_array_remove_index(m->closing, i);
    }
}

void check_sync(const struct check_call *call)
{
    struct check_window *win;
    struct check_member *m = member_of(call, &win);
    struct check_rank *me = check_rank(m->rank);
    const struct check_at where = {win, m->rank, 0, 0};
    if (m->holds->len == 0)
        check_note_call(CHECK_RULE_SYNC, m->rank, "MPI_Win_sync", call->site, NULL, &where,
                        call->time_s);
    if (me->took && me->got) g_array_set_size(me->polls, 0);
    me->took = me->got = false;
    me->synced = true;
    me->synced_at = check_moment_now();
    me->called = check_clock_own(m->rank);
    me->syncs++;
    check_clock_join(m->rank, me->seen);
    g_clear_pointer(&me->seen, check_clock_unref);
    check_publish(m);
    m->synced = check_clock_own(m->rank);
    check_refresh(m);
}
