/* report: what a user may keep or read by program, byte for byte as in tests/golden: the report,
 * its JSON, the trace, time lines and trails of one small made-up run. After a wanted change
 *
 *     SIDEWINDER_GOLDEN=write build/tests/unit/unit golden
 *
 * writes the files anew; what changed is then in `git diff tests/golden`. */
#include "report_made.h"

#include "report/timeline/timeline.h"
#include "report/trail/trail.h"

#include <glib/gstdio.h>

static const char *place_of(op_site site) { return report_site(place.object, site); }

/* ---- comparing ------------------------------------------------------------------------------- */

static bool writes(void) { return g_strcmp0(g_getenv("SIDEWINDER_GOLDEN"), "write") == 0; }

static int first_line_that_differs(const char *a, const char *b)
{
    int line = 1;
    for (; *a && *a == *b; a++, b++) line += *a == '\n';
    return line;
}

static void golden(const char *name, const char *text)
{
    g_autofree char *file = g_build_filename(UNIT_GOLDEN, name, NULL), *kept = NULL;
    if (writes()) {
        CU_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
        return;
    }
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(file, &kept, NULL, NULL));
    bool same = strcmp(kept, text) == 0;
    if (!same)
        fprintf(stderr, "    %s differs, first in line %d; obtained:\n%s\n", file,
                first_line_that_differs(kept, text), text);
    CU_ASSERT_TRUE(same);
}

static void golden_file(const char *name, const char *path)
{
    g_autofree char *text = NULL;
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    golden(name, text);
}

/* ---- the run: a put too early, a stale load, a lost byte, a broken rule ---------------------- */

static char *path_of(const char *name) { return g_build_filename(place.folder, name, NULL); }

static void tracks(void)
{
    trace_track_charge(0, 0, 1e-6, 0);
    trace_track_enter(0, 1e-6, "MPI_Put", place.put, true);
    trace_track_leave(0, 2e-6);
    trace_track_enter(0, 2e-6, "MPI_Win_fence", place.load, true);
    trace_track_leave(0, 20e-6);
    trace_track_charge(1, 0, 5e-6, 3e-6);
    trace_track_service(1, 9e-6, 1e-6);
    trace_track_enter(1, 10e-6, "MPI_Win_fence", place.load, true);
    trace_track_leave(1, 20e-6);
    trace_track_interface(0, TRACE_SEND, 1.5e-6, 2e-6);
    trace_track_interface(1, TRACE_RECEIVE, 3e-6, 3.5e-6);
    trace_operation(&(struct op_trail){.kind = OP_PUT,
                                       .origin = 0,
                                       .target = 1,
                                       .bytes = 1234,
                                       .call = "MPI_Put",
                                       .carrier = "eager",
                                       .site = place.put,
                                       .description = 16,
                                       .at_s = {1e-6, 2e-6, 3.5e-6, 9e-6, 10e-6, 12e-6}});
    trace_operation(&(struct op_trail){.kind = OP_GET,
                                       .origin = 1,
                                       .target = 0,
                                       .bytes = 8,
                                       .call = "MPI_Get",
                                       .carrier = "rdma",
                                       .site = place.load,
                                       .at_s = {11e-6, -1, -1, -1, 12e-6, 13e-6}});
}

/* Of two sites with one line, and of two. */
static void profile(void)
{
    profile_load(place.load, 400);
    profile_load(place.load + 1, 200);
    profile_store(place.put, 50);
    profile_call(place.put, "MPI_Win_lock", 0, &(struct profile_times){9e-4, 8e-4, 0, 0, 0, false});
    profile_call(place.put, "MPI_Win_lock", 1,
                 &(struct profile_times){5e-4, 4e-4, 1e-4, 0, 0, false});
    profile_call(place.load, "MPI_Win_fence", 1,
                 &(struct profile_times){3e-4, 1e-4, 2e-4, 0, 0, false});
    profile_blame(
        &(struct profile_blame){PROFILE_LOCK, place.put, place.put, 1, -1, 0, 1, 8e-4, {0}});
    profile_blame(
        &(struct profile_blame){PROFILE_LOCK, place.put, place.put, 0, -1, 0, 1, 4e-4, {0}});
    profile_blame(
        &(struct profile_blame){PROFILE_BARRIER, place.load, place.load, 0, -1, 0, 1, 1e-4, {0}});
    struct profile_lock *lock = profile_lock(0, 1, "window 0");
    const struct profile_lock_who who[] = {{place.put, 0, true}, {place.put, 1, true}};
    profile_lock_got(lock, &who[0], 2e-4, -1);
    profile_lock_queue(lock, 1);
    profile_lock_held(lock, &who[0], 7e-4);
    profile_lock_got(lock, &who[1], 1e-3, 1e-5);
    profile_lock_held(lock, &who[1], 6e-4);
}

