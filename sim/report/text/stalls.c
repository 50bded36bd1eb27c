/* The worst stalls, as a sentence: where, for whose data, and what made them wait. */
#include "report/places/places.h"
#include "report/text/sections.h"

#include <math.h>
#include <string.h>

enum { MANY_ACCESSES = 100, FEW_STEPS = 4 };

/* Whose data it was. What was seen is a sample: a share is known to an eighth of it. */
static char *data_words(const struct report_stall *row)
{
    const double all_s = row->load_s + row->store_s, first = row->data_s[0] / all_s,
                 both = first + row->data_s[1] / all_s;
    g_autofree char *data = first >= 0.9  ? g_strdup(row->data[0])
                            : both >= 0.9 ? g_strdup_printf("%s and %s", row->data[0], row->data[1])
                                          : NULL;
    return data ? g_strdup_printf(", for data %s", data) : g_strdup("");
}

/* Most of them came to a page whose translation had to be fetched. */
static bool for_pages(const struct report_run *run, const struct report_stall *row)
{
    return (double)row->pages * run->page_s >= (row->load_s + row->store_s) / 2 && row->pages > 0;
}

static char *store_words(const struct report_run *run, const struct report_stall *row)
{
    if (2 * row->around >= row->stores)
        return g_strdup(" Each is of less than 4 bytes, and the processor reads memory for the "
                        "bytes around them first.");
    if (run->write_buffer)
        return g_strdup_printf(" The write buffer was full (wb.entries=%d): memory takes its lines "
                               "more slowly than stores come.",
                               run->write_buffer);
    if (run->store_buffer)
        return g_strdup_printf(" The store buffer was full (mem.store_buffer=%d): lines come more "
                               "slowly than stores.",
                               run->store_buffer);
    return g_strdup(" There is no store buffer: each waited until it was done.");
}

/* Its loads or stores, whether they waited or not. */
static uint64_t accesses_at(const struct report_run *run, const char *at, bool loads)
{
    uint64_t sum = 0;
    g_autoptr(GArray) lines = report_lines(run);
    for (guint i = 0; i < lines->len; i++) {
        const struct report_line *row = &g_array_index(lines, struct report_line, i);
        g_autofree char *here = g_strdup_printf("%s:%d", row->file, row->line);
        if (strcmp(here, at) == 0) sum += loads ? row->loads : row->stores;
    }
    return sum;
}

/* They would find their lines again, were they not all in the same sets. */
static char *conflict_words(const struct report_run *run, const struct report_stall *row)
{
    const uint64_t sets = run->first_bytes / (uint64_t)run->first_line / (uint64_t)run->first_ways;
    g_autofree char *step = report_count(row->conflict_step),
                    *used = report_count((uint64_t)row->conflict_sets), *all = report_count(sets);
    return g_strdup_printf(" They are %s bytes apart, so they share %s of the %s sets of the first "
                           "level of caches, and drop one another: rows that are a line longer "
                           "would not.",
                           step, used, all);
}

/* Each takes another line, far from the one before: are others of its bytes used later? */
static char *apart_words(const struct report_stall *row, const char *n, const char *what,
                         bool beyond)
{
    g_autofree char *step = report_count(row->apart),
                    *missed = beyond ? g_strdup("most were answered by a cache beyond the first "
                                                "level")
                                     : g_strdup_printf("%s of %s there missed all caches", n, what);
    return g_strdup_printf(" They are %s bytes apart, so each takes another line; %s. Loops the "
                           "other way around, smaller elements, or blocks that stay in a cache "
                           "would use more of each line.",
                           step, missed);
}

/* Few of those that missed the first level missed all. */
static bool beyond_first(const struct report_stall *row, int last)
{
    return last > 0 && 16 * row->missed[last] < row->missed[0];
}

