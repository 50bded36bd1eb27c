/* op: lanes and the trace file, written and read back. */
#include "record.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* ---- one trace at a time, in a file of its own ----------------------------------------------- */

static char path[] = "/tmp/sidewinder-trace-XXXXXX";
static const int nodes_of_two[] = {0, 1};

static const char *place(op_site site)
{
    static char text[32];
    snprintf(text, sizeof text, "x.c:%d", (int)site);
    return text;
}

static void begin(void)
{
    record_clear();
    strcpy(path + strlen(path) - 6, "XXXXXX");
    g_close(g_mkstemp(path), NULL);
    UNIT_EQUAL(trace_open(path, &(struct trace_about){.version = "9",
                                                      .machine = "made, up",
                                                      .program = "x",
                                                      .ranks = 2,
                                                      .nodes = 2,
                                                      .node_of = nodes_of_two,
                                                      .place = place}),
               true);
}

static char *ended(void)
{
    char *text = NULL;
    UNIT_EQUAL(trace_close("ended", 1), true);
    UNIT_EQUAL(g_file_get_contents(path, &text, NULL, NULL), true);
    g_remove(path);
    return text;
}

/* Records of a text, as "kind of from-to call@at", those of `wanted` words only. */
static char *told(const char *text, const char *wanted)
{
    g_autoptr(GError) error = NULL;
    FILE *in = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    struct trace_reader *reader = trace_reader_new(in, "made", &error);
    GString *out = g_string_new(NULL);
    struct trace_record r;
    while (reader && trace_reader_next(reader, &r, &error) && r.kind != TRACE_RECORD_END) {
        const struct trace_interval *i = &r.interval;
        if (r.kind != TRACE_RECORD_INTERVAL || !strstr(wanted, trace_activity_name(i->activity)))
            continue;
        g_string_append_printf(out, "%s %d %g-%g %s@%s; ", trace_activity_name(i->activity), i->of,
                               i->from_s, i->to_s, i->call ? i->call : "", r.at ? r.at : "");
    }
    if (error) g_string_append(out, error->message);
    trace_reader_free(reader);
    fclose(in);
    return g_string_free(out, FALSE);
}

static const char of_ranks[] = "compute memory service wait";

#define TELLS(text, wanted, expected)                                                              \
    do {                                                                                           \
        g_autofree char *unit_told = told(text, wanted);                                           \
        UNIT_STRING(unit_told, expected);                                                          \
    } while (0)

/* ---- lanes ----------------------------------------------------------------------------------- */

static void
a_payment_is_its_computing_then_its_stalls_and_the_rest_of_the_time_is_waiting_in_the_call(void)
{
    begin();
    trace_track_charge(0, 0, 2, 1);
    trace_track_enter(0, 3, "MPI_Barrier", 7, true);
    trace_track_leave(0, 5);
    trace_track_charge(0, 5, 1, 0);
    trace_track_end(0, 6);
    g_autofree char *text = ended();
    TELLS(text, of_ranks,
          "compute 0 0-2 @; memory 0 2-3 @; wait 0 3-5 MPI_Barrier@x.c:7; compute 0 5-6 @; ");
}

static void servicing_splits_the_stretch_or_the_wait_it_falls_into(void)
{
    begin();
    trace_track_charge(0, 0, 4, 0);
    trace_track_service(0, 1, 2);
    trace_track_enter(0, 6, "MPI_Recv", 1, true);
    trace_track_service(0, 8, 1);
    trace_track_leave(0, 10);
    trace_track_end(0, 10);
    g_autofree char *text = ended();
    TELLS(text, of_ranks,
          "compute 0 0-1 @; service 0 1-3 @; compute 0 3-6 @; "
          "wait 0 6-8 MPI_Recv@x.c:1; service 0 8-9 MPI_Recv@x.c:1; wait 0 9-10 MPI_Recv@x.c:1; ");
}

static void
what_is_charged_inside_a_call_is_the_calls_unless_the_rank_was_ahead_when_it_entered(void)
{
    begin();
    trace_track_enter(0, 0, "MPI_Win_fence", 1, true);
    trace_track_charge(0, 0, 0, 1);
    trace_track_leave(0, 1);
    trace_track_enter(0, 1, "MPI_Put", 2, false); /* what is paid here was owed before */
    trace_track_charge(0, 1, 1, 0);
    trace_track_leave(0, 3);
    trace_track_end(0, 3);
    g_autofree char *text = ended();
    TELLS(text, of_ranks,
          "memory 0 0-1 MPI_Win_fence@x.c:1; compute 0 1-2 @; wait 0 2-3 MPI_Put@x.c:2; ");
}

