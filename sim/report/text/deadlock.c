/* A run that stopped with ranks waiting, or was stopped: who waits, in which call and where. */
#include "report/print/print.h"
#include "report/source/source.h"
#include "report/text/text.h"

#include <string.h>

/* "0-3, 7" */
static void append_rank(GString *list, int rank, int *first, int *last)
{
    if (*first >= 0 && rank == *last + 1) {
        *last = rank;
        return;
    }
    if (*first >= 0) {
        if (list->len) g_string_append(list, ", ");
        g_string_append_printf(list,
                               *last > *first + 1 ? "%d-%d"
                               : *last > *first   ? "%d, %d"
                                                  : "%d",
                               *first, *last);
    }
    *first = *last = rank;
}

static bool alike(const struct report_rank *a, const struct report_rank *b)
{
    return a->finished == b->finished &&
           (a->finished || (g_strcmp0(a->call, b->call) == 0 && a->site == b->site));
}

/* "for a message of rank 1 with tag 7"; nothing where it is not known. */
static char *awaited(const struct report_rank *rank)
{
    if (rank->waits == REPORT_NOT_KNOWN) return g_strdup("");
    g_autofree char *who =
        rank->waits_rank < 0 ? g_strdup("any rank") : g_strdup_printf("rank %d", rank->waits_rank);
    g_autofree char *tag =
        rank->waits_tag < 0 ? g_strdup("") : g_strdup_printf(" with tag %d", rank->waits_tag);
    return rank->waits == REPORT_MESSAGE
               ? g_strdup_printf("for a message of %s%s", who, tag)
               : g_strdup_printf("for %s to receive a message%s", who, tag);
}

/* The rank that this one alone can go on after; -1: none, or not known. */
static int after(const struct report_run *run, int rank)
{
    const struct report_rank *r = &run->rank[rank];
    return r->finished || r->waits == REPORT_NOT_KNOWN ? -1 : r->waits_rank;
}

/* One of the first circle of ranks that wait for each other; -1: there is none. */
static int in_circle(const struct report_run *run)
{
    g_autofree int *seen = g_new0(int, (gsize)run->ranks + 1); /* from which rank on */
    for (int from = 0; from < run->ranks; from++) {
        int at = from;
        for (; at >= 0 && !seen[at]; at = after(run, at)) seen[at] = from + 1;
        if (at >= 0 && seen[at] == from + 1) return at;
    }
    return -1;
}

static void print_circle(const struct report_run *run, FILE *out)
{
    enum { SOME = 8 };
    const int first = in_circle(run);
    int members = 0;
    if (first < 0) return;
    for (int r = first; members == 0 || r != first; r = after(run, r), members++)
        if (members < SOME)
            fprintf(out, "%s rank %d waits for rank %d", members ? "," : " ", r, after(run, r));
    fprintf(out, "%s: a circle, in which none can go on\n", members > SOME ? ", ..." : "");
}

/* What all of a group wait for, or, where no circle says it, its first ones each: "rank 0 for rank
 * 1, rank 1 for rank 2, ..." */
static char *awaited_by(const struct report_run *run, const GArray *members)
{
    enum { SOME = 3 };
    GString *list = g_string_new(NULL);
    const int first = g_array_index(members, int, 0);
    char *all = awaited(&run->rank[first]);
    for (guint i = 0; i < members->len; i++) {
        const int r = g_array_index(members, int, i);
        const struct report_rank *rank = &run->rank[r];
        g_autofree char *its = awaited(rank);
        if (g_strcmp0(all, its) != 0) g_clear_pointer(&all, g_free);
        if (rank->waits == REPORT_NOT_KNOWN || rank->waits_rank < 0 || i > SOME) continue;
        if (list->len) g_string_append(list, ", ");
        if (i == SOME)
            g_string_append(list, "...");
        else
            g_string_append_printf(list, "rank %d for rank %d", r, rank->waits_rank);
    }
    if (in_circle(run) >= 0) g_string_truncate(list, 0);
    char *each = g_string_free(list, all != NULL);
    return all ? all : each;
}

