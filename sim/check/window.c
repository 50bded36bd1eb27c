/* Windows: who belongs to them, which memory, and when private and public copies agreed. */
#include "check/pair.h"
#include "check/meet.h"

static GHashTable *windows; /* key -> struct check_window: those that live */
static unsigned info_of_all;
static struct check_window *lately; /* looked up; NULL: none */
/* What members have nothing in, one for all of them: a window may be a few bytes. */
static GHashTable *none;
static GPtrArray *no_list;
static GArray *no_array;
static GPtrArray *remembered; /* all of them: records name them */
static int made;

static void uses_free(GArray *uses)
{
    for (guint i = 0; i < uses->len; i++) {
        check_flight_unref(g_array_index(uses, struct check_use, i).flight);
        check_holds_unref(g_array_index(uses, struct check_use, i).holds);
    }
    g_array_unref(uses);
}

/* The part, which is the member's no longer. */
static struct check_part *unlinked(struct check_member *m, struct check_part *part)
{
    struct check_part **link = &m->parts, *before = NULL;
    while (*link != part) before = *link, link = &before->next;
    *link = part->next;
    if (m->last == part) m->last = before;
    return part;
}

static void member_clear(struct check_member *m)
{
    while (m->parts) g_free(unlinked(m, m->parts));
    g_array_unref(m->detached);
    check_times_clear(&m->published);
    check_clock_unref(m->view);
    check_epoch_unref(m->fence);
    check_epoch_unref(m->start);
    for (guint i = 0; i < m->holds->len; i++) check_epoch_unref(m->holds->pdata[i]);
    g_ptr_array_unref(m->holds);
    g_ptr_array_unref(m->closing);
    g_hash_table_unref(m->flights);
    g_hash_table_unref(m->behind);
    g_hash_table_unref(m->posts);
    g_ptr_array_unref(m->landing);
    check_clock_unref(m->completed);
    g_ptr_array_unref(m->arrived);
    if (m->started) g_array_unref(m->started);
    uses_free(m->stores);
    uses_free(m->updates);
}

/* What it had; who refers to it still finds its number. */
static void window_clear(struct check_window *win)
{
    if (!win->member) return;
    if (win->meetings) g_hash_table_unref(win->meetings);
    win->meetings = NULL;
    for (int i = 0; i < win->members; i++) member_clear(&win->member[i]);
    g_clear_pointer(&win->member, g_free);
}

static void window_free(void *data)
{
    struct check_window *win = data;
    window_clear(win);
    if (win->own_making) check_meeting_free(win->own_making);
    if (win->own_freeing) check_meeting_free(win->own_freeing);
    g_free(win);
}

void check_windows_open(unsigned info)
{
    info_of_all = info;
    windows = g_hash_table_new(NULL, NULL);
    lately = NULL;
    none = g_hash_table_new(NULL, NULL);
    no_list = g_ptr_array_new();
    no_array = g_array_new(FALSE, FALSE, 1);
    remembered = g_ptr_array_new_with_free_func(window_free);
    made = 0;
}

void check_windows_close(void)
{
    g_clear_pointer(&windows, g_hash_table_unref);
    g_clear_pointer(&remembered, g_ptr_array_unref);
    g_clear_pointer(&none, g_hash_table_unref);
    g_clear_pointer(&no_list, g_ptr_array_unref);
    g_clear_pointer(&no_array, g_array_unref);
}

struct check_window *check_window_find(const void *key)
{
    if (!lately || lately->key != key) lately = g_hash_table_lookup(windows, key);
    return lately;
}

const GPtrArray *check_windows(void) { return remembered; }

/* ---- what a member has ----------------------------------------------------------------------- */

void check_list_add(GPtrArray **list, void *item, GDestroyNotify clear)
{
    if (*list == no_list) {
        g_ptr_array_unref(no_list);
        *list = g_ptr_array_new_with_free_func(clear);
    }
    g_ptr_array_add(*list, item);
}

void check_array_add(GArray **array, const void *item, guint bytes)
{
    if (*array == no_array) {
        g_array_unref(no_array);
        *array = g_array_new(FALSE, FALSE, bytes);
    }
    g_array_append_vals(*array, item, 1);
}

static void pending_free(void *data)
{
    struct check_pending *p = data;
    check_flight_unref(p->remote);
    check_flight_unref(p->local);
    g_free(p);
}

