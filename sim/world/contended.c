/* What the profile knows at the end, in the trace: cache lines for which processors contend, as
 * events, so that a page shows them, and a film of what the two ranks use of each; variables. */
#include "world/build.h"

#include "profile/moves/moves.h"
#include "report/places/places.h"
#include "trace/trace.h"

#include <string.h>

enum { LINES = 10, PARTS = 64, WORD = 8, FILMED = 64 };

/* The words that the two movers touch, as `run --watch` names them; NULL: of no segment. */
static char *words_of(const struct report_contended *row)
{
    const struct profile_moved *moved = row->moved;
    const struct op_segment *segment = op_segment(moved->segment);
    uint64_t parts = row->mover[0]->parts | row->mover[1]->parts;
    if (!segment || parts == 0) return NULL;
    const int64_t first = __builtin_ctzll(parts), last = PARTS - 1 - __builtin_clzll(parts),
                  bytes = (int64_t)moved->bytes, end = (int64_t)segment->bytes;
    int64_t low = moved->offset + first * bytes / PARTS,
            high = moved->offset + ((last + 1) * bytes + PARTS - 1) / PARTS;
    low = MAX(low - (low - moved->offset) % WORD, 0);
    high = MIN(moved->offset + (high - moved->offset + WORD - 1) / WORD * WORD, end);
    if (high <= low) return NULL;
    return g_strdup_printf("%s:%d:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, segment->name,
                           segment->rank, low, MIN(high - low, FILMED));
}

static void write_event(const struct report_contended *row)
{
    const struct profile_mover *mover = row->mover[0], *other = row->mover[1];
    g_autofree char *memory = words_of(row),
                    *text = g_strdup_printf(
                        "%s: its cache line moved %" G_GUINT64_FORMAT " times between caches; %s",
                        row->memory, (guint64)row->moves,
                        row->false_sharing ? "each rank uses other bytes of it (false sharing)"
                                           : "ranks use the same bytes of it");
    trace_event(&(struct trace_event){.kind = TRACE_EVENT_SHARING,
                                      .rank = mover->rank,
                                      .time_s = row->moved->first_s,
                                      .site = mover->site,
                                      .other_rank = other->rank,
                                      .other_call = other->store ? "a store" : "a load",
                                      .other_site = other->site,
                                      .memory = memory,
                                      .text = text});
}

void world_contended(const struct report_run *run)
{
    g_autoptr(GArray) rows = report_contended(run);
    double all_s = 0;
    for (int rank = 0; rank < run->ranks; rank++) all_s += run->rank[rank].time_s;
    for (guint i = 0; i < rows->len && i < LINES; i++) {
        const struct report_contended *row = &g_array_index(rows, struct report_contended, i);
        if (row->cost_s < REPORT_CONTENDED_SHARE * all_s) break;
        write_event(row);
    }
}

void world_variables(const struct report_run *run)
{
    g_autoptr(GArray) rows = report_objects(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_object *row = &g_array_index(rows, struct report_object, i);
        struct trace_variable v = {.memory = row->memory,
                                   .name = row->name,
                                   .load_s = row->load_s,
                                   .store_s = row->store_s,
                                   .stale = row->stale,
                                   .moves = row->moves,
                                   .operations = row->operations};
        memcpy(v.missed, row->missed, sizeof v.missed);
        trace_variable(&v);
    }
}