/* Where nearly each takes another line, few bytes of it may be used. */
static char *line_words(const struct report_run *run, const struct report_stall *row, bool loads)
{
    const uint64_t accesses = accesses_at(run, row->at, loads);
    int last = MIN(run->rank[0].caches, PROFILE_LEVELS) - 1;
    if (last < 0 || accesses < MANY_ACCESSES) return g_strdup("");
    const uint64_t missed = row->missed[last];
    const double share = (double)missed / (double)accesses;
    g_autofree char *n = report_percent((double)MIN(missed, accesses), (double)accesses);
    const char *what = loads ? "loads" : "stores";
    if (2 * row->conflicts >= row->missed[0] && row->conflicts > 0) return conflict_words(run, row);
    if (2 * row->copied >= row->missed[0] && row->copied > 0 && share >= 0.25)
        return g_strdup_printf(" They are a copy's, whole lines: %s of them missed all caches.", n);
    if (share >= 0.25 && row->steps >= FEW_STEPS && 2 * row->alike < row->steps)
        return g_strdup_printf(" %s of %s there missed all caches, in no order: sorted by "
                               "address or taken in blocks they would find more lines, as would "
                               "smaller elements.",
                               n, what);
    if (row->steps >= FEW_STEPS && 2 * row->apart_missed >= row->missed[0] &&
        row->apart > (uint64_t)run->first_line && 2 * row->missed[0] >= accesses)
        return apart_words(row, n, what, beyond_first(row, last));
    if (share >= 0.5)
        return g_strdup_printf(" %s of %s there missed all caches: another order or layout "
                               "may use more of each line.",
                               n, what);
    if (!loads) return g_strdup("");
    if (2 * row->loads < row->missed[0])
        return g_strdup(" The others there that missed the first level of caches did not wait.");
    /* those few of more may have waited longest */
    if (beyond_first(row, last))
        return g_strdup(" Most were answered by a cache beyond the first level.");
    if (row->steps >= FEW_STEPS && 2 * row->alike >= row->steps)
        return g_strdup_printf(" %s of loads there missed all caches, in order: memory brings "
                               "lines more slowly than they are used. Blocks that stay in a cache "
                               "would take fewer of them.",
                               n);
    return g_strdup_printf(" %s of loads there missed all caches.", n);
}

static char *cause_words(const struct report_run *run, const struct report_stall *row, bool loads)
{
    if (for_pages(run, row)) {
        g_autofree char *n = report_count(row->pages);
        return g_strdup_printf(" Most of it was for translations, %s times: one page after the "
                               "other is used, and few of them are at hand (tlb.entries).",
                               n);
    }
    g_autofree char *store = loads ? g_strdup("") : store_words(run, row),
                    *line = line_words(run, row, loads);
    return g_strconcat(store, line, NULL);
}

static void line_sentence(const struct report_run *run, GArray *first,
                          const struct report_stall *row, double all_s)
{
    bool loads = row->load_s >= row->store_s;
    uint64_t count = loads ? row->loads : row->stores;
    double each_s = (loads ? row->load_s : row->store_s) / (double)count;
    g_autofree char *share = report_percent(row->load_s + row->store_s, all_s),
                    *n = report_count(count), *each = report_time(each_s), *data = data_words(row),
                    *cause = cause_words(run, row, loads);
    report_first_add(first, row->load_s + row->store_s,
                     g_strdup_printf("%s of the time of all ranks was stalls at %s: %s %s waited, "
                                     "%s%s%s.%s 'sidewinder profile --by variable' shows all data.",
                                     share, row->at, n,
                                     loads ? report_plural(count, "load", "loads")
                                           : report_plural(count, "store", "stores"),
                                     each, count == 1 ? "" : " each", data, cause));
}

/* Does the sentence about contended cache lines explain the stalls there? One sentence for one
 * time. */
static bool explained(const struct report_run *run, bool contended, const char *at, double stall_s)
{
    return contended && report_contended_at(run, at) >= stall_s / 2;
}

static const struct report_stall *worst_line(const struct report_run *run, const GArray *stalls,
                                             bool contended, double all_s)
{
    for (guint i = 0; i < stalls->len; i++) {
        const struct report_stall *row = &g_array_index(stalls, struct report_stall, i);
        const double stall_s = row->load_s + row->store_s;
        if (stall_s <= REPORT_SENTENCE_SHARE * all_s) return NULL;
        if (!explained(run, contended, row->at, stall_s)) return row;
    }
    return NULL;
}

static const struct report_call *worst_call(const struct report_run *run, const GArray *calls,
                                            bool contended)
{
    const struct report_call *worst = NULL;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (!row->told && (!worst || row->memory_s > worst->memory_s) &&
            !explained(run, contended, row->at, row->memory_s))
            worst = row;
    }
    return worst;
}

void report_stalls_first(const struct report_run *run, GArray *first, const GArray *calls,
                         bool contended, double all_s)
{
    g_autoptr(GArray) stalls = report_stalls(run);
    const struct report_stall *line = worst_line(run, stalls, contended, all_s);
    const struct report_call *call = worst_call(run, calls, contended);
    double line_s = line ? line->load_s + line->store_s : 0, call_s = call ? call->memory_s : 0;
    if (fmax(line_s, call_s) <= REPORT_SENTENCE_SHARE * all_s) return;
    if (line_s >= call_s) {
        line_sentence(run, first, line, all_s);
        return;
    }
    g_autofree char *share = report_percent(call_s, all_s), *n = report_count(call->count),
                    *each = report_time(call_s / (double)MAX(call->count, 1)),
                    *busy = report_busiest(run, REPORT_BUSY);
    report_first_add(first, call_s,
                     g_strdup_printf("%s of the time of all ranks was stalls on memory in %s at "
                                     "%s, in %s %s for %s%s.%s 'sidewinder profile --by call' "
                                     "shows all calls.",
                                     share, call->call, call->at, n,
                                     report_plural(call->count, "call", "calls"), each,
                                     call->count == 1 ? "" : " each", busy));
}
