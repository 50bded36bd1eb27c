/* The tables of `sidewinder limits`. */
#include "cli/limits/parts.h"

#include "report/print/print.h"

#include <math.h>
#include <stdio.h>

static double gain(const struct cli_limit *c, const struct cli_limit *base)
{
    return base->time_s > 0 ? (base->time_s - c->time_s) / base->time_s : 0;
}

static int by_gain(gconstpointer a, gconstpointer b, gpointer base)
{
    double x = gain(*(struct cli_limit *const *)a, base),
           y = gain(*(struct cli_limit *const *)b, base);
    return x != y ? (x < y ? 1 : -1) : 0;
}

static const char *how(const struct cli_limit *c, const struct cli_limit *base)
{
    if (c->derived) return "derived";
    if (cli_limit_other_course(c, base)) return "run; with other operations";
    return cli_limit_other_order(c, base) ? "run; in another order" : "run";
}

static void cell(struct report_table *table, double share)
{
    double percent = round(share * 1e4) / 100;
    report_table_cell(table, g_strdup_printf("%s%.2f %%",
                                             percent > 0   ? "-"
                                             : percent < 0 ? "+"
                                                           : "",
                                             fabs(percent)));
}

static void print_keys(const struct cli_limits *all)
{
    const GPtrArray *cases = all->cases;
    const struct cli_limit *base = cases->pdata[0];
    enum { SMALL = 1000 }; /* a part of so many is not shown */
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    guint failed = 0, small = 0;
    for (guint i = 1; i < cases->len; i++) {
        struct cli_limit *c = cases->pdata[i];
        if (c->keys) continue;
        if (c->why)
            failed++;
        else if (fabs(gain(c, base)) * SMALL < 1)
            small++;
        else
            g_ptr_array_add(keys, c);
    }
    g_ptr_array_sort_with_data(keys, by_gain, (gpointer)(uintptr_t)base);
    printf("\nPredicted time if one parameter were %g %% better (its share of the critical path)\n",
           all->percent);
    struct report_table *table = report_table_new("lrllRrrL");
    for (guint i = 0; i < keys->len; i++) {
        const struct cli_limit *c = keys->pdata[i];
        report_table_words(table, c->name);
        report_table_words(table, c->was);
        report_table_words(table, "->");
        report_table_words(table, c->is);
        report_table_cell(table, c->share >= 0 ? report_percent(c->share, 1) : g_strdup(""));
        cell(table, gain(c, base));
        report_table_cell(table, report_time(c->time_s));
        report_table_words(table, how(c, base));
    }
    report_table_print(table, stdout);
    if (small)
        printf("  %u other%s: less than 0.1 %%%s.\n", small, small == 1 ? "" : "s",
               small == 1 ? "" : " each");
    if (failed) printf("  %u other%s: no time, the run failed.\n", failed, failed == 1 ? "" : "s");
}

/* By more than 0.5 % of the time as it is. */
static bool shorter(const struct cli_limit *c, const struct cli_limit *base)
{
    return c->keys && !c->why && c->derived_s >= 0 &&
           c->derived_s - c->time_s > 0.005 * base->time_s;
}

/* Derived: everything in the same order, so at most that, where neither the order matters nor
 * stalls hang on dates. */
static void print_parts(const struct cli_limits *all)
{
    const struct cli_limit *base = all->cases->pdata[0];
    printf("\nPredicted time if a part of the machine were %d times as fast%s\n", CLI_LIMITS_FAST,
           all->balanced_s < 0 ? "" : " (derived: if it took no time)");
    struct report_table *table = report_table_new("lrrrLrl");
    bool better = false;
    for (guint i = 1; i < all->cases->len; i++) {
        const struct cli_limit *c = all->cases->pdata[i];
        if (!c->keys) continue;
        better = better || shorter(c, base);
        report_table_words(table, c->name);
        report_table_cell(table, g_strdup_printf("%d %s", c->keys, c->keys == 1 ? "key" : "keys"));
        if (c->why)
            report_table_words(table, "?");
        else
            cell(table, gain(c, base));
        report_table_cell(table, c->why ? g_strdup("") : report_time(c->time_s));
        report_table_words(table, c->why ? "the run failed" : how(c, base));
        report_table_cell(table, c->derived_s < 0 ? g_strdup("") : report_time(c->derived_s));
        report_table_words(table, c->derived_s < 0 ? "" : "derived");
    }
    report_table_print(table, stdout);
    if (better)
        puts("  A run can be shorter than what is derived, which keeps the order and the stalls of "
             "the run above.");
}

static void print_balance(const struct cli_limits *all)
{
    g_autofree char *mean = report_time(all->mean_busy_s), *most = report_time(all->most_busy_s),
                    *time = report_time(fmax(0, all->balanced_s));
    printf("\nRanks compute and stall for %s on average, the busiest for %s", mean, most);
    if (all->balanced_s < 0)
        puts(".");
    else
        printf(": if none did more than the average,\nthe time would be %s (derived, not run).\n",
               time);
}

/* What no number of the machine is said of. */
static void print_rest(const struct cli_limits *all)
{
    const struct cli_limit *base = all->cases->pdata[0];
    if (!all->part) return;
    const double known_s = cli_limit_known(all->part);
    const double *memory_s = g_hash_table_lookup(all->part, "memory");
    g_autofree char *stalls = report_percent(memory_s ? *memory_s : 0, base->time_s),
                    *rest = report_percent(fmax(0, base->time_s - known_s), base->time_s);
    printf(
        "  On that path, %s is stalls on caches, bus and memory; %s belongs to no parameter, such "
        "as\n  waiting for what others held.\n",
        stalls, rest);
}

static void print_check(const struct cli_limits *all)
{
    if (all->checks->len == 0) return;
    printf("  Checked: several parameters %g %% better at once, derived (run):\n ", all->percent);
    for (guint i = 0; i < all->checks->len; i++) {
        const struct cli_limit *check = all->checks->pdata[i];
        g_autofree char *derived = report_time(check->derived_s),
                        *real = check->why ? g_strdup("failed") : report_time(check->time_s);
        printf("%s %s (%s)", i ? "," : "", derived, real);
    }
    puts(all->good ? "." : ".\n  They differ, so each parameter was run.");
}

static guint runs_of(const struct cli_limits *all)
{
    guint runs = all->checks->len;
    for (guint i = 0; i < all->cases->len; i++)
        runs += ((struct cli_limit *)all->cases->pdata[i])->ran;
    return runs;
}

void cli_limit_show(const struct cli_limits *all)
{
    fputs(all->path, stdout);
    print_keys(all);
    print_rest(all);
    print_check(all);
    if (cli_limit_local(all))
        puts("  Each of them may change whose lock, request or message comes first: slopes are "
             "local.");
    print_parts(all);
    print_balance(all);
    printf("\n%u runs. Sizes, counts and policies were not changed: see sidewinder whatif and "
           "sweep.\n",
           runs_of(all));
}
