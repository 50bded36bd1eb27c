/* The family of time line formats, and a trace brought into the order of time for them. */
#include "report/format/format.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT_FORMAT(name) extern const struct report_format report_##name;
#include "report/format/models.def"
#undef REPORT_FORMAT

static const struct report_format *const formats[] = {
#define REPORT_FORMAT(name) &report_##name,
#include "report/format/models.def"
#undef REPORT_FORMAT
};

const struct report_format *const *report_formats(size_t *n)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        g_assert(formats[i]->name && formats[i]->doc && formats[i]->write);
    *n = G_N_ELEMENTS(formats);
    return formats;
}

char *report_lane_name(const struct report_lane *lane)
{
    if (lane->first == TRACE_COMPUTE) return g_strdup_printf("rank %d", lane->of);
    return g_strdup_printf("NI %d %s", lane->of, trace_activity_name(lane->first));
}

void report_decimal(FILE *out, int64_t ps, int decimals)
{
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++) unit *= 10;
    fprintf(out, "%" G_GINT64_FORMAT ".%0*" G_GINT64_MODIFIER "d", (gint64)(ps / unit), decimals,
            (gint64)(ps % unit));
}

/* ---- loading --------------------------------------------------------------------------------- */

static void open_lanes(struct report_trace *t)
{
    t->lanes = t->about.ranks + 2 * t->about.nodes;
    t->lane = g_new0(struct report_lane, t->lanes);
    for (int i = 0; i < t->lanes; i++) {
        int interface = i - t->about.ranks;
        struct report_lane *lane = &t->lane[i];
        *lane = (struct report_lane){.first = interface < 0   ? TRACE_COMPUTE
                                              : interface % 2 ? TRACE_RECEIVE
                                                              : TRACE_SEND,
                                     .of = interface < 0 ? i : interface / 2};
        lane->node = interface < 0 ? t->node_of[i] : lane->of;
        lane->interval = g_array_new(FALSE, FALSE, sizeof(struct report_interval));
    }
}

static void keep(struct report_trace *t, const struct trace_record *record)
{
    if (record->kind == TRACE_RECORD_OPERATION) {
        struct report_operation operation = {record->trail, record->at};
        g_array_append_val(t->operation, operation);
    } else if (record->kind == TRACE_RECORD_EVENT) {
        struct report_event event = {record->event, record->at, record->other_at};
        g_array_append_val(t->event, event);
    } else {
        struct report_interval interval = {record->interval, record->at};
        enum trace_activity activity = record->interval.activity;
        int of = record->interval.of,
            lane =
                activity < TRACE_SEND ? of : t->about.ranks + 2 * of + (activity == TRACE_RECEIVE);
        if (report_ps(interval.is.to_s) > report_ps(interval.is.from_s))
            g_array_append_val(t->lane[lane].interval, interval);
    }
}

/* That date, or the middle of the last interval before it where the lane is empty then. False: an
 * empty lane. */
static bool inside(const struct report_lane *lane, double *time_s)
{
    guint low = 0, high = lane->interval->len; /* the first that begins after it */
    if (high == 0) return false;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (report_interval(lane, middle)->is.from_s <= *time_s)
            low = middle + 1;
        else
            high = middle;
    }
    const struct trace_interval *in = &report_interval(lane, low > 0 ? low - 1 : 0)->is;
    if (*time_s < in->from_s || *time_s >= in->to_s)
        *time_s = in->from_s + (in->to_s - in->from_s) / 2;
    *time_s = MAX(in->from_s, MIN(*time_s, in->to_s - 2e-12)); /* not on its end when rounded */
    return true;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const struct report_moment *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s < y->time_s ? -1 : 1;
    if (x->kind != y->kind) return (int)x->kind - (int)y->kind;
    if (x->lane != y->lane) return x->lane - y->lane;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* An arrow goes from the call to where the target's part is done, or as far as the operation came.
 */
static double finish_of(const struct op_trail *trail)
{
    static const enum op_step order[] = {OP_PERFORMED, OP_SERVICED, OP_ARRIVED, OP_COMPLETED};
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
        if (trail->at_s[order[i]] >= 0) return MAX(trail->at_s[order[i]], trail->at_s[OP_CALLED]);
    return trail->at_s[OP_CALLED];
}