static void adjacent_intervals_of_a_kind_and_a_call_are_one_and_other_calls_are_others(void)
{
    begin();
    for (int i = 0; i < 3; i++) trace_track_charge(1, i, 1, 0);
    trace_track_enter(1, 3, "MPI_Wait", 1, true);
    trace_track_charge(1, 4, 0, 0);
    trace_track_charge(1, 5, 0, 0);
    trace_track_leave(1, 6);
    trace_track_enter(1, 6, "MPI_Wait", 2, true);
    trace_track_leave(1, 7);
    trace_track_end(1, 7);
    g_autofree char *text = ended();
    TELLS(text, of_ranks,
          "compute 1 0-3 @; wait 1 3-6 MPI_Wait@x.c:1; wait 1 6-7 MPI_Wait@x.c:2; ");
}

/* Ten million quanta of 1 us: pieces of a thousandth of the time so far, so the lines grow with the
 * logarithm. */
static void a_long_stretch_of_payments_makes_few_intervals_and_loses_nothing(void)
{
    begin();
    double now_s = 0;
    for (int i = 0; i < 10000000; i++, now_s += 1e-6)
        trace_track_charge(0, now_s, 0.75e-6, 0.25e-6);
    trace_track_end(0, now_s);
    g_autofree char *text = ended();
    double sum_s[2] = {0};
    int lines = 0;
    for (char *at = text; (at = strchr(at, '\n'));) {
        at++;
        bool memory = g_str_has_prefix(at, "memory,0,");
        if (!memory && !g_str_has_prefix(at, "compute,0,")) continue;
        char *to = strchr(strchr(at, ',') + 3, ',');
        sum_s[memory] += g_ascii_strtod(to + 1, NULL) - g_ascii_strtod(strchr(at, ',') + 3, NULL);
        lines++;
    }
    CU_ASSERT(lines > 1000 && lines < 30000);
    UNIT_NEAR(sum_s[0], 7.5, 1e-9);
    UNIT_NEAR(sum_s[1], 2.5, 1e-9);
}

static void what_a_rank_services_after_its_end_is_drawn_behind_it_without_waiting(void)
{
    begin();
    trace_track_charge(0, 0, 1, 0);
    trace_track_end(0, 1);
    trace_track_service(0, 5, 1);
    g_autofree char *text = ended();
    TELLS(text, of_ranks, "compute 0 0-1 @; service 0 5-6 @; ");
}

static void an_interface_is_busy_while_any_message_is_in_it(void)
{
    begin();
    trace_track_interface(0, TRACE_SEND, 1, 2);
    trace_track_interface(0, TRACE_SEND, 2, 3); /* right behind */
    trace_track_interface(0, TRACE_RECEIVE, 8, 9);
    /* a flow that arrives while another message does */
    trace_track_interface(0, TRACE_RECEIVE, 5, 8.5);
    trace_track_interface(1, TRACE_SEND, 8, 9);
    trace_track_interface(1, TRACE_SEND, 5, 6); /* told late */
    trace_track_interface(1, TRACE_SEND, 10, 11);
    g_autofree char *text = ended();
    TELLS(text, "send receive",
          "send 1 5-6 @; send 1 8-9 @; send 0 1-3 @; receive 0 5-9 @; send 1 10-11 @; ");
}

/* ---- the file -------------------------------------------------------------------------------- */

static void an_operation_reads_back_as_it_was_with_steps_it_did_not_take(void)
{
    begin();
    struct op_trail t = {.kind = OP_GET,
                         .origin = 1,
                         .target = 0,
                         .bytes = 64,
                         .call = "MPI_Get",
                         .carrier = "rdma",
                         .site = 42,
                         .at_s = {0.5, -1, -1, -1, 0.75, 999.000000000001}};
    trace_operation(&t);
    g_autofree char *text = ended();
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text,
        "\nplace,1,x.c:42\nget,1,0,64,MPI_Get,rdma,1,0.5,,,,0.75,999.000000000001\nend,ended,1\n"));
    FILE *in = fmemopen(text, strlen(text), "r");
    struct trace_reader *reader = trace_reader_new(in, "made", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
    const struct trace_about *about = trace_reader_about(reader);
    UNIT_STRING(about->machine, "made, up");
    UNIT_EQUAL(about->ranks, 2);
    UNIT_EQUAL(about->node_of[1], 1);
    struct trace_record r;
    UNIT_EQUAL(trace_reader_next(reader, &r, NULL), true);
    UNIT_EQUAL(r.kind, TRACE_RECORD_OPERATION);
    UNIT_EQUAL(r.number, 1);
    UNIT_EQUAL(r.trail.bytes, 64);
    UNIT_STRING(r.trail.call, "MPI_Get");
    UNIT_STRING(r.at, "x.c:42");
    UNIT_NEAR(r.trail.at_s[OP_DEPARTED], -1, 0);
    UNIT_NEAR(r.trail.at_s[OP_COMPLETED], 999.000000000001, 0);
    UNIT_EQUAL(trace_reader_next(reader, &r, NULL), true);
    UNIT_EQUAL(r.kind, TRACE_RECORD_END);
    UNIT_STRING(r.how, "ended");
    trace_reader_free(reader);
    fclose(in);
    t = (struct op_trail){.kind = OP_PUT, .call = "MPI_Put", .carrier = "rdma"};
    trace_operation(&t); /* after the end of the trace: counted, not written */
    record_clear();
}

