/* The table of `sidewinder compare`: one column for each run, one row for each quantity. */
#include "cli/compare/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMN_GAP = 3 };

/* ---- numbers for people ---------------------------------------------------------------------- */

static char *time_text(double time_s)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1.0, "s"}};
    if (time_s == 0) return g_strdup("0");
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && fabs(time_s) >= 999.95 * units[i].scale) i++;
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.4g", time_s / units[i].scale);
    return g_strdup_printf("%s %s", text, units[i].unit);
}

static char *part_text(double part, double whole)
{
    g_autofree char *time = time_text(part);
    return part == 0 || !(whole > 0) ? g_strdup(time)
                                     : g_strdup_printf("%s (%2.0f %%)", time, 100 * part / whole);
}

static char *count_text(gint64 n)
{
    g_autofree char *plain = g_strdup_printf("%" G_GINT64_FORMAT, n);
    GString *text = g_string_new(NULL);
    size_t length = strlen(plain);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && plain[i - 1] != '-') g_string_append_c(text, ',');
        g_string_append_c(text, plain[i]);
    }
    return g_string_free(text, FALSE);
}

static char *share_text(gint64 part, gint64 whole)
{
    return whole > 0 ? g_strdup_printf("%.1f %%", 100.0 * (double)part / (double)whole)
                     : g_strdup("-");
}

/* Runs of one machine are distinguished by their files' names. */
static void name_columns(struct cli_compare_run *run, int runs, char **path)
{
    g_autofree bool *twin = g_new0(bool, runs);
    for (int i = 0; i < runs; i++)
        for (int k = 0; k < runs; k++)
            twin[i] = twin[i] || (i != k && strcmp(run[i].name, run[k].name) == 0);
    for (int i = 0; i < runs; i++) {
        if (!twin[i]) continue;
        g_free(run[i].name);
        run[i].name = g_path_get_basename(path[i]);
        if (g_str_has_suffix(run[i].name, ".json")) run[i].name[strlen(run[i].name) - 5] = '\0';
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static char *row_time(const struct cli_compare_run *r) { return time_text(r->time_s); }
static char *row_compute(const struct cli_compare_run *r)
{
    return part_text(r->compute_s, r->rank_time_s);
}
static char *row_memory(const struct cli_compare_run *r)
{
    return part_text(r->memory_s, r->rank_time_s);
}
static char *row_service(const struct cli_compare_run *r)
{
    return part_text(r->service_s, r->rank_time_s);
}
static char *row_wait(const struct cli_compare_run *r)
{
    return part_text(r->wait_s, r->rank_time_s);
}
static char *row_slowest(const struct cli_compare_run *r)
{
    return g_strdup_printf("%" G_GINT64_FORMAT, r->slowest);
}
static char *row_ranks(const struct cli_compare_run *r) { return count_text(r->ranks); }
static char *row_operations(const struct cli_compare_run *r) { return count_text(r->operations); }
static char *row_bytes(const struct cli_compare_run *r) { return count_text(r->operation_bytes); }
static char *row_latency(const struct cli_compare_run *r)
{
    return r->operations ? time_text(r->latency_s) : g_strdup("-");
}
static char *row_delay(const struct cli_compare_run *r)
{
    return r->operations ? time_text(r->service_delay_s) : g_strdup("-");
}
static char *row_loads(const struct cli_compare_run *r) { return count_text(r->loads + r->stores); }
static char *row_misses(const struct cli_compare_run *r)
{
    return share_text(r->load_misses, r->loads);
}
static char *row_invalidations(const struct cli_compare_run *r)
{
    return count_text(r->invalidations);
}
static char *row_stale(const struct cli_compare_run *r)
{
    return r->stale_loads ? count_text(r->stale_loads) : g_strdup("none");
}
static char *row_violations(const struct cli_compare_run *r)
{
    return r->violations ? count_text(r->violations) : g_strdup("none");
}

/* Without run --check a run with conflicting accesses looks like one without. */
static char *row_accesses(const struct cli_compare_run *r)
{
    if (r->check_errors < 0) return g_strdup("not checked");
    return r->check_errors ? count_text(r->check_errors) : g_strdup("none");
}

static const struct row {
    const char *question;
    char *(*answer)(const struct cli_compare_run *);
} rows[] = {
    {"ranks", row_ranks},
    {"predicted time", row_time},
    {"slowest rank", row_slowest},
    {"mean time of a rank", NULL},
    {"  computing", row_compute},
    {"  memory", row_memory},
    {"  servicing others", row_service},
    {"  waiting", row_wait},
    {"one-sided operations", NULL},
    {"  count", row_operations},
    {"  bytes moved", row_bytes},
    {"  latency, mean", row_latency},
    {"  of it, waiting for service", row_delay},
    {"first-level caches", NULL},
    {"  loads and stores", row_loads},
    {"  loads that missed", row_misses},
    {"  lines lost to others", row_invalidations},
    {"stale loads", row_stale},
    {"violations", NULL},
    {"  calls", row_violations},
    {"  accesses to windows", row_accesses},
};

static glong width_of(const char *text) { return g_utf8_strlen(text, -1); }

static void print_table(const struct cli_compare_run *run, int runs, FILE *out)
{
    enum { ROWS = G_N_ELEMENTS(rows) };
    g_autofree glong *width = g_new0(glong, runs + 1);
    g_autoptr(GPtrArray) cell = g_ptr_array_new_with_free_func(g_free);
    for (int c = 0; c < runs; c++) width[c + 1] = width_of(run[c].name);
    for (int i = 0; i < ROWS; i++) {
        width[0] = MAX(width[0], width_of(rows[i].question));
        for (int c = 0; c < runs; c++) {
            char *text = rows[i].answer ? rows[i].answer(&run[c]) : g_strdup("");
            width[c + 1] = MAX(width[c + 1], width_of(text));
            g_ptr_array_add(cell, text);
        }
    }
    fprintf(out, "%*s", (int)width[0], "");
    glong rule = width[0];
    for (int c = 0; c < runs; c++) {
        fprintf(out, "%*s%s", COLUMN_GAP + (int)(width[c + 1] - width_of(run[c].name)), "",
                run[c].name);
        rule += COLUMN_GAP + width[c + 1];
    }
    fputc('\n', out);
    for (glong i = 0; i < rule; i++) fputs("─", out);
    fputc('\n', out);
    for (int i = 0; i < ROWS; i++) {
        fputs(rows[i].question, out);
        if (rows[i].answer) fprintf(out, "%*s", (int)(width[0] - width_of(rows[i].question)), "");
        for (int c = 0; c < runs && rows[i].answer; c++) {
            const char *text = cell->pdata[i * runs + c];
            fprintf(out, "%*s%s", COLUMN_GAP + (int)(width[c + 1] - width_of(text)), "", text);
        }
        fputc('\n', out);
    }
}

bool cli_compare_table(char **path, char **name, int runs, GError **error)
{
    struct cli_compare_run *run = g_new0(struct cli_compare_run, runs);
    bool fine = true;
    for (int i = 0; i < runs && fine; i++) fine = cli_compare_read(&run[i], path[i], error);
    if (fine && !name) name_columns(run, runs, path);
    for (int i = 0; i < runs && fine && name; i++) {
        g_free(run[i].name);
        run[i].name = g_strdup(name[i]);
    }
    if (fine) print_table(run, runs, stdout);
    for (int i = 0; i < runs; i++) g_free(run[i].name);
    g_free(run);
    return fine;
}