static void add_moments(struct report_trace *t)
{
    for (int lane = 0; lane < t->lanes; lane++)
        for (guint i = 0; i < t->lane[lane].interval->len; i++) {
            const struct trace_interval *is = &report_interval(&t->lane[lane], i)->is;
            struct report_moment begin = {is->from_s, REPORT_INTERVAL, lane, i},
                                 end = {is->to_s, REPORT_STOP, lane, i};
            bool last = i + 1 == t->lane[lane].interval->len;
            g_array_append_val(t->moment, begin);
            if (last ||
                report_ps(report_interval(&t->lane[lane], i + 1)->is.from_s) > report_ps(is->to_s))
                g_array_append_val(t->moment, end);
        }
    for (guint i = 0; i < t->operation->len; i++) {
        const struct op_trail *trail = &report_operation(t, i)->trail;
        struct report_moment start = {trail->at_s[OP_CALLED], REPORT_START, trail->origin, i};
        struct report_moment finish = {finish_of(trail), REPORT_FINISH, trail->target, i};
        if (!inside(&t->lane[trail->origin], &start.time_s) ||
            !inside(&t->lane[trail->target], &finish.time_s))
            continue;
        /* its target had ended before: nowhere to point to */
        if (finish.time_s < start.time_s) continue;
        g_array_append_val(t->moment, start);
        g_array_append_val(t->moment, finish);
    }
    for (guint i = 0; i < t->event->len; i++) {
        const struct trace_event *event = &report_event(t, i)->is;
        struct report_moment m = {event->time_s, REPORT_EVENT, event->rank, i};
        if (inside(&t->lane[event->rank], &m.time_s)) g_array_append_val(t->moment, m);
    }
    g_array_sort(t->moment, by_time);
}

struct report_trace *report_trace_load(FILE *in, const char *name, GError **error)
{
    struct trace_reader *reader = trace_reader_new(in, name, error);
    if (!reader) return NULL;
    struct report_trace *t = g_new0(struct report_trace, 1);
    t->about = *trace_reader_about(reader);
    t->about.node_of = t->node_of = g_memdup2(t->about.node_of, t->about.ranks * sizeof(int));
    t->operation = g_array_new(FALSE, FALSE, sizeof(struct report_operation));
    t->event = g_array_new(FALSE, FALSE, sizeof(struct report_event));
    t->moment = g_array_new(FALSE, FALSE, sizeof(struct report_moment));
    open_lanes(t);
    struct trace_record record;
    bool good;
    while ((good = trace_reader_next(reader, &record, error)) && record.kind != TRACE_RECORD_END)
        keep(t, &record);
    trace_reader_free(reader);
    if (!good) {
        report_trace_free(t);
        return NULL;
    }
    t->how = record.how;
    t->time_s = record.time_s;
    add_moments(t);
    return t;
}

void report_trace_free(struct report_trace *t)
{
    if (!t) return;
    for (int i = 0; i < t->lanes; i++) g_array_unref(t->lane[i].interval);
    g_array_unref(t->operation);
    g_array_unref(t->event);
    g_array_unref(t->moment);
    g_free(t->lane);
    g_free(t->node_of);
    g_free(t);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool written(const struct report_trace *trace, const struct report_format *format, FILE *out)
{
    format->write(trace, out);
    return fflush(out) == 0 && !ferror(out);
}

bool report_trace_write(const struct report_trace *trace, const struct report_format *format,
                        const char *path, GError **error)
{
    struct stat status;
    /* a pipe, a device: as it stands */
    bool good = false, direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    errno = 0;
    if (strcmp(path, "-") == 0) {
        good = written(trace, format, stdout);
    } else {
        g_autofree char *beside = direct ? g_strdup(path) : g_strconcat(path, ".part", NULL);
        FILE *out = fopen(beside, direct ? "a" : "w");
        good = out && written(trace, format, out);
        int why = errno;
        if (out && fclose(out) != 0) good = false, why = errno;
        if (good && !direct && rename(beside, path) != 0) good = false, why = errno;
        if (out && !good && !direct) unlink(beside);
        errno = why;
    }
    if (!good)
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write %s: %s",
                    strcmp(path, "-") == 0 ? "to standard output" : path, g_strerror(errno));
    return good;
}
