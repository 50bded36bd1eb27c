/* What to look at first, and the worst lines: where the program stalled and waited, and for whom.
 */
#include "report/places/places.h"
#include "report/text/sections.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 10 };
/* Of the time of all ranks: less is not worth a sentence at the top; nor a row. */
static const double worth_a_sentence = 0.05, worth_a_row = 0.01;

static double time_of_all(const struct report_run *run)
{
    double sum = 0;
    for (int r = 0; r < run->ranks; r++) sum += run->rank[r].time_s;
    return sum;
}

static char *cause_words(const struct report_cause *cause)
{
    return report_cause_words(&(struct report_why){.cause = profile_cause_name(cause->cause),
                                                   .at = cause->other_at,
                                                   .behind_at = cause->behind_at,
                                                   .rank = cause->worst_rank,
                                                   .ranks = cause->ranks,
                                                   .behind_rank = cause->behind_rank});
}

/* ---- at the top ------------------------------------------------------------------------------ */

/* The cause of most of the waits at a line; NULL: none is known. */
static const struct report_cause *cause_at(const GArray *causes, const char *at)
{
    for (guint i = 0; i < causes->len; i++) {
        const struct report_cause *cause = &g_array_index(causes, struct report_cause, i);
        if (strcmp(cause->at, at) == 0) return cause;
    }
    return NULL;
}

/* The call that waited or stalled most. */
static const struct report_call *worst_call(const GArray *calls, bool stalls)
{
    const struct report_call *worst = NULL;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (!worst || (stalls ? row->memory_s > worst->memory_s : row->wait_s > worst->wait_s))
            worst = row;
    }
    return worst;
}

/* Which one was busy: the interface, link or memory that was used most. */
static char *busiest(const struct report_run *run, const struct report_cause *cause)
{
    if (!cause || cause->cause != PROFILE_INTERFACE || run->resources == 0) return g_strdup("");
    g_autofree char *share = report_percent(run->resource[0].busy_s, run->time_s);
    return g_strdup_printf(" Busiest was the %s: %s of the time.", run->resource[0].name, share);
}

static void wait_sentence(GArray *first, const struct report_run *run,
                          const struct report_call *call, const struct report_cause *cause,
                          double all_s)
{
    g_autofree char *share = report_percent(call->wait_s, all_s),
                    *words = cause ? cause_words(cause) : NULL, *busy = busiest(run, cause);
    report_first_add(first, call->wait_s,
                     g_strdup_printf("%s of the time of all ranks was spent waiting in %s at "
                                     "%s%s%s.%s 'sidewinder profile --by call' shows every cause.",
                                     share, call->call, call->at, words ? ": " : "",
                                     words ? words : "", busy));
}

/* Who came late may have waited itself: the worst other wait for which a rank is to blame. Locks
 * have a sentence of their own. */
static const struct report_call *behind(const GArray *calls, const GArray *causes,
                                        const struct report_call *worst)
{
    const struct report_call *most = NULL;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        const struct report_cause *cause = cause_at(causes, row->at);
        const bool blames =
            cause && (cause->cause == PROFILE_PARTNER || cause->cause == PROFILE_SERVICE ||
                      cause->cause == PROFILE_SERVICING);
        if (blames && strcmp(row->at, worst->at) != 0 && (!most || row->wait_s > most->wait_s))
            most = row;
    }
    return most;
}

static void first_wait(GArray *first, const struct report_run *run, const GArray *calls,
                       const GArray *causes, double all_s)
{
    const struct report_call *worst = worst_call(calls, false);
    const bool wait = worst && worst->wait_s > worth_a_sentence * all_s;
    const struct report_cause *cause = wait ? cause_at(causes, worst->at) : NULL;
    const bool lock = cause && cause->cause == PROFILE_LOCK;
    g_autofree char *who = lock ? g_strdup_printf("in %s at %s", worst->call, worst->at)
                                : g_strdup(""),
                    *held = lock ? cause_words(cause) : g_strdup("");
    /* one sentence for one time */
    if (report_locks_first(run, first, all_s, who, held) && lock) return;
    if (!wait) return;
    wait_sentence(first, run, worst, cause, all_s);
    if (!cause || (cause->cause != PROFILE_BARRIER && cause->cause != PROFILE_PARTNER)) return;
    const struct report_call *next = behind(calls, causes, worst);
    if (next && next->wait_s > worth_a_sentence * all_s)
        wait_sentence(first, run, next, cause_at(causes, next->at), all_s);
}

static const char *plural(uint64_t n, const char *one, const char *many)
{
    return n == 0 ? "" : n == 1 ? one : many;
}

/* Whose data it was. What was seen is a sample: a share is known to an eighth of it. */
static char *data_words(const struct report_stall *row)
{
    const double all_s = row->load_s + row->store_s, first = row->data_s[0] / all_s,
                 both = first + row->data_s[1] / all_s;
    g_autofree char *data = first >= 0.9  ? g_strdup(row->data[0])
                            : both >= 0.9 ? g_strdup_printf("%s and %s", row->data[0], row->data[1])
                                          : NULL;
    if (!data) return g_strdup(". 'sidewinder profile --by variable' shows for which data.");
    return g_strdup_printf(", for data %s. 'sidewinder profile --by variable' shows all data.",
                           data);
}

static void stall_sentence(GArray *first, const struct report_stall *row, double all_s)
{
    bool loads = row->load_s >= row->store_s;
    uint64_t count = loads ? row->loads : row->stores;
    double each_s = (loads ? row->load_s : row->store_s) / (double)count;
    g_autofree char *share = report_percent(row->load_s + row->store_s, all_s),
                    *n = report_count(count), *each = report_time(each_s), *data = data_words(row);
    report_first_add(
        first, row->load_s + row->store_s,
        g_strdup_printf("%s of the time of all ranks was stalls at %s: %s %s waited, %s%s%s", share,
                        row->at, n,
                        loads ? plural(count, "load", "loads") : plural(count, "store", "stores"),
                        each, count == 1 ? "" : " each", data));
}

