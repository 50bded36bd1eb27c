/* The trace, written: a line for each operation, interval and event. */
#include <errno.h>
#include <string.h>

#include "op/op.h"
#include "op/record.h"

const char op_trace_head[] =
    "# What a run did, a record a line, read by: sidewinder trace FILE. Times are simulated "
    "seconds from the start. In texts, per cent signs,\n"
    "# commas and line ends are written %XX. A place is the number of a line 'place' above; 0: not "
    "known.\n"
    "# run,version,machine,program,ranks,nodes\n"
    "# rank,rank,node\n"
    "# place,place,text\n"
    "# "
    "put|get|accumulate|get_accumulate,origin,target,bytes,call,carrier,place,called_s,departed_s,"
    "arrived_s,serviced_s,performed_s,completed_s\n"
    "#     one operation, when it is complete; a step it did not take is empty. Operations are "
    "numbered from 1 in the order of their lines.\n"
    "# compute|memory|service|wait,rank,from_s,to_s,call,place\n"
    "#     what a rank did; the call it was inside and where, if any. Lines of one rank follow "
    "each other in time without gaps, to the rank's\n"
    "#     end; their sums are the report's. Charges are paid in bulk: between two calls, waits or "
    "servicings stands first the computing, then\n"
    "#     the memory stalls.\n"
    "# send|receive,node,from_s,to_s\n"
    "#     when the node's network interface was busy\n"
    "# stale|violation|lost,rank,time_s,place,other_rank,other_call,other_place,text\n"
    "#     a load of old bytes and who had written newer ones; a broken rule; bytes lost to a "
    "neighbour's store. A load that keeps missing the\n"
    "#     same write is one line.\n"
    "# end,ended|deadlock|aborted,time_s\n";

bool op_tracing;

static struct {
    FILE *file;
    const char *(*place)(op_site site);
    GHashTable *numbers; /* op_site -> number of its line */
    /* by rank */
    struct last_stale {
        bool known;
        op_site site;
        uint32_t writer;
        double write_time_s;
    } *last_stale;
} trace;

/* ---- fields ---------------------------------------------------------------------------------- */

static void text(const char *value)
{
    for (const char *c = value ? value : ""; *c; c++)
        if (*c == '%' || *c == ',' || (unsigned char)*c < ' ')
            fprintf(trace.file, "%%%02X", (unsigned char)*c);
        else
            putc(*c, trace.file);
}

/* Never the locale's decimal comma; 15 digits keep picoseconds for a quarter of an hour. Negative:
 * not reached. */
static void seconds(double value)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE] = "";
    if (value >= 0) g_ascii_formatd(number, sizeof number, "%.15g", value);
    fputs(number, trace.file);
}

/* The number of a place; written before the line that speaks of it. */
static unsigned place_number(op_site site)
{
    if (site == 0) return 0;
    unsigned number = GPOINTER_TO_UINT(g_hash_table_lookup(trace.numbers, &site));
    if (number) return number;
    number = g_hash_table_size(trace.numbers) + 1;
    g_hash_table_insert(trace.numbers, g_memdup2(&site, sizeof site), GUINT_TO_POINTER(number));
    fprintf(trace.file, "place,%u,", number);
    text(trace.place ? trace.place(site) : "?");
    putc('\n', trace.file);
    return number;
}

/* ---- lines ----------------------------------------------------------------------------------- */

void op_trace_operation(const struct op_trail *trail)
{
    unsigned place = place_number(trail->site);
    fprintf(trace.file, "%s,%d,%d,%" G_GUINT64_FORMAT ",", op_kind_name(trail->kind), trail->origin,
            trail->target, (guint64)trail->bytes);
    text(trail->call);
    putc(',', trace.file);
    text(trail->carrier);
    fprintf(trace.file, ",%u", place);
    for (int step = 0; step < OP_STEPS; step++) {
        putc(',', trace.file);
        seconds(trail->at_s[step]);
    }
    putc('\n', trace.file);
}

