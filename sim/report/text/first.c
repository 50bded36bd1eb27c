/* Sentences at the top of the report, each of some time. */
#include "report/text/sections.h"

#include <math.h>
#include <string.h>

struct first {
    double time_s;
    char *text;
};

static void clear(void *data) { g_free(((struct first *)data)->text); }

GArray *report_first_new(void)
{
    GArray *first = g_array_new(FALSE, FALSE, sizeof(struct first));
    g_array_set_clear_func(first, clear);
    return first;
}

void report_first_add(GArray *first, double time_s, char *text)
{
    const struct first fresh = {time_s, text};
    g_array_append_val(first, fresh);
}

/* What is shown as the same share stays in its order. */
static int longest(gconstpointer a, gconstpointer b, void *all_s)
{
    const double of_s = *(const double *)all_s;
    const double x = round(100 * ((const struct first *)a)->time_s / of_s),
                 y = round(100 * ((const struct first *)b)->time_s / of_s);
    return (x < y) - (x > y);
}

void report_first_say(const char *text, FILE *out)
{
    fprintf(out, "  - ");
    report_wrap(out, 4, 4, text);
}

void report_first_put(GArray *first, double all_s, FILE *out)
{
    g_array_sort_with_data(first, longest, &all_s);
    for (guint i = 0; i < first->len; i++)
        report_first_say(g_array_index(first, struct first, i).text, out);
}

const struct report_cause *report_cause_at(const GArray *causes, const char *at)
{
    for (guint i = 0; i < causes->len; i++) {
        const struct report_cause *cause = &g_array_index(causes, struct report_cause, i);
        if (strcmp(cause->at, at) == 0) return cause;
    }
    return NULL;
}

/* What it did longer than the others on average, if most of the gap is that. */
static char *did_more(const struct report_run *run, int who, double gap_s)
{
    static const char *const does[] = {"computed", "stalled on memory", "serviced others"};
    double own_s[3] = {0}, others_s[3] = {0};
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *of = &run->rank[r];
        double *sum_s = r == who ? own_s : others_s;
        sum_s[0] += of->compute_s;
        sum_s[1] += of->memory_s;
        sum_s[2] += of->service_s;
    }
    for (int i = 0; i < 3; i++) {
        const double mean_s = others_s[i] / (run->ranks - 1);
        if (own_s[i] - mean_s <= gap_s / 2) continue;
        g_autofree char *own = report_time(own_s[i]), *mean = report_time(mean_s);
        if (mean_s <= 0)
            return g_strdup_printf(", and %s for %s, which no other did", does[i], own);
        return g_strdup_printf(", and %s for %s, the others for %s each on average", does[i], own,
                               mean);
    }
    return g_strdup("");
}

/* The alignment in MPI_Finalize makes all ranks end together; the slowest is who waited least. */
bool report_first_rank(const struct report_run *run, FILE *out)
{
    int least = 0, most = 0;
    for (int r = 1; r < run->ranks; r++) {
        if (run->rank[r].wait_s < run->rank[least].wait_s) least = r;
        if (run->rank[r].wait_s > run->rank[most].wait_s) most = r;
    }
    double gap_s = run->rank[most].wait_s - run->rank[least].wait_s;
    if (gap_s <= REPORT_SENTENCE_SHARE * run->time_s) return false;
    g_autofree char *l = report_percent(run->rank[least].wait_s, run->rank[least].time_s),
                    *m = report_percent(run->rank[most].wait_s, run->rank[most].time_s),
                    *more = did_more(run, least, gap_s),
                    *text = g_strdup_printf(
                        "The slowest rank was %d: it waited least, %s of its time%s; rank %d "
                        "waited most, %s. 'sidewinder limits' shows what the time would be if none "
                        "did more than the average, 'sidewinder run --view run.html' draws each "
                        "rank.",
                        least, l, more, most, m);
    report_first_say(text, out);
    return true;
}

bool report_first_findings(const struct report_run *run, FILE *out)
{
    size_t stale = findings_stale_count(), violations = findings_violation_count();
    uint64_t loads = 0;
    for (int r = 0; r < run->ranks; r++) loads += run->rank[r].stale_loads;
    if (stale) {
        g_autofree char *n = report_count(loads);
        g_autofree char *text = g_strdup_printf(
            "%s load%s returned a stale value: see Stale loads below.", n, loads == 1 ? "" : "s");
        report_first_say(text, out);
    }
    if (violations) {
        g_autofree char *text = g_strdup_printf("%zu violation%s: see Violations below.",
                                                violations, violations == 1 ? "" : "s");
        report_first_say(text, out);
    }
    return stale || violations;
}
