/* A trace brought into memory and into the order of time, and what all writers of time lines say in
 * the same way. */
#include "report/timeline/moments.h"

#include <errno.h>

char *report_track_name(const struct report_track *track)
{
    if (track->first == TRACE_COMPUTE) return g_strdup_printf("rank %d", track->of);
    return g_strdup_printf("NI %d %s", track->of, trace_activity_name(track->first));
}

void report_decimal(FILE *out, int64_t ps, int decimals)
{
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++) unit *= 10;
    fprintf(out, "%" G_GINT64_FORMAT ".%0*" G_GINT64_MODIFIER "d", (gint64)(ps / unit), decimals,
            (gint64)(ps % unit));
}

/* ---- loading --------------------------------------------------------------------------------- */

static void open_tracks(struct report_trace *t)
{
    t->tracks = t->about.ranks + 2 * t->about.nodes;
    t->track = g_new0(struct report_track, t->tracks);
    for (int i = 0; i < t->tracks; i++) {
        int interface = i - t->about.ranks;
        struct report_track *track = &t->track[i];
        *track = (struct report_track){.first = interface < 0   ? TRACE_COMPUTE
                                                : interface % 2 ? TRACE_RECEIVE
                                                                : TRACE_SEND,
                                       .of = interface < 0 ? i : interface / 2};
        track->node = interface < 0 ? t->node_of[i] : track->of;
        track->interval = g_array_new(FALSE, FALSE, sizeof(struct report_interval));
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
    } else if (record->kind == TRACE_RECORD_FILM) {
        struct report_film film = {record->film, record->list,
                                   g_array_new(FALSE, FALSE, sizeof(struct report_step))};
        g_array_append_val(t->film, film);
    } else if (record->kind == TRACE_RECORD_STEP) {
        struct report_step step = {record->step, record->at, record->list};
        g_array_append_val(g_array_index(t->film, struct report_film, record->step.film).step,
                           step);
    } else if (record->kind == TRACE_RECORD_WAIT) {
        struct report_wait wait = {record->wait, record->other_at};
        g_array_append_val((GArray *)t->wait->pdata[record->wait.rank], wait);
    } else if (record->kind == TRACE_RECORD_PIECE) {
        struct report_piece piece = {record->piece, record->at, record->other_at};
        g_array_append_val(t->piece, piece);
    } else if (record->kind == TRACE_RECORD_VARIABLE) {
        g_array_append_val(t->variable, record->variable);
    } else {
        struct report_interval interval = {record->interval, record->at};
        enum trace_activity activity = record->interval.activity;
        int of = record->interval.of,
            track =
                activity < TRACE_SEND ? of : t->about.ranks + 2 * of + (activity == TRACE_RECEIVE);
        if (report_ps(interval.is.to_s) > report_ps(interval.is.from_s))
            g_array_append_val(t->track[track].interval, interval);
    }
}

/* That date, or the middle of the last interval before it where the track is empty then. False: an
 * empty track. */
static bool inside(const struct report_track *track, double *time_s)
{
    guint low = 0, high = track->interval->len; /* the first that begins after it */
    if (high == 0) return false;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (report_interval(track, middle)->is.from_s <= *time_s)
            low = middle + 1;
        else
            high = middle;
    }
    const struct trace_interval *in = &report_interval(track, low > 0 ? low - 1 : 0)->is;
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
    if (x->track != y->track) return x->track - y->track;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* What is known at the end of the run only stands there in the trace. */
