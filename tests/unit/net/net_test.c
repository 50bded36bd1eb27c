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
    if (rank == 0)
        net_send(a->e->net, &(struct net_message){.from = 0,
                                                  .to = 1,
                                                  .by = 0,
                                                  .bytes = 6400,
                                                  .ready_s = kern_now(),
                                                  .handle = note,
                                                  .data = a});
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
        if (6400 > e.mach->net_short_bytes) formula_s += e.mach->net_fetch;
        CU_ASSERT_EQUAL(a.n, 1);
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[0], formula_s, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[0], net_time(e.net, 0, 1, 6400), 1e-15);
        engine_close(&e);
    }
}

static void pieces_of_a_message_take_the_same_closed_form(void)
{
    static const char *const sets[] = {"net.flow_bytes=1KiB", NULL};
    struct engine e;
    engine_open(&e, "t3d", sets, 2);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_one, &a), 0);
    CU_ASSERT_DOUBLE_EQUAL(a.at_s[0], net_time(e.net, 0, 1, 6400), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(net_count(e.net, 0).busy_s, 6400 / e.mach->net_bandwidth, 1e-15);
    engine_close(&e);
}

static void note_last(void *data, double time_s)
{
    struct arrivals *a = data;
    a->done_s = fmax(a->done_s, time_s);
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
        net_send(a->e->net, &(struct net_message){.from = 0,
                                                  .to = 0,
                                                  .by = 0,
                                                  .bytes = i % 2 ? 0 : 8 + 16 * (uint64_t)i,
                                                  .ready_s = kern_now(),
                                                  .handle = note_order,
                                                  .data = &mark[i]});
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
        net_send(a->e->net, &(struct net_message){.from = 0,
                                                  .to = 1,
                                                  .by = 0,
                                                  .bytes = i == 1 ? 200000 : 8,
                                                  .ready_s = kern_now(),
                                                  .handle = note,
                                                  .data = a});
}

static void messages_of_a_pair_arrive_in_the_order_sent_also_behind_a_long_one(void)
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
    for (int i = 0; rank == 0 && i < 8; i++)
        net_send(a->e->net, &(struct net_message){.from = 0,
                                                  .to = 1,
                                                  .by = 0,
                                                  .bytes = 8,
                                                  .ready_s = kern_now(),
                                                  .handle = note,
                                                  .data = a});
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
    if (rank > 0)
        net_send(a->e->net, &(struct net_message){.from = rank,
                                                  .to = 0,
                                                  .by = rank,
                                                  .bytes = 8000,
                                                  .ready_s = kern_now(),
                                                  .handle = note,
                                                  .data = a});
}

/* Two within node 0, and one that leaves it. */
static void send_within_and_away(int rank, void *data)
{
    struct arrivals *a = data;
    for (int i = 0; rank == 0 && i < 3; i++)
        net_send(a->e->net, &(struct net_message){.from = 0,
                                                  .to = i == 2,
                                                  .by = 0,
                                                  .bytes = 8,
                                                  .ready_s = 1e-3,
                                                  .handle = note,
                                                  .data = a});
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

/* All of one half of a ring of 16 nodes send to the opposite node, short messages: those of eight
 * cross the same link. */
static void send_opposite(int rank, void *data)
{
    struct arrivals *a = data;
    for (int i = 0; rank < 8 && i < 20; i++)
        net_send(a->e->net, &(struct net_message){.from = rank,
                                                  .to = rank + 8,
                                                  .by = rank,
                                                  .bytes = 800,
                                                  .ready_s = kern_now(),
                                                  .handle = note_last,
                                                  .data = a});
}

static void short_messages_share_the_links_of_their_ways(void)
{
    static const char *const sets[] = {"nodes=16", NULL};
    struct engine e;
    engine_open(&e, "t3d", sets, 16);
    e.mach->torus[0] = 16, e.mach->torus[1] = e.mach->torus[2] = 1;
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_opposite, &a), 0);
    double bytes = 8 * 20 * 800., least_s = bytes / e.mach->net_bandwidth;
    CU_ASSERT(a.done_s >= least_s);
    CU_ASSERT(a.done_s <= 1.05 * least_s);
    struct base_use use, most = {0};
    for (int i = 0; i < net_uses(e.net); i++)
        if (net_use(e.net, i, &use) && use.bytes > most.bytes) most = use;
    CU_ASSERT_STRING_EQUAL(most.name, "link +x of node 7");
    CU_ASSERT_EQUAL(most.bytes, bytes);
    engine_close(&e);
}

/* Node 0's interface answers. */
static void answer(void *data, double time_s)
{
    struct arrivals *a = data;
    net_send(a->e->net, &(struct net_message){.from = 0,
                                              .to = 1,
                                              .by = NET_INTERFACE,
                                              .bytes = 8,
                                              .ready_s = time_s,
                                              .handle = note,
                                              .data = a});
}

