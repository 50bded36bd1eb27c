/* The tables of `sidewinder limits`, and the same in JSON. */
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

static bool other_course(const struct cli_limit *c, const struct cli_limit *base)
{
    return c->operations != base->operations || c->bytes != base->bytes;
}

static const char *how(const struct cli_limit *c, const struct cli_limit *base)
{
    if (c->derived) return "derived";
    return other_course(c, base) ? "run; its operations are others, too" : "run";
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

static void print_keys(const GPtrArray *cases, const struct cli_limit *base, double percent)
{
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
           percent);
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
    if (small) printf("  %u others: less than 0.1 %% each.\n", small);
    if (failed) printf("  %u others: no time, the run failed.\n", failed);
}

static void print_parts(const GPtrArray *cases, const struct cli_limit *base)
{
    printf("\nPredicted time if a part of the machine were %d times as fast\n", CLI_LIMITS_FAST);
    struct report_table *table = report_table_new("lrrrL");
    for (guint i = 1; i < cases->len; i++) {
        const struct cli_limit *c = cases->pdata[i];
        if (!c->keys) continue;
        report_table_words(table, c->name);
        report_table_cell(table, g_strdup_printf("%d %s", c->keys, c->keys == 1 ? "key" : "keys"));
        if (c->why)
            report_table_words(table, "?");
        else
            cell(table, gain(c, base));
        report_table_cell(table, c->why ? g_strdup("") : report_time(c->time_s));
        report_table_words(table, c->why ? "the run failed" : how(c, base));
    }
    report_table_print(table, stdout);
}

static void print_balance(const struct cli_limit *base)
{
    g_autofree char *mean = report_time(base->mean_busy_s), *most = report_time(base->most_busy_s),
                    *saved = report_percent(base->most_busy_s - base->mean_busy_s, base->time_s);
    printf(
        "\nRanks compute and stall for %s on average, the busiest for %s: if all did the same,\nat "
        "most %s of the time would be saved (derived, not run).\n",
        mean, most, saved);
}

/* What no number of the machine is said of. */
static void print_rest(const struct cli_limit *base)
{
    if (!base->part) return;
    GHashTableIter iter;
    void *time_s;
    double known_s = 0;
    g_hash_table_iter_init(&iter, base->part);
    while (g_hash_table_iter_next(&iter, NULL, &time_s)) known_s += *(double *)time_s;
    const double *memory_s = g_hash_table_lookup(base->part, "memory");
    g_autofree char *stalls = report_percent(memory_s ? *memory_s : 0, base->time_s),
                    *rest = report_percent(fmax(0, base->time_s - known_s), base->time_s);
    printf("  On that path, %s is stalls on caches, bus and memory, and %s waiting for what others "
           "held.\n",
           stalls, rest);
}

static bool is_local(const GPtrArray *cases)
{
    const struct cli_limit *base = cases->pdata[0];
    bool local = base->local_s > 0;
    for (guint i = 1; i < cases->len; i++) {
        const struct cli_limit *c = cases->pdata[i];
        local = local || (!c->why && other_course(c, base));
    }
    return local;
}

static void print_check(const struct cli_limit *base, double percent)
{
    if (!base->checked) return;
    g_autofree char *derived = report_time(base->all_derived_s),
                    *real = base->all_s < 0 ? NULL : report_time(base->all_s);
    printf("  Checked: all that could be derived, %g %% better at once: %s derived, %s run%s.\n",
           percent, derived, real ? real : "failed when", base->good ? "" : "; so each is run");
}

static guint runs_of(const GPtrArray *cases)
{
    guint runs = ((struct cli_limit *)cases->pdata[0])->checked;
    for (guint i = 0; i < cases->len; i++) runs += ((struct cli_limit *)cases->pdata[i])->ran;
    return runs;
}

void cli_limit_show(const GPtrArray *cases, double percent)
{
    const struct cli_limit *base = cases->pdata[0];
    fputs(base->path, stdout);
    print_keys(cases, base, percent);
    print_rest(base);
    print_check(base, percent);
    if (is_local(cases))
        puts("  Whose lock or request comes first may change with any of them: slopes are local.");
    print_parts(cases, base);
    print_balance(base);
    printf("\n%u runs. Sizes, numbers of things and policies were not changed: sidewinder whatif, "
           "sweep.\n",
           runs_of(cases));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void number(JsonBuilder *b, const char *key, double value)
{
    json_builder_set_member_name(b, key);
    if (value < 0)
        json_builder_add_null_value(b);
    else
        json_builder_add_double_value(b, value);
}

static void word(JsonBuilder *b, const char *key, const char *value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_string_value(b, value);
}

static void add_case(JsonBuilder *b, const struct cli_limit *c, const struct cli_limit *base)
{
    json_builder_begin_object(b);
    word(b, "name", c->name);
    word(b, "how", c->why ? "failed" : c->derived ? "derived" : "run");
    number(b, "time_s", c->why ? -1 : c->time_s);
    number(b, "share", c->share);
    number(b, "derived_s", c->derived_s);
    json_builder_set_member_name(b, "other_operations");
    json_builder_add_boolean_value(b, !c->why && other_course(c, base));
    json_builder_end_object(b);
}

bool cli_limit_json(const GPtrArray *cases, double percent, const char *file, GError **error)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    const struct cli_limit *base = cases->pdata[0];
    json_builder_begin_object(b);
    number(b, "time_s", base->time_s);
    number(b, "percent", percent);
    json_builder_set_member_name(b, "slopes_hold");
    json_builder_add_boolean_value(b, base->good);
    json_builder_set_member_name(b, "local");
    json_builder_add_boolean_value(b, is_local(cases));
    for (int parts = 0; parts < 2; parts++) {
        json_builder_set_member_name(b, parts ? "parts" : "keys");
        json_builder_begin_array(b);
        for (guint i = 1; i < cases->len; i++) {
            const struct cli_limit *c = cases->pdata[i];
            if ((c->keys > 0) == parts) add_case(b, c, base);
        }
        json_builder_end_array(b);
    }
    json_builder_end_object(b);
    g_autoptr(JsonGenerator) generator = json_generator_new();
    g_autoptr(JsonNode) root = json_builder_get_root(b);
    json_generator_set_root(generator, root);
    json_generator_set_pretty(generator, TRUE);
    gsize length = 0;
    g_autofree char *text = json_generator_to_data(generator, &length);
    return report_put_file(file, text, length, error);
}
