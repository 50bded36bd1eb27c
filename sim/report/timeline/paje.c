/* paje: the trace format of Paje (J. C. de Kergommeaux, B. Stein: Pajé, an extensible environment
 * for visualizing multi-threaded programs, Euro-Par 2000; the file: L. M. Schnorr, Paje trace file
 * format, 2016). ViTE opens it, pj_dump reads it.
 *
 * Containers machine > node > rank and NI; a state for what each does; a link for each operation,
 * from the call to where the target's part is done; events. Colours are Okabe and Ito's, which
 * colour-blind people can tell apart; ViTE takes them for states only. */
#include "report/timeline/moments.h"

static const char definitions[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name "
    "string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEventType 2\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 3\n% Alias string\n% Type string\n% StartContainerType string\n% "
    "EndContainerType string\n"
    "% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 4\n% Alias string\n% Type string\n% Name string\n% Color "
    "color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 5\n% Time date\n% Alias string\n% Type string\n% Container "
    "string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 6\n% Time date\n% Name string\n% Type string\n%EndEventDef\n"
    "%EventDef PajeSetState 7\n% Time date\n% Type string\n% Container string\n% Value string\n% "
    "Call string\n% At string\n%EndEventDef\n"
    "%EventDef PajeNewEvent 8\n% Time date\n% Type string\n% Container string\n% Value string\n% "
    "What string\n% At string\n%EndEventDef\n"
    "%EventDef PajeStartLink 9\n% Time date\n% Type string\n% Container string\n% Value string\n% "
    "StartContainer string\n% Key string\n"
    "% Bytes string\n% Call string\n% At string\n%EndEventDef\n"
    "%EventDef PajeEndLink 10\n% Time date\n% Type string\n% Container string\n% Value string\n% "
    "EndContainer string\n% Key string\n"
    "%EndEventDef\n";

static const char types[] = "0 M 0 Machine\n0 N M Node\n0 R N Rank\n0 I N NI\n"
                            "1 D R doing\n1 B I busy\n2 E R noticed\n3 O M R R operation\n";

static const char *const activity_colour[TRACE_ACTIVITIES] = {
    [TRACE_COMPUTE] = "0 0.447 0.698",     [TRACE_MEMORY] = "0.902 0.624 0",
    [TRACE_SERVICE] = "0.800 0.475 0.655", [TRACE_WAIT] = "0.850 0.850 0.850",
    [TRACE_SEND] = "0.337 0.706 0.914",    [TRACE_RECEIVE] = "0 0.620 0.451"};
/* A text in quotation marks; it has none of its own afterwards. "-": none, for pj_dump does not
 * read an empty one. */
static void quoted(FILE *out, const char *text)
{
    fputs(" \"", out);
    for (const char *c = text && *text ? text : "-"; *c; c++)
        putc(*c == '"' ? '\'' : *c == '\n' || *c == '\r' ? ' ' : *c, out);
    putc('"', out);
}

static void start_line(FILE *out, int event, double time_s)
{
    fprintf(out, "%d ", event);
    report_decimal(out, report_ps(time_s), 12);
}

static void write_values(FILE *out)
{
    for (int i = 0; i < TRACE_ACTIVITIES; i++)
        fprintf(out, "4 %s %s %s \"%s\"\n", trace_activity_name((enum trace_activity)i),
                i < TRACE_SEND ? "D" : "B", trace_activity_name((enum trace_activity)i),
                activity_colour[i]);
    fputs("4 idle B idle \"1 1 1\"\n", out);
}

/* A node's ranks, then its interface where that did anything. */
static void write_containers(const struct report_trace *t, FILE *out)
{
    fprintf(out, "5 0 m M 0");
    quoted(out, t->about.machine);
    putc('\n', out);
    for (int node = 0; node < t->about.nodes; node++)
        fprintf(out, "5 0 n%d N m \"node %d\"\n", node, node);
    for (int i = 0; i < t->tracks; i++) {
        const struct report_track *track = &t->track[i];
        bool rank = track->first == TRACE_COMPUTE;
        if (!rank && track->interval->len == 0) continue;
        g_autofree char *name = report_track_name(track);
        fprintf(out, "5 0 l%d %s n%d \"%s\"\n", i, rank ? "R" : "I", track->node, name);
        if (!rank) fprintf(out, "7 0 B l%d idle - -\n", i);
    }
}

static void write_interval(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    const struct report_interval *interval = report_interval(&t->track[m->track], m->index);
    start_line(out, 7, m->time_s);
    fprintf(out, " %s l%d %s", interval->is.activity < TRACE_SEND ? "D" : "B", m->track,
            trace_activity_name(interval->is.activity));
    quoted(out, interval->is.call);
    quoted(out, interval->at);
}

/* A rank has ended where its track does; an interface idles. */
static void write_stop(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    const struct report_track *track = &t->track[m->track];
    bool rank = track->first == TRACE_COMPUTE, last = m->index + 1 == track->interval->len;
    start_line(out, rank && last ? 6 : 7, m->time_s);
    if (!rank)
        fprintf(out, " B l%d idle - -", m->track);
    else if (last)
        fprintf(out, " l%d R", m->track);
    else
        fprintf(out, " D l%d wait \"after its end\" -", m->track);
}

static void write_arrow(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    const struct report_operation *operation = report_operation(t, m->index);
    bool start = m->kind == REPORT_START;
    start_line(out, start ? 9 : 10, m->time_s);
    fprintf(out, " O m %s l%d o%u", op_kind_name(operation->trail.kind), m->track, m->index + 1);
    if (!start) return;
    fprintf(out, " \"%" G_GUINT64_FORMAT "\"", (guint64)operation->trail.bytes);
    quoted(out, operation->trail.call);
    quoted(out, operation->at);
}

static void write_event(const struct report_trace *t, const struct report_moment *m, FILE *out)
{
    const struct report_event *event = report_event(t, m->index);
    start_line(out, 8, m->time_s);
    fprintf(out, " E l%d %s", m->track, trace_event_name(event->is.kind));
    quoted(out, event->is.text);
    quoted(out, event->at);
}

static void write_paje(const struct report_trace *t, FILE *out)
{
    static void (*const one[])(const struct report_trace *t, const struct report_moment *m,
                               FILE *out) = {[REPORT_STOP] = write_stop,
                                             [REPORT_INTERVAL] = write_interval,
                                             [REPORT_START] = write_arrow,
                                             [REPORT_FINISH] = write_arrow,
                                             [REPORT_EVENT] = write_event};
    fputs(definitions, out);
    fputs(types, out);
    write_values(out);
    write_containers(t, out);
    for (guint i = 0; i < t->moment->len; i++) {
        const struct report_moment *m = &g_array_index(t->moment, struct report_moment, i);
        one[m->kind](t, m, out);
        putc('\n', out);
    }
    const struct report_moment *last =
        t->moment->len ? &g_array_index(t->moment, struct report_moment, t->moment->len - 1) : NULL;
    double end_s = MAX(t->time_s, last ? last->time_s : 0);
    for (int i = t->about.ranks; i < t->tracks; i++) {
        if (t->track[i].interval->len == 0) continue;
        start_line(out, 6, end_s);
        fprintf(out, " l%d I\n", i);
    }
    start_line(out, 6, end_s);
    fputs(" m M\n", out);
}

const struct report_format report_paje = {
    .name = "paje",
    .doc = "time line for ViTE and pj_dump",
    .write = write_paje,
};
