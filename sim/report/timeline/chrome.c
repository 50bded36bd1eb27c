/* chrome: the trace event format (Google, "Trace Event Format"), which Perfetto and
 * chrome://tracing open.
 *
 * A process is a node, a thread is a rank or one direction of the node's interface; numbers begin
 * at 1, as 0 is the idle process to the importers. A complete event ("X") for each interval, a flow
 * ("s" to "f") for each operation, an instant event ("i") for what was noticed. One event a line;
 * microseconds with six decimals. */
#include "report/timeline/moments.h"

/* Bytes outside ASCII are left as they are: the texts are UTF-8. */
static void quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            fprintf(out, "\\u%04x", (unsigned char)*c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

static void member(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    quoted(out, text);
}

static void microseconds(FILE *out, const char *key, int64_t ps)
{
    fprintf(out, ",\"%s\":", key);
    report_decimal(out, ps, 6);
}

/* Opens an event. */
static void begin(FILE *out, const struct report_trace *t, const char *phase, int track)
{
    fprintf(out, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", phase, t->track[track].node + 1,
            track + 1);
}

static void name_processes(const struct report_trace *t, FILE *out)
{
    for (int node = 0; node < t->about.nodes; node++) {
        fprintf(out,
                "%s\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"node "
                "%d\"}}",
                node ? "," : "", node + 1, node);
        fprintf(out,
                ",\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_sort_index\",\"args\":{\"sort_"
                "index\":%d}}",
                node + 1, node);
    }
    for (int track = 0; track < t->tracks; track++) {
        if (t->track[track].interval->len == 0) continue;
        g_autofree char *name = report_track_name(&t->track[track]);
        begin(out, t, "M", track);
        fprintf(out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}", name);
        begin(out, t, "M", track);
        fprintf(out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}", track);
    }
}

/* Viewers colour by name: a wait is named after its call. */
static void write_interval(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    const struct report_interval *interval = report_interval(&t->track[m->track], m->index);
    const struct trace_interval *is = &interval->is;
    int64_t from = report_ps(is->from_s);
    begin(out, t, "X", m->track);
    microseconds(out, "ts", from);
    microseconds(out, "dur", report_ps(is->to_s) - from);
    member(out, "cat", trace_activity_name(is->activity));
    g_autofree char *name = is->activity == TRACE_WAIT && is->call
                                ? g_strconcat("wait in ", is->call, NULL)
                                : g_strdup(trace_activity_name(is->activity));
    member(out, "name", name);
    if (is->call) {
        fputs(",\"args\":{\"call\":", out);
        quoted(out, is->call);
        member(out, "at", interval->at ? interval->at : "?");
        putc('}', out);
    }
    putc('}', out);
}

static void write_arrow(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    const struct report_operation *operation = report_operation(t, m->index);
    bool start = m->kind == REPORT_START;
    begin(out, t, start ? "s" : "f", m->track);
    /* bound to the interval around it, not to the next */
    if (!start) fputs(",\"bp\":\"e\"", out);
    microseconds(out, "ts", report_ps(m->time_s));
    fprintf(out, ",\"id\":%u,\"cat\":\"operation\"", m->index + 1);
    member(out, "name", op_kind_name(operation->trail.kind));
    fprintf(out, ",\"args\":{\"bytes\":%" G_GUINT64_FORMAT, (guint64)operation->trail.bytes);
    member(out, "call", operation->trail.call);
    member(out, "at", operation->at ? operation->at : "?");
    member(out, "moved by", operation->trail.carrier);
    fputs("}}", out);
}

static void write_event(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    static const char *const name[TRACE_EVENT_KINDS] = {"stale load", "violation", "lost update",
                                                        "contended line"};
    const struct report_event *event = report_event(t, m->index);
    begin(out, t, "i", m->track);
    microseconds(out, "ts", report_ps(m->time_s));
    fputs(",\"s\":\"t\"", out);
    member(out, "cat", trace_event_name(event->is.kind));
    member(out, "name", name[event->is.kind]);
    fputs(",\"args\":{\"what\":", out);
    quoted(out, event->is.text);
    member(out, "at", event->at ? event->at : "?");
    if (event->is.other_rank >= 0) {
        fprintf(out, ",\"other rank\":%d", event->is.other_rank);
        member(out, "its call", event->is.other_call ? event->is.other_call : "?");
        member(out, "there", event->other_at ? event->other_at : "?");
    }
    fputs("}}", out);
}

static void write_stop(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    (void)t, (void)m, (void)out;
}

static void write_chrome(const struct report_trace *t, FILE *out)
{
    static void (*const one[])(const struct report_trace *t, const struct report_moment *m,
                               FILE *out) = {[REPORT_STOP] = write_stop,
                                             [REPORT_INTERVAL] = write_interval,
                                             [REPORT_START] = write_arrow,
                                             [REPORT_FINISH] = write_arrow,
                                             [REPORT_EVENT] = write_event};
    fputs("{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"sidewinder\":", out);
    quoted(out, t->about.version);
    member(out, "machine", t->about.machine);
    member(out, "program", t->about.program);
    member(out, "end", t->how);
    fputs("},\n\"traceEvents\":[", out);
    name_processes(t, out);
    for (guint i = 0; i < t->moment->len; i++) {
        const struct report_moment *m = &g_array_index(t->moment, struct report_moment, i);
        one[m->kind](t, m, out);
    }
    fputs("\n]}\n", out);
}

const struct report_format report_chrome = {
    .name = "chrome",
    .doc = "time line for Perfetto and chrome://tracing, JSON",
    .write = write_chrome,
};
