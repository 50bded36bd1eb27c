/* Operations under load: origins that fight for one target get no more than its link, its lock, its
 * atomic unit or an engine can give. Each expected time is a closed form of the machine's own keys.
 */
#include "move/move.h"
#include "engine.h"
#include "mem/agent/agent.h"
#include "mem/counters/counters.h"
#include "mem/segment/segment.h"
#include "unit.h"

#include <CUnit/CUnit.h>
#include <sys/mman.h>

enum { RANKS = 16, MOST = 1 << 20 };

struct scene {
    struct engine e;
    enum op_kind kind;
    int origins, target, times;
    uint64_t bytes, stride; /* stride: what an origin's place at the target is behind another's */
    double last_s;          /* when the last of all is complete */
    uint8_t *memory[RANKS];
};

static double add(const void *in, void *inout, uint64_t bytes, const void *arg)
{
    (void)arg;
    for (uint64_t i = 0; i < bytes; i++) ((uint8_t *)inout)[i] += ((const uint8_t *)in)[i];
    return 0;
}

/* Each origin has all its operations in flight at once. */
static void body(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    int number = rank - (rank > s->target);
    if (rank == s->target || number >= s->origins) return;
    serve_enter(me, true);
    const struct op_piece piece = {0, s->bytes};
    const struct op_layout layout = {&piece, 1, s->bytes, 0, (int64_t)s->bytes};
    const struct move_op op = {.kind = s->kind,
                               .call = "a call",
                               .target = s->target,
                               .from = {(uintptr_t)s->memory[rank], layout},
                               .to = {s->stride * (uint64_t)number, layout},
                               .combine = s->kind == OP_ACCUMULATE ? add : NULL};
    struct move_set set = {.origin = me};
    for (int i = 0; i < s->times; i++) {
        struct move_transfer *t =
            move_transfer_new(s->e.move, &op, rank, s->target, (uintptr_t)s->memory[s->target]);
        t->set = &set;
        move_start(t);
    }
    move_set_wait(&set);
    s->last_s = MAX(s->last_s, set.last_s);
    serve_leave(me);
}

/* What is looked at of the world when all is done. */
struct seen {
    struct net_count target; /* what the target's interface sent */
    struct mem_resource_count bus;
    uint8_t first; /* byte of the target's memory, as the image has it */
};

static struct seen run(struct scene *s, const char *machine)
{
    struct seen seen;
    engine_open(&s->e, machine, NULL, RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        s->memory[rank] =
            mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int rank = 0; rank < RANKS; rank++)
        if (rank != s->target) s->memory[rank][0] = 1;
    UNIT_EQUAL(engine_run(&s->e, body, s), 0);
    seen.target = net_count(s->e.net, s->e.proc[s->target]->node);
    seen.bus = mem_bus_count(s->e.proc[s->target]->memory);
    mem_peek(s->e.proc[s->target]->memory, NULL, (uintptr_t)s->memory[s->target], &seen.first, 1,
             1);
    for (int rank = 0; rank < RANKS; rank++) munmap(s->memory[rank], MOST);
    return seen;
}

/* At least the closed form, and at most a twentieth above it. */
static void at_the_limit(double obtained_s, double limit_s)
{
    if (obtained_s < limit_s || obtained_s > 1.05 * limit_s)
        fprintf(stderr, "    limit %.9g s, obtained %.9g s\n", limit_s, obtained_s);
    CU_ASSERT_TRUE(obtained_s >= limit_s * (1 - 1e-9));
    CU_ASSERT_TRUE(obtained_s <= 1.05 * limit_s);
}

static void prefetched_gets_of_many_origins_take_what_the_targets_link_needs_for_their_bytes(void)
{
    struct scene s = {.kind = OP_GET, .origins = RANKS - 1, .times = 1, .bytes = 8192};
    struct seen seen = run(&s, "t3d");
    double bytes = 8192. * s.origins;
    at_the_limit(s.last_s, bytes / s.e.mach->net_bandwidth);
    UNIT_EQUAL(seen.target.bytes, bytes);
    engine_close(&s.e);
}

