/* The runs of `sidewinder limits`: each a process of its own, several at once. */
#include "cli/common/child.h"
#include "cli/limits/parts.h"
#include "cli/value/value.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *json_of(const char *folder, guint i)
{
    return g_strdup_printf("%s/%u.json", folder, i);
}

char *cli_limit_said(const struct cli_limit_runs *how)
{
    return g_build_filename(how->folder, "base.err", NULL);
}

/* graph: of the run on the machine as it is, whose messages are kept; NULL: it is another. */
static GPid start(const struct cli_limit *c, guint i, const struct cli_limit_runs *how,
                  const char *graph, GError **error)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *json = json_of(how->folder, i);
    for (char **word = how->command; *word; word++) g_ptr_array_add(argv, *word);
    g_ptr_array_add(argv, "--json");
    g_ptr_array_add(argv, json);
    if (graph) {
        g_ptr_array_add(argv, "--critical-path");
        g_ptr_array_add(argv, "--graph");
        g_ptr_array_add(argv, (gpointer)graph);
    }
    for (char **set = c->sets; *set; set++) {
        g_ptr_array_add(argv, "--set");
        g_ptr_array_add(argv, *set);
    }
    g_ptr_array_add(argv, "--");
    for (char **word = how->program; *word; word++) g_ptr_array_add(argv, *word);
    g_ptr_array_add(argv, NULL);
    GPid child = 0;
    g_autofree char *said = cli_limit_said(how);
    const int err = open(graph ? said : "/dev/null", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    bool good = g_spawn_async_with_fds(NULL, (char **)argv->pdata, NULL,
                                       G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                                       NULL, &child, -1, -1, err, error);
    if (err >= 0) close(err);
    return good ? child : 0;
}

static void take_busy(struct cli_limits *all, JsonNode *root)
{
    all->ranks = (int)cli_value_sum(root, "ranks");
    all->busy_s = g_new0(double, all->ranks);
    for (int rank = 0; rank < all->ranks; rank++) {
        g_autofree char *compute = g_strdup_printf("rank[%d].compute_s", rank),
                        *memory = g_strdup_printf("rank[%d].memory_s", rank);
        all->busy_s[rank] = cli_value_sum(root, compute) + cli_value_sum(root, memory);
        all->mean_busy_s += all->busy_s[rank] / all->ranks;
        all->most_busy_s = MAX(all->most_busy_s, all->busy_s[rank]);
    }
}

/* Seconds of the critical path by key (double *); NULL: there is none. */
static GHashTable *parts_of(JsonNode *root)
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

/* What ranks waited for others that came before them, in an order that may change. */
static double seconds_in_turn(JsonNode *root)
{
    JsonObject *run = json_node_get_object(root);
    JsonArray *causes =
        json_object_has_member(run, "causes") ? json_object_get_array_member(run, "causes") : NULL;
    double wait_s = 0;
    for (guint i = 0; causes && i < json_array_get_length(causes); i++) {
        JsonObject *row = json_array_get_object_element(causes, i);
        const char *cause = json_object_get_string_member_with_default(row, "cause", "");
        if (strcmp(cause, "lock") == 0 || strcmp(cause, "atomic") == 0)
            wait_s += json_object_get_double_member_with_default(row, "wait_s", 0);
    }
    return wait_s;
}

/* What it predicted; the program's own exit code does not matter. base: also what only the run on
 * the machine as it is has to say; NULL: it is another. */
static void take(struct cli_limit *c, const char *json, int status, struct cli_limits *base)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    c->ran = true;
    if (!json_parser_load_from_file(parser, json, NULL)) {
        c->why = cli_child_failed(status);
        return;
    }
    JsonNode *root = json_parser_get_root(parser);
    g_autoptr(GPtrArray) end = cli_value_find(root, "end", NULL);
    g_autofree char *how = end && end->len ? cli_value_text(end->pdata[0]) : g_strdup("?");
    if (g_strcmp0(how, "ended") != 0) c->why = g_steal_pointer(&how);
    c->time_s = cli_value_sum(root, "time_s");
    c->operations = (uint64_t)cli_value_sum(root, "operations[*].count");
    c->bytes = (uint64_t)cli_value_sum(root, "operations[*].bytes");
    g_autoptr(GPtrArray) order = cli_value_find(root, "order", NULL);
    if (order && order->len) c->order = cli_value_text(order->pdata[0]);
    if (!base) return;
    take_busy(base, root);
    base->path = cli_limit_path(root);
    base->part = parts_of(root);
    base->local_s = seconds_in_turn(root);
}

static void show(guint done, guint of)
{
    if (!isatty(STDERR_FILENO)) return;
    if (done < of)
        fprintf(stderr, "\r%u of %u runs done\033[K", done, of);
    else
        fputs("\r\033[K", stderr);
}

static guint runs_of(GPtrArray *cases, guint first)
{
    guint runs = 0;
    for (guint i = first; i < cases->len; i++)
        runs += !((struct cli_limit *)cases->pdata[i])->derived;
    return runs;
}

bool cli_limit_run_base(struct cli_limits *all, const struct cli_limit_runs *how, const char *graph,
                        GError **error)
{
    struct cli_limit *c = all->cases->pdata[0];
    GPid child = start(c, 0, how, graph, error);
    int status = 0;
    if (child <= 0) return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    g_autofree char *json = json_of(how->folder, 0);
    take(c, json, status, all);
    return true;
}

bool cli_limit_run(GPtrArray *cases, guint first, const struct cli_limit_runs *how, GError **error)
{
    g_autoptr(GHashTable) running = g_hash_table_new(NULL, NULL); /* process: number of the case */
    const guint runs = runs_of(cases, first);
    guint next = first, done = 0;
    bool good = true;
    show(0, runs);
    while ((good && next < cases->len) || g_hash_table_size(running) > 0) {
        while (good && next < cases->len && (int)g_hash_table_size(running) < how->jobs) {
            const struct cli_limit *c = cases->pdata[next];
            GPid child = c->derived ? 0 : start(c, next, how, NULL, error);
            good = child > 0 || c->derived;
            if (child > 0)
                g_hash_table_insert(running, GINT_TO_POINTER(child), GUINT_TO_POINTER(next));
            next++;
        }
        if (g_hash_table_size(running) == 0) continue;
        int status;
        pid_t child = waitpid(-1, &status, 0);
        void *which;
        if (child < 0) break;
        if (!g_hash_table_lookup_extended(running, GINT_TO_POINTER(child), NULL, &which)) continue;
        g_hash_table_remove(running, GINT_TO_POINTER(child));
        g_autofree char *json = json_of(how->folder, GPOINTER_TO_UINT(which));
        take(cases->pdata[GPOINTER_TO_UINT(which)], json, status, NULL);
        g_unlink(json); /* no other run's, if that should leave none */
        show(++done, runs);
    }
    return good;
}
