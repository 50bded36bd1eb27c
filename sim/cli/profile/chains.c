/* The tree of chains of calls: what each function cost as it was called from above. */
#include "cli/profile/parts.h"

#include "report/print/print.h"

#include <math.h>
#include <string.h>

static const struct cli_profile_chain *chain_at(const struct cli_profile *p, guint i)
{
    return &g_array_index(p->chain, struct cli_profile_chain, i);
}

static void add(struct cli_profile_cost *to, const struct cli_profile_cost *more)
{
    to->compute_s += more->compute_s;
    to->load_s += more->load_s;
    to->service_s += more->service_s;
    to->wait_s += more->wait_s;
    for (int level = 0; level < CLI_PROFILE_LEVELS; level++)
        to->missed[level] += more->missed[level];
}

GArray *cli_profile_inclusive(const struct cli_profile *p)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_cost));
    for (guint i = 0; i < p->chain->len; i++) g_array_append_val(all, chain_at(p, i)->cost);
    for (guint i = p->chain->len; i-- > 1;)
        add(&g_array_index(all, struct cli_profile_cost, chain_at(p, i)->parent),
            &g_array_index(all, struct cli_profile_cost, i));
    return all;
}

struct tree {
    const struct cli_profile *p;
    GArray *cost; /* of each chain with those below */
    guint *rank;  /* by place: how many chains are dearer */
    guint *below; /* places, those of one parent together, dearest first */
    guint *first; /* by place: where those below it begin in that; one more than places */
    guint top;
    struct report_table *table;
};

static double time_of(const struct tree *t, guint i)
{
    return cli_profile_time(&g_array_index(t->cost, struct cli_profile_cost, i));
}

static int by_time(gconstpointer a, gconstpointer b, gpointer data)
{
    const struct tree *t = data;
    const guint x = *(const guint *)a, y = *(const guint *)b;
    const double left = time_of(t, x), right = time_of(t, y);
    if (left != right) return left > right ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Of all rows how many are dearer; and the rows below each. */
static void arrange(struct tree *t)
{
    const guint n = t->p->chain->len;
    g_autoptr(GArray) sorted = g_array_sized_new(FALSE, FALSE, sizeof(guint), n);
    g_autofree guint *next = g_new0(guint, n + 1);
    t->rank = g_new(guint, n);
    t->below = g_new(guint, n);
    t->first = g_new0(guint, n + 1);
    for (guint i = 0; i < n; i++) g_array_append_val(sorted, i);
    g_array_sort_with_data(sorted, by_time, t);
    const guint *row = (const guint *)(void *)sorted->data;
    for (guint i = 0; i < n; i++) t->rank[row[i]] = i;
    for (guint i = 1; i < n; i++) t->first[chain_at(t->p, i)->parent + 1]++;
    for (guint i = 0; i < n; i++) t->first[i + 1] += t->first[i];
    memcpy(next, t->first, (n + 1) * sizeof *next);
    for (guint i = 0; i < n; i++)
        if (row[i] > 0) t->below[next[chain_at(t->p, row[i])->parent]++] = row[i];
}

static void cell(const struct tree *t, double s)
{
    report_table_cell(t->table,
                      fabs(s) > 1e-12 * cli_profile_all(t->p) ? report_time(s) : g_strdup(""));
}

static void count(const struct tree *t, uint64_t n)
{
    report_table_cell(t->table, n ? report_count(n) : g_strdup(""));
}

/* The function, where it begins, and the line of the call. */
static char *name_of(const struct cli_profile_chain *row, int depth)
{
    g_autofree char *begins = *row->file && !row->in_line
                                  ? g_strdup_printf("  %s:%d", row->file, row->line)
                                  : g_strdup(row->in_line ? " (in line)" : "");
    g_autofree char *from = row->at ? g_strdup_printf("  from line %d", row->at) : g_strdup("");
    return g_strdup_printf("%*s%s%s%s", 2 * depth, "", row->function, begins, from);
}

static void print_row(const struct tree *t, guint i, int depth)
{
    const struct cli_profile_chain *row = chain_at(t->p, i);
    const struct cli_profile_cost *c = &g_array_index(t->cost, struct cli_profile_cost, i);
    const double all_s = cli_profile_time(c);
    report_table_cell(t->table, report_percent(fmax(all_s, 0), cli_profile_all(t->p)));
    cell(t, all_s);
    cell(t, cli_profile_time(&row->cost));
    cell(t, c->compute_s);
    cell(t, cli_profile_stall(c));
    cell(t, c->wait_s);
    cell(t, c->service_s);
    count(t, row->count);
    count(t, row->again);
    for (int level = 0; level < t->p->levels; level++) count(t, c->missed[level]);
    report_table_cell(t->table, name_of(row, depth));
}

/* A row and, of those below, the ones that are among the dearest. */
static void print_from(const struct tree *t, guint i, int depth)
{
    print_row(t, i, depth);
    for (guint k = t->first[i]; k < t->first[i + 1]; k++)
        if (t->top == 0 || t->rank[t->below[k]] < t->top) print_from(t, t->below[k], depth + 1);
}

void cli_profile_chains(const struct cli_profile *p, int top)
{
    static const char *const name[] = {"",     "TIME",    "SELF",  "COMPUTE",  "STALL",
                                       "WAIT", "SERVICE", "CALLS", "RECURSIVE"};
    g_autofree char *columns = g_strdup_printf("rrrrrrrrr%.*sl", p->levels, "rrrr");
    struct tree t = {.p = p, .cost = cli_profile_inclusive(p), .top = (guint)top};
    t.table = report_table_new(columns);
    arrange(&t);
    cli_profile_head(p);
    putchar('\n');
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) report_table_words(t.table, name[i]);
    for (int level = 0; level < p->levels; level++)
        report_table_cell(t.table, g_strdup_printf("L%d MISSES", level + 1));
    report_table_words(t.table, "CHAIN");
    print_from(&t, 0, 0);
    report_table_print(t.table, stdout);
    cli_profile_more(p->chain->len, top);
    g_array_unref(t.cost);
    g_free(t.rank);
    g_free(t.below);
    g_free(t.first);
}
