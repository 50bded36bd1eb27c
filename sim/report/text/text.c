/* The report for a person: heading, where the time went, caches, operations, bus and links, then
 * the findings. */
#include "report/text/text.h"
#include "report/print/print.h"
#include "report/text/sections.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

enum {
    RANKS_APART = 8,   /* up to here every rank has its line */
    RANKS_SHOWN = 16,  /* up to here those that are not alike have */
    SLOWEST_SHOWN = 3, /* beyond: least, mean, most, and so many of the slowest */
};

static void title(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    g_autofree char *program =
        run->program ? g_path_get_basename(run->program) : g_strdup("program");
    g_autofree char *time = report_time(run->time_s);
    fprintf(out, "%s%s on %s, %d %s: %s%s\n", ink->strong, program, run->machine, run->ranks,
            run->ranks == 1 ? "rank" : "ranks", time, ink->plain);
    g_autofree char *line = g_strdup_printf("%s: %s", run->machine, run->machine_doc);
    if (run->machine_doc && *run->machine_doc) fprintf(out, "  "), report_wrap(out, 2, 2, line);
    if (run->set && run->set[0]) {
        g_autofree char *set = g_strjoinv(", ", (char **)run->set);
        g_autofree char *with = g_strdup_printf("with %s", set);
        fprintf(out, "  "), report_wrap(out, 2, 2, with);
    }
    if (run->command) fprintf(out, "  %s%s%s\n", ink->faint, run->command, ink->plain);
    fprintf(out, "  %spredicted by Sidewinder %s; all times are simulated%s\n", ink->faint,
            run->version, ink->plain);
}

/* ---- where the time went --------------------------------------------------------------------- */

/* A wait is the rest of a difference: what is less than its rounding is none. */
static double wait_of(const struct report_rank *rank)
{
    return rank->wait_s > 1e-12 * rank->time_s ? rank->wait_s : 0;
}

static void time_row(struct report_table *table, char *name, const struct report_rank *rank,
                     bool stale)
{
    const double part[] = {rank->compute_s, rank->memory_s, rank->service_s, wait_of(rank)};
    report_table_cell(table, name);
    report_table_cell(table, report_time(rank->time_s));
    for (size_t i = 0; i < G_N_ELEMENTS(part); i++) {
        report_table_cell(table, report_time(part[i]));
        report_table_cell(table, report_percent(part[i], rank->time_s));
    }
    report_table_cell(table, stale ? report_count(rank->stale_loads) : g_strdup(""));
}

/* Least, mean and most of each column by itself: not one rank's line. */
static void aggregate_rows(const struct report_run *run, struct report_table *table, bool stale)
{
    static const char *const name[] = {"least", "mean", "most"};
    struct report_rank row[3] = {run->rank[0], {.time_s = 0}, run->rank[0]};
    uint64_t stale_loads = 0;
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
#define FOLD(field)                                                                                \
    do {                                                                                           \
        row[0].field = MIN(row[0].field, rank->field);                                             \
        row[1].field += rank->field / run->ranks;                                                  \
        row[2].field = MAX(row[2].field, rank->field);                                             \
    } while (0)
        FOLD(time_s);
        FOLD(compute_s);
        FOLD(memory_s);
        FOLD(service_s);
        FOLD(wait_s);
#undef FOLD
        stale_loads += rank->stale_loads;
        row[0].stale_loads = MIN(row[0].stale_loads, rank->stale_loads);
        row[2].stale_loads = MAX(row[2].stale_loads, rank->stale_loads);
    }
    row[1].stale_loads = stale_loads / (uint64_t)run->ranks;
    for (int i = 0; i < 3; i++) time_row(table, g_strdup(name[i]), &row[i], stale);
}

/* Slow is who was busy longest: MPI_Finalize aligns the ends. */
static int by_busy(const void *a, const void *b, void *data)
{
    const struct report_run *run = data;
    int left = *(const int *)a, right = *(const int *)b;
    double l = run->rank[left].time_s - wait_of(&run->rank[left]),
           r = run->rank[right].time_s - wait_of(&run->rank[right]);
    return l > r ? -1 : l < r ? 1 : left - right;
}

static bool alike(const struct report_rank *a, const struct report_rank *b)
{
    const double least = 0.01 * a->time_s;
    return fabs(a->time_s - b->time_s) <= least && fabs(a->compute_s - b->compute_s) <= least &&
           fabs(a->memory_s - b->memory_s) <= least && fabs(a->service_s - b->service_s) <= least &&
           fabs(wait_of(a) - wait_of(b)) <= least && a->stale_loads == b->stale_loads;
}

/* Ranks [from, to] in one row: their mean. */
static void merged_row(const struct report_run *run, struct report_table *table, int from, int to,
                       bool stale)
{
    struct report_rank mean = {.stale_loads = run->rank[from].stale_loads};
    const int n = to - from + 1;
    for (int r = from; r <= to; r++) {
        mean.time_s += run->rank[r].time_s / n;
        mean.compute_s += run->rank[r].compute_s / n;
        mean.memory_s += run->rank[r].memory_s / n;
        mean.service_s += run->rank[r].service_s / n;
        mean.wait_s += wait_of(&run->rank[r]) / n;
    }
    time_row(table, g_strdup_printf("%d to %d", from, to), &mean, stale);
}

