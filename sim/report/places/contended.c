/* Cache lines for which processors contend: those that moved more often than once a rank. */
#include "report/places/places.h"
#include "report/places/rows.h"

#include "profile/moves/moves.h"
#include "report/source/source.h"

#include <string.h>

enum { NOBODY = -1 };

static char *memory_words(const struct profile_moved *moved)
{
    const struct op_segment *segment = op_segment(moved->segment);
    g_autofree char *bytes =
        g_strdup_printf("bytes %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, MAX(moved->offset, 0),
                        moved->offset + (int64_t)moved->bytes - 1);
    if (!segment) return g_strdup_printf("%s of a segment", bytes);
    return g_strdup_printf("rank %d's %s, %s", segment->rank, segment->name, bytes);
}

/* The moves by other ranks that touch bytes of the mover, one of the two by stores. */
static uint64_t moves_against(const GArray *movers, const struct profile_mover *a)
{
    uint64_t moves = 0;
    for (guint i = 0; i < movers->len; i++) {
        const struct profile_mover *b = &g_array_index(movers, struct profile_mover, i);
        if ((a->store || b->store) && a->rank != b->rank && a->parts & b->parts) moves += b->moves;
    }
    return moves;
}

/* Are most moves for bytes that several ranks touch? What sets all bytes to 0 once, or looks at all
 * of them in the end, moves the line no more often than it runs. */
static bool truly_shared(const struct profile_moved *moved)
{
    uint64_t shared = 0;
    for (guint i = 0; i < moved->mover->len; i++) {
        const struct profile_mover *m = &g_array_index(moved->mover, struct profile_mover, i);
        shared += MIN(m->moves, moves_against(moved->mover, m));
    }
    return 2 * shared > moved->moves;
}

/* A line of code: who moves the line from there. */
struct place {
    const char *at;
    bool load, store;
    int64_t ticks;
    int count;
};

static int by_ticks(gconstpointer a, gconstpointer b)
{
    const struct place *x = a, *y = b;
    if (x->ticks != y->ticks) return x->ticks > y->ticks ? -1 : 1;
    return strcmp(x->at, y->at);
}

static GArray *places_of(const struct report_run *run, const GArray *movers)
{
    struct report_rows rows = report_rows_new(sizeof(struct place));
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < movers->len; i++) {
        const struct profile_mover *m = &g_array_index(movers, struct profile_mover, i);
        struct place fresh = {.at = report_site(run->program, m->site)};
        char *whose = g_strdup_printf("%s %d", fresh.at, m->rank);
        struct place *place = report_rows_get(&rows, g_strdup(fresh.at), &fresh);
        if (m->store)
            place->store = true;
        else
            place->load = true;
        place->ticks += m->ticks;
        if (g_hash_table_add(seen, whose)) place->count++;
    }
    return report_rows_sorted(&rows, by_ticks);
}

static char *who_words(const GArray *places)
{
    enum { SHOWN = 3 };
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < places->len && i < SHOWN; i++) {
        const struct place *place = &g_array_index(places, struct place, i);
        const char *how = !place->store ? "loaded" : place->load ? "loaded and stored" : "stored";
        g_string_append_printf(text, "%s%s at %s by %d rank%s", i ? ", " : "", how, place->at,
                               place->count, place->count == 1 ? "" : "s");
    }
    if (places->len > SHOWN) g_string_append(text, ", ...");
    return g_string_free(text, FALSE);
}

static int ranks_of(const GArray *movers)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < movers->len; i++)
        g_hash_table_add(seen,
                         GINT_TO_POINTER(g_array_index(movers, struct profile_mover, i).rank));
    return (int)g_hash_table_size(seen);
}

/* The mover with the most moves, of another rank than `but`; the first of equals. */
static const struct profile_mover *busiest(const GArray *movers, int but)
{
    const struct profile_mover *most = NULL;
    for (guint i = 0; i < movers->len; i++) {
        const struct profile_mover *m = &g_array_index(movers, struct profile_mover, i);
        if (m->rank != but && (!most || m->moves > most->moves)) most = m;
    }
    return most;
}

static int by_cost(gconstpointer a, gconstpointer b)
{
    const struct report_contended *x = a, *y = b;
    int order = report_falling(x->cost_s, y->cost_s);
    return order ? order : strcmp(x->memory, y->memory);
}

static void clear(void *data)
{
    struct report_contended *row = data;
    g_free(row->memory);
    g_free(row->who);
}

GArray *report_contended(const struct report_run *run)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct report_contended));
    g_array_set_clear_func(rows, clear);
    for (size_t i = 0; i < profile_moves(); i++) {
        const struct profile_moved *moved = profile_moved_at(i);
        int ranks = ranks_of(moved->mover);
        if (ranks < 2 || moved->moves <= 2 * (uint64_t)ranks) continue;
        g_autoptr(GArray) places = places_of(run, moved->mover);
        struct report_contended row = {.memory = memory_words(moved),
                                       .who = who_words(places),
                                       .moves = moved->moves,
                                       .bytes = moved->bytes,
                                       .ranks = ranks,
                                       .false_sharing = !truly_shared(moved),
                                       .cost_s = (double)moved->ticks * run->tick_s,
                                       .moved = moved,
                                       .mover = {busiest(moved->mover, NOBODY)}};
        row.mover[1] = busiest(moved->mover, row.mover[0]->rank);
        g_array_append_val(rows, row);
    }
    g_array_sort(rows, by_cost);
    return rows;
}

double report_contended_at(const struct report_run *run, const char *at)
{
    g_autoptr(GArray) rows = report_contended(run);
    int64_t ticks = 0;
    for (guint i = 0; i < rows->len; i++) {
        const GArray *movers = g_array_index(rows, struct report_contended, i).moved->mover;
        for (guint k = 0; k < movers->len; k++) {
            const struct profile_mover *m = &g_array_index(movers, struct profile_mover, k);
            if (strcmp(report_site(run->program, m->site), at) == 0) ticks += m->ticks;
        }
    }
    return (double)ticks * run->tick_s;
}
