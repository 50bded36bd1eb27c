/* Cache lines that move between caches: which, who moves them, and what padding would save. */
#include "report/places/places.h"
#include "report/text/sections.h"

enum { SHOWN = 10 };

/* Accesses that moved lines may have been on their way while the processor went on: they took no
 * more of its time than all stalls. */
static double stalled_s(const struct report_run *run)
{
    double sum_s = 0;
    for (int rank = 0; rank < run->ranks; rank++) sum_s += run->rank[rank].memory_s;
    return sum_s;
}

/* Whose bytes they are, and what padding would save. */
static char *padding_words(const struct report_contended *worst, double false_s, double all_s,
                           const char *about)
{
    g_autofree char *saved = report_percent(false_s, all_s), *size = report_bytes(worst->bytes);
    if (false_s <= REPORT_SENTENCE_SHARE * all_s) return g_strdup(" They use the same bytes.");
    return g_strdup_printf("%s other bytes: false sharing. A line of %s for each would save %s %s.",
                           worst->false_sharing
                               ? " Each rank uses"
                               : " They use the same bytes. In other lines each uses",
                           size, about, saved);
}

void report_contended_first(const struct report_run *run, GArray *first, double all_s)
{
    g_autoptr(GArray) rows = report_contended(run);
    double cost_s = 0, false_s = 0;
    for (guint i = 0; i < rows->len; i++) {
        const struct report_contended *row = &g_array_index(rows, struct report_contended, i);
        cost_s += row->cost_s;
        if (row->false_sharing) false_s += row->cost_s;
    }
    const double most_s = stalled_s(run);
    const bool above = cost_s > most_s;
    cost_s = MIN(cost_s, most_s), false_s = MIN(false_s, most_s);
    if (cost_s <= REPORT_SENTENCE_SHARE * all_s) return;
    const struct report_contended *worst = &g_array_index(rows, struct report_contended, 0);
    g_autofree char *share = report_percent(cost_s, all_s), *lines = report_count(rows->len),
                    *padding = padding_words(worst, false_s, all_s, above ? "at most" : "about");
    char *text =
        g_strdup_printf("%s%s of the time of all ranks went to %s cache line%s that moved between "
                        "their caches, most of all %s: %s.%s 'sidewinder profile --by memory' "
                        "shows each line.",
                        above ? "At most " : "", share, lines, rows->len == 1 ? "" : "s",
                        worst->memory, worst->who, padding);
    report_first_add(first, cost_s, text);
}

void report_contended_rows(const struct report_run *run, FILE *out, const struct report_ink *ink,
                           double all_s)
{
    g_autoptr(GArray) rows = report_contended(run);
    struct report_table *table = report_table_new("lRrRllL");
    const double most_s = stalled_s(run);
    guint n = 0;
    for (; n < rows->len; n++) {
        const struct report_contended *row = &g_array_index(rows, struct report_contended, n);
        if (row->cost_s < REPORT_CONTENDED_SHARE * all_s) break;
        if (n >= SHOWN) continue;
        report_table_words(table, row->memory);
        report_table_cell(table, report_time(row->cost_s));
        report_table_cell(table, report_percent(MIN(row->cost_s, most_s), all_s));
        report_table_cell(table, report_count(row->moves));
        report_table_words(table, "moves");
        report_table_words(table, row->false_sharing ? "false" : "true");
        report_table_words(table, row->who);
    }
    if (n > 0)
        report_heading(out, ink, "Contended cache lines",
                       "moved between caches; false: ranks use different bytes of the line");
    report_table_print(table, out);
    if (n > SHOWN)
        fprintf(out, "  %u more; 'sidewinder profile --by memory' lists all of them.\n", n - SHOWN);
}