static void pendings_free(void *data) { g_ptr_array_unref(data); }

static GHashTable *own(GHashTable **table, GDestroyNotify clear)
{
    if (*table != none) return *table;
    g_hash_table_unref(none);
    return *table = g_hash_table_new_full(NULL, NULL, NULL, clear);
}

void check_behind(struct check_member *m, int target, struct check_clock *clock)
{
    g_hash_table_replace(own(&m->behind, (GDestroyNotify)check_clock_unref),
                         GINT_TO_POINTER(target), clock);
}

GPtrArray *check_pending_to(struct check_member *m, int target)
{
    GPtrArray *list = g_hash_table_lookup(m->flights, GINT_TO_POINTER(target));
    if (list) return list;
    list = g_ptr_array_new_with_free_func(pending_free);
    g_hash_table_insert(own(&m->flights, pendings_free), GINT_TO_POINTER(target), list);
    return list;
}

void check_pending_none(struct check_member *m)
{
    g_hash_table_unref(m->flights);
    m->flights = g_hash_table_ref(none);
}

static void posts_free(void *data) { g_queue_free_full(data, (GDestroyNotify)check_clock_unref); }

void check_posted(struct check_member *m, int origin, struct check_clock *clock)
{
    GQueue *queue = g_hash_table_lookup(m->posts, GINT_TO_POINTER(origin));
    if (!queue)
        g_hash_table_insert(own(&m->posts, posts_free), GINT_TO_POINTER(origin),
                            queue = g_queue_new());
    g_queue_push_tail(queue, check_clock_ref(clock));
}

static void member_init(struct check_member *m, int rank)
{
    *m = (struct check_member){
        .rank = rank,
        .detached = g_array_ref(no_array),
        .holds = g_ptr_array_ref(no_list),
        .closing = g_ptr_array_ref(no_list),
        .flights = g_hash_table_ref(none),
        .behind = g_hash_table_ref(none),
        .landing = g_ptr_array_ref(no_list),
        .arrived = g_ptr_array_ref(no_list),
        .posts = g_hash_table_ref(none),
        .stores = g_array_ref(no_array),
        .updates = g_array_ref(no_array),
    };
}

static int win_rank_of(const struct check_window *win, int rank)
{
    for (int i = 0; i < win->members; i++)
        if (win->member[i].rank == rank) return i;
    return -1;
}

/* A key whose window's memory is used again names a new one. */
void check_win_begin(const void *key, int members, const int *world_rank, bool shared)
{
    struct check_window *win = check_window_find(key);
    if (win && win->joined < win->members) {
        win->joined++;
        return;
    }
    win = g_new0(struct check_window, 1);
    win->info = info_of_all;
    win->key = key;
    win->number = made++;
    win->members = members;
    win->joined = 1;
    win->shared = shared;
    win->member = g_new(struct check_member, members);
    for (int i = 0; i < members; i++) {
        member_init(&win->member[i], world_rank[i]);
        check_rank(world_rank[i])->shares |= shared;
    }
    win->making = check_meeting_new(members, CHECK_ALL, 0);
    win->own_making = win->making;
    g_hash_table_insert(windows, (void *)(uintptr_t)key, win);
    g_ptr_array_add(remembered, win);
}

void check_win_arrive(const void *key, int win_rank, const char *call, op_site site)
{
    struct check_window *win = check_window_find(key);
    win->member[win_rank].made = site;
    win->member[win_rank].made_by = call;
    check_publish(&win->member[win_rank]);
    check_meeting_arrive(win->making, win->member[win_rank].rank, win_rank);
}

void check_win_made(const void *key, int win_rank)
{
    struct check_window *win = check_window_find(key);
    if (++win->made == win->members) win->own_making = NULL;
    check_meeting_leave(win->making, win->member[win_rank].rank, win_rank);
    check_refresh(&win->member[win_rank]);
}

void check_win_info(const void *key, unsigned info)
{
    check_window_find(key)->info = info | info_of_all;
}

