/* Sorted tables: by line, by function, by call, and the difference of two profiles. */
#include "cli/profile/parts.h"

#include "report/print/print.h"

#include <math.h>
#include <string.h>

void cli_profile_head(const struct cli_profile *p)
{
    g_autofree char *time = report_time(p->time_s), *compute = NULL, *stall = NULL;
    double all_s = cli_profile_all(p);
    compute = report_percent(p->compute_s, all_s);
    stall = report_percent(p->stall_s, all_s);
    g_autofree char *service = report_percent(p->service_s, all_s);
    g_autofree char *wait = report_percent(p->wait_s, all_s);
    printf("%s on %s, %d rank%s, %s: %s compute, %s stall, %s service, %s wait\n", p->program,
           p->machine, p->ranks, p->ranks == 1 ? "" : "s", time, compute, stall, service, wait);
}

/* A time; nothing of nothing, or of less than a rounding error. */
static void time_cell(struct report_table *table, double s, double all_s)
{
    report_table_cell(table, fabs(s) > 1e-12 * all_s ? report_time(s) : g_strdup(""));
}

static void count_cell(struct report_table *table, uint64_t n)
{
    report_table_cell(table, n ? report_count(n) : g_strdup(""));
}

static char *place_of(const struct cli_profile_row *row)
{
    if (!*row->file || row->line == 0) return g_strdup(row->file);
    return g_strdup_printf("%s:%d", row->file, row->line);
}

static void cost_cells(struct report_table *table, const struct cli_profile *p,
                       const struct cli_profile_cost *c)
{
    double all_s = cli_profile_all(p);
    report_table_cell(table, report_percent(fmax(cli_profile_time(c), 0), all_s));
    time_cell(table, cli_profile_time(c), all_s);
    time_cell(table, c->compute_s, all_s);
    time_cell(table, cli_profile_stall(c), all_s);
    time_cell(table, c->wait_s, all_s);
    time_cell(table, c->service_s, all_s);
    count_cell(table, c->loads);
    count_cell(table, c->stores);
    for (int level = 0; level < p->levels; level++) count_cell(table, c->missed[level]);
    if (c->stale) count_cell(table, c->stale);
    if (!c->stale) report_table_words(table, "");
}

static void miss_names(struct report_table *table, const struct cli_profile *p)
{
    for (int level = 0; level < p->levels; level++)
        report_table_cell(table, g_strdup_printf("L%d MISSES", level + 1));
}

static void cost_names(struct report_table *table, const struct cli_profile *p)
{
    static const char *const name[] = {"",     "TIME",    "COMPUTE", "STALL",
                                       "WAIT", "SERVICE", "LOADS",   "STORES"};
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) report_table_words(table, name[i]);
    miss_names(table, p);
    report_table_words(table, "STALE");
}

static bool anything(const struct cli_profile_cost *c)
{
    return cli_profile_time(c) != 0 || c->loads || c->stores || c->stale;
}

void cli_profile_more(guint rows, int top)
{
    if (top > 0 && rows > (guint)top)
        printf("  %u more rows; --top 0 prints all\n", rows - (guint)top);
}

