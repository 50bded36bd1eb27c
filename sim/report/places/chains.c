/* The tree of chains of calls, its functions named. */
#include "report/places/places.h"

#include "profile/chains/chains.h"
#include "report/source/source.h"

static struct report_chain named(const struct report_run *run, const struct profile_chain *from)
{
    struct report_chain row = {.parent = (int)from->parent,
                               .function = "?",
                               .file = "",
                               .path = "",
                               .call = from->call != NULL,
                               .count = from->count,
                               .again = from->again,
                               .compute_s = from->cost.compute_s,
                               .memory_s = from->cost.memory_s,
                               .service_s = from->cost.service_s,
                               .wait_s = from->cost.wait_s};
    for (int level = 0; level < PROFILE_LEVELS; level++)
        row.missed[level] = from->cost.missed[level];
    struct report_source_place place;
    if (from->call) {
        row.function = from->call;
    } else if (report_source_place(run->program, from->function, &place)) {
        if (place.function) row.function = g_intern_string(place.function);
        g_autofree char *file = place.file ? g_path_get_basename(place.file) : g_strdup("");
        row.file = g_intern_string(file);
        row.path = place.file ? g_intern_string(place.file) : "";
        row.line = place.line;
    } else if (from->function) {
        row.function = report_site(run->program, from->function);
    }
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
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct report_chain));
    if (profile_chains() == 0) return rows;
    const struct report_chain rest = rest_of(run);
    g_array_append_val(rows, rest);
    for (size_t i = 1; i < profile_chains(); i++) {
        const struct report_chain row = named(run, profile_chain_at(i));
        g_array_append_val(rows, row);
    }
    return rows;
}
