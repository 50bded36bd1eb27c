/* Other findings: bytes lost by sub-word stores, unrelated lines invalidated, broken rules. */
#include "report/source/source.h"
#include "report/text/sections.h"

enum { SHOWN = 12 };

static char *writer_phrase(const struct report_run *run, const struct op_writer *writer)
{
    if (!op_writer_known(writer)) return g_strdup("an unknown write");
    g_autofree char *at = report_at(run->program, writer->site);
    return g_strdup_printf("rank %d's %s %s", writer->rank, writer->call, at);
}

static char *place_phrase(const struct findings_note *note)
{
    const struct op_segment *segment = note->segment >= 0 ? op_segment(note->segment) : NULL;
    if (!segment) return g_strdup("private memory");
    g_autofree char *offset = report_count(note->offset);
    return g_strdup_printf("rank %d's %s, byte %s", segment->rank, segment->name, offset);
}

static char *note_text(const struct report_run *run, const struct findings_note *note)
{
    struct op_writer writer = op_writer(note->writer);
    g_autofree char *by = writer_phrase(run, &writer), *place = place_phrase(note),
                    *when = report_time(note->time_s);
    g_autofree char *at = report_at(run->program, note->site), *times = report_times(note->count),
                    *bytes = report_count(note->bytes);
    const char *first = note->count == 1 ? "at time" : "first at time";
    switch (note->kind) {
    case FINDINGS_NOTE_LOST_UPDATE:
        return g_strdup_printf("Lost update: rank %d's %s %s is a read-modify-write of a whole "
                               "word on this machine, and it "
                               "put back older values over %s byte%s of %s (first %s; %s, %s %s).",
                               note->rank, note->call, at, bytes, note->bytes == 1 ? "" : "s", by,
                               place, times, first, when);
    case FINDINGS_NOTE_VICTIM:
        return g_strdup_printf("Unrelated line invalidated: the line that %s dropped from rank "
                               "%d's cache was not the line it wrote; invalidation by index "
                               "compares only the set, not the address (%s; %s, %s %s).",
                               by, note->rank, place, times, first, when);
    case FINDINGS_NOTE_EDGE:
        return g_strdup_printf("False sharing: rank %d used bytes beside the range of the call %s, "
                               "in a line that the range shares; the line "
                               "had to be flushed once more (%s; %s, %s %s).",
                               note->rank, at, place, times, first, when);
    case FINDINGS_NOTE_KINDS: break;
    }
    g_return_val_if_reached(NULL);
}

static void item(FILE *out, const char *text)
{
    fprintf(out, "  - ");
    report_wrap(out, 4, 4, text);
}

void report_notes(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    size_t notes = findings_note_count(), objects = 0;
    while (run->uninstrumented && run->uninstrumented[objects]) objects++;
    if (notes == 0 && objects == 0) return;
    fprintf(out, "\n%sNotes%s\n", ink->strong, ink->plain);
    for (size_t i = 0; i < MIN(notes, (size_t)SHOWN); i++) {
        g_autofree char *text = note_text(run, findings_note_get(i));
        item(out, text);
    }
    if (notes > SHOWN) fprintf(out, "  %zu more; --json FILE lists all of them.\n", notes - SHOWN);
    for (size_t i = 0; i < objects; i++) {
        g_autofree char *text = g_strdup_printf(
            "%s was not compiled by sidewinder cc: its loads and stores were neither seen nor "
            "charged.",
            run->uninstrumented[i]);
        item(out, text);
    }
}

void report_violations(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    size_t n = findings_violation_count();
    fprintf(out, "\n%sViolations%s\n", ink->strong, ink->plain);
    if (n == 0)
        fputs("  None in calls (arguments, epochs, matching) or in memory lent by PUT/ACCEPT.\n",
              out);
    for (size_t i = 0; i < MIN(n, (size_t)SHOWN); i++) {
        const struct findings_violation *v = findings_violation_get(i);
        g_autofree char *at = report_at(run->program, v->site), *when = report_time(v->time_s);
        g_autofree char *other = NULL;
        if (v->other_rank >= 0) {
            /* a rank may have done nothing: that is what is wrong */
            g_autofree char *there = report_at(run->program, v->other_site);
            other = v->other_call ? g_strdup_printf(" The other side: rank %d, %s %s.",
                                                    v->other_rank, v->other_call, there)
                                  : g_strdup_printf(" The other side: rank %d.", v->other_rank);
        }
        g_autofree char *text = g_strdup_printf(
            "%s: %s%s Rank %d, %s, at time %s.%s", v->rule, v->message,
            g_str_has_suffix(v->message, ".") ? "" : ".", v->rank, at, when, other ? other : "");
        item(out, text);
    }
    if (n > SHOWN) fprintf(out, "  %zu more; --json FILE lists all of them.\n", n - SHOWN);
    fputs(
        "  Accesses to windows were not checked: conflicting loads, stores and operations are not\n"
        "  reported.\n",
        out);
}
