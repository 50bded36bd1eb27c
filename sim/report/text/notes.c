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
                    *bytes = report_count(note->bytes), *threads = report_count(note->count);
    const char *first = note->count == 1 ? "at time" : "first at time";
    switch (note->kind) {
    case FINDINGS_NOTE_LOST_UPDATE:
        return g_strdup_printf(
            "Lost update: rank %d's %s %s is a read-modify-write of a whole word on this machine. "
            "It put back older values over %s byte%s of %s (first %s; %s, %s %s).",
            note->rank, note->call, at, bytes, note->bytes == 1 ? "" : "s", by, place, times, first,
            when);
    case FINDINGS_NOTE_RESTORED:
        return g_strdup_printf(
            "Restored: rank %d's %s %s is a read-modify-write of a whole word on this machine. It "
            "would have put back older values over %s byte%s of %s; they were restored, which is "
            "charged (cpu.subword_restore=0: they are lost; first %s; %s, %s %s).",
            note->rank, note->call, at, bytes, note->bytes == 1 ? "" : "s", by, place, times, first,
            when);
    case FINDINGS_NOTE_VICTIM:
        return g_strdup_printf("Unrelated line invalidated: the line that %s dropped from rank "
                               "%d's cache was not the line it wrote. Invalidation by index "
                               "compares only the set, not the address (%s; %s, %s %s).",
                               by, note->rank, place, times, first, when);
    case FINDINGS_NOTE_EDGE:
        return g_strdup_printf("False sharing: rank %d used bytes beside the range of the call %s, "
                               "in a line that the range shares. The line had to be flushed once "
                               "more (%s; %s, %s %s).",
                               note->rank, at, place, times, first, when);
    case FINDINGS_NOTE_UNPUBLISHED:
        return g_strdup_printf("Stale values read: rank %d's %s %s read memory. The last stores "
                               "of its owner to %s byte%s of it were then in a cache or write "
                               "buffer. Only a synchronisation call of the owner publishes "
                               "them (first %s; %s, %s %s).",
                               note->rank, note->call, at, bytes, note->bytes == 1 ? "" : "s",
                               place, times, first, when);
    case FINDINGS_NOTE_UNSEEN_STORE:
        return g_strdup_printf("Rank %d: code that was not compiled by sidewinder cc, called %s, "
                               "stored %s byte%s into %s: carried, its time not counted (%s; %s "
                               "%s).",
                               note->rank, at, bytes, note->bytes == 1 ? "" : "s", place, times,
                               first, when);
    case FINDINGS_NOTE_UNSEEN_LOAD:
        if (note->call)
            return g_strdup_printf("Not checked: rank %d called code %s that was not compiled by "
                                   "sidewinder cc, with an address in a buffer that %s fills. If "
                                   "it loads there, that is an error (%s; %s %s).",
                                   note->rank, at, note->call, times, first, when);
        return g_strdup_printf("Not checked: rank %d called code %s that was not compiled by "
                               "sidewinder cc, with an address in %s. What it loads there is not "
                               "judged (%s; %s %s).",
                               note->rank, at, place, times, first, when);
    case FINDINGS_NOTE_THREAD:
        return g_strdup_printf("%s thread%s or parallel region%s of rank %d, started %s, %s not "
                               "seen: their time and accesses do not count.",
                               threads, note->count == 1 ? "" : "s", note->count == 1 ? "" : "s",
                               note->rank, at, note->count == 1 ? "is" : "are");
    case FINDINGS_NOTE_KINDS: break;
    }
    g_return_val_if_reached(NULL);
}

static void item(FILE *out, const char *text)
{
    fprintf(out, "  - ");
    report_wrap(out, 4, 4, text);
}

/* The same words of each name. */
static void items(FILE *out, const char *const *name, const char *words)
{
    const size_t names = name ? g_strv_length((char **)name) : 0;
    for (size_t i = 0; i < MIN(names, (size_t)SHOWN); i++) {
        g_autofree char *text = g_strdup_printf("%s %s", name[i], words);
        item(out, text);
    }
    if (names > SHOWN)
        fprintf(out, "  %zu more such objects; --json FILE lists all of them.\n", names - SHOWN);
}

void report_notes(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    const size_t notes = findings_note_count();
    if (notes == 0 && !(run->uninstrumented && *run->uninstrumented) &&
        !(run->shared && *run->shared) && !run->unoptimised)
        return;
    report_heading(out, ink, "Notes", NULL);
    for (size_t i = 0; i < MIN(notes, (size_t)SHOWN); i++) {
        g_autofree char *text = note_text(run, findings_note_get(i));
        item(out, text);
    }
    if (notes > SHOWN) fprintf(out, "  %zu more; --json FILE lists all of them.\n", notes - SHOWN);
    items(out, (const char *const *)run->uninstrumented,
          "was not compiled by sidewinder cc: it took no time, and its accesses were not seen.");
    if (run->unoptimised)
        item(out,
             "Code of the program was compiled with -O0, and is predicted as such. Compile with "
             "-O2 before you compare times.");
    items(out, (const char *const *)run->shared,
          "is loaded once, and its static variables have changed: all ranks share them, so a rank "
          "may have read what another stored. Link it to the program, too.");
}

