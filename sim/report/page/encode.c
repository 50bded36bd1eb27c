/* The trace as the page's script (assets/data.js) reads it: JSON, in which intervals and operations
 * are strings of numbers in base 36, picoseconds, each the difference from the one before. So it
 * takes a third of the trace's size.
 *
 * Intervals of a track, from 0 to its end, separated by blanks: a letter (c compute, m memory, s
 * service; waits: l for a lock, b for a late rank, d for servicing that began late, n for the
 * network, i for an interface that was busy, t for what a target does, a for an atomic unit, z for
 * a date, w not known; o send, r receive, - nothing), the length, and after a colon, where it is
 * another than before, the number of (call, place, other rank, its place) in `pairs`.
 *
 * The critical path, separated by blanks, their fields by commas: where a rank ran, its number, the
 * beginning from the end of the one before, and the length.
 *
 * Operations, separated by blanks, their fields by commas: a letter (p put, g get, a accumulate,
 * u get_accumulate, c control) with the number, origin, target, bytes, pair, carrier, the date of
 * the call from the one before, then each further step from the call; empty: not taken. */
#include "report/page/encode.h"

#include "report/page/choice.h"
#include "report/page/numbers.h"
#include "report/page/stretches.h"
#include "report/page/variables.h"
#include "report/timeline/moments.h"

#include <json-glib/json-glib.h>
#include <string.h>

static const char kind_letter[OP_KINDS] = {[OP_PUT] = 'p',
                                           [OP_GET] = 'g',
                                           [OP_ACCUMULATE] = 'a',
                                           [OP_GET_ACCUMULATE] = 'u',
                                           [OP_CONTROL] = 'c'};

struct encoder {
    JsonBuilder *to;
    const struct report_trace *trace;
    const struct report_page_options *options;
    int64_t from_ps, to_ps;
    struct report_numbers pairs, carriers, files;
};

static void add_file(struct encoder *e, const char *place)
{
    const char *colon = place ? strrchr(place, ':') : NULL;
    if (colon) report_number_of(&e->files, g_strndup(place, (gsize)(colon - place)));
}

static int64_t pair_of(struct encoder *e, const char *call, const char *place)
{
    add_file(e, place);
    return report_number_of(&e->pairs,
                            g_strdup_printf("%s\n%s", call ? call : "", place ? place : ""));
}

/* The same, with who was to blame. */
static int64_t stretch_pair(struct encoder *e, const struct report_stretch *is)
{
    if (is->other < 0) return pair_of(e, is->call, is->at);
    add_file(e, is->at);
    add_file(e, is->there);
    return report_number_of(&e->pairs, g_strdup_printf("%s\n%s\n%d\n%s", is->call ? is->call : "",
                                                       is->at ? is->at : "", is->other,
                                                       is->there ? is->there : ""));
}

