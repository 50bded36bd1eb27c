/* report: walks of operations and time lines, from a made-up trace. */
#include "report/timeline/timeline.h"
#include "report/trail/trail.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* Two ranks on two nodes. Rank 0 puts to rank 1, which computes until it services; rank 1 ends
 * before rank 0, which gets from it later still. Times that meet in a picosecond, texts with
 * everything in them. */
static const char made[] =
    "sidewinder trace 4\nrun,9,now,\"x\",2,2\nrank,0,0\nrank,1,1\nplace,1,x.c:7\nplace,2,x.c:9\n"
    "compute,0,0,1e-06,,0\n"
    "memory,0,1e-06,1.0004e-06,,0\n"
    "wait,0,1.0004e-06,9e-06,MPI_Win_fence,2\n"
    "compute,1,0,3e-06,,0\n"
    "service,1,3e-06,4e-06,,0\n"
    "wait,1,4e-06,6e-06,MPI_Win_fence,2\n"
    "send,0,1e-06,1.5e-06\n"
    "receive,1,1.7e-06,2e-06\n"
    "put,0,1,1234,MPI_Put,eager,1,5e-07,1.5e-06,2e-06,3e-06,3.5e-06,5e-06\n"
    "get,0,1,8,MPI_Get,rdma,0,7e-06,,,,8e-06,9e-06\n"
    "get,0,0,8,MPI_Get,rdma,0,9e-06,,,,9e-06,9e-06\n"
    "stale,1,2.5e-06,1,0,MPI_Put,2,,4 bytes: \\ \"saw\"%0A00%2C memory held 01\n"
    "violation,0,9e-06,0,-1,,0,,rule 7\n"
    "end,ended,9e-06\n";

static struct report_trace *load(void)
{
    FILE *in = fmemopen((char *)(uintptr_t)made, strlen(made), "r");
    struct report_trace *trace = report_trace_load(in, "made", NULL);
    fclose(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

static const struct report_format *format(const char *name)
{
    size_t n;
    const struct report_format *const *all = report_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    CU_FAIL_FATAL("no such format");
    return NULL;
}

static char *written(const char *name)
{
    struct report_trace *trace = load();
    char *raw = NULL;
    size_t length;
    FILE *out = open_memstream(&raw, &length);
    format(name)->write(trace, out);
    fclose(out);
    report_trace_free(trace);
    char *text = g_strdup(raw);
    free(raw);
    return text;
}

/* ---- chrome ---------------------------------------------------------------------------------- */

struct slice {
    gint64 pid, tid;
    double from, to;
};

static gint64 integer(JsonObject *event, const char *key)
{
    return json_object_get_int_member(event, key);
}
static const char *word(JsonObject *event, const char *key)
{
    return json_object_get_string_member_with_default(event, key, "");
}

static bool in_slice(GArray *slices, JsonObject *event)
{
    double ts = json_object_get_double_member(event, "ts");
    for (guint i = 0; i < slices->len; i++) {
        const struct slice *s = &g_array_index(slices, struct slice, i);
        if (s->pid == integer(event, "pid") && s->tid == integer(event, "tid") && s->from <= ts &&
            ts < s->to)
            return true;
    }
    return false;
}

/* Rules of the trace event format: metadata name every track; "X" have ts and dur; a flow has one
 * "s" and one later "f" of the same id, cat and name, both inside slices; instants have a scope.
 * Ours besides: slices of a track follow each other without overlap. */
static void the_json_keeps_the_rules_of_the_trace_event_format(void)
{
    g_autofree char *text = written("chrome");
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) error = NULL;
    CU_ASSERT_TRUE_FATAL(json_parser_load_from_data(parser, text, -1, &error));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    UNIT_STRING(word(root, "displayTimeUnit"), "ns");
    UNIT_STRING(word(json_object_get_object_member(root, "otherData"), "program"), "\"x\"");
    JsonArray *events = json_object_get_array_member(root, "traceEvents");
    g_autoptr(GArray) slices = g_array_new(FALSE, FALSE, sizeof(struct slice));
    g_autoptr(GHashTable) named = g_hash_table_new(NULL, NULL), open = g_hash_table_new(NULL, NULL);
    int flows = 0, instants = 0, microseconds_ok = 0;
    for (guint pass = 0; pass < 2; pass++)
        for (guint i = 0; i < json_array_get_length(events); i++) {
            JsonObject *e = json_array_get_object_element(events, i);
            char phase = *word(e, "ph");
            CU_ASSERT(integer(e, "pid") > 0);
            if (phase == 'M') {
                if (strcmp(word(e, "name"), "thread_name") == 0)
                    g_hash_table_add(named, GINT_TO_POINTER((int)integer(e, "tid")));
            } else if (phase == 'X' && pass == 0) {
                double ts = json_object_get_double_member(e, "ts");
                struct slice s = {integer(e, "pid"), integer(e, "tid"), ts,
                                  ts + json_object_get_double_member(e, "dur")};
                CU_ASSERT(s.to > s.from);
                for (guint k = 0; k < slices->len; k++) {
                    const struct slice *before = &g_array_index(slices, struct slice, k);
                    if (before->tid == s.tid) CU_ASSERT(before->to <= s.from + 1e-9);
                }
                g_array_append_val(slices, s);
                CU_ASSERT_TRUE(g_hash_table_contains(named, GINT_TO_POINTER((int)s.tid)));
                microseconds_ok +=
                    s.from == 3 && s.to == 4 && strcmp(word(e, "cat"), "service") == 0;
            } else if ((phase == 's' || phase == 'f') && pass == 1) {
                gpointer id = GINT_TO_POINTER((int)integer(e, "id"));
                CU_ASSERT_TRUE(in_slice(slices, e));
                CU_ASSERT_EQUAL(g_hash_table_contains(open, id), phase == 'f');
                if (phase == 's')
                    g_hash_table_add(open, id);
                else
                    g_hash_table_remove(open, id), flows++;
                if (phase == 'f') UNIT_STRING(word(e, "bp"), "e");
            } else if (phase == 'i' && pass == 1) {
                CU_ASSERT_TRUE(in_slice(slices, e));
                UNIT_STRING(word(e, "s"), "t");
                instants++;
            }
        }
    UNIT_EQUAL(g_hash_table_size(open), 0);
    UNIT_EQUAL(slices->len, 8);
    UNIT_EQUAL(microseconds_ok, 1);
    UNIT_EQUAL(flows, 2); /* the get from a rank that had ended points nowhere */
    UNIT_EQUAL(instants, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"ts\":1.000000,\"dur\":0.000400"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "4 bytes: \\\\ \\\"saw\\\"\\u000a00, memory held 01"));
}

