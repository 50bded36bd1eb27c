/* The check itself: its ranks, their own accesses, and its beginning and end. */
#include "check/again.h"
#include "check/copy.h"
#include "check/doubt.h"
#include "check/frame.h"
#include "check/look.h"
#include "check/meet.h"
#include "check/moment.h"
#include "check/operate.h"
#include "check/request.h"
#include "check/pair.h"
#include "check/touch.h"

bool check_on;
void check_open(int n, bool all_seen, bool mpi2)
{
    check_ranks_open(n);
    check_clocks_open(n);
    check_orders_open(n);
    check_actors_open();
    check_shadow_open();
    check_agains_open();
    check_moments_open();
    check_windows_open(mpi2 ? CHECK_NO_ORDER : 0);
    check_names_open();
    check_cells_open();
    check_operations_open();
    check_requests_open();
    check_looks_open(n, all_seen);
    check_frames_open(n);
    check_copies_open(n);
    check_doubts_open();
    check_pairs_open();
    check_on = true;
}

void check_close(void)
{
    if (!check_on) return;
    check_on = false;
    check_pairs_close();
    check_doubts_close();
    check_copies_close();
    check_frames_close();
    check_looks_close();
    check_operations_close();
    check_requests_close();
    check_cells_close();
    check_windows_close();
    check_names_close();
    check_shadow_close();
    check_actors_close();
    check_orders_close();
    check_clocks_close();
    check_ranks_close();
    check_findings_close();
    check_moments_close();
}

/* ---- a rank's own accesses ------------------------------------------------------------------- */

static void carried(int rank, const struct check_page *page, uintptr_t addr, uint64_t bytes,
                    enum check_kind kind)
{
    struct check_rank *me = check_rank(rank);
    struct check_clock *behind = NULL;
    bool stores = kind == CHECK_ATOMIC_STORE || kind == CHECK_RELAXED_STORE,
         atomic =
             kind == CHECK_ATOMIC_LOAD || kind == CHECK_ATOMIC_STORE || kind == CHECK_ATOMIC_CHANGE;
    if (page->cells && kind != CHECK_STORE && kind != CHECK_CALL_LOAD && kind != CHECK_CALL_STORE &&
        !stores)
        check_cells_read(addr, bytes, &behind);
    const struct check_part *part = check_part_at(page, addr, -1);
    struct check_member *m =
        atomic && part && part->win->shared ? check_member_of(part->win, rank) : NULL;
    if (atomic || me->synced)
        check_clock_join(rank, behind);
    else
        check_clock_merge(&me->seen, behind);
    if (kind == CHECK_RELAXED_LOAD) check_clock_merge(&me->found, behind);
    if (!atomic && behind) me->got = true;
    if (m && behind) check_refresh(m);
    check_clock_unref(behind);
    if (!stores && kind != CHECK_ATOMIC_CHANGE) return;
    if (m) check_publish(m);
    struct check_stamp stamp = check_clock_stamp(rank);
    if (kind == CHECK_RELAXED_STORE) stamp.own = MIN(stamp.own, me->called);
    /* A relaxed store leaves what the rank released there before (C11 5.1.2.4, release sequence).
     */
    check_cells_write(addr, bytes, &stamp, kind == CHECK_ATOMIC_STORE);
    check_clock_unref(stamp.clock);
}

/* Release: what came before is carried by relaxed stores behind it. Acquire: the rank is behind
 * what relaxed loads before it found (C11 7.17.4). */
void check_fence_of_memory(int rank, bool acquires, bool releases)
{
    struct check_rank *me = check_rank(rank);
    if (acquires) {
        check_clock_join(rank, me->found);
        check_clock_unref(g_steal_pointer(&me->found));
    }
    const GPtrArray *all = check_windows();
    for (guint i = 0; me->shares && i < all->len; i++) {
        const struct check_window *win = all->pdata[i];
        struct check_member *m = win->shared && win->member ? check_member_of(win, rank) : NULL;
        if (m && releases) check_publish(m);
        if (m && acquires) check_refresh(m);
    }
    if (releases) me->called = check_clock_tick(rank);
}

/* What a request loads or stores when it completes is its call's, from then on. */
static bool held(const struct check_page *page, int rank, uintptr_t addr, uint64_t bytes,
                 enum check_kind kind)
{
    uint32_t from = addr & (CHECK_PAGE - 1);
    for (guint i = 0; i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        const struct check_use *use = &record->use;
        if (use->flight && !use->flight->done && use->actor->rank == rank &&
            use->actor->kind == kind &&
            check_bits_have(&record->bits, from,
                            (uint32_t)MIN(bytes, (uint64_t)(CHECK_PAGE - from))))
            return true;
    }
    return false;
}

/* ---- what the program looks at --------------------------------------------------------------- */

static void complete(GArray *requests)
{
    for (guint i = 0; i < requests->len; i++) check_requested(g_array_index(requests, uint64_t, i));
    g_array_unref(requests);
}

void check_watch(int rank, uintptr_t addr, uint64_t bytes)
{
    GArray *requests = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    check_look_place(rank, addr, bytes, requests);
    complete(requests);
}

static bool looks(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind)
{
    GArray *requests = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    bool near = check_looks(rank, addr, bytes, kind, requests);
    complete(requests);
    return near;
}

void check_waits(int rank)
{
    GArray *requests = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    check_look_at_tests(rank, requests);
    complete(requests);
}

/* ---------------------------------------------------------------------------------------------- */

bool check_access(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind, const char *call,
                  op_site site, double time_s)
{
    if (check_pairing) check_pair_access(rank, addr, bytes, kind, site);
    if (kind == CHECK_STORE || (kind >= CHECK_ATOMIC_STORE && kind != CHECK_CALL_LOAD))
        check_copy_known(rank, addr, bytes);
    /* what a call stores beside its buffers is what the program is to look at */
    const bool given = call && kind == CHECK_STORE;
    bool near = check_looking(rank) && !given && looks(rank, addr, bytes, kind);
    struct check_page *first = check_page_find(addr);
    struct check_record *known =
        first && kind <= CHECK_STORE ? check_recent(first, rank, kind, site) : NULL;
    const enum check_again is =
        first ? check_recorded(first, known, rank, addr, bytes) : CHECK_TELL;
    if (is != CHECK_TELL) return near || is == CHECK_SEEN;
    if (first && call && held(first, rank, addr, bytes, kind)) return true;
    bool tracked = false;
    for (uintptr_t at = addr; at < addr + bytes && !tracked; at = (at | (CHECK_PAGE - 1)) + 1) {
        const struct check_page *page = check_page_find(at);
        tracked = page && (page->parts->len > 0 || page->records->len > 0);
    }
    if (!tracked) return near;
    const struct check_actor like = {.rank = rank, .kind = kind, .site = site, .call = call};
    const struct check_now now = {.use = {.actor = known ? known->use.actor : check_actor(&like),
                                          .clock = check_clock_own(rank),
                                          .holds = check_rank(rank)->holds,
                                          .moment = check_moment_now()},
                                  .time_s = time_s};
    check_touch(&now, addr, bytes);
    const struct check_page *page = check_page_find(addr);
    if (page && page->parts->len > 0) {
        check_counted.accesses++;
        carried(rank, page, addr, bytes, kind);
    }
    return true;
}

struct check_totals check_totals(void)
{
    check_counted.coarse_bytes = check_coarse_bytes();
    check_counted.folded_bytes = check_folded_bytes();
    return check_counted;
}