/* The other side of an operation and of a finding is shown with the one that was chosen. */
static bool either(const struct encoder *e, int rank, int other)
{
    return report_choice_rank(e->options->choice, rank) ||
           report_choice_rank(e->options->choice, other);
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* nothing, from `at` on */
static void gap(GString *text, int64_t at, int64_t to)
{
    if (to <= at) return;
    g_string_append(text, text->len ? " -" : "-");
    report_base36(text, to - at);
}

static char *intervals(struct encoder *e, const struct report_track *track)
{
    g_autoptr(GArray) list = report_stretches(e->trace, track);
    GString *text = g_string_new(NULL);
    int64_t at = 0, pair = 0, end = 0;
    for (guint i = 0; i < list->len; i++) {
        const struct report_stretch *is = &g_array_index(list, struct report_stretch, i);
        int64_t from = MAX(at, MAX(is->from_ps, e->from_ps)), to = MIN(is->to_ps, e->to_ps);
        end = MIN(is->to_ps, e->to_ps);
        if (to <= from || !report_choice_activity(e->options->choice, is->activity)) continue;
        gap(text, at, from);
        if (text->len) g_string_append_c(text, ' ');
        g_string_append_c(text, is->letter);
        report_base36(text, to - from);
        int64_t now = stretch_pair(e, is);
        if (now != pair) {
            g_string_append_c(text, ':');
            report_base36(text, now);
        }
        pair = now;
        at = to;
    }
    gap(text, at, end);
    return g_string_free(text, FALSE);
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool shown(const struct encoder *e, const struct op_trail *trail)
{
    if (!report_choice_operations(e->options->choice, trail->kind) ||
        !either(e, trail->origin, trail->target))
        return false;
    double last_s = trail->at_s[OP_CALLED];
    for (int step = OP_CALLED; step < OP_STEPS; step++) last_s = MAX(last_s, trail->at_s[step]);
    return report_ps(last_s) >= e->from_ps && report_ps(trail->at_s[OP_CALLED]) <= e->to_ps;
}

static char *operations(struct encoder *e)
{
    GString *text = g_string_new(NULL);
    int64_t before = 0;
    for (guint i = 0; i < e->trace->operation->len; i++) {
        const struct report_operation *operation = report_operation(e->trace, i);
        const struct op_trail *trail = &operation->trail;
        if (!shown(e, trail)) continue;
        int64_t called = report_ps(trail->at_s[OP_CALLED]);
        const int64_t field[] = {trail->origin,
                                 trail->target,
                                 (int64_t)trail->bytes,
                                 pair_of(e, trail->call, operation->at),
                                 report_number_of(&e->carriers, g_strdup(trail->carrier)),
                                 called - before};
        if (text->len) g_string_append_c(text, ' ');
        g_string_append_c(text, kind_letter[trail->kind]);
        report_base36(text, (int64_t)i + 1);
        for (size_t k = 0; k < G_N_ELEMENTS(field); k++) {
            g_string_append_c(text, ',');
            report_base36(text, field[k]);
        }
        for (int step = OP_CALLED + 1; step < OP_STEPS; step++) {
            g_string_append_c(text, ',');
            if (trail->at_s[step] >= 0) report_base36(text, report_ps(trail->at_s[step]) - called);
        }
        before = called;
    }
    return g_string_free(text, FALSE);
}

/* ---- the critical path ----------------------------------------------------------------------- */

static char *path(const struct encoder *e)
{
    GString *text = g_string_new(NULL);
    int64_t before = e->from_ps;
    for (guint i = e->trace->piece->len; i > 0; i--) {
        const struct trace_piece *piece =
            &g_array_index(e->trace->piece, struct report_piece, i - 1).is;
        const int64_t from = MAX(report_ps(piece->from_s), e->from_ps),
                      to = MIN(report_ps(piece->to_s), e->to_ps);
        if (strcmp(piece->why, "run") != 0 || to < from) continue;
        const int64_t field[] = {piece->rank, from - before, to - from};
        for (size_t k = 0; k < G_N_ELEMENTS(field); k++) {
            if (text->len) g_string_append_c(text, k ? ',' : ' ');
            report_base36(text, field[k]);
        }
        before = to;
    }
    return g_string_free(text, FALSE);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void word(struct encoder *e, const char *key, const char *text)
{
    json_builder_set_member_name(e->to, key);
    json_builder_add_string_value(e->to, text ? text : "");
}

static void number(struct encoder *e, const char *key, int64_t value)
{
    json_builder_set_member_name(e->to, key);
    json_builder_add_int_value(e->to, value);
}

static void array(struct encoder *e, const char *key)
{
    json_builder_set_member_name(e->to, key);
    json_builder_begin_array(e->to);
}

/* Which kinds are left out; which ranks, the tracks say. */
static void write_choice(struct encoder *e)
{
    const struct report_choice *choice = e->options->choice;
    array(e, "without");
    for (int kind = 0; kind < TRACE_ACTIVITIES; kind++)
        if (!report_choice_activity(choice, (enum trace_activity)kind))
            json_builder_add_string_value(e->to, trace_activity_name((enum trace_activity)kind));
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (!report_choice_operations(choice, (enum op_kind)kind))
            json_builder_add_string_value(e->to, op_kind_name((enum op_kind)kind));
    json_builder_end_array(e->to);
}

static void write_about(struct encoder *e)
{
    const struct report_trace *t = e->trace;
    word(e, "sidewinder", t->about.version);
    word(e, "machine", t->about.machine);
    word(e, "program", t->about.program);
    word(e, "how", t->how);
    number(e, "ranks", t->about.ranks);
    number(e, "nodes", t->about.nodes);
    number(e, "from", e->from_ps);
    number(e, "end", e->to_ps);
    number(e, "whole", report_ps(t->time_s));
    number(e, "allOperations", t->operation->len);
    number(e, "allEvents", t->event->len);
    write_choice(e);
    array(e, "node");
    for (int rank = 0; rank < t->about.ranks; rank++)
        json_builder_add_int_value(e->to, t->node_of[rank]);
    json_builder_end_array(e->to);
}

static void write_tracks(struct encoder *e)
{
    array(e, "tracks");
    for (int i = 0; i < e->trace->tracks; i++) {
        const struct report_track *track = &e->trace->track[i];
        if (!report_choice_track(e->options->choice, e->trace, track)) continue;
        g_autofree char *name = report_track_name(track), *text = intervals(e, track);
        json_builder_begin_object(e->to);
        word(e, "name", name);
        number(e, "rank", track->first == TRACE_COMPUTE ? track->of : -1);
        number(e, "node", track->node);
        word(e, "intervals", text);
        json_builder_end_object(e->to);
    }
    json_builder_end_array(e->to);
}

static void write_events(struct encoder *e)
{
    array(e, "events");
    for (guint i = 0; i < e->trace->event->len; i++) {
        const struct report_event *event = report_event(e->trace, i);
        int64_t at = report_ps(event->is.time_s);
        if (at < e->from_ps || at > e->to_ps || !either(e, event->is.rank, event->is.other_rank))
            continue;
        add_file(e, event->at);
        add_file(e, event->other_at);
        json_builder_begin_object(e->to);
        word(e, "kind", trace_event_name(event->is.kind));
        number(e, "rank", event->is.rank);
        number(e, "time", at);
        word(e, "at", event->at);
        number(e, "other", event->is.other_rank);
        word(e, "otherCall", event->is.other_call);
        word(e, "there", event->other_at);
        word(e, "text", event->is.text);
        word(e, "memory", event->is.memory);
        json_builder_end_object(e->to);
    }
    json_builder_end_array(e->to);
}

static void texts(struct encoder *e, const char *key, const char *list)
{
    g_auto(GStrv) text = g_strsplit(list, ";", -1);
    array(e, key);
    for (char **one = text; *one; one++) json_builder_add_string_value(e->to, *one);
    json_builder_end_array(e->to);
}

static void write_step(struct encoder *e, const struct report_step *step)
{
    add_file(e, step->at);
    json_builder_begin_object(e->to);
    number(e, "rank", step->is.rank);
    number(e, "time", report_ps(step->is.time_s));
    word(e, "place", step->at);
    word(e, "text", step->is.text);
    number(e, "old", (int64_t)step->is.old);
    texts(e, "values", step->values);
    json_builder_end_object(e->to);
}

/* Whole, whatever part of the run is shown. */
static void write_films(struct encoder *e)
{
    array(e, "films");
    for (guint i = 0; i < e->trace->film->len; i++) {
        const struct report_film *film = &g_array_index(e->trace->film, struct report_film, i);
        json_builder_begin_object(e->to);
        word(e, "title", film->is.memory);
        texts(e, "places", film->places);
        array(e, "steps");
        for (guint k = 0; k < film->step->len; k++)
            write_step(e, &g_array_index(film->step, struct report_step, k));
        json_builder_end_array(e->to);
        json_builder_end_object(e->to);
    }
    json_builder_end_array(e->to);
}

static void write_texts(struct encoder *e)
{
    array(e, "pairs");
    for (guint i = 0; i < e->pairs.text->len; i++) {
        g_auto(GStrv) pair = g_strsplit(g_ptr_array_index(e->pairs.text, i), "\n", 4);
        json_builder_begin_array(e->to);
        for (char **part = pair; *part; part++) json_builder_add_string_value(e->to, *part);
        json_builder_end_array(e->to);
    }
    json_builder_end_array(e->to);
    array(e, "carriers");
    for (guint i = 0; i < e->carriers.text->len; i++)
        json_builder_add_string_value(e->to, g_ptr_array_index(e->carriers.text, i));
    json_builder_end_array(e->to);
}

/* Files that are not found are left out. */
static void write_source(struct encoder *e)
{
    json_builder_set_member_name(e->to, "source");
    json_builder_begin_object(e->to);
    for (guint i = 0; i < e->files.text->len; i++) {
        const char *name = g_ptr_array_index(e->files.text, i);
        for (const char *const *folder = e->options->folders; *folder; folder++) {
            g_autofree char *path = g_build_filename(*folder, name, NULL), *text = NULL;
            gsize length;
            if (!g_file_get_contents(path, &text, &length, NULL)) continue;
            g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
            word(e, name, valid);
            break;
        }
    }
    json_builder_end_object(e->to);
}

/* A text may hold "</script>". '<' stands only in texts, where JSON lets it be written so. */
static char *inert(const char *json)
{
    g_auto(GStrv) parts = g_strsplit(json, "<", -1);
    return g_strjoinv("\\u003c", parts);
}

char *report_encode(const struct report_trace *trace, const struct report_page_options *options)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    struct encoder e = {builder,
                        trace,
                        options,
                        report_ps(options->from_s),
                        report_ps(MIN(options->to_s, trace->time_s)),
                        report_numbers_new(),
                        report_numbers_new(),
                        report_numbers_new()};
    pair_of(&e, NULL, NULL); /* number 0 */
    json_builder_begin_object(builder);
    write_about(&e);
    write_tracks(&e);
    g_autofree char *text = operations(&e);
    word(&e, "operations", text);
    g_autofree char *critical = path(&e);
    word(&e, "path", critical);
    write_events(&e);
    g_autofree char *variables = report_page_variables(trace);
    word(&e, "variables", variables);
    write_films(&e);
    write_texts(&e);
    write_source(&e);
    json_builder_end_object(builder);
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    g_autofree char *json = json_to_string(root, FALSE);
    report_numbers_free(&e.pairs);
    report_numbers_free(&e.carriers);
    report_numbers_free(&e.files);
    return inert(json);
}
