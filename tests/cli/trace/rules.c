/* Checks a JSON time line against the rules of the trace event format, with json-glib, and prints
 * what each track sums to.
 *
 * Perfetto's importer cannot be had as a package, so its rules are checked here: "X" has a ts and a
 * dur; on one track (pid, tid) times never fall and slices never overlap; every track has a name;
 * every flow has one "s" and one "f", later, with the same id, cat and name, each inside a slice of
 * its track. Usage: rules FILE; lines "sum <track> <category> <seconds>", "flows <n>",
 * "instants <n>". */
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct track {
    char *name;
    GArray *slice;
    GHashTable *sum;
};
struct slice {
    gint64 from, to;
};
struct end {
    gint64 time;
    const char *cat, *name;
};

static int wrong;

static void fail(const char *what, guint event)
{
    if (wrong++ < 10) fprintf(stderr, "event %u: %s\n", event, what);
}

static const char *word(JsonObject *e, const char *key)
{
    return json_object_get_string_member_with_default(e, key, "");
}

/* Picoseconds. */
static gint64 date(JsonObject *e, const char *key, guint event)
{
    if (!json_object_has_member(e, key)) fail("no ts or dur", event);
    return llround(json_object_get_double_member_with_default(e, key, 0) * 1e6);
}

static struct track *track_of(GHashTable *tracks, JsonObject *e)
{
    gint64 key = json_object_get_int_member(e, "pid") << 32 | json_object_get_int_member(e, "tid");
    struct track *track = g_hash_table_lookup(tracks, &key);
    if (track) return track;
    track = g_new0(struct track, 1);
    track->slice = g_array_new(FALSE, FALSE, sizeof(struct slice));
    track->sum = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(tracks, g_memdup2(&key, sizeof key), track);
    return track;
}

static void add_slice(struct track *track, JsonObject *e, guint event)
{
    struct slice s = {.from = date(e, "ts", event)};
    s.to = s.from + date(e, "dur", event);
    const struct slice *last =
        track->slice->len ? &g_array_index(track->slice, struct slice, track->slice->len - 1)
                          : NULL;
    if (s.to <= s.from) fail("a slice without time", event);
    if (last && s.from < last->to)
        fail("a slice that overlaps the one before it, or lies before it", event);
    g_array_append_val(track->slice, s);
    gint64 *sum = g_hash_table_lookup(track->sum, word(e, "cat"));
    if (!sum) g_hash_table_insert(track->sum, (gpointer)word(e, "cat"), sum = g_new0(gint64, 1));
    *sum += s.to - s.from;
}

static void check_inside(const struct track *track, gint64 time, guint event)
{
    guint low = 0, high = track->slice->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(track->slice, struct slice, middle).from <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || g_array_index(track->slice, struct slice, low - 1).to <= time)
        fail("outside every slice of its track", event);
}

int main(int argc, char **argv)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) error = NULL;
    if (argc != 2 || !json_parser_load_from_file(parser, argv[1], &error)) {
        fprintf(stderr, "%s\n", error ? error->message : "usage: rules FILE");
        return 1;
    }
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    if (strcmp(word(root, "displayTimeUnit"), "ns") != 0) fail("displayTimeUnit is not ns", 0);
    JsonArray *events = json_object_get_array_member(root, "traceEvents");
    guint n = json_array_get_length(events), flows = 0, instants = 0;
    GHashTable *tracks = g_hash_table_new(g_int64_hash, g_int64_equal),
               *open = g_hash_table_new(NULL, NULL);
    gint64 latest = 0;
    for (guint i = 0; i < n; i++) { /* slices and names first: flows may be bound to any */
        JsonObject *e = json_array_get_object_element(events, i);
        char phase = *word(e, "ph");
        if (!strchr("MXsfi", phase) || !phase) fail("an unknown phase", i);
        if (json_object_get_int_member(e, "pid") < 1) fail("a pid below 1", i);
        if (phase == 'M') {
            if (strcmp(word(e, "name"), "thread_name") == 0)
                track_of(tracks, e)->name =
                    (char *)word(json_object_get_object_member(e, "args"), "name");
            continue;
        }
        gint64 ts = date(e, "ts", i);
        if (ts < latest) fail("earlier than the event before", i);
        latest = ts;
        if (phase == 'X') add_slice(track_of(tracks, e), e, i);
    }
    for (guint i = 0; i < n; i++) {
        JsonObject *e = json_array_get_object_element(events, i);
        char phase = *word(e, "ph");
        if (phase == 'M' || phase == 'X') continue;
        gint64 ts = date(e, "ts", i);
        check_inside(track_of(tracks, e), ts, i);
        gpointer id = GINT_TO_POINTER((int)json_object_get_int_member_with_default(e, "id", 0));
        struct end *start = g_hash_table_lookup(open, id);
        if (phase == 's') {
            if (start || !id) fail("a flow that starts twice, or has no id", i);
            start = g_new(struct end, 1);
            *start = (struct end){ts, word(e, "cat"), word(e, "name")};
            g_hash_table_insert(open, id, start);
        } else if (phase == 'f') {
            if (!start)
                fail("a flow that ends without a start", i);
            else if (start->time > ts || strcmp(start->cat, word(e, "cat")) != 0 ||
                     strcmp(start->name, word(e, "name")) != 0)
                fail("a flow that ends before it starts, or under another name", i);
            if (strcmp(word(e, "bp"), "e") != 0)
                fail("a flow's end that is not bound to its slice", i);
            g_hash_table_remove(open, id);
            flows++;
        } else {
            instants++;
        }
    }
    if (g_hash_table_size(open) > 0) fail("a flow without an end", n);
    GHashTableIter track, kind;
    gpointer key, value, cat, sum;
    for (g_hash_table_iter_init(&track, tracks); g_hash_table_iter_next(&track, &key, &value);) {
        struct track *t = value;
        if (!t->name) fail("a track without a name", n);
        for (g_hash_table_iter_init(&kind, t->sum); g_hash_table_iter_next(&kind, &cat, &sum);)
            printf("sum %s,%s,%.12f\n", t->name, (const char *)cat, (double)*(gint64 *)sum * 1e-12);
    }
    printf("flows %u\ninstants %u\n", flows, instants);
    return wrong > 0;
}