void cli_profile_table(const struct cli_profile *p, bool by_function, int top)
{
    g_autoptr(GArray) rows = cli_profile_rows(p, by_function);
    g_autofree char *columns = g_strdup_printf("rrrrrrrr%.*srll", p->levels, "rrrr");
    struct report_table *table = report_table_new(columns);
    cli_profile_head(p);
    putchar('\n');
    cost_names(table, p);
    report_table_words(table, by_function ? "FUNCTION" : "LINE");
    report_table_words(table, by_function ? "FILE" : "FUNCTION");
    guint shown = 0;
    for (guint i = 0; i < rows->len; i++) {
        const struct cli_profile_row *row = &g_array_index(rows, struct cli_profile_row, i);
        if (!anything(&row->cost) || (top > 0 && shown++ >= (guint)top)) continue;
        cost_cells(table, p, &row->cost);
        report_table_cell(table, by_function ? g_strdup(row->function) : place_of(row));
        report_table_words(table, by_function ? row->file : row->function);
    }
    report_table_print(table, stdout);
    cli_profile_more(shown, top);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void print_causes(const struct cli_profile *p, const struct cli_profile_wait *call)
{
    for (guint i = 0; i < p->cause->len; i++) {
        const struct cli_profile_cause *c = &g_array_index(p->cause, struct cli_profile_cause, i);
        if (strcmp(c->at, call->at) != 0) continue;
        g_autofree char *time = report_time(c->wait_s), *times = report_times(c->count);
        g_autofree char *words =
            report_cause_words(&(struct report_why){.cause = c->cause,
                                                    .at = c->other_at,
                                                    .behind_at = c->behind_at,
                                                    .rank = c->rank,
                                                    .ranks = c->ranks,
                                                    .behind_rank = c->behind_rank});
        printf("      %s, %s: %s\n", time, times, words);
    }
}

void cli_profile_calls(const struct cli_profile *p, int top)
{
    double all_s = cli_profile_all(p);
    for (guint i = 0; i < p->call->len && (top == 0 || i < (guint)top); i++) {
        const struct cli_profile_wait *call = &g_array_index(p->call, struct cli_profile_wait, i);
        g_autofree char *share = report_percent(call->time_s, all_s),
                        *time = report_time(call->time_s), *wait = report_time(call->wait_s),
                        *stall = report_time(call->stall_s),
                        *longest = report_time(call->longest_s), *times = report_times(call->count);
        printf("\n  %s %s, %s\n      %s (%s): waits %s, stalls %s; longest wait %s, rank %d\n",
               call->at, call->call, times, time, share, wait, stall, longest, call->rank);
        print_causes(p, call);
    }
    cli_profile_more(p->call->len, top);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void cli_profile_memory(const struct cli_profile *p, int top)
{
    static const char *const name[] = {"", "COST", "MOVES", "LINE", "SHARING", "MEMORY", "WHO"};
    double all_s = cli_profile_all(p);
    struct report_table *table = report_table_new("rrrrlLL");
    cli_profile_head(p);
    putchar('\n');
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) report_table_words(table, name[i]);
    for (guint i = 0; i < p->memory->len && (top == 0 || i < (guint)top); i++) {
        const struct cli_profile_memory *m =
            &g_array_index(p->memory, struct cli_profile_memory, i);
        report_table_cell(table, report_percent(m->cost_s, all_s));
        time_cell(table, m->cost_s, all_s);
        count_cell(table, m->moves);
        report_table_cell(table, report_bytes(m->bytes));
        report_table_words(table, m->kind);
        report_table_words(table, m->memory);
        report_table_words(table, m->who);
    }
    report_table_print(table, stdout);
    cli_profile_more(p->memory->len, top);
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool any_hits(const struct cli_profile *p)
{
    for (guint i = 0; i < p->variable->len; i++)
        if (g_array_index(p->variable, struct cli_profile_variable, i).hits > 0) return true;
    return false;
}

void cli_profile_variables(const struct cli_profile *p, int top)
{
    static const char *const name[] = {"", "STALL", "LOADS", "STORES"};
    double all_s = cli_profile_all(p);
    const bool hits = any_hits(p);
    g_autofree char *columns =
        g_strdup_printf("rrrr%.*s%srrrll", p->levels, "rrrr", hits ? "r" : "");
    struct report_table *table = report_table_new(columns);
    cli_profile_head(p);
    putchar('\n');
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) report_table_words(table, name[i]);
    miss_names(table, p);
    if (hits) report_table_words(table, "HITS");
    for (const char *const *word =
             (const char *const[]){"MOVES", "STALE", "OPS", "MEMORY", "NAME", NULL};
         *word; word++)
        report_table_words(table, *word);
    for (guint i = 0; i < p->variable->len && (top == 0 || i < (guint)top); i++) {
        const struct cli_profile_variable *v =
            &g_array_index(p->variable, struct cli_profile_variable, i);
        double stall_s = v->load_s + v->store_s;
        report_table_cell(table, report_percent(stall_s, all_s));
        time_cell(table, stall_s, all_s);
        count_cell(table, v->loads);
        count_cell(table, v->stores);
        for (int level = 0; level < p->levels; level++) count_cell(table, v->missed[level]);
        if (hits) count_cell(table, v->hits);
        count_cell(table, v->moves);
        count_cell(table, v->stale);
        count_cell(table, v->operations);
        report_table_words(table, v->memory);
        report_table_words(table, v->name);
    }
    report_table_print(table, stdout);
    cli_profile_more(p->variable->len, top);
}

/* ---- the difference -------------------------------------------------------------------------- */

struct pair {
    const struct cli_profile_row *here, *there; /* NULL: not in that profile */
};

static double time_of(const struct cli_profile_row *row)
{
    return row ? cli_profile_time(&row->cost) : 0;
}

static double change(const struct pair *p) { return time_of(p->there) - time_of(p->here); }

static int by_change(gconstpointer a, gconstpointer b)
{
    double left = fabs(change(a)), right = fabs(change(b));
    return left > right ? -1 : left < right;
}

static char *key_of(const struct cli_profile_row *row)
{
    return g_strdup_printf("%s\t%s\t%d", row->function, row->file, row->line);
}

static GArray *pairs_of(const GArray *here, const GArray *there)
{
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));
    g_autoptr(GHashTable) other = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < there->len; i++) {
        const struct cli_profile_row *row = &g_array_index(there, struct cli_profile_row, i);
        g_hash_table_insert(other, key_of(row), (void *)row);
    }
    for (guint i = 0; i < here->len; i++) {
        const struct cli_profile_row *row = &g_array_index(here, struct cli_profile_row, i);
        g_autofree char *key = key_of(row);
        g_array_append_val(pairs, ((struct pair){row, g_hash_table_lookup(other, key)}));
        g_hash_table_remove(other, key);
    }
    for (guint i = 0; i < there->len; i++) {
        const struct cli_profile_row *row = &g_array_index(there, struct cli_profile_row, i);
        g_autofree char *key = key_of(row);
        if (g_hash_table_contains(other, key))
            g_array_append_val(pairs, ((struct pair){NULL, row}));
    }
    g_array_sort(pairs, by_change);
    return pairs;
}