static int by_date(gconstpointer a, gconstpointer b)
{
    const double x = ((const struct report_event *)a)->is.time_s,
                 y = ((const struct report_event *)b)->is.time_s;
    return (x > y) - (x < y);
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
    for (int track = 0; track < t->tracks; track++)
        for (guint i = 0; i < t->track[track].interval->len; i++) {
            const struct trace_interval *is = &report_interval(&t->track[track], i)->is;
            struct report_moment begin = {is->from_s, REPORT_INTERVAL, track, i},
                                 end = {is->to_s, REPORT_STOP, track, i};
            bool last = i + 1 == t->track[track].interval->len;
            g_array_append_val(t->moment, begin);
            if (last || report_ps(report_interval(&t->track[track], i + 1)->is.from_s) >
                            report_ps(is->to_s))
                g_array_append_val(t->moment, end);
        }
    for (guint i = 0; i < t->operation->len; i++) {
        const struct op_trail *trail = &report_operation(t, i)->trail;
        struct report_moment start = {trail->at_s[OP_CALLED], REPORT_START, trail->origin, i};
        struct report_moment finish = {finish_of(trail), REPORT_FINISH, trail->target, i};
        if (!inside(&t->track[trail->origin], &start.time_s) ||
            !inside(&t->track[trail->target], &finish.time_s))
            continue;
        /* its target had ended before: nowhere to point to */
        if (finish.time_s < start.time_s) continue;
        g_array_append_val(t->moment, start);
        g_array_append_val(t->moment, finish);
    }
    for (guint i = 0; i < t->event->len; i++) {
        const struct trace_event *event = &report_event(t, i)->is;
        struct report_moment m = {event->time_s, REPORT_EVENT, event->rank, i};
        if (inside(&t->track[event->rank], &m.time_s)) g_array_append_val(t->moment, m);
    }
    g_array_sort(t->moment, by_time);
}

FILE *report_trace_open(const char *name, GError **error)
{
    FILE *in = NULL;
    if (g_file_test(name, G_FILE_TEST_IS_DIR))
        errno = EISDIR;
    else
        in = fopen(name, "r");
    if (!in)
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot read %s: %s", name,
                    g_strerror(errno));
    return in;
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
    t->film = g_array_new(FALSE, FALSE, sizeof(struct report_film));
    t->piece = g_array_new(FALSE, FALSE, sizeof(struct report_piece));
    t->variable = g_array_new(FALSE, FALSE, sizeof(struct trace_variable));
    t->wait = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (int rank = 0; rank < t->about.ranks; rank++)
        g_ptr_array_add(t->wait, g_array_new(FALSE, FALSE, sizeof(struct report_wait)));
    t->moment = g_array_new(FALSE, FALSE, sizeof(struct report_moment));
    open_tracks(t);
    struct trace_record record;
    bool good;
    while ((good = trace_reader_next(reader, &record, error)) && record.kind != TRACE_RECORD_END)
        keep(t, &record);
    trace_reader_free(reader);
    g_array_sort(t->event, by_date);
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
    for (int i = 0; i < t->tracks; i++) g_array_unref(t->track[i].interval);
    g_array_unref(t->operation);
    g_array_unref(t->event);
    for (guint i = 0; i < t->film->len; i++)
        g_array_unref(g_array_index(t->film, struct report_film, i).step);
    g_array_unref(t->film);
    g_array_unref(t->piece);
    g_array_unref(t->variable);
    g_ptr_array_unref(t->wait);
    g_array_unref(t->moment);
    g_free(t->track);
    g_free(t->node_of);
    g_free(t);
}

char **report_trace_memory(const struct report_trace *t, guint most)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new(), named = g_ptr_array_new();
    for (guint i = 0; i < t->event->len && found->len < most; i++) {
        const struct trace_event *event = &report_event(t, i)->is;
        char date[G_ASCII_DTOSTR_BUF_SIZE];
        if (!event->memory ||
            g_ptr_array_find_with_equal_func(found, event->memory, g_str_equal, NULL))
            continue;
        g_ascii_dtostr(date, sizeof date, event->time_s);
        g_ptr_array_add(found, (gpointer)event->memory);
        g_ptr_array_add(named, g_strdup_printf("%s@%ss", event->memory, date));
    }
    g_ptr_array_add(named, NULL);
    return (char **)g_ptr_array_steal(named, NULL);
}
