/* Sites become lines, and what is the same there one row. */
#include "report/places/places.h"

#include "report/places/rows.h"
#include "report/source/source.h"

#include <math.h>
#include <string.h>

enum { FEW_AGAIN = 4 }; /* a line comes back by chance less often */

/* ---- stalls ---------------------------------------------------------------------------------- */

static int by_stall(gconstpointer a, gconstpointer b)
{
    const struct report_stall *x = a, *y = b;
    int order = report_falling(x->load_s + x->store_s, y->load_s + y->store_s);
    return order ? order : strcmp(x->at, y->at);
}

/* What a line waited for data of one object. */
struct data {
    const char *at, *words;
    double time_s;
};

static void add_data(struct report_rows *data, const struct report_run *run,
                     const struct profile_stall *from, const char *at)
{
    const struct data fresh = {
        .at = at, .words = from->object ? report_object_words(run, from->object) : NULL};
    if (!fresh.words) return;
    struct data *row = report_rows_get(data, g_strdup_printf("%s %s", at, fresh.words), &fresh);
    row->time_s += (double)(from->load_ticks + from->store_ticks) * run->tick_s;
}

/* Each line's data that it waited for most. */
static void take_data(struct report_rows *rows, struct report_rows *data)
{
    for (guint i = 0; i < data->row->len; i++) {
        const struct data *of = &g_array_index(data->row, struct data, i);
        struct report_stall *row = report_rows_get(rows, g_strdup(of->at), NULL);
        const int at = of->time_s > row->data_s[0] ? 0 : 1;
        if (of->time_s <= row->data_s[at]) continue;
        if (at == 0) row->data[1] = row->data[0], row->data_s[1] = row->data_s[0];
        row->data[at] = of->words;
        row->data_s[at] = of->time_s;
    }
    g_hash_table_unref(data->by_key);
    g_array_unref(data->row);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* A line that has been missed is missed again soon: were such lines in all sets, it would still be
 * there. */
static void add_conflicts(struct report_stall *row, const struct report_run *run,
                          const struct profile_stall *from)
{
    if (run->first_bytes == 0 || from->again < MAX(FEW_AGAIN, from->keeps / 2) ||
        2 * from->alike < from->steps)
        return;
    const uint64_t lines = run->first_bytes / (uint64_t)run->first_line,
                   sets = lines / (uint64_t)run->first_ways,
                   step = (uint64_t)ABS((intptr_t)from->usual),
                   apart = step / (uint64_t)run->first_line,
                   used = apart ? sets / common_divisor(sets, apart) : sets,
                   until = from->until / from->again;
    if (apart == 0 || step % (uint64_t)run->first_line != 0) return;
    if (2 * used > sets || used * (uint64_t)run->first_ways >= until || until > lines) return;
    row->conflicts += from->missed[0];
    row->conflict_step = step;
    row->conflict_sets = (int)used;
}

/* Of a line that waited, what its loads missed if they waited, else its stores. Where several loads
 * miss, the last of them waits for all. */
static void add_misses(struct report_rows *rows, const struct report_run *run,
                       const struct profile_stall *from)
{
    const char *at = report_site(run->program, from->site);
    if (!g_hash_table_contains(rows->by_key, at)) return;
    struct report_stall *row = report_rows_get(rows, g_strdup(at), NULL);
    if (from->store == (row->store_s > row->load_s))
        for (int level = 0; level < PROFILE_LEVELS; level++)
            row->missed[level] += from->missed[level];
    row->copied += from->copied;
    row->pages += from->pages;
    row->around += from->around;
    row->steps += from->steps;
    row->alike += from->alike;
    if (2 * from->alike >= from->steps && from->missed[0] > row->apart_missed) {
        row->apart = (uint64_t)ABS((intptr_t)from->usual);
        row->apart_missed = from->missed[0];
    }
    add_conflicts(row, run, from);
}

GArray *report_stalls(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_stall)),
                       data = report_rows_new(sizeof(struct data));
    for (size_t i = 0; i < profile_stalls(); i++) {
        const struct profile_stall *from = profile_stall_at(i);
        if (from->load_ticks + from->store_ticks == 0) continue;
        struct report_stall fresh = {.at = report_site(run->program, from->site)};
        struct report_stall *row = report_rows_get(&rows, g_strdup(fresh.at), &fresh);
        row->loads += from->loads;
        row->stores += from->stores;
        row->load_s += (double)from->load_ticks * run->tick_s;
        row->store_s += (double)from->store_ticks * run->tick_s;
        add_data(&data, run, from, fresh.at);
    }
    for (size_t i = 0; i < profile_stalls(); i++) add_misses(&rows, run, profile_stall_at(i));
    take_data(&rows, &data);
    return report_rows_sorted(&rows, by_stall);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int by_idle(gconstpointer a, gconstpointer b)
{
    const struct report_call *x = a, *y = b;
    int order = report_falling(x->wait_s + x->memory_s, y->wait_s + y->memory_s);
    if (!order) order = strcmp(x->at, y->at);
    return order ? order : strcmp(x->call, y->call);
}

