/* Lines as they are in the profile, or added up by function. */
#include "cli/profile/parts.h"

#include <string.h>

static int by_time(gconstpointer a, gconstpointer b)
{
    const struct cli_profile_row *x = a, *y = b;
    double left = cli_profile_time(&x->cost), right = cli_profile_time(&y->cost);
    if (left != right) return left > right ? -1 : 1;
    int order = strcmp(x->file, y->file);
    if (!order) order = x->line - y->line;
    return order ? order : strcmp(x->function, y->function);
}

static void add(struct cli_profile_cost *to, const struct cli_profile_cost *from)
{
    to->compute_s += from->compute_s;
    to->load_s += from->load_s;
    to->store_s += from->store_s;
    to->service_s += from->service_s;
    to->wait_s += from->wait_s;
    to->executions = MAX(to->executions, from->executions);
    to->loads += from->loads;
    to->stores += from->stores;
    to->stale += from->stale;
    to->calls += from->calls;
    for (int level = 0; level < CLI_PROFILE_LEVELS; level++)
        to->missed[level] += from->missed[level];
}

/* A function is one of a name; its file that of its dearest line. */
static struct cli_profile_row *function_row(GArray *rows, const char *function)
{
    for (guint i = 0; i < rows->len; i++) {
        struct cli_profile_row *row = &g_array_index(rows, struct cli_profile_row, i);
        if (row->function == function) return row;
    }
    return NULL;
}

GArray *cli_profile_rows(const struct cli_profile *p, bool by_function)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_row));
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *line = &g_array_index(p->line, struct cli_profile_row, i);
        struct cli_profile_row *row = by_function ? function_row(rows, line->function) : NULL;
        if (row) {
            add(&row->cost, &line->cost);
            continue;
        }
        g_array_append_val(rows, *line);
        if (by_function) g_array_index(rows, struct cli_profile_row, rows->len - 1).line = 0;
    }
    g_array_sort(rows, by_time);
    return rows;
}
