/* The worst lines: where the program stalled and waited, and for whom. */
#include "report/places/places.h"
#include "report/text/sections.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 10 };
/* Of the time of all ranks: less is not worth a row. */
static const double worth_a_row = 0.01;
double report_time_of_all(const struct report_run *run)
{
    double sum = 0;
    for (int r = 0; r < run->ranks; r++) sum += run->rank[r].time_s;
    return sum;
}

char *report_cause_said(const struct report_cause *cause)
{
    return report_cause_words(&(struct report_why){.cause = profile_cause_name(cause->cause),
                                                   .at = cause->other_at,
                                                   .behind_at = cause->behind_at,
                                                   .rank = cause->worst_rank,
                                                   .ranks = cause->ranks,
                                                   .behind_rank = cause->behind_rank});
}

const char *report_plural(uint64_t n, const char *one, const char *many)
{
    return n == 0 ? "" : n == 1 ? one : many;
}

static void more(FILE *out, guint n)
{
    if (n > SHOWN) fprintf(out, "  %u more; --json FILE lists all of them.\n", n - SHOWN);
}

static void stall_cells(struct report_table *table, double stall_s, double all_s, uint64_t loads,
                        uint64_t stores)
{
    report_table_cell(table, report_time(stall_s));
    report_table_cell(table, report_percent(stall_s, all_s));
    report_table_cell(table, loads ? report_count(loads) : g_strdup(""));
    report_table_words(table, report_plural(loads, "load", "loads"));
    report_table_cell(table, stores ? report_count(stores) : g_strdup(""));
    report_table_words(table, report_plural(stores, "store", "stores"));
}

static void stall_rows(const GArray *stalls, double all_s, FILE *out, const struct report_ink *ink)
{
    guint n = 0;
    struct report_table *table = report_table_new("lRrRlRl");
    for (; n < stalls->len; n++) {
        const struct report_stall *row = &g_array_index(stalls, struct report_stall, n);
        double stall_s = row->load_s + row->store_s;
        if (stall_s < worth_a_row * all_s) break;
        if (n >= SHOWN) continue;
        report_table_words(table, row->at);
        stall_cells(table, stall_s, all_s, row->loads, row->stores);
    }
    if (n > 0)
        report_heading(out, ink, "Stalls by line", "of all ranks; loads and stores that waited");
    report_table_print(table, out);
    more(out, n);
}

/* Has one that is known a row? The dearest of them would. */
static bool any_object(const GArray *objects, double all_s)
{
    for (guint i = 0; i < objects->len; i++) {
        const struct report_object *row = &g_array_index(objects, struct report_object, i);
        if (strcmp(row->memory, REPORT_ELSEWHERE) != 0)
            return row->load_s + row->store_s >= worth_a_row * all_s && all_s > 0;
    }
    return false;
}

static void object_rows(const GArray *objects, double all_s, FILE *out,
                        const struct report_ink *ink)
{
    if (!any_object(objects, all_s)) return;
    guint n = 0;
    struct report_table *table = report_table_new("llRrRlRl");
    report_heading(out, ink, "Stalls by variable", "of all ranks; loads and stores that waited");
    for (; n < objects->len; n++) {
        const struct report_object *row = &g_array_index(objects, struct report_object, n);
        const double stall_s = row->load_s + row->store_s;
        if (stall_s < worth_a_row * all_s) break;
        if (n >= SHOWN) continue;
        report_table_words(table, row->memory);
        report_table_words(table, row->name);
        stall_cells(table, stall_s, all_s, row->loads, row->stores);
    }
    report_table_print(table, out);
    more(out, n);
}

/* A time and its share; nothing of nothing. */
static void share_cells(struct report_table *table, double part_s, double all_s)
{
    report_table_cell(table, part_s > 0 ? report_time(part_s) : g_strdup(""));
    report_table_cell(table, part_s > 0 ? report_percent(part_s, all_s) : g_strdup(""));
}

