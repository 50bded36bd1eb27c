/* Locks for which ranks queue: how long they wait, how many, and who holds them. */
#include "report/places/places.h"
#include "report/text/sections.h"

enum { SHOWN = 10 };
static const double worth_a_row = 0.01; /* of the time of all ranks */

static char *longest_words(const struct report_lock *row)
{
    if (row->longest_rank < 0) return g_strdup("");
    g_autofree char *longest = report_time(row->longest_s);
    return g_strdup_printf("%s, by rank %d, since %s", longest, row->longest_rank, row->longest_at);
}

/* How long a hand-over took, on average. */
static char *handover_words(const struct report_lock *row)
{
    return row->handovers ? report_time(row->handover_s / (double)row->handovers) : g_strdup("");
}

bool report_locks_first(const struct report_run *run, GArray *first, double all_s,
                        const char *where, const char *held)
{
    g_autoptr(GArray) rows = report_locks(run);
    const struct report_lock *worst =
        rows->len ? &g_array_index(rows, struct report_lock, 0) : NULL;
    if (!worst || !worst->queued || worst->wait_s <= REPORT_SENTENCE_SHARE * all_s) return false;
    g_autofree char *share = report_percent(worst->wait_s, all_s),
                    *times = report_times(worst->count), *handover = handover_words(worst),
                    *longest = longest_words(worst), *queue = report_count(worst->longest_queue);
    char *text = g_strdup_printf(
        "%s of the time of all ranks was spent waiting%s%s for the lock of %s: %s%s%d rank%s had "
        "it %s, up to %s queued for it%s%s%s%s. 'sidewinder profile --by lock' shows each line.",
        share, *where ? " " : "", where, worst->name, held, *held ? ". " : "", worst->ranks,
        worst->ranks == 1 ? "" : "s", times, queue, *handover ? ", a hand-over took " : "",
        handover, *longest ? "; held longest: " : "", longest);
    report_first_add(first, worst->wait_s, text);
    return true;
}

void report_locks_rows(const struct report_run *run, FILE *out, const struct report_ink *ink,
                       double all_s)
{
    static const char *const name[] = {"",      "waits",         "",          "times",
                                       "ranks", "longest queue", "hand-over", "held longest"};
    g_autoptr(GArray) rows = report_locks(run);
    struct report_table *table = report_table_new("lrRrrrrL");
    guint n = 0;
    for (guint i = 0; i < rows->len; i++) {
        const struct report_lock *row = &g_array_index(rows, struct report_lock, i);
        if (!row->queued || row->wait_s < worth_a_row * all_s) continue;
        if (n++ >= SHOWN) continue;
        for (size_t c = 0; n == 1 && c < G_N_ELEMENTS(name); c++)
            report_table_words(table, name[c]);
        report_table_words(table, row->name);
        report_table_cell(table, report_time(row->wait_s));
        report_table_cell(table, report_percent(row->wait_s, all_s));
        report_table_cell(table, report_count(row->count));
        report_table_cell(table, report_count((uint64_t)row->ranks));
        report_table_cell(table, report_count(row->longest_queue));
        report_table_cell(table, handover_words(row));
        report_table_cell(table, longest_words(row));
    }
    if (n > 0) report_heading(out, ink, "Locks", "of windows; a hand-over: from release to grant");
    report_table_print(table, out);
    if (n > SHOWN)
        fprintf(out, "  %u more; 'sidewinder profile --by lock' lists all of them.\n", n - SHOWN);
}