static void a_prefetched_get_alone_costs_the_cycles_of_its_prefetches_and_no_more(void)
{
    struct scene s = {.kind = OP_GET, .origins = 1, .times = 1, .bytes = 8192};
    run(&s, "t3d");
    const struct mach *m = s.e.mach;
    double group = m->ni_get_issue_cycles * m->ni_get_group +
                   MAX(0, m->ni_get_round_cycles - m->ni_get_issue_cycles * (m->ni_get_group - 1)) +
                   m->ni_get_pop_cycles * m->ni_get_group;
    double cycles = m->ni_annex_cycles + 8192. / 8 / m->ni_get_group * group;
    UNIT_NEAR(s.last_s, cycles / m->cpu_clock, 1e-12);
    engine_close(&s.e);
}

/* The larger of the two for each line; only the first line's gathering is not beside another's
 * leaving. */
static void a_put_of_lines_on_t3d_gathers_one_line_while_the_one_before_it_leaves(void)
{
    enum { LINES = 256 };
    struct scene s = {.kind = OP_PUT, .origins = 1, .times = 1};
    s.bytes = LINES * 32;
    run(&s, "t3d");
    const struct mach *m = s.e.mach;
    UNIT_EQUAL(m->wb_line, 32);
    double gather = m->dram_readahead_cycles + m->dram_line_cycles;
    double way_s = 2 * (m->ni_latency + m->net_latency);
    at_the_limit(s.last_s, LINES * MAX(gather, m->ni_put_line_cycles) / m->cpu_clock + way_s);
    engine_close(&s.e);
}

/* Only what the target's processor copies at the end is not beside the wire. */
static void a_long_put_on_now_is_read_while_it_is_on_the_wire(void)
{
    struct scene s = {.kind = OP_PUT, .origins = 1, .times = 1, .bytes = MOST};
    run(&s, "now");
    at_the_limit(s.last_s, MOST / s.e.mach->net_bandwidth);
    engine_close(&s.e);
}

static void blocks_in_flight_get_no_more_than_the_block_engine_gives(void)
{
    struct scene s = {.kind = OP_GET, .origins = 1, .times = 8, .bytes = MOST};
    run(&s, "t3d");
    at_the_limit(s.last_s, 8. * MOST / s.e.mach->ni_block_bandwidth);
    engine_close(&s.e);
}

static void puts_of_many_origins_on_smp_keep_its_bus_busy_all_the_time(void)
{
    struct scene s = {.kind = OP_PUT, .origins = RANKS - 1, .times = 1};
    s.bytes = s.stride = MOST / RANKS;
    struct seen seen = run(&s, "smp");
    at_the_limit(s.last_s, seen.bus.busy_s);
    engine_close(&s.e);
}

enum { UPDATES = 20 };

/* Every origin adds to the same word, or each to one of its own. */
static double updates(struct scene *s, const char *machine, int origins, uint64_t stride)
{
    *s = (struct scene){
        .kind = OP_ACCUMULATE, .origins = origins, .times = UPDATES, .bytes = 8, .stride = stride};
    struct seen seen = run(s, machine);
    UNIT_EQUAL(seen.first, (stride ? 1 : origins) * UPDATES % 256);
    return s->last_s;
}

static void atomics_of_one_word_on_rdma_follow_each_other_in_its_atomic_unit(void)
{
    struct scene s;
    updates(&s, "rdma", RANKS - 1, 0);
    at_the_limit(s.last_s, (RANKS - 1) * UPDATES * s.e.mach->ni_atomic);
    engine_close(&s.e);
}

