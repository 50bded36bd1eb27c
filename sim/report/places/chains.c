/* The tree of chains of calls, its functions named; those that were put in line stand where the
 * program has them. */
#include "report/places/places.h"
#include "report/places/rows.h"

#include "profile/chains/chains.h"
#include "report/source/source.h"

static void name(const struct report_run *run, const struct profile_chain *from,
                 struct report_chain *row)
{
    struct report_source_place place;
    if (from->call) {
        row->function = from->call;
    } else if (report_source_place(run->program, from->function, &place)) {
        if (place.function) row->function = g_intern_string(place.function);
        g_autofree char *file = place.file ? g_path_get_basename(place.file) : g_strdup("");
        row->file = g_intern_string(file);
        row->path = place.file ? g_intern_string(place.file) : "";
        row->line = place.line;
    } else if (from->function) {
        row->function = report_site(run->program, from->function);
    }
}

/* The place among the rows of that one, added if there is none. */
static int row_of(struct report_rows *rows, const struct report_chain *fresh)
{
    char *key = g_strdup_printf("%d %d %d %s %s", fresh->parent, fresh->kind, fresh->at,
                                fresh->function, fresh->path);
    const struct report_chain *row = report_rows_get(rows, key, fresh);
    return (int)(row - (const struct report_chain *)rows->row->data);
}

/* The functions in line around a call: each below the one that it became part of. */
static int inlined(const struct report_run *run, struct report_rows *rows, int parent, op_site site)
{
    g_autoptr(GArray) places = report_source_inlined(run->program, site);
    for (guint i = 0; i < places->len; i++) {
        const struct report_source_inlined *in =
            &g_array_index(places, struct report_source_inlined, i);
        g_autofree char *file = in->file ? g_path_get_basename(in->file) : g_strdup("");
        const struct report_chain fresh = {.parent = parent,
                                           .kind = REPORT_INLINED,
                                           .function = g_intern_string(in->function),
                                           .file = g_intern_string(file),
                                           .path = in->file ? g_intern_string(in->file) : "",
                                           .line = in->line,
                                           .at = in->at};
        parent = row_of(rows, &fresh);
    }
    return parent;
}

static void add(struct report_chain *row, const struct profile_chain *from)
{
    row->count += from->count;
    row->again += from->again;
    row->compute_s += from->cost.compute_s;
    row->memory_s += from->cost.memory_s;
    row->service_s += from->cost.service_s;
    row->wait_s += from->cost.wait_s;
    for (int level = 0; level < PROFILE_LEVELS; level++)
        row->missed[level] += from->cost.missed[level];
}

static int add_chain(const struct report_run *run, struct report_rows *rows, int parent,
                     const struct profile_chain *from)
{
    struct report_source_place place = {0};
    report_source_place(run->program, from->site, &place);
    struct report_chain fresh = {.parent = inlined(run, rows, parent, from->site),
                                 .kind = from->call ? REPORT_CALL : REPORT_FUNCTION,
                                 .function = "?",
                                 .file = "",
                                 .path = "",
                                 .at = place.line};
    name(run, from, &fresh);
    const int row = row_of(rows, &fresh);
    add(&g_array_index(rows->row, struct report_chain, row), from);
    return row;
}

/* What the ranks have and no chain has. */
static struct report_chain rest_of(const struct report_run *run)
{
    struct report_chain rest = {.parent = -1, .function = REPORT_ELSEWHERE, .file = "", .path = ""};
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        rest.compute_s += rank->compute_s;
        rest.memory_s += rank->memory_s;
        rest.service_s += rank->service_s;
        rest.wait_s += rank->wait_s;
        for (int c = 0; c < rank->caches; c++)
            rest.missed[MIN(c, PROFILE_LEVELS - 1)] +=
                rank->cache[c].load_misses + rank->cache[c].store_misses;
    }
    for (size_t i = 1; i < profile_chains(); i++) {
        const struct profile_chain_cost *cost = &profile_chain_at(i)->cost;
        rest.compute_s -= cost->compute_s;
        rest.memory_s -= cost->memory_s;
        rest.service_s -= cost->service_s;
        rest.wait_s -= cost->wait_s;
        for (int level = 0; level < PROFILE_LEVELS; level++)
            rest.missed[level] -= cost->missed[level];
    }
    return rest;
}

GArray *report_chains(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_chain));
    g_autofree int *row = g_new0(int, profile_chains() + 1);
    if (profile_chains() > 0) {
        const struct report_chain rest = rest_of(run);
        row[0] = row_of(&rows, &rest);
    }
    for (size_t i = 1; i < profile_chains(); i++) {
        const struct profile_chain *from = profile_chain_at(i);
        row[i] = add_chain(run, &rows, row[from->parent], from);
    }
    g_hash_table_unref(rows.by_key);
    return rows.row;
}
