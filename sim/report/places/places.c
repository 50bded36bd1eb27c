/* Sites become lines, and what is the same there one row. */
#include "report/places/places.h"

#include "report/source/source.h"

#include <string.h>

static int falling(double a, double b) { return a > b ? -1 : a < b; }

/* The row of `row` that is the same as `fresh`, which is added if there is none. */
static void *merged(GArray *row, gsize bytes, const void *fresh,
                    bool (*same)(const void *a, const void *b))
{
    for (guint i = 0; i < row->len; i++) {
        void *at = row->data + i * bytes;
        if (same(at, fresh)) return at;
    }
    g_array_append_vals(row, fresh, 1);
    return row->data + (row->len - 1) * bytes;
}

/* ---- stalls ---------------------------------------------------------------------------------- */

static bool same_stall(const void *a, const void *b)
{
    const struct report_stall *x = a, *y = b;
    return strcmp(x->at, y->at) == 0;
}

static int by_stall(gconstpointer a, gconstpointer b)
{
    const struct report_stall *x = a, *y = b;
    int order = falling(x->load_s + x->store_s, y->load_s + y->store_s);
    return order ? order : strcmp(x->at, y->at);
}

GArray *report_stalls(const struct report_run *run)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct report_stall));
    for (size_t i = 0; i < profile_stalls(); i++) {
        const struct profile_stall *from = profile_stall_at(i);
        struct report_stall fresh = {.at = report_site(run->program, from->site)};
        struct report_stall *row = merged(rows, sizeof fresh, &fresh, same_stall);
        row->loads += from->loads;
        row->stores += from->stores;
        row->load_s += (double)from->load_ticks * run->tick_s;
        row->store_s += (double)from->store_ticks * run->tick_s;
    }
    g_array_sort(rows, by_stall);
    return rows;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool same_call(const void *a, const void *b)
{
    const struct report_call *x = a, *y = b;
    return strcmp(x->at, y->at) == 0 && strcmp(x->call, y->call) == 0;
}

static int by_idle(gconstpointer a, gconstpointer b)
{
    const struct report_call *x = a, *y = b;
    int order = falling(x->wait_s + x->memory_s, y->wait_s + y->memory_s);
    if (!order) order = strcmp(x->at, y->at);
    return order ? order : strcmp(x->call, y->call);
}

GArray *report_calls(const struct report_run *run)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct report_call));
    for (size_t i = 0; i < profile_calls(); i++) {
        const struct profile_call *from = profile_call_at(i);
        struct report_call fresh = {.at = report_site(run->program, from->site),
                                    .call = from->call};
        struct report_call *row = merged(rows, sizeof fresh, &fresh, same_call);
        row->count += from->count;
        row->time_s += from->time_s;
        row->wait_s += from->wait_s;
        row->memory_s += from->memory_s;
        if (from->longest_s > row->longest_s) {
            row->longest_s = from->longest_s;
            row->longest_rank = from->longest_rank;
        }
    }
    g_array_sort(rows, by_idle);
    return rows;
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* With the time of the rank that is the worst so far. */
struct cause_row {
    struct report_cause cause;
    GHashTable *wait_of; /* rank -> seconds in heap */
    double worst_s;
};

static bool same_cause(const void *a, const void *b)
{
    const struct report_cause *x = &((const struct cause_row *)a)->cause,
                              *y = &((const struct cause_row *)b)->cause;
    return x->cause == y->cause && strcmp(x->at, y->at) == 0 &&
           strcmp(x->other_at, y->other_at) == 0;
}

static int by_cause(gconstpointer a, gconstpointer b)
{
    const struct report_cause *x = a, *y = b;
    int order = falling(x->wait_s, y->wait_s);
    if (!order) order = (int)x->cause - (int)y->cause;
    if (!order) order = strcmp(x->at, y->at);
    return order ? order : strcmp(x->other_at, y->other_at);
}

static void add_wait(struct cause_row *row, int rank, double wait_s)
{
    if (!row->wait_of) row->wait_of = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    double *of = g_hash_table_lookup(row->wait_of, GINT_TO_POINTER(rank));
    if (!of) {
        of = g_new0(double, 1);
        g_hash_table_insert(row->wait_of, GINT_TO_POINTER(rank), of);
        row->cause.ranks++;
    }
    *of += wait_s;
    if (*of > row->worst_s || (*of == row->worst_s && rank < row->cause.worst_rank)) {
        row->worst_s = *of;
        row->cause.worst_rank = rank;
    }
}

GArray *report_causes(const struct report_run *run)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct cause_row));
    for (size_t i = 0; i < profile_blames(); i++) {
        const struct profile_blame *from = profile_blame_at(i);
        struct cause_row fresh = {.cause = {.cause = from->cause,
                                            .at = report_site(run->program, from->site),
                                            .other_at = report_site(run->program, from->other_site),
                                            .worst_rank = from->other_rank}};
        struct cause_row *row = merged(rows, sizeof fresh, &fresh, same_cause);
        row->cause.count += from->count;
        row->cause.wait_s += from->wait_s;
        add_wait(row, from->other_rank, from->wait_s);
    }
    GArray *causes = g_array_new(FALSE, FALSE, sizeof(struct report_cause));
    for (guint i = 0; i < rows->len; i++) {
        struct cause_row *row = &g_array_index(rows, struct cause_row, i);
        g_array_append_val(causes, row->cause);
        g_hash_table_unref(row->wait_of);
    }
    g_array_sort(causes, by_cause);
    return causes;
}