/* ---- paje ------------------------------------------------------------------------------------ */

static void the_lines_of_a_paje_file_follow_in_time_and_every_link_ends(void)
{
    g_autofree char *text = written("paje");
    g_auto(GStrv) line = g_strsplit(text, "\n", -1);
    double last = 0;
    int starts = 0, ends = 0, states = 0, events = 0;
    for (char **l = line; *l; l++) {
        if (!g_ascii_isdigit(**l) || **l < '5') {
            if (!g_str_has_prefix(*l, "10 ")) continue;
        }
        double time = g_ascii_strtod(strchr(*l, ' '), NULL);
        CU_ASSERT(time >= last);
        last = time;
        starts += g_str_has_prefix(*l, "9 ");
        ends += g_str_has_prefix(*l, "10 ");
        states += g_str_has_prefix(*l, "7 ");
        events += g_str_has_prefix(*l, "8 ");
        CU_ASSERT_PTR_NULL(strstr(*l, "\"\"")); /* pj_dump reads no empty text */
    }
    UNIT_EQUAL(starts, 2);
    UNIT_EQUAL(ends, 2);
    UNIT_EQUAL(events, 2);
    UNIT_EQUAL(states, 8 + 4); /* two interfaces begin and end idle */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n7 0.000003000000 D l1 service \"-\" \"-\"\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\n9 0.000000500000 O m put l0 o1 \"1234\" \"MPI_Put\" \"x.c:7\"\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text,
        "\n8 0.000002500000 E l1 stale \"4 bytes: \\ 'saw' 00, memory held 01\" \"x.c:7\"\n"));
}

/* ---- walks ----------------------------------------------------------------------------------- */

static char *walk(uint64_t number, GError **error)
{
    struct report_trace *trace = load();
    char *raw = NULL;
    size_t length;
    FILE *out = open_memstream(&raw, &length);
    report_trail_text(trace, number, out, error);
    fclose(out);
    report_trace_free(trace);
    char *text = g_strdup(raw);
    free(raw);
    return text;
}

