/* report: what programs read about a made-up run, and the places of a program by file and line. */
#include "report_made.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static char *json_text(const struct report_run *run)
{
    g_autofree char *path = g_build_filename(place.folder, "run.json", NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    CU_ASSERT_TRUE_FATAL(report_json(run, path, &error));
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

static void has_keys(JsonObject *object, const char *keys)
{
    g_auto(GStrv) key = g_strsplit(keys, " ", -1);
    for (char **k = key; *k; k++) {
        if (!json_object_has_member(object, *k)) fprintf(stderr, "missing key: %s\n", *k);
        CU_ASSERT_TRUE(json_object_has_member(object, *k));
    }
}

static JsonObject *first(JsonObject *object, const char *array)
{
    CU_ASSERT_EQUAL_FATAL(json_array_get_length(json_object_get_array_member(object, array)) > 0,
                          TRUE);
    return json_array_get_object_element(json_object_get_array_member(object, array), 0);
}

static void the_json_has_every_promised_key_and_the_exact_numbers(void)
{
    struct report_run run = made_run();
    struct findings_stale stale = made_stale(1, 42);
    findings_stale_note(&stale);
    findings_stale_note(&stale);
    made_operation(0.1, 0.1 + 4e-6);
    char message[] = "put \"outside\"\nan epoch";
    struct findings_violation violation = {.rule = "rule",
                                           .message = message,
                                           .rank = 1,
                                           .time_s = 3e-3,
                                           .site = place.load,
                                           .other_rank = 0,
                                           .other_call = "MPI_Put",
                                           .other_site = place.put};
    findings_violation_note(&violation);
    struct findings_note victim = {
        .kind = FINDINGS_NOTE_VICTIM, .rank = 1, .segment = -1, .writer = stale.writer};
    findings_note(&victim);
    made_rank[0].time_s = 0.1; /* not a binary fraction */
    /* one digit and an exponent: json-glib 1.6 writes 1e-08.0 */
    made_rank[0].wait_s = 1e-8;
    g_autofree char *text = json_text(&run);
    g_autoptr(JsonParser) parser = json_parser_new();
    CU_ASSERT_TRUE_FATAL(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    has_keys(root, "sidewinder machine ranks time_s rank operations stale violations notes buses "
                   "links uninstrumented shared_libraries end");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(root, "sidewinder"), "9.8.7");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(root, "end"), "ended");
    JsonObject *rank = first(root, "rank");
    has_keys(rank, "rank time_s compute_s memory_s service_s wait_s cache stale_loads");
    CU_ASSERT_EQUAL(json_object_get_double_member(rank, "time_s"), 0.1);
    CU_ASSERT_EQUAL(json_object_get_double_member(rank, "wait_s"), 1e-8);
    has_keys(first(rank, "cache"),
             "level loads stores load_misses store_misses write_backs invalidations flushed_lines");
    has_keys(
        first(root, "operations"),
        "kind count bytes description_bytes mean_latency_s max_latency_s mean_service_delay_s");
    JsonObject *load = first(root, "stale");
    has_keys(load, "rank time_s segment offset bytes seen memory load_at writer count");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(load, "seen"), "01000000");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(load, "memory"), "2a000000");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(load, "load_at"), "place.c:13");
    CU_ASSERT_EQUAL(json_object_get_int_member(load, "count"), 2);
    JsonObject *writer = json_object_get_object_member(load, "writer");
    has_keys(writer, "rank call at time_s");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(writer, "at"), "place.c:7");
    JsonObject *broken = first(root, "violations");
    has_keys(broken, "rule message rank time_s at other");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(broken, "message"), message);
    has_keys(json_object_get_object_member(broken, "other"), "rank call at");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(first(root, "notes"), "kind"), "victim");
}