static char *other_side(const struct report_run *run, const struct findings_violation *v)
{
    if (v->other_rank < 0) return g_strdup("");
    /* a rank may have done nothing: that is what is wrong */
    g_autofree char *there = report_at(run->program, v->other_site);
    return v->other_call ? g_strdup_printf(" The other side: rank %d, %s %s.", v->other_rank,
                                           v->other_call, there)
                         : g_strdup_printf(" The other side: rank %d.", v->other_rank);
}

static char *violation_text(const struct report_run *run, const struct findings_violation *v)
{
    g_autofree char *at = report_at(run->program, v->site), *when = report_time(v->time_s);
    if (v->class) {
        g_autofree char *times = report_times(v->count);
        return g_strdup_printf("%s: %s (%s, first at time %s)", v->rule, v->message, times, when);
    }
    g_autofree char *other = other_side(run, v), *times = report_times(v->count);
    return g_strdup_printf("%s: %s%s Rank %d, %s, %s%sat time %s.%s", v->rule, v->message,
                           g_str_has_suffix(v->message, ".") ? "" : ".", v->rank, at,
                           v->count > 1 ? times : "", v->count > 1 ? ", first " : "", when, other);
}

/* Those of one class, NULL: those of calls. */
static void violations_of(const struct report_run *run, FILE *out, const char *class)
{
    size_t shown = 0, left = 0;
    for (size_t i = 0; i < findings_violation_count(); i++) {
        const struct findings_violation *v = findings_violation_get(i);
        if (g_strcmp0(v->class, class) != 0) continue;
        if (shown++ >= SHOWN) {
            left++;
            continue;
        }
        g_autofree char *text = violation_text(run, v);
        item(out, text);
    }
    if (left > 0) fprintf(out, "  %zu more; --json FILE lists all of them.\n", left);
}

/* Is there code whose accesses nobody saw? */
static bool unseen(const struct report_run *run)
{
    for (size_t i = 0; i < findings_note_count(); i++) {
        const enum findings_note_kind kind = findings_note_get(i)->kind;
        if (kind == FINDINGS_NOTE_UNSEEN_LOAD || kind == FINDINGS_NOTE_THREAD) return true;
    }
    return run->uninstrumented && run->uninstrumented[0];
}

static void verdict(const struct report_run *run, FILE *out, const struct report_ink *ink,
                    size_t calls)
{
    const struct report_check *check = &run->check;
    g_autofree char *accesses = report_count(check->accesses),
                    *epochs = report_count(check->epochs),
                    *coarse = report_count(check->coarse_bytes),
                    *folded = report_count(check->folded_bytes);
    if (check->errors == 0 && calls == 0)
        fprintf(out, "  No error in this execution: %s %s to windows, %s %s.\n", accesses,
                check->accesses == 1 ? "access" : "accesses", epochs,
                check->epochs == 1 ? "epoch" : "epochs");
    violations_of(run, out, "error");
    if (unseen(run))
        fputs("  Not checked here: accesses of code that was not compiled by sidewinder cc, or of\n"
              "  threads (Notes).\n",
              out);
    if (check->coarse_bytes > 0)
        fprintf(out, "  Not judged: %s bytes that too many lines of code access.\n", coarse);
    if (check->folded_bytes > 0)
        fprintf(
            out,
            "  Judged in part: %s bytes with many accesses. What is reported there is true; some\n"
            "  conflicts may be missed.\n",
            folded);
    if (check->separate > 0)
        report_heading(out, ink, "Violations of the separate memory model only", NULL);
    violations_of(run, out, "separate");
    if (check->notes > 0)
        report_heading(out, ink, "Allowed by the standard, but worth a look", NULL);
    violations_of(run, out, "note");
}

void report_violations(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    size_t calls = 0;
    for (size_t i = 0; i < findings_violation_count(); i++)
        if (!findings_violation_get(i)->class) calls++;
    report_heading(out, ink, "Violations", NULL);
    if (calls == 0)
        /* an OFFER and an ACCEPT over one window are blamed where they overlap by dates; by the
         * check, which says so itself, in any order */
        fputs(run->check.on ? "  None in calls (arguments, epochs, matching).\n"
                            : "  None in calls (arguments, epochs, matching), nor in memory lent "
                              "by PUT/ACCEPT as this\n  run was ordered.\n",
              out);
    violations_of(run, out, NULL);
    if (run->check.on) {
        verdict(run, out, ink, calls);
        return;
    }
    fputs("  Accesses to windows were not checked; run --check reports those that conflict.\n",
          out);
}