static void a_walk_in_words_says_what_target_and_origin_did_meanwhile(void)
{
    g_autofree char *text = walk(1, NULL);
    UNIT_STRING(
        text, "Operation 1 of \"x\" on now: MPI_Put of 1,234 bytes from rank 0 to rank 1, called "
              "at x.c:7, carrier eager.\n"
              "\n"
              "  called         500 ns               Rank 0, on node 0, calls MPI_Put.\n"
              "  departed       1.5 µs        +1 µs  The last byte leaves node 0.\n"
              "  arrived          2 µs      +500 ns  It arrives at node 1.\n"
              "  serviced         3 µs        +1 µs  Rank 1's processor begins servicing. Since "
              "the arrival it\n"
              "                                      computed for 1 µs.\n"
              "  performed      3.5 µs      +500 ns  The bytes are written into memory of rank 1.\n"
              "  completed        5 µs      +1.5 µs  Complete at rank 0.\n"
              "\n"
              "  Total: 4.5 µs. 22 % of it passed at the target before servicing began. Rank 0 "
              "meanwhile\n"
              "  computed for 500 ns, stalled on memory for 400 ps and waited for 4 µs, in "
              "MPI_Win_fence at\n"
              "  x.c:9.\n");
}

static void an_operation_that_is_not_there_is_refused(void)
{
    static const uint64_t none[] = {0, 4, G_MAXUINT64};
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = walk(none[i], &error);
        UNIT_STRING(text, "");
        CU_ASSERT_PTR_NOT_NULL_FATAL(error);
        CU_ASSERT_PTR_NOT_NULL(strstr(error->message, ": the trace has 1 to 3"));
    }
}

static void walks_are_numbered_and_their_means_are_of_all(void)
{
    FILE *in = fmemopen((char *)(uintptr_t)made, strlen(made), "r");
    char *raw = NULL;
    size_t length;
    FILE *out = open_memstream(&raw, &length);
    UNIT_EQUAL(report_trail_table(in, "made", 1, out, NULL), true);
    fclose(out);
    fclose(in);
    g_auto(GStrv) line = g_strsplit(raw, "\n", -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(line[0], " number  operation"));
    CU_ASSERT_PTR_NOT_NULL(strstr(line[1], " 1  put "));
    CU_ASSERT_PTR_NOT_NULL(strstr(line[1], " x.c:7 "));
    UNIT_STRING(line[2], " ... and 2 more");
    CU_ASSERT_PTR_NOT_NULL(strstr(line[5], "mean of 2")); /* gets */
    free(raw);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void a_time_line_that_cannot_be_written_leaves_nothing_behind(void)
{
    g_autoptr(GError) error = NULL, full = NULL;
    struct report_trace *trace = load();
    UNIT_EQUAL(report_trace_write(trace, format("paje"), "/nowhere/at/all.paje", &error), false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    UNIT_STRING(error->message, "cannot write /nowhere/at/all.paje: No such file or directory");
    UNIT_EQUAL(report_trace_write(trace, format("chrome"), "/dev/full", &full), false);
    g_autofree char *folder = g_dir_make_tmp("timeline-XXXXXX", NULL),
                    *file = g_build_filename(folder, "a.json", NULL);
    UNIT_EQUAL(report_trace_write(trace, format("chrome"), file, NULL), true);
    /* over the old one */
    UNIT_EQUAL(report_trace_write(trace, format("chrome"), file, NULL), true);
    g_remove(file);
    UNIT_EQUAL(g_rmdir(folder), 0); /* nothing else was left in it */
    report_trace_free(trace);
}

UNIT_SUITE(timeline, UNIT_TEST(the_json_keeps_the_rules_of_the_trace_event_format),
           UNIT_TEST(the_lines_of_a_paje_file_follow_in_time_and_every_link_ends),
           UNIT_TEST(a_walk_in_words_says_what_target_and_origin_did_meanwhile),
           UNIT_TEST(an_operation_that_is_not_there_is_refused),
           UNIT_TEST(walks_are_numbered_and_their_means_are_of_all),
           UNIT_TEST(a_time_line_that_cannot_be_written_leaves_nothing_behind))