void check_win_name(const void *key, const char *name)
{
    check_window_named(check_window_find(key)->number, name);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void check_attach(const void *key, int win_rank, uintptr_t base, uint64_t bytes, const char *call,
                  op_site site)
{
    struct check_window *win = check_window_find(key);
    struct check_member *m = &win->member[win_rank];
    struct check_part *part = g_new(struct check_part, 1);
    *part = (struct check_part){win, win_rank, m->rank, base, bytes, call, site, NULL};
    *(m->last ? &m->last->next : &m->parts) = part;
    m->last = part;
    check_clocks_allow((int64_t)bytes);
    check_publish(m); /* there is no public copy of it before */
    if (check_pairing) check_pair_memory(win->number, m->rank, base, bytes);
    uintptr_t last = (base + bytes - 1) >> CHECK_PAGE_BITS;
    for (uintptr_t p = base >> CHECK_PAGE_BITS; bytes > 0 && p <= last; p++)
        g_ptr_array_add(check_page_make(p << CHECK_PAGE_BITS)->parts, part);
}

/* Memory may be used again for something else. */
void check_part_remove(struct check_member *m, struct check_part *part)
{
    check_clocks_allow(-(int64_t)part->bytes);
    if (check_pairing)
        check_pair_memory_gone(part->win->number, part->rank, part->base, part->bytes);
    uintptr_t last = (part->base + part->bytes - 1) >> CHECK_PAGE_BITS;
    for (uintptr_t p = part->base >> CHECK_PAGE_BITS; part->bytes > 0 && p <= last; p++) {
        struct check_page *page = check_page_find(p << CHECK_PAGE_BITS);
        g_ptr_array_remove(page->parts, part);
        if (page->parts->len == 0) check_page_forget(page);
    }
    g_free(unlinked(m, part));
}

void check_window_folded(const struct check_window *win, int target)
{
    for (int i = MAX(target, 0); i < win->members && (target < 0 || i == target); i++)
        for (const struct check_part *part = win->member[i].parts; part; part = part->next)
            for (uintptr_t at = part->base, end = at + part->bytes; at < end;
                 at = (at | (CHECK_PAGE - 1)) + 1)
                check_page_folded(check_page_make(at));
}

const struct check_part *check_part_at(const struct check_page *page, uintptr_t addr, int rank)
{
    for (guint i = 0; i < page->parts->len; i++) {
        const struct check_part *part = page->parts->pdata[i];
        if (addr - part->base < part->bytes && (rank < 0 || part->rank == rank)) return part;
    }
    return NULL;
}

/* ---- freeing --------------------------------------------------------------------------------- */

void check_win_free(const void *key, int win_rank)
{
    struct check_window *win = check_window_find(key);
    if (!win->freeing)
        win->freeing = win->own_freeing = check_meeting_new(win->members, CHECK_ALL, 0);
    check_meeting_arrive(win->freeing, win->member[win_rank].rank, win_rank);
}

/* Records may still name the window: it stays, without its memory. */
void check_win_freed(const void *key, int win_rank)
{
    struct check_window *win = check_window_find(key);
    struct check_member *m = &win->member[win_rank];
    while (m->parts) check_part_remove(m, m->parts);
    if (++win->freed == win->members) win->own_freeing = NULL;
    if (win->info & CHECK_NO_LOCKS)
        check_meeting_pass(win->freeing);
    else
        check_meeting_leave(win->freeing, m->rank, win_rank);
    if (++win->left < win->members) return;
    lately = NULL;
    g_hash_table_remove(windows, key);
    window_clear(win);
}

/* ---- the two copies -------------------------------------------------------------------------- */

void check_refresh(struct check_member *m)
{
    check_clock_unref(m->view);
    m->view = check_clock_shared(m->rank);
    m->own_view = check_clock_own(m->rank);
}

void check_view(struct check_member *m, const struct check_stamp *stamp)
{
    if (!stamp->clock) return;
    check_clock_merge_stamp(&m->view, stamp);
    m->own_view = MAX(m->own_view, stamp->rank == m->rank ? stamp->own : stamp->clock->of[m->rank]);
}

void check_exposure_over(struct check_member *m)
{
    check_clock_join(m->rank, m->completed);
    check_clock_unref(m->completed);
    m->completed = NULL;
    for (guint i = 0; i < m->arrived->len; i++) {
        struct check_flight *flight = m->arrived->pdata[i];
        flight->waiter = m->rank;
        flight->waited = check_clock_own(m->rank);
    }
    g_ptr_array_set_size(m->arrived, 0);
    check_refresh(m);
    m->synced = check_clock_tick(m->rank);
}

struct check_member *check_member_of(const struct check_window *win, int rank)
{
    int i = win_rank_of(win, rank);
    return i < 0 ? NULL : &win->member[i];
}