/* The first is ready only later; those of others, to the same node, do not wait for it. */
static void send_later(int rank, void *data)
{
    struct arrivals *a = data;
    if (rank == 2)
        net_send(
            a->e->net,
            &(struct net_message){
                .from = 2, .to = 1, .by = 2, .bytes = 8, .ready_s = 0, .handle = note, .data = a});
    if (rank > 0) return;
    net_send(
        a->e->net,
        &(struct net_message){
            .from = 0, .to = 1, .by = 0, .bytes = 8, .ready_s = 1e-3, .handle = note, .data = a});
    net_send(a->e->net,
             &(struct net_message){
                 .from = 0, .to = 2, .by = 0, .bytes = 8, .ready_s = 0, .handle = note, .data = a});
    kern_at(5e-4, KERN_NETWORK, -1, answer, a);
}

static void a_message_that_is_ready_later_keeps_no_other_waiting(void)
{
    struct engine e;
    engine_open(&e, "t3d", NULL, 3);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, send_later, &a), 0);
    for (int i = 0; i < 2; i++) CU_ASSERT_DOUBLE_EQUAL(a.at_s[i], net_time(e.net, 0, 1, 8), 1e-15);
    for (int i = 2; i < 4; i++)
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[i], 5e-4 * (i - 1) + net_time(e.net, 0, 1, 8), 1e-15);
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

/* Nothing has been sent. */
static void bytes_of_operations_that_a_link_never_carried_are_reported(void)
{
    struct engine e;
    engine_open(&e, "t3d", NULL, 2);
    net_owe(e.net, 0, 1, 100);
    int missing = 0;
    for (int i = 0; i < net_uses(e.net); i++) {
        struct base_use use;
        if (!net_use(e.net, i, &use)) continue;
        g_autofree char *breach = base_use_breach(&use, 1);
        missing += breach && strstr(breach, "carried 0 bytes of the 100") != NULL;
    }
    CU_ASSERT_EQUAL(missing, 3); /* two interfaces and the link between */
    engine_close(&e);
}

static void acknowledge(int rank, void *data)
{
    struct arrivals *a = data;
    for (int i = 0; rank == 0 && i < 8; i++)
        net_acknowledge(a->e->net, &(struct net_message){.from = 0,
                                                         .to = 1,
                                                         .by = 0,
                                                         .bytes = 16,
                                                         .ready_s = kern_now(),
                                                         .handle = note,
                                                         .data = a});
}

static void what_an_interface_sends_by_itself_waits_for_no_gap(void)
{
    struct engine e;
    engine_open(&e, "now", NULL, 2);
    struct arrivals a = {.e = &e};
    CU_ASSERT_EQUAL(engine_run(&e, acknowledge, &a), 0);
    CU_ASSERT_EQUAL(a.n, 8);
    double wire_s = 16 / e.mach->net_bandwidth;
    CU_ASSERT_TRUE(wire_s < e.mach->net_gap);
    for (int i = 0; i < a.n; i++)
        CU_ASSERT_DOUBLE_EQUAL(a.at_s[i], net_latency(e.net, 0, 1) + (i + 1) * wire_s, 1e-12);
    engine_close(&e);
}

static void send_short_and_long(int rank, void *data)
{
    struct arrivals *a = data;
    const uint64_t most = a->e->mach->net_short_bytes;
    for (int i = 0; rank == 0 && i < 2; i++) {
        net_send(a->e->net, &(struct net_message){.from = 0,
                                                  .to = 1 + i,
                                                  .by = 0,
                                                  .bytes = most + (uint64_t)i,
                                                  .ready_s = kern_now(),
                                                  .handle = note,
                                                  .data = a});
        kern_sleep_until(rank, kern_now() + 1e-3);
    }
}

static void a_message_that_is_not_short_is_fetched_before_it_leaves(void)
{
    struct engine e;
    engine_open(&e, "now", NULL, 3);
    struct arrivals a = {.e = &e};
    CU_ASSERT_TRUE(e.mach->net_short_bytes > 0 && e.mach->net_fetch > 0);
    CU_ASSERT_EQUAL(engine_run(&e, send_short_and_long, &a), 0);
    const double more_s = e.mach->net_fetch + 1 / e.mach->net_bandwidth;
    CU_ASSERT_DOUBLE_EQUAL(a.at_s[1] - 1e-3 - a.at_s[0], more_s, 1e-12);
    engine_close(&e);
}

UNIT_SUITE(net, UNIT_TEST(one_message_takes_exactly_the_closed_form),
           UNIT_TEST(pieces_of_a_message_take_the_same_closed_form),
           UNIT_TEST(messages_of_a_pair_arrive_in_the_order_sent_also_behind_a_long_one),
           UNIT_TEST(messages_within_a_node_do_not_overtake_either),
           UNIT_TEST(an_interface_sends_at_most_one_message_per_gap),
           UNIT_TEST(what_an_interface_sends_by_itself_waits_for_no_gap),
           UNIT_TEST(messages_within_a_node_keep_no_interface_from_those_that_leave_it),
           UNIT_TEST(a_receiving_interface_takes_one_message_at_a_time),
           UNIT_TEST(short_messages_share_the_links_of_their_ways),
           UNIT_TEST(a_message_that_is_ready_later_keeps_no_other_waiting),
           UNIT_TEST(bytes_of_operations_that_a_link_never_carried_are_reported),
           UNIT_TEST(a_message_that_is_not_short_is_fetched_before_it_leaves),
           UNIT_TEST(a_barrier_without_a_network_costs_log_n_rounds))
