/* The source of a file or function, with what each of its lines cost. */
#include "cli/profile/parts.h"

#include "report/print/print.h"

#include <string.h>

enum { CONTEXT = 2 }; /* lines shown before and behind a function's first and last with a cost */

/* The lines that belong to `name`, a file's or a function's; their path is *path. */
static GArray *lines_of(const struct cli_profile *p, const char *name, bool *whole_file,
                        const char **path)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_row));
    const char *file = NULL;
    *whole_file = false;
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        *whole_file = *whole_file || strcmp(row->file, name) == 0;
    }
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        if (row->line == 0 || strcmp(*whole_file ? row->file : row->function, name) != 0) continue;
        if (file && row->file != file) continue; /* inlined from elsewhere */
        file = row->file;
        if (!*path || !g_path_is_absolute(*path)) *path = row->path;
        g_array_append_val(lines, *row);
    }
    return lines;
}

/* The file's lines; NULL: it is found nowhere. */
static char **source_of(const char *path, const char *folder)
{
    g_autofree char *base = g_path_get_basename(path), *text = NULL;
    g_autofree char *there = folder ? g_build_filename(folder, base, NULL) : NULL;
    const char *const places[] = {there, path, base};
    for (size_t i = 0; i < G_N_ELEMENTS(places) && !text; i++)
        if (places[i]) g_file_get_contents(places[i], &text, NULL, NULL);
    return text ? g_strsplit(text, "\n", -1) : NULL;
}

struct sums {
    double compute_s, stall_s, wait_s, service_s;
    uint64_t missed, stale;
};

static struct sums sums_at(const GArray *lines, int number)
{
    struct sums sum = {0};
    for (guint i = 0; i < lines->len; i++) {
        const struct cli_profile_row *row = &g_array_index(lines, struct cli_profile_row, i);
        if (row->line != number) continue;
        sum.compute_s += row->cost.compute_s;
        sum.stall_s += cli_profile_stall(&row->cost);
        sum.wait_s += row->cost.wait_s;
        sum.service_s += row->cost.service_s;
        sum.missed += row->cost.missed[0];
        sum.stale += row->cost.stale;
    }
    return sum;
}

static char *time_text(double s) { return s > 0 ? report_time(s) : g_strdup("."); }

static void print_line(const struct sums *sum, double all_s, int number, const char *text)
{
    double time_s = sum->compute_s + sum->stall_s + sum->wait_s + sum->service_s;
    g_autofree char *share = time_s > 0 ? report_percent(time_s, all_s) : g_strdup(".");
    g_autofree char *compute = time_text(sum->compute_s), *stall = time_text(sum->stall_s);
    g_autofree char *wait = time_text(sum->wait_s), *service = time_text(sum->service_s);
    g_autofree char *missed = sum->missed ? report_count(sum->missed) : g_strdup(".");
    printf("%7s %*s %*s %*s %*s %9s  %5d  %s", share,
           9 + (int)(strlen(compute) - g_utf8_strlen(compute, -1)), compute,
           9 + (int)(strlen(stall) - g_utf8_strlen(stall, -1)), stall,
           9 + (int)(strlen(wait) - g_utf8_strlen(wait, -1)), wait,
           9 + (int)(strlen(service) - g_utf8_strlen(service, -1)), service, missed, number, text);
    if (sum->stale) printf("   <- %" G_GUINT64_FORMAT " stale", sum->stale);
    putchar('\n');
}

bool cli_profile_annotate(const struct cli_profile *p, const char *name, const char *folder,
                          GError **error)
{
    const char *path = NULL;
    bool whole_file;
    g_autoptr(GArray) lines = lines_of(p, name, &whole_file, &path);
    if (lines->len == 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "%s: no file or function of that name cost anything (--by line lists them)",
                    name);
        return false;
    }
    g_auto(GStrv) source = source_of(path, folder);
    if (!source) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "the source %s is not there; --source FOLDER says where it is", path);
        return false;
    }
    int first = G_MAXINT, last = 0, end = (int)g_strv_length(source);
    for (guint i = 0; i < lines->len; i++) {
        int number = g_array_index(lines, struct cli_profile_row, i).line;
        first = MIN(first, number);
        last = MAX(last, number);
    }
    first = whole_file ? 1 : MAX(1, first - CONTEXT);
    last = whole_file ? end - (end > 0 && !*source[end - 1]) : MIN(end, last + CONTEXT);
    printf("%s\n\n%7s %9s %9s %9s %9s %9s  %5s\n", path, "", "COMPUTE", "STALL", "WAIT", "SERVICE",
           "L1 MISSES", "LINE");
    for (int number = first; number <= last; number++) {
        struct sums sum = sums_at(lines, number);
        print_line(&sum, cli_profile_all(p), number, source[number - 1]);
    }
    return true;
}
