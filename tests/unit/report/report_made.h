/* Made-up runs, and a compiled program whose lines are known, for the tests of report. */
#ifndef UNIT_REPORT_MADE_H
#define UNIT_REPORT_MADE_H

#include "record.h"
#include "report/json/json.h"
#include "report/print/print.h"
#include "report/source/source.h"
#include "report/text/text.h"

#include "unit.h"

#include <dlfcn.h>
#include <ftw.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

/* each of the files that include this uses its part */
#pragma GCC diagnostic ignored "-Wunused-function"

/* ---- a compiled program whose lines are known ------------------------------------------------ */

/* The calls return to the first instruction of the next line: the line of a site is that of the
 * call before it. */
static const char place_source[] = "static void *kept;\n"                        /* 1 */
                                   "__attribute__((noinline)) void here(void)\n" /* 2 */
                                   "{\n"                                         /* 3 */
                                   "    kept = __builtin_return_address(0);\n"   /* 4 */
                                   "}\n"                                         /* 5 */
                                   "void *put_site(void) {\n"                    /* 6 */
                                   "    here();\n"                               /* 7 */
                                   "    return kept;\n"                          /* 8 */
                                   "}\n"                                         /* 9 */
                                   "void *load_site(void)\n"                     /* 10 */
                                   "{\n"                                         /* 11 */
                                   "\n"                                          /* 12 */
                                   "    here();\n"                               /* 13 */
                                   "    return kept;\n"                          /* 14 */
                                   "}\n";

static struct {
    char *folder, *object;
    void *handle;
    op_site put, load;
} place;

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
    g_autofree char *command =
        g_strdup_printf("cc -O0 %s -shared -fPIC -o %s %s", flag, *object, source);
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
    record_clear();
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

/* ---- a made-up run --------------------------------------------------------------------------- */

enum { RANKS = 2 };

static struct report_cache made_cache[RANKS][1] = {{{.level = 1,
                                                     .loads = 2000,
                                                     .stores = 1000,
                                                     .load_misses = 100,
                                                     .store_misses = 10,
                                                     .invalidations = 3}},
                                                   {{.level = 1,
                                                     .loads = 2000,
                                                     .stores = 1000,
                                                     .load_misses = 900,
                                                     .store_misses = 10,
                                                     .flushed_lines = 7}}};
static struct report_rank made_rank[RANKS];
static struct report_bus made_bus = {
    .node = 0, .transactions = 4, .bytes = 256, .busy_s = 1e-3, .queued_s = 4e-6};
static char link_name[] = "NI of node 0";
static struct report_link made_link = {.name = link_name, .bytes = 2048, .busy_s = 1e-3};
static const char *const made_set[] = {"ni.invalidate=none", NULL};
static char *made_objects[] = {"old.o", NULL};

static struct report_run made_run(void)
{
    place_open();
    record_clear();
    for (int r = 0; r < RANKS; r++)
        made_rank[r] = (struct report_rank){.time_s = 4e-3,
                                            .compute_s = 1e-3,
                                            .memory_s = 2e-3,
                                            .service_s = 0,
                                            .wait_s = 1e-3,
                                            .caches = 1,
                                            .cache = made_cache[r],
                                            .finished = true};
    made_rank[1].stale_loads = 5;
    return (struct report_run){.version = "9.8.7",
                               .machine = "t3d",
                               .machine_doc = "a made-up torus",
                               .protocol = "none",
                               .invalidate = "none",
                               .program = place.object,
                               .command = "sidewinder run -m t3d -n 2 ./place",
                               .ranks = RANKS,
                               .time_s = 4e-3,
                               .end = REPORT_ENDED,
                               .rank = made_rank,
                               .buses = 1,
                               .bus = &made_bus,
                               .links = 1,
                               .link = &made_link,
                               .set = made_set,
                               .uninstrumented = made_objects};
}

static struct findings_stale made_stale(int seen, int memory)
{
    struct findings_stale stale = {.rank = 1,
                                   .time_s = 15.6e-6,
                                   .offset = 8,
                                   .bytes = 4,
                                   .load_site = place.load,
                                   .writer = op_writer_id(0, "MPI_Put", place.put),
                                   .write_time_s = 12.3e-6};
    static char memory_of_rank_1[64];
    stale.segment = op_segment_add(1, (uintptr_t)memory_of_rank_1, sizeof memory_of_rank_1,
                                   "MPI_Win_fence or MPI_Win_lock");
    op_segment_name(stale.segment, "window halo");
    memcpy(stale.seen, &seen, sizeof seen);
    memcpy(stale.memory, &memory, sizeof memory);
    return stale;
}

static void made_operation(double called_s, double completed_s)
{
    struct op_trail trail = {
        .kind = OP_PUT,
        .origin = 0,
        .target = 1,
        .bytes = 1024,
        .call = "MPI_Put",
        .carrier = "rdma",
        .site = place.put,
        .at_s = {called_s, called_s, called_s, called_s + 1e-6, called_s + 1e-6, completed_s}};
    trace_operation(&trail);
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

#define SAYS(text, part)                                                                           \
    do {                                                                                           \
        if (!strstr(text, part)) fprintf(stderr, "missing: %s\nin:\n%s\n", part, text);            \
        CU_ASSERT_PTR_NOT_NULL(strstr(text, part));                                                \
    } while (0)

#endif