/* The worst line that the sentence about contended cache lines does not explain: one sentence for
 * one time. */
static const struct report_stall *worst_line(const struct report_run *run, const GArray *stalls,
                                             bool contended, double all_s)
{
    for (guint i = 0; i < stalls->len; i++) {
        const struct report_stall *row = &g_array_index(stalls, struct report_stall, i);
        const double stall_s = row->load_s + row->store_s;
        if (stall_s <= worth_a_sentence * all_s) return NULL;
        if (!contended || report_contended_at(run, row->at) < stall_s / 2) return row;
    }
    return NULL;
}

/* Of the program's own loads and stores, or of a call's. */
static void first_stall(const struct report_run *run, GArray *first, const GArray *stalls,
                        const GArray *calls, bool contended, double all_s)
{
    const struct report_stall *line = worst_line(run, stalls, contended, all_s);
    const struct report_call *call = worst_call(calls, true);
    double line_s = line ? line->load_s + line->store_s : 0, call_s = call ? call->memory_s : 0;
    if (fmax(line_s, call_s) <= worth_a_sentence * all_s) return;
    if (line_s >= call_s) {
        stall_sentence(first, line, all_s);
        return;
    }
    g_autofree char *share = report_percent(call_s, all_s), *n = report_count(call->count);
    report_first_add(first, call_s,
                     g_strdup_printf("%s of the time of all ranks was stalls on memory in %s at "
                                     "%s, in %s %s. 'sidewinder profile --by variable' shows on "
                                     "which data.",
                                     share, call->call, call->at, n,
                                     plural(call->count, "call", "calls")));
}

/* The line that computed most; NULL: there is none. */
static const struct report_line *most_computed(const GArray *lines)
{
    const struct report_line *most = NULL;
    for (guint i = 0; i < lines->len; i++) {
        const struct report_line *row = &g_array_index(lines, struct report_line, i);
        if (row->line > 0 && (!most || row->compute_s > most->compute_s)) most = row;
    }
    return most;
}

/* Where computation is most of the time, no line below is to blame. */
static void first_compute(const struct report_run *run, GArray *first, double all_s)
{
    double compute_s = 0;
    for (int r = 0; r < run->ranks; r++) compute_s += run->rank[r].compute_s;
    if (compute_s <= all_s / 2) return;
    g_autofree char *share = report_percent(compute_s, all_s);
    g_autofree char *program =
        run->program ? g_path_get_basename(run->program) : g_strdup("PROGRAM");
    g_autoptr(GArray) lines = report_lines(run);
    const struct report_line *most = most_computed(lines);
    g_autofree char *dearest = most ? report_percent(most->compute_s, all_s) : NULL;
    g_autofree char *at =
        most ? g_strdup_printf(", %s at %s:%d", dearest, most->file, most->line) : g_strdup("");
    report_first_add(
        first, compute_s,
        g_strdup_printf("%s of the time of all ranks was computation%s: 'sidewinder blocks %s -m "
                        "%s' shows what each of its blocks costs and why.",
                        share, at, program, run->machine));
}

void report_first(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    double all_s = time_of_all(run);
    g_autoptr(GArray) stalls = report_stalls(run);
    g_autoptr(GArray) calls = report_calls(run);
    g_autoptr(GArray) causes = report_causes(run);
    report_heading(out, ink, "What to look at first", NULL);
    bool any = report_first_findings(run, out);
    g_autoptr(GArray) first = report_first_new();
    first_compute(run, first, all_s);
    first_wait(first, run, calls, causes, all_s);
    const guint sentences = first->len;
    report_contended_first(run, first, all_s);
    first_stall(run, first, stalls, calls, first->len > sentences, all_s);
    any |= first->len > 0;
    report_first_put(first, all_s, out);
    any |= run->ranks > 1 && report_first_rank(run, out);
    if (!any)
        fprintf(out, "  No line stalled or waited for as much as 5 %% of the time of all ranks.\n");
}

/* ---- the worst lines ------------------------------------------------------------------------- */

static void more(FILE *out, guint n)
{
    if (n > SHOWN) fprintf(out, "  %u more; --json FILE lists all of them.\n", n - SHOWN);
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
        report_table_cell(table, report_time(stall_s));
        report_table_cell(table, report_percent(stall_s, all_s));
        report_table_cell(table, row->loads ? report_count(row->loads) : g_strdup(""));
        report_table_words(table, plural(row->loads, "load", "loads"));
        report_table_cell(table, row->stores ? report_count(row->stores) : g_strdup(""));
        report_table_words(table, plural(row->stores, "store", "stores"));
    }
    if (n > 0)
        report_heading(out, ink, "Stalls by line", "of all ranks; loads and stores that waited");
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
        report_table_cell(table, cause_words(row));
    }
    if (n > 0)
        report_heading(out, ink, "Why they waited",
                       "each stretch of a wait has one cause; of all ranks");
    report_table_print(table, out);
    more(out, n);
}

void report_where(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    double all_s = time_of_all(run);
    g_autoptr(GArray) stalls = report_stalls(run);
    g_autoptr(GArray) calls = report_calls(run);
    g_autoptr(GArray) causes = report_causes(run);
    stall_rows(stalls, all_s, out, ink);
    call_rows(calls, all_s, out, ink);
    cause_rows(causes, all_s, out, ink);
    report_locks_rows(run, out, ink, all_s);
    report_contended_rows(run, out, ink, all_s);
}