static void the_same_run_gives_the_same_bytes_and_the_command_line_does_not_matter(void)
{
    struct report_run run = made_run();
    g_autofree char *one = json_text(&run);
    report_clear();
    run.command = "sidewinder run --json other.json";
    g_autofree char *two = json_text(&run);
    CU_ASSERT_STRING_EQUAL(one, two);
}

static void a_json_file_that_cannot_be_written_is_an_error(void)
{
    struct report_run run = made_run();
    g_autoptr(GError) error = NULL;
    CU_ASSERT_FALSE(report_json(&run, "/nonexistent/folder/run.json", &error));
    CU_ASSERT_PTR_NOT_NULL(error);
}

/* ---- sites and crashes ----------------------------------------------------------------------- */

static void a_site_is_the_line_of_the_call_before_it(void)
{
    place_open();
    CU_ASSERT_STRING_EQUAL(report_site(place.object, place.put), "place.c:7");
    CU_ASSERT_STRING_EQUAL(report_site(place.object, place.load), "place.c:13");
}

static void a_site_in_a_library_is_found_through_its_address(void)
{
    place_open();
    Dl_info info;
    CU_ASSERT_NOT_EQUAL_FATAL(dladdr(dlsym(place.handle, "here"), &info), 0);
    op_site site = OP_SITE_FOREIGN | (op_site)((uintptr_t)info.dli_fbase + place.load);
    CU_ASSERT_STRING_EQUAL(report_site("/no/program", site), "place.c:13");
}

static void without_lines_a_site_is_a_function_and_without_anything_a_question_mark(void)
{
    place_open();
    g_autofree char *object = NULL;
    void *handle = compile("-g0", &object);
    CU_ASSERT_PTR_EQUAL(strstr(report_site(object, site_of(handle, "put_site")), "put_site+0x"),
                        report_site(object, site_of(handle, "put_site")));
    dlclose(handle);
    CU_ASSERT_STRING_EQUAL(report_site(place.object, 0), "?");
    CU_ASSERT_STRING_EQUAL(report_site(place.object, 0x7fffffff), "?");
    CU_ASSERT_STRING_EQUAL(report_site("/no/program", 42), "?");
    CU_ASSERT_STRING_EQUAL(report_site(NULL, 42), "?");
}

static char *crash_line(const char *program, int rank, int signal_number, op_site site)
{
    int end[2];
    CU_ASSERT_EQUAL_FATAL(pipe(end), 0);
    int saved = dup(STDERR_FILENO);
    dup2(end[1], STDERR_FILENO);
    report_crash(&(struct report_crash){.program = program,
                                        .rank = rank,
                                        .signal = signal_number,
                                        .places = site != 0,
                                        .place = {site}});
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(end[1]);
    char text[4096];
    ssize_t n = read(end[0], text, sizeof text - 1);
    close(end[0]);
    return g_strndup(text, n > 0 ? (gsize)n : 0);
}

static void a_crash_is_told_by_rank_signal_and_line(void)
{
    place_open();
    /* the first instruction after the call */
    g_autofree char *known = crash_line(place.object, 12, SIGSEGV, place.put);
    CU_ASSERT_PTR_NOT_NULL(strstr(known, "sidewinder: rank 12: segmentation fault at place.c:8\n"));
    g_autofree char *unknown = crash_line(NULL, -1, SIGFPE, 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(unknown, "sidewinder: arithmetic error (division by zero or overflow)\n"));
}

UNIT_SUITE(report_json, UNIT_TEST(the_json_has_every_promised_key_and_the_exact_numbers),
           UNIT_TEST(the_same_run_gives_the_same_bytes_and_the_command_line_does_not_matter),
           UNIT_TEST(a_json_file_that_cannot_be_written_is_an_error),
           UNIT_TEST(a_site_is_the_line_of_the_call_before_it),
           UNIT_TEST(a_site_in_a_library_is_found_through_its_address),
           UNIT_TEST(without_lines_a_site_is_a_function_and_without_anything_a_question_mark),
           UNIT_TEST(a_crash_is_told_by_rank_signal_and_line))