/* A row a rank; of many, one for those that follow each other and are alike. */
static void each_rank(const struct report_run *run, struct report_table *table, bool stale)
{
    for (int from = 0, to; from < run->ranks; from = to + 1) {
        to = from;
        while (run->ranks > RANKS_APART && to + 1 < run->ranks &&
               alike(&run->rank[from], &run->rank[to + 1]))
            to++;
        if (to > from)
            merged_row(run, table, from, to, stale);
        else
            time_row(table, g_strdup_printf("%d", from), &run->rank[from], stale);
    }
}

static void times(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    bool stale = false;
    struct report_rank all = {0};
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        stale |= rank->stale_loads > 0;
        all.time_s += rank->time_s;
        all.compute_s += rank->compute_s;
        all.memory_s += rank->memory_s;
        all.service_s += rank->service_s;
        all.wait_s += wait_of(rank);
    }
    report_heading(out, ink, "Where the time went",
                   run->ranks > RANKS_APART && run->ranks <= RANKS_SHOWN
                       ? "ranks whose times differ by at most 1 % share a row, with their mean"
                       : NULL);
    static const char *const head[] = {"rank", "time",    "compute", "",     "memory",
                                       "",     "service", "",        "wait", ""};
    bool each = run->ranks <= RANKS_SHOWN;
    struct report_table *table = report_table_new("lRRrRrRrRrR");
    for (size_t i = 0; i < G_N_ELEMENTS(head); i++)
        report_table_words(table, i == 0 && !each ? "" : head[i]);
    report_table_words(table, stale ? "stale loads" : "");
    if (each) {
        each_rank(run, table, stale);
    } else {
        g_autofree int *order = g_new(int, run->ranks);
        for (int r = 0; r < run->ranks; r++) order[r] = r;
        qsort_r(order, run->ranks, sizeof *order, by_busy, (void *)run);
        aggregate_rows(run, table, stale);
        for (int i = 0; i < SLOWEST_SHOWN; i++)
            time_row(table, g_strdup_printf("rank %d", order[i]), &run->rank[order[i]], stale);
    }
    report_table_print(table, out);
    g_autofree char *c = report_percent(all.compute_s, all.time_s),
                    *m = report_percent(all.memory_s, all.time_s);
    g_autofree char *s = report_percent(all.service_s, all.time_s),
                    *w = report_percent(all.wait_s, all.time_s);
    g_autofree char *sentence = g_strdup_printf(
        "Of the time of all ranks, %s was computation, %s stalls on caches, bus and memory, %s "
        "servicing of others, and %s waiting.",
        c, m, s, w);
    fprintf(out, "  ");
    report_wrap(out, 2, 2, sentence);
}

/* ---- caches ---------------------------------------------------------------------------------- */

static void extra(GString *text, uint64_t n, const char *one, const char *many)
{
    if (n == 0) return;
    g_autofree char *count = report_count(n);
    g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", count, n == 1 ? one : many);
}

static const struct report_cache *cache_at(const struct report_rank *rank, int level)
{
    for (int i = 0; i < rank->caches; i++)
        if (rank->cache[i].level == level) return &rank->cache[i];
    return NULL;
}

/* Ranks whose loads missed least and most, when that differs enough to be worth a line. */
static void spread(const struct report_run *run, FILE *out, int level)
{
    int least = -1, most = -1;
    double low = 2, high = -1;
    for (int r = 0; r < run->ranks; r++) {
        const struct report_cache *cache = cache_at(&run->rank[r], level);
        if (!cache || cache->loads == 0) continue;
        double rate = (double)cache->load_misses / (double)cache->loads;
        if (rate < low) low = rate, least = r;
        if (rate > high) high = rate, most = r;
    }
    if (least < 0 || high - low < 0.01) return;
    g_autofree char *l = report_percent(low, 1), *h = report_percent(high, 1);
    fprintf(out, "  L%d load misses go from %s on rank %d to %s on rank %d.\n", level, l, least, h,
            most);
}

/* Of a few accesses a share says nothing. */
static void missed(struct report_table *table, uint64_t all, uint64_t misses, const char *alone,
                   const char *with)
{
    enum { FEW = 16 };
    report_table_cell(table, report_count(all));
    report_table_words(table, all > 0 ? with : alone);
    report_table_cell(table, all >= FEW ? report_percent((double)misses, (double)all)
                             : all > 0  ? report_count(misses)
                                        : g_strdup(""));
    report_table_words(table, all > 0 ? "missed" : "");
}

