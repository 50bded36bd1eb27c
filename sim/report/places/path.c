/* The critical path by line: links that go from line to line in one way are one row. */
#include "report/places/places.h"
#include "report/places/rows.h"
#include "report/source/source.h"

#include <string.h>

static int by_time(gconstpointer a, gconstpointer b)
{
    const struct report_way *x = a, *y = b;
    int order = report_falling(x->time_s, y->time_s);
    if (!order) order = x->cause - y->cause;
    if (!order) order = strcmp(x->from, y->from);
    return order ? order : strcmp(x->to, y->to);
}

static const char *line_of(const struct report_run *run, op_site site, const char *none)
{
    return site ? report_site(run->program, site) : none;
}

GArray *report_path(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_way));
    for (size_t i = 0; run->critical_path && i < profile_links(); i++) {
        const struct profile_link *link = profile_link_at(i);
        const struct report_way fresh = {.cause = link->cause,
                                         .from = line_of(run, link->from, "the start"),
                                         .to = line_of(run, link->to, "the end"),
                                         .rank = link->rank};
        char *key = g_strdup_printf("%d %s %s", fresh.cause, fresh.from, fresh.to);
        struct report_way *row = report_rows_get(&rows, key, &fresh);
        row->others = row->others || link->others || row->rank != link->rank;
        row->count += link->count;
        row->time_s += link->time_s;
        row->compute_s += link->compute_s;
        row->memory_s += link->memory_s;
        row->service_s += link->service_s;
    }
    return report_rows_sorted(&rows, by_time);
}
