/* Matching in words: what waits, for probes, for the end of a program and for the report of a
 * deadlock. */
#include "sync/inquiry/inquiry.h"
#include "sync/match/state.h"

/* By arrival; but what the same origin issued before comes before, whichever way each travels. */
static const struct sync_issue *first_of(GList *at, int origin, int tag)
{
    const struct sync_issue *first = NULL;
    for (; at; at = at->next) {
        const struct sync_issue *issue = at->data;
        if (issue->servicer || (origin >= 0 && origin != issue->origin) ||
            (tag >= 0 && tag != issue->ask.tag))
            continue;
        if (!first || (issue->origin == first->origin && issue->number < first->number))
            first = issue;
    }
    return first;
}

bool sync_match_probe(struct sync_match *match, int member, int origin, int tag,
                      struct sync_found *found)
{
    const struct sync_issue *first = first_of(match->part[member].arrived.head, origin, tag);
    if (!first) return false;
    *found = (struct sync_found){
        .origin = first->origin,
        .tag = first->ask.tag,
        .kind = first->ask.kind,
        .hold = first->ask.hold,
        .bytes = first->transfer->trail.bytes,
        .number = first->number,
        .arrived_s = first->transfer->asked_s > 0 ? first->transfer->asked_s : first->arrived_s};
    return true;
}

void sync_match_unserviced(struct sync_match *match, int member,
                           void (*name)(void *data, const char *what, op_site site, int target),
                           void *data)
{
    const GPtrArray *issued = match->part[member].issued;
    for (guint i = 0; i < issued->len; i++) {
        const struct sync_issue *issue = issued->pdata[i];
        int target = match->part[issue->target].proc->rank;
        g_autofree char *what =
            g_strdup_printf("a %s to rank %d with tag %d was never %s",
                            sync_kind_name(issue->ask.kind, issue->ask.hold), target,
                            issue->ask.tag, issue->servicer ? "fully serviced" : "matched");
        name(data, what, issue->transfer->trail.site, target);
    }
}

/* ---- deadlocks ------------------------------------------------------------------------------- */

static void missing_own(const struct sync_servicer *s, GString *text)
{
    for (int kind = 0; kind < SYNC_KINDS; kind++) {
        if (!(s->own_kinds & 1u << kind)) continue;
        const struct sync_own *own =
            sync_own_of(s->match, s->member, s->want.tag, (enum sync_kind)kind, s->round, false);
        if (!own || own->set.outstanding == 0) continue;
        g_string_append_printf(text,
                               "; %" G_GUINT64_FORMAT " own %s not serviced:", own->set.outstanding,
                               sync_kind_name((enum sync_kind)kind, false));
        const GPtrArray *issued = s->match->part[s->member].issued;
        int shown = 0;
        for (guint i = 0; i < issued->len && shown < 4; i++) {
            const struct sync_issue *issue = issued->pdata[i];
            if (issue->own != own) continue;
            g_string_append_printf(text, "%s to rank %d", shown++ ? "," : "",
                                   s->match->part[issue->target].proc->rank);
        }
    }
}

static void missing(const struct sync_servicer *s, GString *text)
{
    bool puts = s->want.kinds & (1u << SYNC_PUT | 1u << SYNC_PUTC),
         gets = s->want.kinds & (1u << SYNC_GET | 1u << SYNC_GETC);
    const char *what = puts && gets ? "PUT or GET" : puts ? "PUT" : "GET";
    g_string_append_printf(text, "%s with tag %d", s->want.call, s->want.tag);
    if (s->want.kinds & (1u << SYNC_PUTC | 1u << SYNC_GETC)) {
        enum sync_kind kind = s->want.kinds & 1u << SYNC_PUTC ? SYNC_PUTC : SYNC_GETC;
        const struct sync_round *round = sync_round_of(s->match, s->want.tag, kind, s->round);
        if (round->known)
            g_string_append_printf(text, " has serviced %" G_GUINT64_FORMAT " of %d %s requests",
                                   s->serviced, round->total[s->member],
                                   sync_kind_name(kind, false));
        else
            g_string_append_printf(text, ": round %d has been reached by %d of %d processes",
                                   s->round + 1, round->contributed, s->match->members);
    } else {
        g_string_append_printf(
            text, " has serviced %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " %s requests",
            s->serviced, s->want.count, what);
    }
    missing_own(s, text);
    g_string_append_c(text, '\n');
}

char *sync_match_missing(int rank)
{
    GString *text = g_string_new(NULL);
    for (struct sync_match *match = sync_matches; match; match = match->next)
        for (int i = 0; i < match->members; i++) {
            if (match->part[i].proc->rank != rank) continue;
            for (GList *at = match->part[i].servicers.head; at; at = at->next) {
                const struct sync_servicer *s = at->data;
                if (s->state != SYNC_POSTED && !sync_servicer_done(s)) missing(s, text);
            }
        }
    return g_string_free(text, text->len == 0);
}
