/* Stale loads in words: each kind once, for somebody who has never seen one. op folds them by (load
 * site, writer's call and site), whatever the ranks: a record is a kind, and shows the first of its
 * loads. */
#include "report/source/source.h"
#include "report/text/sections.h"

#include <string.h>

enum { KINDS_SHOWN = 12 };

/* The record's bytes that are shown: all of a scalar; of a longer load the first eight that differ.
 */
struct shown {
    uint32_t from, bytes;
    bool differ;
};

static struct shown shown(const struct findings_stale *stale)
{
    uint32_t kept = MIN(stale->bytes, (uint32_t)FINDINGS_STALE_BYTES), at = 0;
    while (at < kept && stale->seen[at] == stale->memory[at]) at++;
    bool differ = at < kept;
    if (stale->bytes <= 8 || !differ) return (struct shown){0, kept, differ};
    at -= at % 8;
    return (struct shown){at, MIN(8, kept - at), true};
}

static char *where_text(const struct findings_stale *stale)
{
    const struct op_segment *segment = op_segment(stale->segment);
    g_autofree char *offset = report_count(stale->offset);
    g_autofree char *name = !segment ? g_strdup_printf("segment %d", stale->segment)
                            : segment->rank == stale->rank
                                ? g_strdup_printf("its own %s", segment->name)
                                : g_strdup_printf("rank %d's %s", segment->rank, segment->name);
    if (stale->offset == 0) return g_strdup_printf("at the start of %s", name);
    return g_strdup_printf("of %s, %s %s from its start", name, offset,
                           stale->offset == 1 ? "byte" : "bytes");
}

static bool is_store(const struct op_writer *writer)
{
    return op_writer_known(writer) && strcmp(writer->call, "store") == 0;
}

/* The cause: what this machine does not do. Given once for each way of writing. */
static char *cause_text(const struct report_run *run, const struct findings_stale *stale,
                        const struct op_writer *writer)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
                           "Rank %d's cache still held an older copy of the line, and a load that "
                           "hits the cache does not read memory. ",
                           stale->rank);
    bool keeps = !run->invalidate || strcmp(run->invalidate, "none") == 0;
    if (!op_writer_known(writer))
        g_string_append(text, "This machine did not notify the cache that memory had changed.");
    else if (is_store(writer))
        g_string_append_printf(text,
                               "On %s a store by another processor changes memory, and this cache "
                               "is not notified%s%s%s.",
                               run->machine, run->protocol ? " (coh.protocol=" : "",
                               run->protocol ? run->protocol : "", run->protocol ? ")" : "");
    else if (keeps)
        g_string_append_printf(text, "On %s %s changes memory, not the target's cache%s.",
                               run->machine, writer->call,
                               run->invalidate ? " (ni.invalidate=none)" : "");
    else
        g_string_append_printf(
            text,
            "On %s %s changes memory and invalidates the target's cached line (ni.invalidate=%s). "
            "The line was fetched before the new bytes arrived, or the invalidation missed it.",
            run->machine, writer->call, run->invalidate);
    return g_string_free(text, FALSE);
}

static char *writer_text(const struct report_run *run, const struct findings_stale *stale,
                         const struct op_writer *writer)
{
    if (!op_writer_known(writer)) return g_strdup("The writer is not known.");
    g_autofree char *at = report_at(run->program, writer->site),
                    *when = report_time(stale->write_time_s);
    g_autofree char *age = report_time(MAX(0, stale->time_s - stale->write_time_s));
    g_autofree char *by = is_store(writer) ? g_strdup("an ordinary store") : g_strdup(writer->call);
    return g_strdup_printf(
        "Rank %d wrote that with %s %s; it reached memory at %s, %s before the load.", writer->rank,
        by, at, when, age);
}

static char *remedy(const struct findings_stale *stale)
{
    const struct op_segment *segment = op_segment(stale->segment);
    if (!segment || !segment->refresh || !*segment->refresh) return NULL;
    return g_strdup_printf(
        "Rank %d would have seen it after %s, called between that write and this load.",
        stale->rank, segment->refresh);
}