static void findings(void)
{
    struct findings_stale stale = made_stale(0, 1);
    stale.bytes = 2;
    op_segment_name(stale.segment, "window 0");
    findings_stale_note(&stale);
    findings_note(&(struct findings_note){.kind = FINDINGS_NOTE_LOST_UPDATE,
                                          .rank = 1,
                                          .time_s = 16e-6,
                                          .segment = stale.segment,
                                          .offset = 4,
                                          .site = place.load,
                                          .call = "store",
                                          .writer = stale.writer,
                                          .bytes = 3});
    findings_violation_note(&(struct findings_violation){.rule = "MPI-2 11.7 rule 1",
                                                         .message = (char *)"made up, 100 %",
                                                         .rank = 1,
                                                         .time_s = 17e-6,
                                                         .site = place.load,
                                                         .other_rank = 0,
                                                         .other_call = "MPI_Put",
                                                         .other_site = place.put});
}

/* Its trace lies in the folder of the place. */
static struct report_run ran(void)
{
    static const int node_of[] = {0, 1};
    struct report_run run = made_run();
    g_autofree char *path = path_of("trace");
    CU_ASSERT_TRUE_FATAL(trace_open(path, &(struct trace_about){.version = "9.8.7",
                                                                .machine = "t3d",
                                                                .program = "place",
                                                                .ranks = RANKS,
                                                                .nodes = 2,
                                                                .node_of = node_of,
                                                                .place = place_of}));
    tracks();
    profile();
    run.tick_s = 1e-6;
    findings();
    for (int rank = 0; rank < RANKS; rank++) trace_track_end(rank, 20e-6);
    CU_ASSERT_TRUE_FATAL(trace_close("ended", 20e-6));
    return run;
}

static struct report_trace *loaded(void)
{
    ran();
    g_autofree char *path = path_of("trace");
    FILE *in = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    struct report_trace *trace = report_trace_load(in, "trace", NULL);
    fclose(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

/* ---- the files ------------------------------------------------------------------------------- */

static void the_report_is_the_one_kept(void)
{
    struct report_run run = ran();
    g_autofree char *text = text_of(&run, false);
    golden("report.txt", text);
}

static void the_json_is_the_one_kept(void)
{
    struct report_run run = ran();
    g_autofree char *path = path_of("json");
    CU_ASSERT_TRUE_FATAL(report_json(&run, path, NULL));
    golden_file("report.json", path);
}

static void the_trace_is_the_one_kept(void)
{
    ran();
    g_autofree char *path = path_of("trace");
    golden_file("trace.txt", path);
}

static void every_time_line_is_the_one_kept(void)
{
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    struct report_trace *trace = loaded();
    for (size_t i = 0; i < formats; i++) {
        g_autofree char *path = path_of(format[i]->name);
        CU_ASSERT_TRUE_FATAL(report_trace_write(trace, format[i], path, NULL));
        g_autofree char *name = g_strconcat("timeline.", format[i]->name, NULL);
        golden_file(name, path);
    }
    report_trace_free(trace);
}

static void the_trails_in_words_are_those_kept(void)
{
    struct report_trace *trace = loaded();
    g_autofree char *path = path_of("trails"), *kept = path_of("trace");
    FILE *out = fopen(path, "w"), *in = fopen(kept, "r");
    CU_ASSERT_TRUE(report_trail_table(in, "trace", -1, out, NULL));
    for (uint64_t number = 1; number <= 2; number++) {
        fputc('\n', out);
        CU_ASSERT_TRUE(report_trail_text(trace, number, out, NULL));
    }
    fclose(in);
    fclose(out);
    report_trace_free(trace);
    golden_file("trails.txt", path);
}

UNIT_SUITE(golden, UNIT_TEST(the_report_is_the_one_kept), UNIT_TEST(the_json_is_the_one_kept),
           UNIT_TEST(the_trace_is_the_one_kept), UNIT_TEST(every_time_line_is_the_one_kept),
           UNIT_TEST(the_trails_in_words_are_those_kept))
