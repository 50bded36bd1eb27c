/* report: made-up runs, and what people and programs read about them. */
#define _GNU_SOURCE
#include "report/report.h"

#include "unit.h"

#include <dlfcn.h>
#include <ftw.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a compiled program whose lines are known ------------------------------------------------------------*/

/* The calls return to the first instruction of the next line: the line of a site is that of the call before it. */
static const char place_source[] =
    "static void *kept;\n"                                       /* 1 */
    "__attribute__((noinline)) void here(void)\n"                /* 2 */
    "{\n"                                                        /* 3 */
    "    kept = __builtin_return_address(0);\n"                  /* 4 */
    "}\n"                                                        /* 5 */
    "void *put_site(void) {\n"                                   /* 6 */
    "    here();\n"                                              /* 7 */
    "    return kept;\n"                                         /* 8 */
    "}\n"                                                        /* 9 */
    "void *load_site(void)\n"                                    /* 10 */
    "{\n"                                                        /* 11 */
    "\n"                                                         /* 12 */
    "    here();\n"                                              /* 13 */
    "    return kept;\n"                                         /* 14 */
    "}\n";

static struct { char *folder, *object; void *handle; op_site put, load; } place;

static op_site site_of(void *handle, const char *function)
{
    void *(*call)(void);
    *(void **)&call = dlsym(handle, function);
    CU_ASSERT_PTR_NOT_NULL_FATAL(call);
    Dl_info info;
    void *address = call();
    CU_ASSERT_NOT_EQUAL_FATAL(dladdr(address, &info), 0);
    return (op_site)((uintptr_t)address - (uintptr_t)info.dli_fbase);
}