static char *how_often(uint64_t count)
{
    g_autofree char *times = report_times(count);
    return g_strdup_printf("This happened %s%s.", times, count > 1 ? "; the first is shown" : "");
}

/* `same`: the first paragraph with the same cause; 0: this one. */
static void paragraph(const struct report_run *run, FILE *out, const struct report_ink *ink,
                      unsigned n, const struct findings_stale *stale, unsigned same)
{
    struct op_writer writer = op_writer(stale->writer);
    struct shown part = shown(stale);
    g_autofree char *at = report_at(run->program, stale->load_site), *where = where_text(stale),
                    *when = report_time(stale->time_s);
    g_autofree char *seen = NULL, *memory = NULL;
    g_autofree char *cause = same ? g_strdup_printf("The cause is the same as in %u.", same)
                                  : cause_text(run, stale, &writer);
    g_autofree char *origin = writer_text(run, stale, &writer), *call = remedy(stale),
                    *often = how_often(stale->count);
    report_values(stale->seen + part.from, stale->memory + part.from, part.bytes, &seen, &memory);

    g_autofree char *number = g_strdup_printf("%u.", n);
    fprintf(out, "\n  %s%-3s%s", ink->strong, number, ink->plain);
    g_autofree char *who =
        g_strdup_printf("Rank %d read %u %s %s, %s, at time %s.", stale->rank, stale->bytes,
                        stale->bytes == 1 ? "byte" : "bytes", where, at, when);
    report_wrap(out, 5, 5, who);
    g_autofree char *which = NULL;
    if (!part.differ && stale->bytes > FINDINGS_STALE_BYTES)
        which = g_strdup_printf("   first %d of the %u bytes; the difference lies further on",
                                FINDINGS_STALE_BYTES, stale->bytes);
    else if (part.bytes < stale->bytes)
        which = g_strdup_printf("   bytes %u to %u of the %u", part.from,
                                part.from + part.bytes - 1, stale->bytes);
    fprintf(out, "       it saw       %s%s%s%s\n", ink->alarm, seen, ink->plain,
            which ? which : "");
    fprintf(out, "       memory held  %s%s%s\n", ink->strong, memory, ink->plain);
    g_autofree char *story =
        g_strjoin(" ", origin, cause, call ? call : often, call ? often : NULL, NULL);
    fprintf(out, "     ");
    report_wrap(out, 5, 5, story);
}

/* Number of the first paragraph about bytes written by the same call, before record i; 0: none. */
static unsigned same_cause_before(size_t i)
{
    struct op_writer writer = op_writer(findings_stale_get(i)->writer);
    for (size_t j = 0; j < i; j++)
        if (g_strcmp0(op_writer(findings_stale_get(j)->writer).call, writer.call) == 0)
            return (unsigned)j + 1;
    return 0;
}

void report_stale(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    size_t kinds = findings_stale_count();
    uint64_t loads = 0;
    for (size_t i = 0; i < kinds; i++) loads += findings_stale_get(i)->count;
    report_heading(out, ink, "Stale loads", NULL);
    if (loads == 0) {
        fprintf(out, "  None: every load%s returned what memory held at that time.\n",
                run->uninstrumented && *run->uninstrumented ? " that was seen" : "");
        return;
    }
    g_autofree char *count = report_count(loads);
    fprintf(out, "  %s%s%s %s bytes older than memory held", ink->alarm, count, ink->plain,
            loads == 1 ? "load returned" : "loads returned");
    if (kinds > 1) fprintf(out, ", of %zu kinds", kinds);
    fprintf(out, ".\n");
    for (size_t i = 0; i < MIN(kinds, (size_t)KINDS_SHOWN); i++)
        paragraph(run, out, ink, (unsigned)i + 1, findings_stale_get(i), same_cause_before(i));
    if (kinds > KINDS_SHOWN)
        fprintf(out, "\n  %zu more kinds; --json FILE lists all of them.\n", kinds - KINDS_SHOWN);
}
