/* The locks of windows, each with the lines that asked for it. */
#include "report/places/places.h"
#include "report/places/rows.h"

#include "profile/locks/locks.h"
#include "report/source/source.h"

#include <string.h>

static int by_wait(gconstpointer a, gconstpointer b)
{
    const struct report_locker *x = a, *y = b;
    int order = report_falling(x->wait_s, y->wait_s);
    if (!order) order = report_falling(x->held_s, y->held_s);
    if (!order) order = strcmp(x->at, y->at);
    return order ? order : x->exclusive - y->exclusive;
}

static GArray *lockers_of(const struct report_run *run, const struct profile_lock *lock)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_locker));
    for (guint i = 0; i < lock->locker->len; i++) {
        const struct profile_locker *from = &g_array_index(lock->locker, struct profile_locker, i);
        struct report_locker fresh = {.at = report_site(run->program, from->site),
                                      .exclusive = from->exclusive,
                                      .longest_rank = -1};
        char *key = g_strdup_printf("%s %d", fresh.at, from->exclusive);
        struct report_locker *row = report_rows_get(&rows, key, &fresh);
        row->count += from->count;
        row->wait_s += from->wait_s;
        row->held_s += from->held_s;
        if (from->longest_rank < 0 || (row->longest_rank >= 0 && from->longest_s <= row->longest_s))
            continue;
        row->longest_s = from->longest_s;
        row->longest_rank = from->longest_rank;
    }
    return report_rows_sorted(&rows, by_wait);
}

static int by_waits(gconstpointer a, gconstpointer b)
{
    const struct report_lock *x = a, *y = b;
    int order = report_falling(x->wait_s, y->wait_s);
    if (!order) order = x->window - y->window;
    return order ? order : x->rank - y->rank;
}

static void clear(void *data)
{
    struct report_lock *row = data;
    g_free(row->name);
    g_array_unref(row->locker);
}

/* Its sums, and who of all held it longest. */
static void add_up(struct report_lock *row)
{
    for (guint i = 0; i < row->locker->len; i++) {
        const struct report_locker *l = &g_array_index(row->locker, struct report_locker, i);
        row->count += l->count;
        row->wait_s += l->wait_s;
        row->held_s += l->held_s;
        if (l->longest_rank < 0 || (row->longest_at && l->longest_s <= row->longest_s)) continue;
        row->longest_s = l->longest_s;
        row->longest_rank = l->longest_rank;
        row->longest_at = l->at;
    }
}

GArray *report_locks(const struct report_run *run)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct report_lock));
    g_array_set_clear_func(rows, clear);
    for (size_t i = 0; i < profile_locks(); i++) {
        const struct profile_lock *from = profile_lock_at(i);
        struct report_lock row = {.name = g_strdup_printf("rank %d's %s", from->rank, from->name),
                                  .window = from->window,
                                  .rank = from->rank,
                                  .queued = from->queued,
                                  .longest_queue = from->longest_queue,
                                  .handovers = from->handovers,
                                  .handover_s = from->handover_s,
                                  .ranks = profile_lock_ranks(from),
                                  .longest_rank = -1,
                                  .locker = lockers_of(run, from)};
        add_up(&row);
        g_array_append_val(rows, row);
    }
    g_array_sort(rows, by_waits);
    return rows;
}
