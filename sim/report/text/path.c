/* The critical path: of what it is made, and its longest links. */
#include "report/places/places.h"
#include "report/text/sections.h"

#include <math.h>

enum { SHOWN = 10 };

static char *words_of(const struct report_way *way)
{
    const char *what = way->cause < 0 ? "run" : profile_cause_name((enum profile_cause)way->cause);
    const struct report_link_times times = {way->time_s, way->compute_s, way->memory_s,
                                            way->service_s};
    return report_link_words(what, way->from, way->to, way->rank, way->others, &times);
}

/* What kinds of things the path is made of. */
static void shares(const GArray *ways, double all_s, FILE *out)
{
    double time_s[PROFILE_CAUSES] = {0}, compute_s = 0, memory_s = 0, rest_s = 0;
    for (guint i = 0; i < ways->len; i++) {
        const struct report_way *way = &g_array_index(ways, struct report_way, i);
        if (way->cause >= 0) {
            time_s[way->cause] += way->time_s;
            continue;
        }
        compute_s += way->compute_s;
        memory_s += way->memory_s;
        rest_s += fmax(0, way->time_s - way->compute_s - way->memory_s);
    }
    struct report_table *table = report_table_new("lRr");
    const struct {
        const char *name;
        double time_s;
    } ran[] = {{"computation", compute_s},
               {"stalls on caches, bus and memory", memory_s},
               {"servicing, messages and collectives of SimGrid", rest_s}};
    for (size_t i = 0; i < G_N_ELEMENTS(ran) + PROFILE_CAUSES; i++) {
        const size_t cause = i - G_N_ELEMENTS(ran);
        const bool rank = i < G_N_ELEMENTS(ran);
        const double part_s = rank ? ran[i].time_s : time_s[cause];
        if (part_s < 0.001 * all_s) continue;
        report_table_words(table,
                           rank ? ran[i].name : profile_cause_name((enum profile_cause)cause));
        report_table_cell(table, report_time(part_s));
        report_table_cell(table, report_percent(part_s, all_s));
    }
    report_table_print(table, out);
}

void report_critical_path(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    g_autoptr(GArray) ways = report_path(run);
    if (ways->len == 0) return;
    double all_s = 0;
    for (guint i = 0; i < ways->len; i++) all_s += g_array_index(ways, struct report_way, i).time_s;
    report_heading(out, ink, "Critical path", "what had to wait for what, from the end back");
    if (profile_path_start() > 0) {
        g_autofree char *from = report_time(profile_path_start());
        fprintf(out, "  The last part of it, from %s on: the rest was too long to keep.\n", from);
    }
    shares(ways, all_s, out);
    report_heading(out, ink, "Its longest links", NULL);
    struct report_table *table = report_table_new("rRRL");
    for (guint i = 0; i < ways->len && i < SHOWN; i++) {
        const struct report_way *way = &g_array_index(ways, struct report_way, i);
        report_table_cell(table, report_time(way->time_s));
        report_table_cell(table, report_percent(way->time_s, all_s));
        report_table_cell(table, report_times(way->count));
        report_table_cell(table, words_of(way));
    }
    report_table_print(table, out);
    if (ways->len > SHOWN)
        fprintf(out, "  %u more; --json FILE lists all of them.\n", ways->len - SHOWN);
}
