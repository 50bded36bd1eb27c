/* Operations of the processor that take most of a line's time, as sentences: branches that were
 * predicted wrongly, divisions. */
#include "report/places/places.h"
#include "report/text/sections.h"

/* Of the time of all ranks: less is not worth a sentence. */
static const double worth_a_sentence = 0.1;

/* Branches that went another way than predicted, where they take most. */
static void first_branches(GArray *first, GArray *lines, double all_s)
{
    struct report_line *most = NULL;
    for (guint i = 0; i < lines->len; i++) {
        struct report_line *row = &g_array_index(lines, struct report_line, i);
        if (row->line > 0 && (!most || row->wrong_s > most->wrong_s)) most = row;
    }
    if (!most || most->wrong_s <= worth_a_sentence * all_s) return;
    most->told_s += most->wrong_s;
    g_autofree char *share = report_percent(most->wrong_s, all_s), *n = report_count(most->wrong),
                    *each = report_time(most->wrong_s / (double)most->wrong);
    report_first_add(
        first, most->wrong_s,
        g_strdup_printf("%s of the time of all ranks was for branches at %s:%d that went another "
                        "way than predicted: %s did, %s each. Data in order, or arithmetic "
                        "instead of a branch, would spare it.",
                        share, most->file, most->line, n, each));
}

/* Divisions and square roots, where they take most. */
static void first_divisions(const struct report_run *run, GArray *first, GArray *lines,
                            double all_s)
{
    struct report_line *most = NULL;
    for (guint i = 0; i < lines->len; i++) {
        struct report_line *row = &g_array_index(lines, struct report_line, i);
        if (row->line > 0 && (!most || row->divided_s > most->divided_s)) most = row;
    }
    if (!most || most->divided_s <= worth_a_sentence * all_s) return;
    most->told_s += most->divided_s;
    g_autofree char *share = report_percent(most->divided_s, all_s),
                    *program =
                        run->program ? g_path_get_basename(run->program) : g_strdup("PROGRAM");
    report_first_add(
        first, most->divided_s,
        g_strdup_printf("%s of the time of all ranks was for divisions or square roots at %s:%d: "
                        "'sidewinder blocks %s -m %s' shows which. A product with a reciprocal "
                        "that is computed once, or a shift, would spare most of it.",
                        share, most->file, most->line, program, run->machine));
}

void report_operations_first(const struct report_run *run, GArray *first, GArray *lines,
                             double all_s)
{
    first_branches(first, lines, all_s);
    first_divisions(run, first, lines, all_s);
}
