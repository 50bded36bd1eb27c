/* kern/graph: what had to wait for what is written, and read again with stretches that are longer
 * or shorter. */
#include "cli/limits/graph.h"
#include "kern/cause/cause.h"
#include "kern/graph/graph.h"
#include "kern/graph_format/graph_format.h"
#include "unit.h"

#include <glib/gstdio.h>
#include <unistd.h>

static const double latency = 1, clock_rate = 1, stalls = 1;

static char *begin(void)
{
    GError *error = NULL;
    char *name = NULL;
    int fd = g_file_open_tmp("graph-XXXXXX", &name, NULL);
    close(fd);
    CU_ASSERT_TRUE_FATAL(kern_graph_open(name, &error));
    kern_parts_clear();
    UNIT_EQUAL(kern_parts_number(&latency), 0);
    UNIT_EQUAL(kern_parts_number(&clock_rate), 1);
    UNIT_EQUAL(kern_parts_number(&stalls), 2);
    return name;
}

static struct cli_graph *end(char *name, kern_date date, double end_s)
{
    GError *error = NULL;
    CU_ASSERT_TRUE_FATAL(
        kern_graph_close(date, end_s, "0 net.latency 1\n1 cpu.clock 1\n2 memory 1\n", &error));
    struct cli_graph *graph = cli_graph_open(name, g_get_tmp_dir(), &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    g_unlink(name);
    g_free(name);
    return graph;
}

static double with(struct cli_graph *graph, const char *key, double factor)
{
    return cli_graph_time(graph, &(struct cli_graph_change){key, factor}, 1, NULL, 0);
}

static kern_date ran(kern_date after, double seconds, int rank)
{
    struct kern_parts_list *parts = g_malloc(sizeof *parts + sizeof parts->part[0]);
    parts->parts = 1;
    parts->part[0] = (struct kern_part){&clock_rate, seconds};
    const kern_date date = kern_graph_add(&(struct kern_graph_step){
        .after = after, .length_s = seconds, .parts = parts, .rank = rank});
    g_free(parts);
    return date;
}

static void only_so_much_is_saved_as_the_next_chain_leaves(void)
{
    char *name = begin();
    const kern_date message = kern_graph_part(ran(0, 2, 0), 8, &latency), other = ran(0, 7, 1);
    struct cli_graph *graph = end(name, kern_graph_later(message, other), 10);
    UNIT_NEAR(cli_graph_time(graph, NULL, 0, NULL, 0), 10, 0);
    UNIT_NEAR(with(graph, "net.latency", 0.75), 8, 1e-9);
    UNIT_NEAR(with(graph, "net.latency", 0), 7, 1e-9); /* the other rank's, not 2 */
    UNIT_NEAR(with(graph, "net.", 0), 7, 1e-9);
    UNIT_NEAR(with(graph, "net.lat", 0), 10, 1e-9); /* no key's name */
    UNIT_NEAR(with(graph, "net.latency", 2), 18, 1e-9);
    cli_graph_free(graph);
}

static void ranks_that_all_compute_the_mean_wait_for_nobody(void)
{
    char *name = begin();
    struct cli_graph *graph = end(name, kern_graph_later(ran(0, 4, 0), ran(0, 8, 1)), 8);
    UNIT_NEAR(cli_graph_time(graph, NULL, 0, (const double[]){1.5, 0.75}, 2), 6, 1e-9);
    cli_graph_free(graph);
}

/* A wait that ended before its rank asked is no link of the critical path; here it is kept. */
static void what_would_have_been_waited_for_if_the_rank_had_come_sooner_is_known(void)
{
    char *name = begin();
    struct kern_spent spent = {0};
    struct kern_parts *paid = g_new0(struct kern_parts, 1);
    kern_date all = 0, ended = 0;
    kern_cause_begin(0, &spent, paid);
    kern_parts_on = true;
    kern_parts_note(&latency, 6);
    const struct kern_cause *event = kern_cause_event(NULL, KERN_NETWORK, -1, 0, 6);
    kern_cause_handle(event);
    kern_cause_also(&all, -1, 6, 6);
    kern_cause_handle(NULL);
    kern_parts_add(paid, &clock_rate, 8);
    kern_cause_after(0, 8, all);
    kern_cause_also(&ended, 0, 8, 8);
    struct cli_graph *graph = end(name, ended, 8);
    UNIT_NEAR(with(graph, "net.latency", 0.5), 8, 1e-9);
    UNIT_NEAR(with(graph, "cpu.clock", 0.875), 7, 1e-9);
    UNIT_NEAR(with(graph, "cpu.clock", 0.5), 6, 1e-9);
    cli_graph_free(graph);
    kern_cause_unref(event);
    kern_cause_clear();
    g_free(paid);
}

static void of_more_parts_than_a_record_has_the_largest_are_kept(void)
{
    static const double many[GRAPH_PARTS + 2];
    char *name = begin();
    struct kern_parts_list *parts =
        g_malloc(sizeof *parts + G_N_ELEMENTS(many) * sizeof parts->part[0]);
    parts->parts = G_N_ELEMENTS(many);
    for (int i = 0; i < parts->parts; i++)
        parts->part[i] = (struct kern_part){i == 1 ? &latency : &many[i], i == 1 ? 9 : i};
    const kern_date date =
        kern_graph_add(&(struct kern_graph_step){.length_s = 63, .parts = parts, .rank = -1});
    g_free(parts);
    struct cli_graph *graph = end(name, date, 63);
    UNIT_NEAR(with(graph, "net.latency", 0), 54, 1e-9);
    cli_graph_free(graph);
    kern_parts_clear();
}

static void a_file_that_is_cut_short_is_refused(void)
{
    char *name = begin();
    GError *error = NULL;
    ran(0, 1, 0);
    CU_ASSERT_TRUE(kern_graph_close(1, 1, "", &error));
    GStatBuf about;
    UNIT_EQUAL(g_stat(name, &about), 0);
    UNIT_EQUAL(about.st_size, 128); /* the head and 64 bytes */
    UNIT_EQUAL(truncate(name, 100), 0);
    struct cli_graph *graph = cli_graph_open(name, g_get_tmp_dir(), &error);
    CU_ASSERT_TRUE(graph && cli_graph_time(graph, NULL, 0, NULL, 0) < 0);
    cli_graph_free(graph);
    UNIT_EQUAL(truncate(name, 10), 0);
    CU_ASSERT_PTR_NULL(cli_graph_open(name, g_get_tmp_dir(), &error));
    g_clear_error(&error);
    g_unlink(name);
    g_free(name);
    kern_parts_clear();
}

UNIT_SUITE(kern_graph, UNIT_TEST(only_so_much_is_saved_as_the_next_chain_leaves),
           UNIT_TEST(ranks_that_all_compute_the_mean_wait_for_nobody),
           UNIT_TEST(what_would_have_been_waited_for_if_the_rank_had_come_sooner_is_known),
           UNIT_TEST(of_more_parts_than_a_record_has_the_largest_are_kept),
           UNIT_TEST(a_file_that_is_cut_short_is_refused))