static void events_keep_their_text_and_a_load_that_keeps_missing_one_write_is_one_event(void)
{
    begin();
    int segment = op_segment_add(1, 0x1000, 64, "MPI_Win_fence");
    op_segment_name(segment, "100 %, \"halo\"\nof rank 1");
    struct findings_stale stale = {.rank = 1,
                                   .time_s = 0.5,
                                   .segment = segment,
                                   .bytes = 2,
                                   .seen = {1, 2},
                                   .memory = {3, 4},
                                   .load_site = 5,
                                   .writer = op_writer_id(0, "MPI_Put", 6),
                                   .write_time_s = 0.25};
    for (int i = 0; i < 1000; i++) findings_stale_note(&stale);
    stale.write_time_s = 0.375;
    findings_stale_note(&stale);
    char message[] = "too far";
    findings_violation_note(&(struct findings_violation){
        .rule = "rule 7", .message = message, .rank = 0, .time_s = 0.75, .other_rank = -1});
    findings_note(&(struct findings_note){.kind = FINDINGS_NOTE_LOST_UPDATE,
                                          .rank = 0,
                                          .time_s = 0.875,
                                          .segment = segment,
                                          .offset = 8});
    g_autofree char *text = ended();
    FILE *in = fmemopen(text, strlen(text), "r");
    struct trace_reader *reader = trace_reader_new(in, "made", NULL);
    struct trace_record r[5];
    for (int i = 0; i < 5; i++) UNIT_EQUAL(trace_reader_next(reader, &r[i], NULL), true);
    UNIT_EQUAL(r[0].event.kind, TRACE_EVENT_STALE);
    UNIT_STRING(
        r[0].event.text,
        "2 bytes at offset 0 of 100 %, \"halo\"\nof rank 1 of rank 1: saw 0102, memory held 0304");
    UNIT_STRING(r[0].at, "x.c:5");
    UNIT_STRING(r[0].other_at, "x.c:6");
    UNIT_STRING(r[0].event.other_call, "MPI_Put");
    UNIT_EQUAL(r[1].event.kind, TRACE_EVENT_STALE);
    UNIT_EQUAL(r[2].event.kind, TRACE_EVENT_VIOLATION);
    UNIT_STRING(r[2].event.text, "rule 7: too far");
    UNIT_EQUAL(r[2].event.other_rank, -1);
    UNIT_EQUAL(r[3].event.kind, TRACE_EVENT_LOST);
    UNIT_EQUAL(r[4].kind, TRACE_RECORD_END);
    trace_reader_free(reader);
    fclose(in);
    record_clear();
}

static void the_head_of_the_file_tells_every_kind_of_line(void)
{
    begin();
    g_autofree char *text = ended();
    CU_ASSERT(g_str_has_prefix(text, "sidewinder trace 4\n# "));
    *strstr(text, "\nrun,") = '\0';
    for (int kind = 0; kind < OP_CONTROL; kind++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, op_kind_name((enum op_kind)kind)));
    for (int activity = 0; activity < TRACE_ACTIVITIES; activity++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, trace_activity_name((enum trace_activity)activity)));
    for (int kind = 0; kind < TRACE_EVENT_KINDS; kind++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, trace_event_name((enum trace_event_kind)kind)));
    for (int step = 0; step < OP_STEPS; step++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, op_step_name((enum op_step)step)));
}

static void a_trace_that_cannot_be_written_is_refused_and_one_that_does_not_fit_is_told(void)
{
    struct trace_about about = {.version = "9",
                                .machine = "m",
                                .program = "x",
                                .ranks = 1,
                                .nodes = 1,
                                .node_of = nodes_of_two};
    UNIT_EQUAL(trace_open("/nowhere/at/all/walk.trace", &about), false);
    UNIT_EQUAL(errno, ENOENT);
    UNIT_EQUAL(trace_on, false);
    UNIT_EQUAL(trace_open("/dev/full", &about), true);
    UNIT_EQUAL(trace_close("ended", 1), false);
    UNIT_EQUAL(errno, ENOSPC);
    UNIT_EQUAL(trace_on, false);
}

/* ---- what is no trace ------------------------------------------------------------------------ */

