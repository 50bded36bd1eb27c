/* What one run says of the machine's numbers: the longest way through its graph when a number's
 * stretches are shorter is the time, as long as everything comes in the same order. That is so for
 * messages, barriers and servicing. Caches, bus and memory overlap with each other and with
 * computation: their numbers are run, and so is the clock. Whether everything does come in that
 * order, and whether each number has its own share, a few runs show in which some of those numbers
 * are better at once. */
#include "cli/limits/parts.h"

#include <math.h>

/* Where more of the critical path than this share has no number, all are run. */
#define UNKNOWN 0.03
/* So much of the change, or of the time, may a run in which some of them are better at once be off.
 */
#define OFF      0.05
#define OFF_TIME 0.0005
/* The graph is that of the run, but for what sums lose. */
#define ROUNDED 1e-6

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

/* The part of the machine takes no time. Stalls have no number: they are memory's. */
static double without(const struct cli_limits *all, const char *const *prefix)
{
    struct cli_graph_change change[8];
    size_t n = 0;
    for (; *prefix && n + 1 < G_N_ELEMENTS(change); prefix++) {
        change[n++] = (struct cli_graph_change){*prefix, 0};
        if (g_str_has_prefix("dram.", *prefix))
            change[n++] = (struct cli_graph_change){"memory", 0};
    }
    return cli_graph_time(all->graph, change, n, NULL, 0);
}

/* Who does more than the mean does that; what is taken off, others do where they waited. Were they
 * to take longer where they stand on the critical path, it would be no bound. */
static double balanced(const struct cli_limits *all)
{
    g_autofree double *factor = g_new(double, all->ranks);
    for (int rank = 0; rank < all->ranks; rank++)
        factor[rank] = all->busy_s[rank] > 0 ? fmin(1, all->mean_busy_s / all->busy_s[rank]) : 1;
    return cli_graph_time(all->graph, NULL, 0, factor, all->ranks);
}

/* Does the graph give the run's own time? */
static bool sound(const struct cli_limits *all)
{
    const struct cli_limit *base = all->cases->pdata[0];
    if (!all->graph || !all->part || base->time_s <= 0) return false;
    const double same_s = cli_graph_time(all->graph, NULL, 0, NULL, 0);
    return fabs(same_s - base->time_s) <= ROUNDED * base->time_s;
}

void cli_limit_derive(struct cli_limits *all)
{
    static const char *const messages[] = {"net.", "ni.", "barrier.", "serve.", "mpi.", NULL};
    const struct cli_limit *base = all->cases->pdata[0];
    all->balanced_s = -1;
    if (!sound(all)) return;
    const bool known = base->time_s - cli_limit_known(all->part) < UNKNOWN * base->time_s;
    for (guint i = 1; i < all->cases->len; i++) {
        struct cli_limit *c = all->cases->pdata[i];
        if (c->keys) {
            c->derived_s = without(all, c->prefixes);
            continue;
        }
        const double part_s = seconds_of(all->part, c->name);
        const struct cli_graph_change change = {c->name, 1 - c->saves};
        c->derived = known && begins(c->name, messages);
        if (c->derived || part_s > 0) c->share = part_s / base->time_s;
        if (c->derived) c->derived_s = cli_graph_time(all->graph, &change, 1, NULL, 0);
    }
    all->balanced_s = balanced(all);
}

/* Every derived key is better in half of the runs, and each in other ones: so of any two there is a
 * run of the one without the other, and of the other without the one. A key's code has a bit for
 * each of its runs. */
static guint next_code(guint code, guint runs)
{
    do code++;
    while (__builtin_popcount(code) != (int)(runs + 1) / 2);
    return code;
}

static bool enough(guint runs, guint keys)
{
    guint code = 0;
    for (guint i = 0; i < keys; i++) code = next_code(code, runs);
    return code >> runs == 0;
}

static void add_check(struct cli_limits *all, guint run, guint runs)
{
    g_autofree struct cli_graph_change *change = g_new0(struct cli_graph_change, all->cases->len);
    struct cli_limit *check = cli_limit_add(all->checks, "some");
    guint code = 0;
    for (guint i = 1; i < all->cases->len; i++) {
        const struct cli_limit *c = all->cases->pdata[i];
        if (!c->derived) continue;
        code = next_code(code, runs);
        if (!(code >> run & 1)) continue;
        change[check->keys] = (struct cli_graph_change){c->name, 1 - c->saves};
        check->sets[check->keys++] = g_strdup(c->sets[0]);
    }
    check->derived_s = cli_graph_time(all->graph, change, (size_t)check->keys, NULL, 0);
}

void cli_limit_check(struct cli_limits *all)
{
    guint keys = 0, runs = 0;
    all->checks = cli_limit_none();
    for (guint i = 1; i < all->cases->len; i++)
        keys += ((const struct cli_limit *)all->cases->pdata[i])->derived;
    while (keys > 0 && (runs == 0 || !enough(runs, keys))) runs++;
    for (guint run = 0; run < runs; run++) add_check(all, run, runs);
}

static bool holds(const struct cli_limit *check, const struct cli_limit *base)
{
    const double real_s = base->time_s - check->time_s,
                 off_s = fabs(check->derived_s - check->time_s);
    return !check->why && (off_s <= OFF * fabs(real_s) || off_s <= OFF_TIME * base->time_s);
}

void cli_limit_checked(struct cli_limits *all, bool run_all)
{
    const struct cli_limit *base = all->cases->pdata[0];
    all->good = all->checks->len > 0;
    for (guint i = 0; i < all->checks->len; i++)
        all->good = all->good && holds(all->checks->pdata[i], base);
    for (guint i = 1; i < all->cases->len; i++) {
        struct cli_limit *c = all->cases->pdata[i];
        if (c->keys) continue;
        if (!all->good) c->derived_s = -1;
        c->derived = c->derived && all->good && !run_all;
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

bool cli_limit_other_order(const struct cli_limit *c, const struct cli_limit *base)
{
    return c->order && g_strcmp0(c->order, base->order) != 0;
}

/* One that is not run has the order of the machine as it is; those that are better at once, and are
 * run, speak for them. A part that takes no time is not near. */
bool cli_limit_local(const struct cli_limits *all)
{
    const struct cli_limit *base = all->cases->pdata[0];
    bool local = all->local_s > 0;
    for (guint i = 1; i < all->cases->len; i++) {
        const struct cli_limit *c = all->cases->pdata[i];
        local = local || (!c->why && (cli_limit_other_course(c, base) ||
                                      (!c->keys && cli_limit_other_order(c, base))));
    }
    for (guint i = 0; i < all->checks->len; i++)
        local = local || cli_limit_other_order(all->checks->pdata[i], base);
    return local;
}
