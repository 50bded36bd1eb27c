/* What the critical path of one run says of the machine's numbers: as much of it as a number took,
 * so much less time if the number is better, as long as no other chain becomes the longest. That is
 * so for messages, barriers and servicing. Caches, bus and memory overlap with each other and with
 * computation: their numbers are run, and so is the clock. Whether no other chain becomes longer,
 * one run shows in which all those numbers are better at once. */
#include "cli/limits/parts.h"

#include <math.h>

/* Where more of the path than this share has no number, all are run. */
#define UNKNOWN 0.03
/* So much of the change, or of the time, may a run with all of them better at once be off. */
#define OFF      0.05
#define OFF_TIME 0.0005

GHashTable *cli_limit_parts(JsonNode *root)
{
    JsonObject *run = json_node_get_object(root);
    if (!json_object_has_member(run, "path_parts")) return NULL;
    JsonArray *parts = json_object_get_array_member(run, "path_parts");
    GHashTable *part = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < json_array_get_length(parts); i++) {
        JsonObject *row = json_array_get_object_element(parts, i);
        const double time_s = json_object_get_double_member(row, "time_s");
        g_hash_table_insert(part, g_strdup(json_object_get_string_member(row, "key")),
                            g_memdup2(&time_s, sizeof time_s));
    }
    return part;
}

static double seconds_of(GHashTable *part, const char *key)
{
    const double *time_s = g_hash_table_lookup(part, key);
    return time_s ? *time_s : 0;
}

static bool begins(const char *key, const char *const *prefix)
{
    for (; *prefix; prefix++)
        if (g_str_has_prefix(key, *prefix)) return true;
    return false;
}

double cli_limit_known(GHashTable *part)
{
    GHashTableIter iter;
    void *time_s;
    double sum_s = 0;
    g_hash_table_iter_init(&iter, part);
    while (g_hash_table_iter_next(&iter, NULL, &time_s)) sum_s += *(double *)time_s;
    return sum_s;
}

static double seconds_derived(const GPtrArray *cases)
{
    const struct cli_limit *base = cases->pdata[0];
    double saved_s = 0;
    for (guint i = 1; i < cases->len; i++) {
        const struct cli_limit *c = cases->pdata[i];
        if (c->derived) saved_s += base->time_s - c->derived_s;
    }
    return saved_s;
}

void cli_limit_derive(GPtrArray *cases)
{
    static const char *const messages[] = {"net.", "ni.", "barrier.", "serve.", "mpi.", NULL};
    struct cli_limit *base = cases->pdata[0];
    if (!base->part || base->time_s <= 0) return;
    const bool known = base->time_s - cli_limit_known(base->part) < UNKNOWN * base->time_s;
    for (guint i = 1; i < cases->len; i++) {
        struct cli_limit *c = cases->pdata[i];
        if (c->keys) continue;
        const double part_s = seconds_of(base->part, c->name);
        c->derived = known && begins(c->name, messages);
        if (c->derived || part_s > 0) c->share = part_s / base->time_s;
        if (c->derived) c->derived_s = base->time_s - c->saves * part_s;
    }
}

GPtrArray *cli_limit_check(const GPtrArray *cases)
{
    GPtrArray *checks = cli_limit_none();
    struct cli_limit *check = cli_limit_add(checks, "all");
    for (guint i = 1; i < cases->len; i++) {
        const struct cli_limit *c = cases->pdata[i];
        if (c->derived) check->sets[check->keys++] = g_strdup(c->sets[0]);
    }
    if (!check->keys) g_ptr_array_set_size(checks, 0);
    return checks;
}

void cli_limit_checked(GPtrArray *cases, const GPtrArray *checks, bool run_all)
{
    struct cli_limit *base = cases->pdata[0];
    if (checks->len == 0) return;
    const struct cli_limit *check = checks->pdata[0];
    const double real_s = base->time_s - check->time_s,
                 off_s = fabs(seconds_derived(cases) - real_s);
    base->checked = true;
    base->good = !check->why && (off_s <= OFF * fabs(real_s) || off_s <= OFF_TIME * base->time_s);
    base->all_s = check->why ? -1 : check->time_s;
    base->all_derived_s = base->time_s - seconds_derived(cases);
    for (guint i = 1; i < cases->len; i++) {
        struct cli_limit *c = cases->pdata[i];
        if (!base->good) c->derived_s = -1;
        c->derived = c->derived && base->good && !run_all;
        if (!c->derived) continue;
        c->time_s = c->derived_s;
        c->operations = base->operations;
        c->bytes = base->bytes;
    }
}

bool cli_limit_other_course(const struct cli_limit *c, const struct cli_limit *base)
{
    return c->operations != base->operations || c->bytes != base->bytes;
}

bool cli_limit_local(const GPtrArray *cases)
{
    const struct cli_limit *base = cases->pdata[0];
    bool local = base->local_s > 0;
    for (guint i = 1; i < cases->len; i++) {
        const struct cli_limit *c = cases->pdata[i];
        local = local || (!c->why && cli_limit_other_course(c, base));
    }
    return local;
}