#define HEAD "sidewinder trace 4\nrun,9,m,x,2,1\nrank,0,0\nrank,1,0\n"

static void bad_lines_are_refused_with_file_and_line(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "made:1: empty: not a trace"},
        {"hello\n", "made:1: not a trace: one begins 'sidewinder trace 4'"},
        {"kind,origin,target,bytes,call\nput,0,1,4,MPI_Put\n",
         "made:1: a trace of version 1; this sidewinder reads version 4"},
        {"sidewinder trace 2\n", "made:1: a trace of version 2"},
        {"sidewinder trace 4\n", "made:2: the trace is cut short here"},
        {"sidewinder trace 4\nrun,9,m,x,0,1\n", "made:2: 'run'"},
        {"sidewinder trace 4\nrun,9,m,x,1,1\nrank,0,1\n", "made:3: 'rank'"},
        {HEAD, "made:5: the trace is cut short here: its last line 'end' is missing"},
        {HEAD "compute,0,0,1,,0", "made:5: the trace is cut short here"},
        {HEAD "compute,2,0,1,,0\n", "made:5: 'compute...' is no line of a trace, or a damaged one"},
        {HEAD "compute,0,1,0,,0\n", "made:5: 'compute...'"},
        {HEAD "compute,0,0,1,,0\nwait,0,0.5,2,,0\n", "made:6: 'wait...'"},
        {HEAD "compute,0,0,nan,,0\n", "made:5: 'compute...'"},
        {HEAD "compute,0,0,1,,3\n", "made:5: 'compute...'"},
        {HEAD "send,1,0,1\n", "made:5: 'send...'"},
        {HEAD "put,0,1,4,MPI_Put,rdma,0,1,2,3\n", "made:5: 'put...'"},
        {HEAD "put,0,1,-4,MPI_Put,rdma,0,1,2,3,4,5,6\n", "made:5: 'put...'"},
        {HEAD "put,0,1,4,MPI_Put,rdma,0,,2,3,4,5,6\n", "made:5: 'put...'"},
        {HEAD "swap,0,1,4\n", "made:5: 'swap...'"},
        {HEAD "cause,0,0,1,lock,2,0\n", "made:5: 'cause...'"},
        {HEAD "cause,0,2,1,lock,1,0\n", "made:5: 'cause...'"},
        {HEAD "path,run,0,1,0.5,0,0\n", "made:5: 'path...'"},
        {HEAD "path,,0,0,1,0,0\n", "made:5: 'path...'"},
        {HEAD "place,2,x.c:3\n", "made:5: 'place...'"},
        {HEAD "stale,0,1,0,-2,,0,,text\n", "made:5: 'stale...'"},
        {HEAD "end,ended,1\nput\n", "made:6: more lines after the last, 'end'"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        FILE *in = *bad[i].text ? fmemopen((char *)(uintptr_t)bad[i].text, strlen(bad[i].text), "r")
                                : fopen("/dev/null", "r");
        struct trace_reader *reader = trace_reader_new(in, "made", &error);
        struct trace_record r;
        while (reader && trace_reader_next(reader, &r, &error) && r.kind != TRACE_RECORD_END) {
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(error);
        if (!g_str_has_prefix(error->message, bad[i].message))
            fprintf(stderr, "    expected \"%s\"\n    obtained \"%s\"\n", bad[i].message,
                    error->message);
        CU_ASSERT(g_str_has_prefix(error->message, bad[i].message));
        trace_reader_free(reader);
        fclose(in);
    }
}

UNIT_SUITE(
    trace,
    UNIT_TEST(
        a_payment_is_its_computing_then_its_stalls_and_the_rest_of_the_time_is_waiting_in_the_call),
    UNIT_TEST(servicing_splits_the_stretch_or_the_wait_it_falls_into),
    UNIT_TEST(what_is_charged_inside_a_call_is_the_calls_unless_the_rank_was_ahead_when_it_entered),
    UNIT_TEST(adjacent_intervals_of_a_kind_and_a_call_are_one_and_other_calls_are_others),
    UNIT_TEST(a_long_stretch_of_payments_makes_few_intervals_and_loses_nothing),
    UNIT_TEST(what_a_rank_services_after_its_end_is_drawn_behind_it_without_waiting),
    UNIT_TEST(an_interface_is_busy_while_any_message_is_in_it),
    UNIT_TEST(an_operation_reads_back_as_it_was_with_steps_it_did_not_take),
    UNIT_TEST(events_keep_their_text_and_a_load_that_keeps_missing_one_write_is_one_event),
    UNIT_TEST(the_head_of_the_file_tells_every_kind_of_line),
    UNIT_TEST(a_trace_that_cannot_be_written_is_refused_and_one_that_does_not_fit_is_told),
    UNIT_TEST(bad_lines_are_refused_with_file_and_line))
