/* Buses and links. Equal ones share a row: a machine of many nodes has many. */
#include "report/text/sections.h"

#include <string.h>

enum { BUSES_SHOWN = 4, LINKS_SHOWN = 5 };

/* ---- buses ----------------------------------------------------------------------------------- */

static double queued(const struct report_bus *bus)
{
    return bus->queued_s / (double)bus->transactions;
}

/* "1.2 %" or "1.2 % to 3.4 %" */
static char *range(char *low, char *high)
{
    g_autofree char *l = low, *h = high;
    return strcmp(l, h) == 0 ? g_strdup(l) : g_strdup_printf("%s to %s", l, h);
}

/* Many buses: between what and what, and which is the busiest. */
static void bus_ranges(const struct report_run *run, const GPtrArray *used, FILE *out)
{
    const struct report_bus *idle = used->pdata[0], *busy = idle, *least = idle, *most = idle;
    uint64_t transactions = 0, bytes = 0;
    for (guint i = 0; i < used->len; i++) {
        const struct report_bus *bus = used->pdata[i];
        transactions += bus->transactions;
        bytes += bus->bytes;
        if (bus->busy_s < idle->busy_s) idle = bus;
        if (bus->busy_s > busy->busy_s) busy = bus;
        if (queued(bus) < queued(least)) least = bus;
        if (queued(bus) > queued(most)) most = bus;
    }
    g_autofree char *n = report_count(transactions), *size = report_bytes(bytes);
    g_autofree char *share =
        range(report_percent(idle->busy_s, run->time_s), report_percent(busy->busy_s, run->time_s));
    g_autofree char *delay = range(report_time(queued(least)), report_time(queued(most)));
    g_autofree char *text = g_strdup_printf(
        "%u buses: %s transactions, %s; busy %s of the time, node %d's most; mean queueing delay "
        "%s.",
        used->len, n, size, share, busy->node, delay);
    fprintf(out, "  ");
    report_wrap(out, 2, 2, text);
}

static void bus_rows(const struct report_run *run, const GPtrArray *used, FILE *out)
{
    struct report_table *table = report_table_new("lRlRL");
    for (guint i = 0; i < used->len; i++) {
        const struct report_bus *bus = used->pdata[i];
        g_autofree char *busy = report_percent(bus->busy_s, run->time_s),
                        *delay = report_time(queued(bus));
        report_table_cell(table, g_strdup_printf("node %d", bus->node));
        report_table_cell(table, report_count(bus->transactions));
        report_table_words(table, "transactions");
        report_table_cell(table, report_bytes(bus->bytes));
        report_table_cell(
            table, g_strdup_printf("busy %s of the time, mean queueing delay %s", busy, delay));
    }
    report_table_print(table, out);
}

static void buses(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    g_autoptr(GPtrArray) used = g_ptr_array_new();
    for (int i = 0; i < run->buses; i++)
        if (run->bus[i].transactions > 0) g_ptr_array_add(used, &run->bus[i]);
    if (used->len == 0) return;
    report_heading(out, ink, "Bus", NULL);
    if (used->len > BUSES_SHOWN)
        bus_ranges(run, used, out);
    else
        bus_rows(run, used, out);
}

/* ---- links ----------------------------------------------------------------------------------- */

static int by_use(gconstpointer a, gconstpointer b)
{
    const struct report_link *left = *(struct report_link *const *)a,
                             *right = *(struct report_link *const *)b;
    if (left->busy_s != right->busy_s) return left->busy_s > right->busy_s ? -1 : 1;
    if (left->bytes != right->bytes) return left->bytes > right->bytes ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* Links from `first` on that a reader could not tell apart by bytes and share of the time. */
static guint alike(const struct report_run *run, const GPtrArray *used, guint first)
{
    const struct report_link *link = used->pdata[first];
    g_autofree char *share = report_percent(link->busy_s, run->time_s);
    guint n = 1;
    for (; first + n < used->len; n++) {
        const struct report_link *next = used->pdata[first + n];
        g_autofree char *its = report_percent(next->busy_s, run->time_s);
        if (next->bytes != link->bytes || strcmp(its, share) != 0) break;
    }
    return n;
}

static void links(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    g_autoptr(GPtrArray) used = g_ptr_array_new();
    uint64_t bytes = 0;
    for (int i = 0; i < run->links; i++) {
        if (run->link[i].bytes == 0) continue;
        g_ptr_array_add(used, &run->link[i]);
        bytes += run->link[i].bytes;
    }
    if (used->len == 0) return;
    g_ptr_array_sort(used, by_use);
    struct report_table *table = report_table_new("lRL");
    guint shown = 0, n;
    for (guint row = 0; row < LINKS_SHOWN && shown < used->len; row++, shown += n) {
        const struct report_link *link = used->pdata[shown];
        n = alike(run, used, shown);
        g_autofree char *busy = report_percent(link->busy_s, run->time_s);
        report_table_cell(table, n == 1 ? g_strdup(link->name)
                                        : g_strdup_printf("%s and %u more", link->name, n - 1));
        g_autofree char *size = report_bytes(link->bytes);
        report_table_cell(table, g_strconcat(size, n == 1 ? "" : " each", NULL));
        report_table_cell(table, g_strdup_printf("busy %s of the time", busy));
    }
    report_heading(out, ink, "Links",
                   shown < used->len ? "the busiest; MPI's own messages are not counted"
                                     : "MPI's own messages are not counted");
    report_table_print(table, out);
    g_autofree char *sum = report_bytes(bytes);
    if (shown < used->len) fprintf(out, "  %s over all %u links with traffic\n", sum, used->len);
}

char *report_busiest(const struct report_run *run, double least)
{
    for (int i = 0; i < run->resources; i++) {
        const struct base_use *use = &run->resource[i];
        if (use->waits) continue; /* a processor moves no bytes by itself */
        if (use->busy_s < least * run->time_s) break;
        g_autofree char *share = report_percent(use->busy_s, run->time_s);
        return g_strdup_printf(" Busiest was the %s: %s of the time.", use->name, share);
    }
    return g_strdup("");
}

void report_traffic(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    buses(run, out, ink);
    links(run, out, ink);
}