static void call_rows(const GArray *calls, double all_s, FILE *out, const struct report_ink *ink)
{
    static const char *const name[] = {"", "", "waits", "", "stalls", "", "calls", "longest wait"};
    guint n = 0;
    struct report_table *table = report_table_new("llRrRrRR");
    for (; n < calls->len; n++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, n);
        if (row->wait_s + row->memory_s < worth_a_row * all_s) break;
        if (n >= SHOWN) continue;
        for (size_t i = 0; n == 0 && i < G_N_ELEMENTS(name); i++)
            report_table_words(table, name[i]);
        g_autofree char *longest = report_time(row->longest_s);
        report_table_words(table, row->at);
        report_table_words(table, row->call);
        share_cells(table, row->wait_s, all_s);
        share_cells(table, row->memory_s, all_s);
        report_table_cell(table, report_count(row->count));
        report_table_cell(table, row->longest_s > 0
                                     ? g_strdup_printf("%s, rank %d", longest, row->longest_rank)
                                     : g_strdup(""));
    }
    if (n > 0) report_heading(out, ink, "MPI calls by line", "of all ranks");
    report_table_print(table, out);
    more(out, n);
}

static int longest_wait(gconstpointer a, gconstpointer b)
{
    const struct report_cause *x = a, *y = b;
    return x->wait_s != y->wait_s ? (x->wait_s < y->wait_s ? 1 : -1)
                                  : (int)x->cause - (int)y->cause;
}

/* What nobody is to blame for is one row a cause, whatever its lines. */
static GArray *folded(const GArray *causes)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct report_cause));
    GHashTable *lines[PROFILE_CAUSES] = {NULL}; /* those of the row, by their text */
    guint at[PROFILE_CAUSES] = {0};             /* from 1 */
    for (guint i = 0; i < causes->len; i++) {
        struct report_cause one = g_array_index(causes, struct report_cause, i);
        const bool blames = one.worst_rank >= 0;
        if (!blames && !lines[one.cause])
            lines[one.cause] = g_hash_table_new(g_str_hash, g_str_equal);
        if (!blames) g_hash_table_add(lines[one.cause], (gpointer)(uintptr_t)one.at);
        if (!blames && at[one.cause]) {
            struct report_cause *row = &g_array_index(rows, struct report_cause, at[one.cause] - 1);
            const guint n = g_hash_table_size(lines[one.cause]);
            g_autofree char *text = n > 1 ? g_strdup_printf("%u lines", n) : g_strdup(one.at);
            row->at = g_intern_string(text);
            row->count += one.count;
            row->wait_s += one.wait_s;
            continue;
        }
        g_array_append_val(rows, one);
        if (!blames) at[one.cause] = rows->len;
    }
    for (int cause = 0; cause < PROFILE_CAUSES; cause++)
        if (lines[cause]) g_hash_table_unref(lines[cause]);
    g_array_sort(rows, longest_wait);
    return rows;
}

static void cause_rows(const GArray *all, double all_s, FILE *out, const struct report_ink *ink)
{
    g_autoptr(GArray) causes = folded(all);
    guint n = 0;
    struct report_table *table = report_table_new("lRrRL");
    for (; n < causes->len; n++) {
        const struct report_cause *row = &g_array_index(causes, struct report_cause, n);
        if (row->wait_s < worth_a_row * all_s) break;
        if (n >= SHOWN) continue;
        report_table_words(table, row->at);
        report_table_cell(table, report_time(row->wait_s));
        report_table_cell(table, report_percent(row->wait_s, all_s));
        report_table_cell(table, report_times(row->count));
        report_table_cell(table, report_cause_said(row));
    }
    if (n > 0)
        report_heading(out, ink, "Why they waited",
                       "each stretch of a wait has one cause; of all ranks");
    report_table_print(table, out);
    more(out, n);
}

void report_where(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    double all_s = report_time_of_all(run);
    g_autoptr(GArray) stalls = report_stalls(run);
    g_autoptr(GArray) objects = report_objects(run);
    g_autoptr(GArray) calls = report_calls(run);
    g_autoptr(GArray) causes = report_causes(run);
    stall_rows(stalls, all_s, out, ink);
    object_rows(objects, all_s, out, ink);
    call_rows(calls, all_s, out, ink);
    cause_rows(causes, all_s, out, ink);
    report_locks_rows(run, out, ink, all_s);
    report_contended_rows(run, out, ink, all_s);
}
