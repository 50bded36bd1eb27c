/* Everything that a line cost: its blocks, its stalls, its calls. */
#include "report/places/places.h"
#include "report/places/rows.h"

#include "findings/findings.h"
#include "profile/lines/lines.h"
#include "report/source/source.h"

#include <string.h>

static const char unknown[] = "?";

/* The row of a line; `path` is better than what the compiler was given. */
static struct report_line *line_row(struct report_rows *rows, const char *function,
                                    const char *path, int line)
{
    g_autofree char *file = path ? g_path_get_basename(path) : NULL;
    struct report_line fresh = {.function = function ? g_intern_string(function) : unknown,
                                .file = file ? g_intern_string(file) : unknown,
                                .path = path ? g_intern_string(path) : "",
                                .line = line};
    char *key = g_strdup_printf("%s %s:%d", fresh.function, fresh.file, line);
    struct report_line *row = report_rows_get(rows, key, &fresh);
    if (path && g_path_is_absolute(path)) row->path = fresh.path;
    return row;
}

static struct report_line *site_row(struct report_rows *rows, const struct report_run *run,
                                    op_site site)
{
    struct report_source_place place;
    if (report_source_place(run->program, site, &place))
        return line_row(rows, place.function, place.file, place.line);
    return line_row(rows, report_site(run->program, site), NULL, 0);
}

static void add_blocks(struct report_rows *rows, const struct report_run *run)
{
    for (size_t i = 0; i < profile_lines(); i++) {
        const struct profile_line *from = profile_line_at(i);
        struct report_line *row =
            line_row(rows, report_source_name(from->function), from->file, (int)from->line);
        row->executions = MAX(row->executions, from->executions);
        row->loads += from->loads;
        row->stores += from->stores;
        row->compute_s += (double)from->ticks * run->tick_s;
        row->divided_s += (double)from->divided * run->tick_s;
    }
}

static void add_causes(struct report_line *row, const struct report_run *run,
                       const struct profile_stall *from)
{
    row->wrong += from->wrong;
    row->wrong_s += (double)from->wrong_ticks * run->tick_s;
    row->spun_s += (double)from->spun_ticks * run->tick_s;
    if (from->spun_ticks && from->object) row->spun_on = report_object_words(run, from->object);
}

static void add_stalls(struct report_rows *rows, const struct report_run *run)
{
    for (size_t i = 0; i < profile_stalls(); i++) {
        const struct profile_stall *from = profile_stall_at(i);
        struct report_line *row = site_row(rows, run, from->site);
        row->load_s += (double)from->load_ticks * run->tick_s;
        row->store_s += (double)from->store_ticks * run->tick_s;
        row->compute_s += (double)(from->work_ticks + from->wrong_ticks) * run->tick_s;
        row->service_s += from->service_s;
        add_causes(row, run, from);
        for (int level = 0; level < PROFILE_LEVELS; level++)
            row->missed[level] += from->missed[level];
    }
}

/* What a call stalls, its loads of buffers among it, is a load's. */
static void add_calls(struct report_rows *rows, const struct report_run *run)
{
    for (size_t i = 0; i < profile_calls(); i++) {
        const struct profile_call *from = profile_call_at(i);
        struct report_line *row = site_row(rows, run, from->site);
        row->calls += from->count;
        row->compute_s += from->sum.compute_s;
        row->load_s += from->sum.memory_s;
        row->service_s += from->sum.service_s;
        row->wait_s += from->sum.wait_s;
    }
}

static void add_stale(struct report_rows *rows, const struct report_run *run)
{
    for (size_t i = 0; i < findings_stale_count(); i++) {
        const struct findings_stale *from = findings_stale_get(i);
        site_row(rows, run, from->load_site)->stale += from->count;
    }
}

double report_line_time(const struct report_line *line)
{
    return line->compute_s + line->load_s + line->store_s + line->service_s + line->wait_s;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const struct report_line *x = a, *y = b;
    int order = report_falling(report_line_time(x), report_line_time(y));
    if (!order) order = strcmp(x->file, y->file);
    if (!order) order = x->line - y->line;
    return order ? order : strcmp(x->function, y->function);
}

/* What the ranks have and no line has. */
static struct report_line elsewhere(const struct report_run *run, const GArray *lines)
{
    struct report_line rest = {.function = REPORT_ELSEWHERE, .file = "", .path = ""};
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        rest.compute_s += rank->compute_s;
        rest.load_s += rank->memory_s;
        rest.service_s += rank->service_s;
        rest.wait_s += rank->wait_s;
        rest.stale += rank->stale_loads;
        for (int c = 0; c < rank->caches; c++)
            rest.missed[MIN(c, PROFILE_LEVELS - 1)] +=
                rank->cache[c].load_misses + rank->cache[c].store_misses;
    }
    for (guint i = 0; i < lines->len; i++) {
        const struct report_line *row = &g_array_index(lines, struct report_line, i);
        rest.compute_s -= row->compute_s;
        rest.load_s -= row->load_s + row->store_s;
        rest.service_s -= row->service_s;
        rest.wait_s -= row->wait_s;
        rest.stale -= row->stale;
        for (int level = 0; level < PROFILE_LEVELS; level++)
            rest.missed[level] -= row->missed[level];
    }
    return rest;
}

GArray *report_lines(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_line));
    add_blocks(&rows, run);
    add_stalls(&rows, run);
    add_calls(&rows, run);
    add_stale(&rows, run);
    GArray *lines = report_rows_sorted(&rows, by_time);
    struct report_line rest = elsewhere(run, lines);
    g_array_append_val(lines, rest);
    return lines;
}