static void signed_cell(struct report_table *table, double s, double all_s)
{
    g_autofree char *time = report_time(fabs(s));
    report_table_cell(table, fabs(s) <= 1e-12 * all_s
                                 ? g_strdup("")
                                 : g_strdup_printf("%s%s", s < 0 ? "-" : "+", time));
}

static double part(const struct cli_profile_row *row, int which)
{
    if (!row) return 0;
    const struct cli_profile_cost *c = &row->cost;
    const double parts[] = {c->compute_s, cli_profile_stall(c), c->wait_s, c->service_s};
    return parts[which];
}

void cli_profile_difference(const struct cli_profile *p, const struct cli_profile *other,
                            bool by_function, int top)
{
    static const char *const name[] = {"HERE",  "AGAINST", "DIFFERENCE", "COMPUTE",
                                       "STALL", "WAIT",    "SERVICE"};
    g_autoptr(GArray) here = cli_profile_rows(p, by_function),
                      there = cli_profile_rows(other, by_function), pairs = pairs_of(here, there);
    double all_s = fmax(cli_profile_all(p), cli_profile_all(other));
    printf("here:    ");
    cli_profile_head(p);
    printf("against: ");
    cli_profile_head(other);
    putchar('\n');
    struct report_table *table = report_table_new("rrrrrrrll");
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) report_table_words(table, name[i]);
    report_table_words(table, by_function ? "FUNCTION" : "LINE");
    report_table_words(table, by_function ? "FILE" : "FUNCTION");
    guint shown = 0;
    for (guint i = 0; i < pairs->len; i++) {
        const struct pair *pair = &g_array_index(pairs, struct pair, i);
        const struct cli_profile_row *row = pair->here ? pair->here : pair->there;
        if (fabs(change(pair)) <= 1e-12 * all_s || (top > 0 && shown++ >= (guint)top)) continue;
        time_cell(table, time_of(pair->here), all_s);
        time_cell(table, time_of(pair->there), all_s);
        signed_cell(table, change(pair), all_s);
        for (int which = 0; which < 4; which++)
            signed_cell(table, part(pair->there, which) - part(pair->here, which), all_s);
        report_table_cell(table, by_function ? g_strdup(row->function) : place_of(row));
        report_table_words(table, by_function ? row->file : row->function);
    }
    report_table_print(table, stdout);
    cli_profile_more(shown, top);
}