static void caches(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    int levels = 0;
    for (int r = 0; r < run->ranks; r++)
        for (int i = 0; i < run->rank[r].caches; i++)
            levels = MAX(levels, run->rank[r].cache[i].level);
    if (levels == 0) return;
    report_heading(out, ink, "Caches", run->ranks > 1 ? "all ranks together" : NULL);
    struct report_table *table = report_table_new("lRlrlRlrlL");
    for (int level = 1; level <= levels; level++) {
        struct report_cache sum = {0};
        for (int r = 0; r < run->ranks; r++) {
            const struct report_cache *cache = cache_at(&run->rank[r], level);
            if (!cache) continue;
            sum.loads += cache->loads, sum.stores += cache->stores;
            sum.load_misses += cache->load_misses, sum.store_misses += cache->store_misses;
            sum.write_backs += cache->write_backs, sum.invalidations += cache->invalidations;
            sum.flushed_lines += cache->flushed_lines;
        }
        report_table_cell(table, g_strdup_printf("L%d", level));
        missed(table, sum.loads, sum.load_misses, "loads", "loads,");
        missed(table, sum.stores, sum.store_misses, "stores", "stores,");
        GString *more = g_string_new(NULL);
        extra(more, sum.write_backs, "line written back", "lines written back");
        extra(more, sum.invalidations, "invalidated by others", "invalidated by others");
        extra(more, sum.flushed_lines, "flushed", "flushed");
        report_table_cell(table, g_string_free(more, FALSE));
    }
    report_table_print(table, out);
    for (int level = 1; level <= levels; level++) spread(run, out, level);
}

/* ---- operations ---------------------------------------------------------------------------------
 */

static void operations(FILE *out, const struct report_ink *ink)
{
    uint64_t all = 0, description = 0;
    for (int k = 0; k < OP_KINDS; k++) {
        all += trace_total((enum op_kind)k)->count;
        description += trace_total((enum op_kind)k)->description;
    }
    if (all == 0) return;
    report_heading(out, ink, "Operations",
                   "latency: call to completion; delay: arrival to servicing");
    static const char *const head[] = {"",     "count", "bytes",   "mean latency", "median",
                                       "95 %", "99 %",  "longest", "mean delay"};
    struct report_table *table = report_table_new("lRRRRRRRR");
    for (size_t i = 0; i < G_N_ELEMENTS(head); i++) report_table_words(table, head[i]);
    for (int k = 0; k < OP_KINDS; k++) {
        const struct trace_total *total = trace_total((enum op_kind)k);
        if (total->count == 0) continue;
        report_table_words(table, op_kind_name((enum op_kind)k));
        report_table_cell(table, report_count(total->count));
        report_table_cell(table, report_bytes(total->bytes));
        report_table_cell(table, report_time(total->latency_sum_s / (double)total->count));
        static const double share[] = {0.5, 0.95, 0.99};
        for (size_t i = 0; i < G_N_ELEMENTS(share); i++)
            report_table_cell(table, report_time(trace_latency((enum op_kind)k, share[i])));
        report_table_cell(table, report_time(total->latency_max_s));
        report_table_cell(table, report_time(total->service_delay_sum_s / (double)total->count));
    }
    report_table_print(table, out);
    if (description == 0) return;
    g_autofree char *bytes = report_bytes(description);
    g_autofree char *words = g_strdup_printf(
        "%s more were sent to describe datatypes and operations to the targets.", bytes);
    report_wrap(out, 2, 2, words);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void report_text(const struct report_run *run, FILE *out, bool colour)
{
    const struct report_ink *ink = report_ink(colour);
    if (run->audit)
        fprintf(out, "%sDo not use these figures: %s. This is a mistake of Sidewinder.%s\n",
                ink->alarm, run->audit, ink->plain);
    title(run, out, ink);
    switch (run->end) {
    case REPORT_DEADLOCK:
        fputc('\n', out);
        report_deadlock(run, out);
        break;
    case REPORT_ABORTED:
        fprintf(out,
                "  %sThe run was aborted with code %d; the figures cover it up to that point.%s\n",
                ink->alarm, run->exit_code, ink->plain);
        break;
    case REPORT_INTERRUPTED:
        fprintf(out, "  %sThe run had not ended; the figures cover it up to this point.%s\n",
                ink->alarm, ink->plain);
        break;
    case REPORT_ENDED:
        if (run->exit_code != 0)
            fprintf(out, "  %sThe program ended with exit code %d.%s\n", ink->alarm, run->exit_code,
                    ink->plain);
        break;
    }
    report_first(run, out, ink);
    times(run, out, ink);
    report_where(run, out, ink);
    report_critical_path(run, out, ink);
    caches(run, out, ink);
    operations(out, ink);
    report_traffic(run, out, ink);
    report_notes(run, out, ink);
    report_violations(run, out, ink);
    report_stale(run, out, ink);
    fflush(out);
}

bool report_text_file(const struct report_run *run, const char *path, GError **error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) g_error("no memory for the report");
    report_text(run, out, false);
    fclose(out);
    bool good = report_put_file(path, text, length, error);
    free(text);
    return good;
}