GArray *report_calls(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_call));
    for (size_t i = 0; i < profile_calls(); i++) {
        const struct profile_call *from = profile_call_at(i);
        struct report_call fresh = {.at = report_site(run->program, from->site),
                                    .call = from->call};
        char *key = g_strdup_printf("%s %s", fresh.call, fresh.at);
        struct report_call *row = report_rows_get(&rows, key, &fresh);
        row->count += from->count;
        row->time_s += from->sum.time_s;
        row->wait_s += from->sum.wait_s;
        row->memory_s += from->sum.memory_s;
        row->compute_s += from->sum.compute_s;
        row->vain += from->vain;
        row->vain_s += from->vain_s;
        row->operations += from->operations;
        row->bytes += from->bytes;
        row->further += from->further;
        row->asked += from->asked;
        row->asked_s += from->asked_s;
        row->asking_s += from->asking_s;
        if (from->longest_s > row->longest_s) {
            row->longest_s = from->longest_s;
            row->longest_rank = from->longest_rank;
        }
    }
    return report_rows_sorted(&rows, by_idle);
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* With the time of the rank that is the worst so far. */
struct cause_row {
    struct report_cause cause; /* first: rows are sorted by it */
    GHashTable *wait_of;       /* rank -> seconds in heap */
    GHashTable *behind;        /* "rank line" of whom it had waited for -> struct behind */
    double worst_s;
};
struct behind {
    int rank;
    const char *at;
    double wait_s;
};

static int by_cause(gconstpointer a, gconstpointer b)
{
    const struct report_cause *x = a, *y = b;
    int order = report_falling(x->wait_s, y->wait_s);
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

/* The one for whom the other rank had waited is said if most of the wait hung on it. */
static void add_behind(struct cause_row *row, int rank, const char *at, double wait_s)
{
    if (rank < 0) return;
    if (!row->behind) row->behind = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *key = g_strdup_printf("%d %s", rank, at);
    struct behind *of = g_hash_table_lookup(row->behind, key);
    if (!of) {
        of = g_new0(struct behind, 1);
        *of = (struct behind){.rank = rank, .at = at};
        g_hash_table_insert(row->behind, g_steal_pointer(&key), of);
    }
    of->wait_s += wait_s;
}

static void choose_behind(struct cause_row *row)
{
    GHashTableIter each;
    gpointer value;
    row->cause.behind_rank = -1;
    row->cause.behind_at = "";
    if (!row->behind) return;
    g_hash_table_iter_init(&each, row->behind);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const struct behind *of = value;
        if (of->wait_s <= row->cause.wait_s / 2) continue;
        row->cause.behind_rank = of->rank;
        row->cause.behind_at = of->at;
    }
    g_hash_table_unref(row->behind);
}

static void add_cause(struct report_rows *rows, const struct report_run *run,
                      const struct profile_blame *from)
{
    struct cause_row fresh = {.cause = {.cause = from->cause,
                                        .at = report_site(run->program, from->site),
                                        .other_at = report_site(run->program, from->other_site),
                                        .worst_rank = from->other_rank}};
    char *key = g_strdup_printf("%s %s %s", profile_cause_name(from->cause), fresh.cause.at,
                                fresh.cause.other_at);
    struct cause_row *row = report_rows_get(rows, key, &fresh);
    row->cause.count += from->count;
    row->cause.wait_s += from->wait_s;
    for (int i = 0; i < PROFILE_DOINGS; i++) row->cause.did_s[i] += from->did_s[i];
    add_wait(row, from->other_rank, from->wait_s);
    add_behind(row, from->behind_rank, report_site(run->program, from->behind_site), from->wait_s);
}

/* What calls waited beyond the causes that are known, a row for each line. */
static void add_unknown(struct report_rows *rows, const struct report_run *run)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    for (size_t i = 0; i < profile_blames(); i++) {
        const struct profile_blame *blame = profile_blame_at(i);
        double *sum_s = g_hash_table_lookup(known, &blame->site);
        if (!sum_s) {
            sum_s = g_new0(double, 1);
            g_hash_table_insert(known, (void *)&blame->site, sum_s);
        }
        *sum_s += blame->wait_s;
    }
    for (size_t i = 0; i < profile_calls(); i++) {
        const struct profile_call *call = profile_call_at(i);
        double *sum_s = g_hash_table_lookup(known, &call->site),
               known_s = sum_s ? fmin(*sum_s, call->sum.wait_s) : 0;
        if (sum_s) *sum_s -= known_s;
        const struct profile_blame rest = {.cause = PROFILE_UNKNOWN,
                                           .site = call->site,
                                           .other_rank = -1,
                                           .behind_rank = -1,
                                           .count = call->count,
                                           .wait_s = call->sum.wait_s - known_s};
        if (rest.wait_s > 1e-9 * call->sum.wait_s) add_cause(rows, run, &rest);
    }
}

GArray *report_causes(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct cause_row));
    for (size_t i = 0; i < profile_blames(); i++) add_cause(&rows, run, profile_blame_at(i));
    add_unknown(&rows, run);
    g_autoptr(GArray) merged = report_rows_sorted(&rows, by_cause);
    GArray *causes = g_array_new(FALSE, FALSE, sizeof(struct report_cause));
    for (guint i = 0; i < merged->len; i++) {
        struct cause_row *row = &g_array_index(merged, struct cause_row, i);
        choose_behind(row);
        g_array_append_val(causes, row->cause);
        g_hash_table_unref(row->wait_of);
    }
    return causes;
}