static void atomics_of_words_of_different_units_on_rdma_do_not_wait_for_each_other(void)
{
    struct scene one, all;
    updates(&one, "rdma", 1, 8);
    engine_close(&one.e);
    updates(&all, "rdma", RANKS - 1, 8);
    /* beyond that only the target's interface, which takes a message at a time */
    double gaps_s = (RANKS - 1) * all.e.mach->net_gap;
    CU_ASSERT_TRUE(all.last_s <= one.last_s + gaps_s);
    CU_ASSERT_TRUE(one.last_s >= UPDATES * all.e.mach->ni_atomic);
    engine_close(&all.e);
}

/* Half a swap, the get of a word, the put and its acknowledgement, half a swap. */
static void accumulates_to_one_word_on_t3d_follow_each_other_under_the_lock_of_its_memory(void)
{
    struct scene s;
    updates(&s, "t3d", RANKS - 1, 0);
    const struct mach *m = s.e.mach;
    double held_s = m->ni_atomic + (m->ni_read_word_cycles + m->ni_put_word_cycles) / m->cpu_clock +
                    2 * (m->ni_latency + m->net_latency);
    at_the_limit(s.last_s, (RANKS - 1) * UPDATES * held_s);
    engine_close(&s.e);
}

/* Half a swap, the word out of the pool and back into it, half a swap. */
static void accumulates_to_one_word_on_cxl_pool_follow_each_other_under_the_lock_of_its_memory(void)
{
    struct scene s;
    updates(&s, "cxl-pool", RANKS - 1, 0);
    const struct mach *m = s.e.mach;
    double held_s = m->ni_atomic + 2 * (m->pool_latency + 8 / m->pool_bandwidth);
    at_the_limit(s.last_s, (RANKS - 1) * UPDATES * held_s);
    engine_close(&s.e);
}

static void a_get_from_a_pool_takes_what_its_owners_loads_take_and_is_no_faster(void)
{
    struct scene s = {.kind = OP_GET, .origins = 1, .times = 1, .bytes = 64 << 10};
    run(&s, "cxl-pool");
    const struct mach *m = s.e.mach;
    double lines = (double)s.bytes / (double)m->cache[0].line;
    double least_s = m->pool_latency * lines / m->mem_outstanding;
    CU_ASSERT_TRUE(s.last_s > least_s);
    char *memory = mmap(NULL, s.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct mem_cpu *owner = s.e.proc[2]->cpu;
    mem_pool(owner, (uintptr_t)memory, s.bytes, true);
    UNIT_NEAR(s.last_s, mem_charge_s(mem_touch_load(owner, (uintptr_t)memory, s.bytes, 1)),
              0.05 * s.last_s);
    munmap(memory, s.bytes);
    engine_close(&s.e);
}

UNIT_SUITE(
    load,
    UNIT_TEST(prefetched_gets_of_many_origins_take_what_the_targets_link_needs_for_their_bytes),
    UNIT_TEST(a_prefetched_get_alone_costs_the_cycles_of_its_prefetches_and_no_more),
    UNIT_TEST(a_put_of_lines_on_t3d_gathers_one_line_while_the_one_before_it_leaves),
    UNIT_TEST(a_long_put_on_now_is_read_while_it_is_on_the_wire),
    UNIT_TEST(blocks_in_flight_get_no_more_than_the_block_engine_gives),
    UNIT_TEST(puts_of_many_origins_on_smp_keep_its_bus_busy_all_the_time),
    UNIT_TEST(atomics_of_one_word_on_rdma_follow_each_other_in_its_atomic_unit),
    UNIT_TEST(atomics_of_words_of_different_units_on_rdma_do_not_wait_for_each_other),
    UNIT_TEST(accumulates_to_one_word_on_t3d_follow_each_other_under_the_lock_of_its_memory),
    UNIT_TEST(accumulates_to_one_word_on_cxl_pool_follow_each_other_under_the_lock_of_its_memory),
    UNIT_TEST(a_get_from_a_pool_takes_what_its_owners_loads_take_and_is_no_faster))