static void *compile(const char *flag, char **object)
{
    g_autofree char *source = g_build_filename(place.folder, "place.c", NULL);
    *object = g_strdup_printf("%s/place%s.so", place.folder, flag);
    CU_ASSERT_TRUE_FATAL(g_file_set_contents(source, place_source, -1, NULL));
    g_autofree char *command = g_strdup_printf("cc -O0 %s -shared -fPIC -o %s %s", flag, *object, source);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    void *handle = dlopen(*object, RTLD_NOW | RTLD_LOCAL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
    return handle;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *ftw)
{
    (void)status, (void)kind, (void)ftw;
    return remove(path);
}

static void place_close(void)
{
    op_clear();
    report_clear();
    dlclose(place.handle);
    nftw(place.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    g_free(place.object);
    g_free(place.folder);
}

static void place_open(void)
{
    if (place.folder) return;
    atexit(place_close);
    place.folder = g_dir_make_tmp("report-test-XXXXXX", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(place.folder);
    place.handle = compile("-g", &place.object);
    place.put = site_of(place.handle, "put_site");
    place.load = site_of(place.handle, "load_site");
}

/* ---- a made-up run ---------------------------------------------------------------------------------------*/

enum { RANKS = 2 };

static struct report_cache made_cache[RANKS][1] = {
    {{.level = 1, .loads = 2000, .stores = 1000, .load_misses = 100, .store_misses = 10, .invalidations = 3}},
    {{.level = 1, .loads = 2000, .stores = 1000, .load_misses = 900, .store_misses = 10, .flushed_lines = 7}}};
static struct report_rank made_rank[RANKS];
static struct report_bus made_bus = {.node = 0, .transactions = 4, .bytes = 256, .busy_s = 1e-3, .queued_s = 4e-6};
static char link_name[] = "NI of node 0";
static struct report_link made_link = {.name = link_name, .bytes = 2048, .busy_s = 1e-3};
static const char *const made_set[] = {"ni.invalidate=none", NULL};
static const char *const made_objects[] = {"old.o", NULL};

static struct report_run made_run(void)
{
    place_open();
    op_clear();
    for (int r = 0; r < RANKS; r++)
        made_rank[r] = (struct report_rank){.time_s = 4e-3, .compute_s = 1e-3, .memory_s = 2e-3, .service_s = 0, .wait_s = 1e-3,
                                            .caches = 1, .cache = made_cache[r], .finished = true};
    made_rank[1].stale_loads = 5;
    return (struct report_run){.version = "9.8.7", .machine = "t3d", .machine_doc = "a made-up torus", .protocol = "none",
                               .invalidate = "none", .program = place.object, .command = "sidewinder run -m t3d -n 2 ./place",
                               .ranks = RANKS, .time_s = 4e-3, .end = REPORT_ENDED, .rank = made_rank, .buses = 1, .bus = &made_bus,
                               .links = 1, .link = &made_link, .set = made_set, .uninstrumented = made_objects};
}

static struct op_stale made_stale(int seen, int memory)
{
    struct op_stale stale = {.rank = 1, .time_s = 15.6e-6, .offset = 8, .bytes = 4, .load_site = place.load,
                             .writer = op_writer_id(0, "MPI_Put", place.put), .write_time_s = 12.3e-6};
    static char memory_of_rank_1[64];
    stale.segment = op_segment_add(1, (uintptr_t)memory_of_rank_1, sizeof memory_of_rank_1, "MPI_Win_fence or MPI_Win_lock");
    op_segment_name(stale.segment, "window halo");
    memcpy(stale.seen, &seen, sizeof seen);
    memcpy(stale.memory, &memory, sizeof memory);
    return stale;
}

static void made_operation(double called_s, double completed_s)
{
    struct op_trail trail = {.kind = OP_PUT, .origin = 0, .target = 1, .bytes = 1024, .call = "MPI_Put", .carrier = "ni",
                             .site = place.put,
                             .at_s = {called_s, called_s, called_s, called_s + 1e-6, called_s + 1e-6, completed_s}};
    op_record(&trail);
}

static char *text_of(const struct report_run *run, bool colour)
{
    char *raw = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&raw, &length);
    report_text(run, out, colour);
    fclose(out);
    char *text = g_strdup(raw);
    free(raw);
    return text;
}

/* Line breaks of the wrapping do not matter to a reader. */
static char *flowing(const struct report_run *run)
{
    g_autofree char *text = text_of(run, false);
    g_autoptr(GRegex) blanks = g_regex_new("[ \n]+", 0, 0, NULL);
    return g_regex_replace_literal(blanks, text, -1, 0, " ", 0, NULL);
}

static int occurrences(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

#define SAYS(text, part)                                                       \
    do {                                                                       \
        if (!strstr(text, part)) fprintf(stderr, "missing: %s\nin:\n%s\n", part, text); \
        CU_ASSERT_PTR_NOT_NULL(strstr(text, part));                            \
    } while (0)

/* ---- text ------------------------------------------------------------------------------------------------*/

static void the_text_tells_program_machine_ranks_time_and_where_it_went(void)
{
    struct report_run run = made_run();
    g_autofree char *text = flowing(&run);
    SAYS(text, "place-g.so on t3d, 2 ranks: 4 ms");
    SAYS(text, "a made-up torus");
    SAYS(text, "with ni.invalidate=none");
    SAYS(text, "0 4 ms 1 ms 25 % 2 ms 50 % 0 s 0 % 1 ms 25 %");
    SAYS(text, "L1 4,000 loads, 25 % missed 2,000 stores, 1.0 % missed 3 invalidated by others, 7 flushed");
    SAYS(text, "L1 load misses go from 5.0 % on rank 0 to 45 % on rank 1");
    SAYS(text, "node 0 4 transactions 256 B busy 25 % of the time, a transaction queued for 1 µs on average");
    SAYS(text, "NI of node 0 2 KiB busy 25 % of the time");
    SAYS(text, "old.o was not compiled by sidewinder cc");
    SAYS(text, "None: every load returned what memory held");
}

static void operations_are_told_by_count_bytes_latency_and_service_delay(void)
{
    struct report_run run = made_run();
    made_operation(1e-3, 1e-3 + 4e-6);
    made_operation(2e-3, 2e-3 + 8e-6);
    g_autofree char *text = flowing(&run);
    SAYS(text, "put 2 2 KiB 6 µs 8 µs 1 µs");
}

static void a_stale_load_is_told_with_reader_values_writer_reason_and_remedy(void)
{
    struct report_run run = made_run();
    struct op_stale stale = made_stale(1, 42);
    op_stale_note(&stale);
    g_autofree char *text = flowing(&run);
    SAYS(text, "1 load returned bytes older than memory held.");
    SAYS(text, "Rank 1 read 4 bytes of its own window halo, 8 bytes from its start, at place.c:13, at time 15.6 µs.");
    SAYS(text, "it saw 1 (0x00000001)");
    SAYS(text, "memory held 42 (0x0000002a)");
    SAYS(text, "Rank 0 wrote that with MPI_Put at place.c:7; it reached memory at 12.3 µs, 3.3 µs before the load.");
    SAYS(text, "On t3d MPI_Put changes memory, not the target's cache (ni.invalidate=none).");
    SAYS(text, "Rank 1 would have seen it after MPI_Win_fence or MPI_Win_lock");
    SAYS(text, "This happened once.");
}

static void a_million_stale_loads_make_one_paragraph_with_the_count(void)
{
    struct report_run run = made_run();
    struct op_stale stale = made_stale(1, 42);
    for (int i = 0; i < 1000000; i++) {
        stale.time_s += 1e-9;
        op_stale_note(&stale);
    }
    g_autofree char *text = flowing(&run);
    CU_ASSERT_EQUAL(occurrences(text, "it saw"), 1);
    SAYS(text, "1,000,000 loads returned bytes older than memory held.");
    SAYS(text, "This happened 1,000,000 times; the first is shown.");
    CU_ASSERT_TRUE(strlen(text) < 4000);
}

static void writers_of_many_ranks_at_one_line_make_one_paragraph(void)
{
    struct report_run run = made_run();
    struct op_stale stale = made_stale(1, 42);
    for (int rank = 2; rank < 102; rank++) {
        stale.writer = op_writer_id(rank, "MPI_Put", place.put);
        op_stale_note(&stale);
    }
    g_autofree char *text = flowing(&run);
    CU_ASSERT_EQUAL(occurrences(text, "it saw"), 1);
    SAYS(text, "This happened 100 times; the first is shown.");
}

static void doubles_are_shown_as_doubles_and_small_integers_as_integers(void)
{
    struct report_run run = made_run();
    struct op_stale stale = made_stale(0, 0);
    double seen = 0, memory = -0.1;
    stale.bytes = 8;
    memcpy(stale.seen, &seen, sizeof seen);
    memcpy(stale.memory, &memory, sizeof memory);
    op_stale_note(&stale);
    int64_t old = -1, new = 1000000;
    stale.load_site = place.put;
    memcpy(stale.seen, &old, sizeof old);
    memcpy(stale.memory, &new, sizeof new);
    op_stale_note(&stale);
    g_autofree char *text = flowing(&run);
    SAYS(text, "memory held -0.1 (0xbfb999999999999a)");
    SAYS(text, "it saw -1 (0xffffffffffffffff)");
    SAYS(text, "memory held 1000000 (0x00000000000f4240)");
}

static void lost_updates_victims_and_violations_are_told(void)
{
    struct report_run run = made_run();
    struct op_stale stale = made_stale(0, 0);
    struct op_note lost = {.kind = OP_NOTE_LOST_UPDATE, .rank = 1, .time_s = 1e-3, .segment = stale.segment, .offset = 4,
                           .site = place.load, .writer = stale.writer};
    struct op_note victim = {.kind = OP_NOTE_VICTIM, .rank = 1, .time_s = 2e-3, .segment = -1, .writer = stale.writer};
    char message[] = "an operation outside an epoch";
    struct op_violation violation = {.rule = "MPI-2 11.7 rule 1", .message = message, .rank = 1, .time_s = 3e-3,
                                     .site = place.load, .other_rank = 0, .other_call = "MPI_Put", .other_site = place.put};
    op_note(&lost);
    op_note(&victim);
    op_violation_note(&violation);
    g_autofree char *text = flowing(&run);
    SAYS(text, "Lost update: rank 1's store at place.c:13");
    SAYS(text, "older bytes over those of rank 0's MPI_Put at place.c:7 (rank 1's window halo, byte 4; once, at time 1 ms)");
    SAYS(text, "Innocent victim: the line that rank 0's MPI_Put at place.c:7 dropped from rank 1's cache");
    SAYS(text, "MPI-2 11.7 rule 1: an operation outside an epoch. Rank 1, at place.c:13, at time 3 ms. The other side: rank 0, "
               "MPI_Put at place.c:7.");
}

static void many_ranks_are_told_by_least_mean_most_and_the_slowest(void)
{
    struct report_run run = made_run();
    enum { MANY = 500 };
    g_autofree struct report_rank *rank = g_new0(struct report_rank, MANY);
    for (int r = 0; r < MANY; r++) rank[r] = (struct report_rank){.time_s = 1e-3, .compute_s = 1e-3, .finished = true};
    rank[77].time_s = 3e-3;
    rank[77].wait_s = 2e-3;
    run.rank = rank;
    run.ranks = MANY;
    g_autofree char *text = text_of(&run, false), *words = flowing(&run);
    CU_ASSERT_TRUE(occurrences(text, "\n") < 40);
    SAYS(words, "least 1 ms 1 ms 100 %");
    SAYS(words, "mean 1.004 ms");
    SAYS(words, "most 3 ms");
    SAYS(words, "rank 77 3 ms 1 ms 33 % 0 s 0 % 0 s 0 % 2 ms 67 %");
}

static void colour_comes_only_when_asked_for(void)
{
    struct report_run run = made_run();
    g_autofree char *plain = text_of(&run, false), *ink = text_of(&run, true);
    CU_ASSERT_PTR_NULL(strchr(plain, '\033'));
    CU_ASSERT_PTR_NOT_NULL(strchr(ink, '\033'));
}

static void a_deadlock_is_told_by_call_and_line_with_equal_ranks_together(void)
{
    struct report_run run = made_run();
    struct report_rank rank[5] = {{.finished = false, .call = "MPI_Win_wait", .site = place.load},
                                  {.finished = false, .call = "MPI_Recv", .site = place.put},
                                  {.finished = false, .call = "MPI_Recv", .site = place.put},
                                  {.finished = false, .call = "MPI_Recv", .site = place.put},
                                  {.finished = true}};
    run.rank = rank;
    run.ranks = 5;
    run.end = REPORT_DEADLOCK;
    g_autofree char *text = flowing(&run);
    SAYS(text, "deadlock at simulated time 4 ms: 4 of 5 ranks wait for ever");
    SAYS(text, "rank 0 waits in MPI_Win_wait at place.c:13");
    SAYS(text, "ranks 1-3 wait in MPI_Recv at place.c:7");
    SAYS(text, "rank 4 finished");
}

/* ---- JSON ------------------------------------------------------------------------------------------------*/

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
    CU_ASSERT_EQUAL_FATAL(json_array_get_length(json_object_get_array_member(object, array)) > 0, TRUE);
    return json_array_get_object_element(json_object_get_array_member(object, array), 0);
}

static void the_json_has_every_promised_key_and_the_exact_numbers(void)
{
    struct report_run run = made_run();
    struct op_stale stale = made_stale(1, 42);
    op_stale_note(&stale);
    op_stale_note(&stale);
    made_operation(0.1, 0.1 + 4e-6);
    char message[] = "put \"outside\"\nan epoch";
    struct op_violation violation = {.rule = "rule", .message = message, .rank = 1, .time_s = 3e-3, .site = place.load,
                                     .other_rank = 0, .other_call = "MPI_Put", .other_site = place.put};
    op_violation_note(&violation);
    struct op_note victim = {.kind = OP_NOTE_VICTIM, .rank = 1, .segment = -1, .writer = stale.writer};
    op_note(&victim);
    made_rank[0].time_s = 0.1;          /* not a binary fraction */
    g_autofree char *text = json_text(&run);
    g_autoptr(JsonParser) parser = json_parser_new();
    CU_ASSERT_TRUE_FATAL(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    has_keys(root, "sidewinder machine ranks time_s rank operations stale violations notes buses links uninstrumented end");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(root, "sidewinder"), "9.8.7");
    CU_ASSERT_STRING_EQUAL(json_object_get_string_member(root, "end"), "ended");
    JsonObject *rank = first(root, "rank");
    has_keys(rank, "rank time_s compute_s memory_s service_s wait_s cache stale_loads");
    CU_ASSERT_EQUAL(json_object_get_double_member(rank, "time_s"), 0.1);
    has_keys(first(rank, "cache"), "level loads stores load_misses store_misses write_backs invalidations flushed_lines");
    has_keys(first(root, "operations"), "kind count bytes mean_latency_s max_latency_s mean_service_delay_s");
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

/* ---- sites and crashes -------------------------------------------------------------------------------------*/

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
    report_crash(program, rank, signal_number, site);
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
    g_autofree char *known = crash_line(place.object, 12, SIGSEGV, place.put);     /* the first instruction after the call */
    CU_ASSERT_PTR_NOT_NULL(strstr(known, "sidewinder: rank 12: segmentation fault at place.c:8\n"));
    g_autofree char *unknown = crash_line(NULL, -1, SIGFPE, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(unknown, "sidewinder: arithmetic error (division by zero or overflow)\n"));
}

UNIT_SUITE(report,
    UNIT_TEST(the_text_tells_program_machine_ranks_time_and_where_it_went),
    UNIT_TEST(operations_are_told_by_count_bytes_latency_and_service_delay),
    UNIT_TEST(a_stale_load_is_told_with_reader_values_writer_reason_and_remedy),
    UNIT_TEST(a_million_stale_loads_make_one_paragraph_with_the_count),
    UNIT_TEST(writers_of_many_ranks_at_one_line_make_one_paragraph),
    UNIT_TEST(doubles_are_shown_as_doubles_and_small_integers_as_integers),
    UNIT_TEST(lost_updates_victims_and_violations_are_told),
    UNIT_TEST(many_ranks_are_told_by_least_mean_most_and_the_slowest),
    UNIT_TEST(colour_comes_only_when_asked_for),
    UNIT_TEST(a_deadlock_is_told_by_call_and_line_with_equal_ranks_together),
    UNIT_TEST(the_json_has_every_promised_key_and_the_exact_numbers),
    UNIT_TEST(the_same_run_gives_the_same_bytes_and_the_command_line_does_not_matter),
    UNIT_TEST(a_json_file_that_cannot_be_written_is_an_error),
    UNIT_TEST(a_site_is_the_line_of_the_call_before_it),
    UNIT_TEST(a_site_in_a_library_is_found_through_its_address),
    UNIT_TEST(without_lines_a_site_is_a_function_and_without_anything_a_question_mark),
    UNIT_TEST(a_crash_is_told_by_rank_signal_and_line))
