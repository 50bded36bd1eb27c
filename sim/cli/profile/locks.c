/* The table of the locks of windows: each, and the lines that asked for it. */
#include "cli/profile/parts.h"

#include "report/print/print.h"

static void time_each(struct report_table *table, double s, uint64_t n)
{
    report_table_cell(table, n ? report_time(s / (double)n) : g_strdup(""));
}

static char *longest_words(double longest_s, int rank, const char *since)
{
    if (rank < 0) return g_strdup("");
    g_autofree char *longest = report_time(longest_s);
    return g_strdup_printf("%s, rank %d%s%s", longest, rank, *since ? ", since " : "", since);
}

static void name_row(struct report_table *table)
{
    static const char *const name[] = {"",      "WAIT",      "LOCKS", "RANKS",   "QUEUED",
                                       "QUEUE", "HAND-OVER", "HELD",  "LONGEST", "LOCK"};
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++) report_table_words(table, name[i]);
}

/* Of a lock what all its lines waited and held it. */
static void lock_row(struct report_table *table, const struct cli_profile *p, guint at)
{
    const struct cli_profile_lock *lock = &g_array_index(p->lock, struct cli_profile_lock, at);
    double wait_s = 0, held_s = 0;
    for (guint i = 0; i < p->locker->len; i++) {
        const struct cli_profile_locker *l =
            &g_array_index(p->locker, struct cli_profile_locker, i);
        if (l->lock != at) continue;
        wait_s += l->wait_s;
        held_s += l->held_s;
    }
    report_table_cell(table, report_percent(wait_s, cli_profile_all(p)));
    report_table_cell(table, report_time(wait_s));
    report_table_cell(table, report_count(lock->count));
    report_table_cell(table, report_count((uint64_t)lock->ranks));
    report_table_cell(table, report_count(lock->queued));
    report_table_cell(table, report_count(lock->longest_queue));
    time_each(table, lock->handover_s, lock->handovers);
    time_each(table, held_s, lock->count);
    report_table_cell(table, longest_words(lock->longest_s, lock->rank, lock->at));
    report_table_words(table, lock->memory);
}

static void locker_row(struct report_table *table, const struct cli_profile *p,
                       const struct cli_profile_locker *l)
{
    report_table_cell(table, report_percent(l->wait_s, cli_profile_all(p)));
    report_table_cell(table, report_time(l->wait_s));
    report_table_cell(table, report_count(l->count));
    for (int column = 0; column < 4; column++) report_table_words(table, "");
    time_each(table, l->held_s, l->count);
    report_table_cell(table, longest_words(l->longest_s, l->rank, ""));
    report_table_cell(table, g_strdup_printf("  %s, %s", l->at, l->kind));
}

void cli_profile_locks(const struct cli_profile *p, int top)
{
    struct report_table *table = report_table_new("rrrrrrrrLL");
    cli_profile_head(p);
    putchar('\n');
    name_row(table);
    guint next = 0; /* of the lines: they come in the order of their locks */
    for (guint i = 0; i < p->lock->len && (top == 0 || i < (guint)top); i++) {
        lock_row(table, p, i);
        for (; next < p->locker->len; next++) {
            const struct cli_profile_locker *l =
                &g_array_index(p->locker, struct cli_profile_locker, next);
            if (l->lock != i) break;
            locker_row(table, p, l);
        }
    }
    report_table_print(table, stdout);
    cli_profile_more(p->lock->len, top);
}