/* The line of `from` and all later ranks that stand where it stands; marks them as shown. */
static void print_group(const struct report_run *run, struct report_table *table, int from,
                        bool *shown)
{
    const struct report_rank *rank = &run->rank[from];
    GString *list = g_string_new(NULL);
    int first = -1, last = -1;
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(int));
    for (int r = from; r < run->ranks; r++) {
        if (shown[r] || !alike(rank, &run->rank[r])) continue;
        shown[r] = true;
        append_rank(list, r, &first, &last);
        g_array_append_val(members, r);
    }
    append_rank(list, -2, &first, &last);
    bool one = members->len == 1;
    report_table_cell(table, g_strdup_printf("%s %s", one ? "rank" : "ranks", list->str));
    const char *idle = run->end == REPORT_DEADLOCK ? (one ? "waits" : "wait") : "outside MPI";
    report_table_cell(table, rank->finished ? g_strdup("finished")
                             : rank->call
                                 ? g_strdup_printf(one ? "waits in %s" : "wait in %s", rank->call)
                                 : g_strdup(idle));
    report_table_cell(table, rank->finished ? g_strdup("") : report_at(run->program, rank->site));
    report_table_cell(table, rank->finished ? g_strdup("") : awaited_by(run, members));
    g_string_free(list, TRUE);
}

void report_ranks(const struct report_run *run, FILE *out)
{
    g_autofree bool *shown = g_new0(bool, (gsize)run->ranks + 1);
    struct report_table *table = report_table_new("llll");
    for (int pass = 0; pass < 2; pass++) /* those who wait first, then those who do not */
        for (int r = 0; r < run->ranks; r++)
            if (!shown[r] && run->rank[r].finished == (pass == 1))
                print_group(run, table, r, shown);
    report_table_print(table, out);
    fflush(out);
}

/* Ranks that service nothing where they are, and who waits for that: polling its own memory for
 * what only MPI brings, a rank never ends. */
static void print_asked(const struct report_run *run, FILE *out)
{
    enum { SOME = 8 };
    int asked = 0;
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        if (!rank->asked || asked++ >= SOME) continue;
        const struct report_rank *by = rank->asked_by >= 0 ? &run->rank[rank->asked_by] : NULL;
        g_autofree char *since = report_time(run->time_s - rank->asked_s),
                        *here = rank->site ? report_at(run->program, rank->site) : g_strdup(""),
                        *there = by && by->call ? report_at(run->program, by->site) : NULL,
                        *whose = !by ? g_strdup("a request")
                                 : !by->call
                                     ? g_strdup_printf("a request of rank %d", rank->asked_by)
                                     : g_strdup_printf("rank %d's %s %s", rank->asked_by, by->call,
                                                       there);
        fprintf(out, "  %s has waited %s for rank %d to enter MPI%s%s\n", whose, since, r,
                *here ? "; it is " : "", here);
    }
    if (asked > SOME) fprintf(out, "  %d more\n", asked - SOME);
    fflush(out);
}

void report_deadlock(const struct report_run *run, FILE *out)
{
    int waiting = 0;
    for (int r = 0; r < run->ranks; r++) waiting += !run->rank[r].finished;
    g_autofree char *when = report_time(run->time_s);
    fprintf(out, "sidewinder: deadlock at simulated time %s: %d of %d %s for ever\n", when, waiting,
            run->ranks, waiting == 1 ? "ranks waits" : "ranks wait");
    report_ranks(run, out);
    print_circle(run, out);
    fflush(out);
}

void report_interrupted(const struct report_run *run, int number, FILE *out)
{
    g_autofree char *when = report_time(run->time_s);
    const char *name = sigdescr_np(number);
    const char *what = number == SIGUSR1 ? "asked" : "ended";
    fprintf(out, "sidewinder: %s by signal %d (%s) at simulated time %s\n", what, number,
            name ? name : "?", when);
    report_ranks(run, out);
    print_asked(run, out);
}
