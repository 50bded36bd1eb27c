/* The trace, read back: every field is checked; whoever reads may rely on ranks, times and their
 * order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

enum { FIELDS_MAX = 16 };

struct trace_reader {
    FILE *in;
    char *name, *buffer;
    size_t room, line;
    struct trace_about about;
    int *node_of, ranks_known;
    /* by track: ranks, then send and receive of each node; a track's intervals do not overlap */
    double *reached_s;
    GPtrArray *places; /* from 1 */
    uint64_t operations;
    int films;
    bool ended;
    char *field[FIELDS_MAX];
    int fields;
};

static bool wrong(const struct trace_reader *r, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static bool wrong(const struct trace_reader *r, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s:%zu: %s", r->name, r->line, what);
    return false;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool as_number(const char *text, double *value)
{
    char *end;
    *value = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && *value >= 0 && isfinite(*value);
}

static bool as_count(const char *text, uint64_t *value)
{
    guint64 n;
    bool good = g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &n, NULL);
    *value = good ? n : 0;
    return good;
}

static bool as_index(const char *text, int low, int limit, int *value)
{
    gint64 n = 0;
    bool good = limit > low && g_ascii_string_to_signed(text, 10, low, (gint64)limit - 1, &n, NULL);
    *value = good ? (int)n : low;
    return good;
}

/* NULL: empty, or no text a person could read. */
static const char *as_text(const char *text)
{
    g_autofree char *plain = *text ? g_uri_unescape_string(text, NULL) : NULL;
    g_autofree char *valid = plain ? g_utf8_make_valid(plain, -1) : NULL;
    return valid ? g_intern_string(valid) : NULL;
}

static bool as_place(const struct trace_reader *r, const char *text, const char **place)
{
    int n;
    if (!as_index(text, 0, (int)r->places->len + 1, &n)) return false;
    *place = n > 0 ? r->places->pdata[n - 1] : NULL;
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool next_line(struct trace_reader *r, GError **error)
{
    ssize_t length = getline(&r->buffer, &r->room, r->in);
    r->line++;
    if (length < 0 || r->buffer[length - 1] != '\n')
        return wrong(r, error,
                     "the trace is cut short here: its last line 'end' is missing (the run was "
                     "killed, or still goes on)");
    r->buffer[length - 1] = '\0';
    return true;
}

static void split(struct trace_reader *r)
{
    r->fields = 0;
    for (char *rest = r->buffer; rest && r->fields < FIELDS_MAX; r->fields++)
        r->field[r->fields] = strsep(&rest, ",");
}

static bool read_run(struct trace_reader *r)
{
    struct trace_about *a = &r->about;
    if (r->fields != 6 || a->ranks > 0) return false;
    a->version = as_text(r->field[1]);
    a->machine = as_text(r->field[2]);
    a->program = as_text(r->field[3]);
    if (!as_index(r->field[4], 1, 1 << 24, &a->ranks) ||
        !as_index(r->field[5], 1, 1 << 24, &a->nodes))
        return false;
    r->node_of = g_new0(int, a->ranks);
    r->reached_s = g_new0(double, a->ranks + 2 * a->nodes);
    a->node_of = r->node_of;
    return true;
}

static bool read_rank(struct trace_reader *r)
{
    int rank;
    return r->fields == 3 && as_index(r->field[1], 0, r->about.ranks, &rank) &&
           rank == r->ranks_known++ && as_index(r->field[2], 0, r->about.nodes, &r->node_of[rank]);
}

static bool read_place(struct trace_reader *r)
{
    uint64_t number;
    if (r->fields != 3 || !as_count(r->field[1], &number) || number != r->places->len + 1)
        return false;
    const char *text = as_text(r->field[2]);
    g_ptr_array_add(r->places, (gpointer)(uintptr_t)(text ? text : "?"));
    return true;
}

static bool read_operation(struct trace_reader *r, struct trace_record *out)
{
    struct op_trail *t = &out->trail;
    out->kind = TRACE_RECORD_OPERATION;
    bool good = r->fields == 7 + OP_STEPS && as_index(r->field[1], 0, r->about.ranks, &t->origin) &&
                as_index(r->field[2], 0, r->about.ranks, &t->target) &&
                as_count(r->field[3], &t->bytes) && as_place(r, r->field[6], &out->at);
    if (!good) return false;
    t->call = as_text(r->field[4]);
    t->carrier = as_text(r->field[5]);
    for (int step = 0; step < OP_STEPS; step++) {
        t->at_s[step] = -1;
        if (*r->field[7 + step] && !as_number(r->field[7 + step], &t->at_s[step])) return false;
    }
    out->number = ++r->operations;
    return t->call && t->carrier && t->at_s[OP_CALLED] >= 0;
}

static bool read_interval(struct trace_reader *r, struct trace_record *out)
{
    struct trace_interval *i = &out->interval;
    out->kind = TRACE_RECORD_INTERVAL;
    bool of_rank = i->activity < TRACE_SEND;
    if (r->fields != (of_rank ? 6 : 4) ||
        !as_index(r->field[1], 0, of_rank ? r->about.ranks : r->about.nodes, &i->of) ||
        !as_number(r->field[2], &i->from_s) || !as_number(r->field[3], &i->to_s))
        return false;
    if (of_rank) {
        i->call = as_text(r->field[4]);
        if (!as_place(r, r->field[5], &out->at)) return false;
    }
    double *reached_s =
        &r->reached_s[of_rank ? i->of
                              : r->about.ranks + 2 * i->of + (i->activity == TRACE_RECEIVE)];
    bool good = *reached_s <= i->from_s && i->from_s <= i->to_s;
    *reached_s = i->to_s;
    return good;
}

static bool read_event(struct trace_reader *r, struct trace_record *out)
{
    struct trace_event *e = &out->event;
    out->kind = TRACE_RECORD_EVENT;
    if (r->fields != 9 || !as_index(r->field[1], 0, r->about.ranks, &e->rank) ||
        !as_number(r->field[2], &e->time_s) || !as_place(r, r->field[3], &out->at) ||
        !as_index(r->field[4], -1, r->about.ranks, &e->other_rank) ||
        !as_place(r, r->field[6], &out->other_at))
        return false;
    e->other_call = as_text(r->field[5]);
    e->memory = as_text(r->field[7]);
    e->text = as_text(r->field[8]);
    return e->text != NULL;
}

/* Places and values are separated by ';'. */
static bool read_film(struct trace_reader *r, struct trace_record *out)
{
    struct trace_film *f = &out->film;
    out->kind = TRACE_RECORD_FILM;
    bool good = r->fields == 4 && as_index(r->field[1], r->films, r->films + 1, &f->number);
    f->memory = good ? as_text(r->field[2]) : NULL;
    out->list = good ? as_text(r->field[3]) : NULL;
    r->films++;
    return f->memory && out->list;
}

static bool read_step(struct trace_reader *r, struct trace_record *out)
{
    struct trace_step *s = &out->step;
    out->kind = TRACE_RECORD_STEP;
    if (r->fields != 8 || !as_index(r->field[1], 0, r->films, &s->film) ||
        !as_index(r->field[2], -1, r->about.ranks, &s->rank) ||
        !as_number(r->field[3], &s->time_s) || !as_place(r, r->field[4], &out->at) ||
        !as_count(r->field[5], &s->old))
        return false;
    s->text = as_text(r->field[6]);
    out->list = as_text(r->field[7]);
    return s->text && out->list;
}

static bool read_wait(struct trace_reader *r, struct trace_record *out)
{
    struct trace_wait *w = &out->wait;
    out->kind = TRACE_RECORD_WAIT;
    if (r->fields != 7 || !as_index(r->field[1], 0, r->about.ranks, &w->rank) ||
        !as_number(r->field[2], &w->from_s) || !as_number(r->field[3], &w->to_s) ||
        !as_index(r->field[5], -1, r->about.ranks, &w->other_rank) ||
        !as_place(r, r->field[6], &out->other_at))
        return false;
    w->why = as_text(r->field[4]);
    return w->why && w->from_s <= w->to_s;
}

static bool read_piece(struct trace_reader *r, struct trace_record *out)
{
    struct trace_piece *p = &out->piece;
    out->kind = TRACE_RECORD_PIECE;
    if (r->fields != 7 || !as_index(r->field[2], -1, r->about.ranks, &p->rank) ||
        !as_number(r->field[3], &p->from_s) || !as_number(r->field[4], &p->to_s) ||
        !as_place(r, r->field[5], &out->at) || !as_place(r, r->field[6], &out->other_at))
        return false;
    p->why = as_text(r->field[1]);
    return p->why && p->from_s <= p->to_s && (p->rank >= 0 || strcmp(p->why, "run") != 0);
}

static bool read_variable(struct trace_reader *r, struct trace_record *out)
{
    struct trace_variable *v = &out->variable;
    out->kind = TRACE_RECORD_VARIABLE;
    if (r->fields != 9 || !as_number(r->field[3], &v->load_s) ||
        !as_number(r->field[4], &v->store_s) || !as_count(r->field[6], &v->stale) ||
        !as_count(r->field[7], &v->moves) || !as_count(r->field[8], &v->operations))
        return false;
    g_auto(GStrv) missed = g_strsplit(r->field[5], ";", -1);
    if (g_strv_length(missed) != TRACE_LEVELS) return false;
    for (int level = 0; level < TRACE_LEVELS; level++)
        if (!as_count(missed[level], &v->missed[level])) return false;
    v->memory = as_text(r->field[1]);
    v->name = as_text(r->field[2]);
    return v->memory != NULL;
}

static bool read_end(struct trace_reader *r, struct trace_record *out)
{
    out->kind = TRACE_RECORD_END;
    if (r->fields != 3 || !as_number(r->field[2], &out->time_s)) return false;
    out->how = as_text(r->field[1]);
    r->ended = true;
    return out->how != NULL;
}

/* False: no record of that word, or a damaged one. */
static bool read_record(struct trace_reader *r, struct trace_record *out)
{
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (strcmp(r->field[0], op_kind_name((enum op_kind)kind)) == 0) {
            out->trail.kind = (enum op_kind)kind;
            return read_operation(r, out);
        }
    for (int activity = 0; activity < TRACE_ACTIVITIES; activity++)
        if (strcmp(r->field[0], trace_activity_name((enum trace_activity)activity)) == 0) {
            out->interval.activity = (enum trace_activity)activity;
            return read_interval(r, out);
        }
    for (int kind = 0; kind < TRACE_EVENT_KINDS; kind++)
        if (strcmp(r->field[0], trace_event_name((enum trace_event_kind)kind)) == 0) {
            out->event.kind = (enum trace_event_kind)kind;
            return read_event(r, out);
        }
    if (strcmp(r->field[0], "film") == 0) return read_film(r, out);
    if (strcmp(r->field[0], "step") == 0) return read_step(r, out);
    if (strcmp(r->field[0], "cause") == 0) return read_wait(r, out);
    if (strcmp(r->field[0], "path") == 0) return read_piece(r, out);
    if (strcmp(r->field[0], "variable") == 0) return read_variable(r, out);
    return strcmp(r->field[0], "end") == 0 && read_end(r, out);
}

/* ---- the door -------------------------------------------------------------------------------- */

/* "sidewinder trace 4". Version 1 had no such line. */
static bool check_version(const struct trace_reader *r, GError **error)
{
    static const char mine[] = "sidewinder trace ";
    const char *line = r->buffer;
    int version = g_str_has_prefix(line, "kind,origin,target,") ? 1 : 0;
    if (g_str_has_prefix(line, mine)) as_index(line + strlen(mine), 0, G_MAXINT, &version);
    if (version == TRACE_VERSION) return true;
    if (version > 0)
        return wrong(r, error,
                     "a trace of version %d; this sidewinder reads version %d: run the program "
                     "again with --trace",
                     version, TRACE_VERSION);
    return wrong(r, error,
                 "not a trace: one begins 'sidewinder trace %d' and is written by: sidewinder run "
                 "--trace FILE",
                 TRACE_VERSION);
}

struct trace_reader *trace_reader_new(FILE *in, const char *name, GError **error)
{
    struct trace_reader *r = g_new0(struct trace_reader, 1);
    r->in = in;
    r->name = g_strdup(name);
    r->places = g_ptr_array_new();
    ssize_t length = getline(&r->buffer, &r->room, in);
    r->line = 1;
    bool good = length > 0;
    if (!good)
        wrong(r, error, "empty: not a trace (one is written by: sidewinder run --trace FILE)");
    if (good && r->buffer[length - 1] == '\n') r->buffer[length - 1] = '\0';
    good = good && check_version(r, error);
    while (good && (r->about.ranks == 0 || r->ranks_known < r->about.ranks) &&
           (good = next_line(r, error))) {
        if (*r->buffer == '#') continue;
        split(r);
        bool run = strcmp(r->field[0], "run") == 0, rank = strcmp(r->field[0], "rank") == 0;
        good = (run && read_run(r)) || (rank && read_rank(r));
        if (!good)
            wrong(r, error,
                  "'%.20s' where the line 'run' or a line 'rank' is expected, or a damaged one",
                  r->field[0]);
    }
    if (good) return r;
    trace_reader_free(r);
    return NULL;
}

const struct trace_about *trace_reader_about(const struct trace_reader *reader)
{
    return &reader->about;
}

bool trace_reader_next(struct trace_reader *r, struct trace_record *record, GError **error)
{
    for (;;) {
        *record = (struct trace_record){.kind = TRACE_RECORD_END};
        if (!next_line(r, error)) return false;
        split(r);
        if (strcmp(r->field[0], "place") == 0 ? read_place(r) : read_record(r, record)) {
            if (strcmp(r->field[0], "place") == 0) continue;
            if (!r->ended || getc(r->in) == EOF) return true;
            r->line++;
            return wrong(r, error, "more lines after the last, 'end'");
        }
        return wrong(r, error, "'%.20s...' is no line of a trace, or a damaged one", r->field[0]);
    }
}

void trace_reader_free(struct trace_reader *r)
{
    if (!r) return;
    g_ptr_array_unref(r->places);
    g_free(r->node_of);
    g_free(r->reached_s);
    g_free(r->name);
    free(r->buffer);
    g_free(r);
}