void op_trace_interval(const struct op_interval *interval)
{
    unsigned place = place_number(interval->site);
    fprintf(trace.file, "%s,%d,", op_doing_name(interval->doing), interval->of);
    seconds(interval->from_s);
    putc(',', trace.file);
    seconds(interval->to_s);
    if (interval->doing < OP_SEND) {
        putc(',', trace.file);
        text(interval->call);
        fprintf(trace.file, ",%u", place);
    }
    putc('\n', trace.file);
}

const char *op_event_name(enum op_event_kind kind)
{
    static const char *const names[OP_EVENT_KINDS] = {"stale", "violation", "lost"};
    return names[kind];
}

void op_trace_event(const struct op_event *event)
{
    unsigned place = place_number(event->site), other = place_number(event->other_site);
    fprintf(trace.file, "%s,%d,", op_event_name(event->kind), event->rank);
    seconds(event->time_s);
    fprintf(trace.file, ",%u,%d,", place, event->other_rank);
    text(event->other_call);
    fprintf(trace.file, ",%u,", other);
    text(event->text);
    putc('\n', trace.file);
}

static void append_hex(GString *out, const uint8_t *byte, uint32_t bytes)
{
    for (uint32_t i = 0; i < MIN(bytes, (uint32_t)OP_STALE_BYTES); i++)
        g_string_append_printf(out, "%02x", byte[i]);
    if (bytes > OP_STALE_BYTES) g_string_append(out, "...");
}

void op_trace_stale(const struct op_stale *stale)
{
    struct last_stale *last = &trace.last_stale[stale->rank];
    if (last->known && last->site == stale->load_site && last->writer == stale->writer &&
        last->write_time_s == stale->write_time_s)
        return;
    *last = (struct last_stale){true, stale->load_site, stale->writer, stale->write_time_s};
    const struct op_segment *segment = op_segment(stale->segment);
    struct op_writer writer = op_writer(stale->writer);
    g_autoptr(GString) what = g_string_new(NULL);
    g_string_append_printf(what, "%u bytes at offset %" G_GUINT64_FORMAT " of %s of rank %d: saw ",
                           stale->bytes, (guint64)stale->offset, segment ? segment->name : "?",
                           segment ? segment->rank : -1);
    append_hex(what, stale->seen, stale->bytes);
    g_string_append(what, ", memory held ");
    append_hex(what, stale->memory, stale->bytes);
    op_trace_event(&(struct op_event){.kind = OP_EVENT_STALE,
                                      .rank = stale->rank,
                                      .time_s = stale->time_s,
                                      .site = stale->load_site,
                                      .other_rank = writer.rank,
                                      .other_call = writer.call,
                                      .other_site = writer.site,
                                      .text = what->str});
}

/* ---- life ------------------------------------------------------------------------------------ */

bool op_trace_open(const char *path, const struct op_trace_about *about)
{
    op_trace_drop();
    trace.file = fopen(path, "w");
    if (!trace.file) return false;
    trace.place = about->place;
    trace.numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    trace.last_stale = g_new0(struct last_stale, about->ranks);
    op_lanes_open(about->ranks, about->nodes);
    op_tracing = true;
    fprintf(trace.file, "sidewinder trace %d\n%srun,", OP_TRACE_VERSION, op_trace_head);
    text(about->version);
    putc(',', trace.file);
    text(about->machine);
    putc(',', trace.file);
    text(about->program);
    fprintf(trace.file, ",%d,%d\n", about->ranks, about->nodes);
    for (int rank = 0; rank < about->ranks; rank++)
        fprintf(trace.file, "rank,%d,%d\n", rank, about->node_of[rank]);
    return true;
}

static bool shut(void)
{
    errno = 0;
    bool good = fflush(trace.file) == 0 && !ferror(trace.file);
    int why = errno ? errno : EIO; /* what stopped the first write that failed may be forgotten */
    if (fclose(trace.file) != 0) good = false;
    g_hash_table_unref(trace.numbers);
    g_free(trace.last_stale);
    op_lanes_close();
    op_tracing = false;
    memset(&trace, 0, sizeof trace);
    errno = why;
    return good;
}

bool op_trace_close(const char *how, double time_s)
{
    op_lanes_done();
    fprintf(trace.file, "end,%s,", how);
    seconds(time_s);
    putc('\n', trace.file);
    return shut();
}

void op_trace_drop(void)
{
    if (trace.file) shut();
}
