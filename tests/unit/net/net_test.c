/* net: the closed form of one message, and what happens when several meet at an interface. */
#include <CUnit/CUnit.h>
#include <math.h>

#include "engine.h"
#include "unit.h"

struct arrivals {
    struct engine *e;
    double at_s[8];
    int n;
    double done_s;
};

static void note(void *data, double time_s)
{
    struct arrivals *a = data;
    a->at_s[a->n++] = time_s;
}

static void send_one(int rank, void *data)
{
    struct arrivals *a = data;
    if (rank == 0) a->done_s = net_send(a->e->net, 0, 1, 6400, kern_now(), note, a);
}

static void one_message_takes_exactly_the_closed_form(void)
{
    static const char *const machines[] = {"t3d", "now", "rdma", "now-ethernet"};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        struct engine e;
        engine_open(&e, machines[i], NULL, 2);
        struct arrivals a = {.e = &e};
        CU_ASSERT_EQUAL(engine_run(&e, send_one, &a), 0);
        double formula_s = e.mach->ni_latency + e.mach->net_latency + 6400 / e.mach->net_bandwidth;
        CU_ASSERT_EQUAL(a.n, 1);
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[0], formula_s, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[0], net_time(e.net, 0, 1, 6400), 1e-15);
        engine_close(&e);
    }
}

static void a_flow_takes_the_same_closed_form(void)
{
    static const char *const sets[] = {"net.flow_bytes=1KiB", NULL};
    struct engine e;
    engine_open(&e, "t3d", sets, 2);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_one, &a), 0);
    CU_ASSERT_DOUBLE_EQUAL(a.at_s[0], net_time(e.net, 0, 1, 6400), 1e-15);
    /* its interface is held by it */
    CU_ASSERT_DOUBLE_EQUAL(net_count(e.net, 0).busy_s, a.at_s[0] - e.mach->ni_latency, 1e-15);
    engine_close(&e);
}

struct mark {
    struct arrivals *a;
    int number;
};

static void note_order(void *data, double time_s)
{
    (void)time_s;
    struct mark *mark = data;
    mark->a->done_s += mark->a->n++ != mark->number;
}

/* Sizes whose times do not add up to the same in every order: (ready + latency) + wire, and (ready
 * + wire) + latency. */
static void send_within(int rank, void *data)
{
    static struct mark mark[400];
    struct arrivals *a = data;
    for (int i = 0; rank == 0 && i < 400; i++) {
        mark[i] = (struct mark){a, i};
        net_send(a->e->net, 0, 0, i % 2 ? 0 : 8 + 16 * (uint64_t)i, kern_now(), note_order,
                 &mark[i]);
    }
}

static void messages_within_a_node_do_not_overtake_either(void)
{
    struct engine e;
    engine_open(&e, "smp", NULL, 2);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_within, &a), 0);
    CU_ASSERT_EQUAL(a.n, 400);
    CU_ASSERT_EQUAL(a.done_s, 0);
    engine_close(&e);
}

static void send_four(int rank, void *data)
{
    struct arrivals *a = data;
    for (int i = 0; rank == 0 && i < 4; i++)
        net_send(a->e->net, 0, 1, i == 1 ? 200000 : 8, kern_now(), note, a);
}

static void messages_of_a_pair_arrive_in_the_order_sent_also_behind_a_flow(void)
{
    struct engine e;
    engine_open(&e, "t3d", NULL, 2);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_four, &a), 0);
    CU_ASSERT_EQUAL(a.n, 4);
    for (int i = 1; i < 4; i++) CU_ASSERT(a.at_s[i] > a.at_s[i - 1]);
    engine_close(&e);
}

static void send_many(int rank, void *data)
{
    struct arrivals *a = data;
    for (int i = 0; rank == 0 && i < 8; i++) net_send(a->e->net, 0, 1, 8, kern_now(), note, a);
}

static void an_interface_sends_at_most_one_message_per_gap(void)
{
    struct engine e;
    engine_open(&e, "now", NULL, 2);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_many, &a), 0);
    CU_ASSERT(e.mach->net_gap > 8 / e.mach->net_bandwidth);
    for (int i = 1; i < 8; i++)
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[i] - a.at_s[i - 1], e.mach->net_gap, 1e-15);
    engine_close(&e);
}

static void send_to_one(int rank, void *data)
{
    struct arrivals *a = data;
    if (rank > 0) net_send(a->e->net, rank, 0, 8000, kern_now(), note, a);
}

/* Two within node 0, and one that leaves it. */
static void send_within_and_away(int rank, void *data)
{
    struct arrivals *a = data;
    for (int i = 0; rank == 0 && i < 3; i++) net_send(a->e->net, 0, i == 2, 8, 1e-3, note, a);
}

static void messages_within_a_node_keep_no_interface_from_those_that_leave_it(void)
{
    struct engine e;
    engine_open(&e, "clump", NULL, 8);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_within_and_away, &a), 0);
    CU_ASSERT_EQUAL(a.n, 3);
    double copy_s = 8 / e.mach->net_local_bandwidth;
    for (int i = 0; i < 2; i++)
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[i], 1e-3 + i * copy_s + net_time(e.net, 0, 0, 8), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(a.at_s[2], 1e-3 + net_time(e.net, 0, 1, 8), 1e-15);
    CU_ASSERT_EQUAL(net_count(e.net, 0).messages, 1);
    CU_ASSERT_DOUBLE_EQUAL(net_count(e.net, 0).busy_s, e.mach->net_gap, 1e-15);
    engine_close(&e);
}

static void a_receiving_interface_takes_one_message_at_a_time(void)
{
    struct engine e;
    engine_open(&e, "now", NULL, 4);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_to_one, &a), 0);
    CU_ASSERT_EQUAL(a.n, 3);
    double wire_s = 8000 / e.mach->net_bandwidth;
    for (int i = 1; i < 3; i++) CU_ASSERT_DOUBLE_EQUAL(a.at_s[i] - a.at_s[i - 1], wire_s, 1e-15);
    engine_close(&e);
}

static void a_barrier_without_a_network_costs_log_n_rounds(void)
{
    struct engine e;
    engine_open(&e, "now", NULL, 2);
    double one_s = net_barrier(e.net, 2);
    CU_ASSERT(one_s > 0);
    CU_ASSERT_DOUBLE_EQUAL(net_barrier(e.net, 8), 3 * one_s, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(net_barrier(e.net, 9), 4 * one_s, 1e-15);
    CU_ASSERT_EQUAL(net_barrier(e.net, 1), 0);
    engine_close(&e);
}

UNIT_SUITE(net, UNIT_TEST(one_message_takes_exactly_the_closed_form),
           UNIT_TEST(a_flow_takes_the_same_closed_form),
           UNIT_TEST(messages_of_a_pair_arrive_in_the_order_sent_also_behind_a_flow),
           UNIT_TEST(messages_within_a_node_do_not_overtake_either),
           UNIT_TEST(an_interface_sends_at_most_one_message_per_gap),
           UNIT_TEST(messages_within_a_node_keep_no_interface_from_those_that_leave_it),
           UNIT_TEST(a_receiving_interface_takes_one_message_at_a_time),
           UNIT_TEST(a_barrier_without_a_network_costs_log_n_rounds))
