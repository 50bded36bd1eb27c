/* mem: what every member of a family must do, in a loop over the family's list: no member is named
 * here. */
#include "mem_unit.h"

#include "mem/cache/replace.h"
#include "mem/core/core.h"
#include "mem/dram/dram.h"
#include "mem/prefetch/prefetch.h"

static void every_replacement_policy_names_a_way_of_the_set_and_forgets_no_line_just_used(void)
{
    const uint32_t ways[] = {2, 8, 16, 20};
    size_t n;
    const struct mem_replace *const *all = mem_replace_all(&n);
    for (size_t i = 0; i < n * G_N_ELEMENTS(ways); i++) {
        const struct mem_replace *policy = all[i / G_N_ELEMENTS(ways)];
        struct mem_order order;
        mem_order_init(&order, 3, ways[i % G_N_ELEMENTS(ways)]);
        struct base_random random = {7};
        const struct mem_cache_set set = {&order, 1, &random};
        CU_ASSERT_PTR_EQUAL(mem_replace_find(policy->name), policy);
        for (int k = 0; k < 1000; k++) {
            unsigned used = (unsigned)(base_random_next(&random) % order.ways);
            if (policy->hit_counts) mem_order_to_front(&order, 1, used);
            unsigned victim = policy->victim ? policy->victim(&set) : mem_order_last(&order, 1);
            CU_ASSERT(victim < order.ways);
            CU_ASSERT(!policy->hit_counts || victim != used);
            mem_order_to_front(&order, 1, victim);
        }
        mem_order_clear(&order);
    }
    CU_ASSERT_PTR_NULL(mem_replace_find("nothing"));
}

/* A list of ways, moved about as one would on paper. */
static void move(uint32_t *list, uint32_t ways, uint32_t way, uint32_t to)
{
    uint32_t at = 0;
    while (list[at] != way) at++;
    for (; at < to; at++) list[at] = list[at + 1];
    for (; at > to; at--) list[at] = list[at - 1];
    list[to] = way;
    for (at = 0; at < ways; at++) CU_ASSERT(list[at] < ways);
}

static void the_order_of_a_set_is_that_of_a_list_in_which_ways_are_moved_to_front_and_back(void)
{
    for (uint32_t ways = 2; ways <= 40; ways++) {
        struct mem_order order;
        uint32_t list[40];
        struct base_random random = {ways};
        mem_order_init(&order, 2, ways);
        for (uint32_t i = 0; i < ways; i++) list[i] = ways - 1 - i;
        for (int k = 0; k < 500; k++) {
            uint32_t way = (uint32_t)(base_random_next(&random) % ways);
            bool front = base_random_next(&random) % 3;
            for (uint32_t i = 0; i < ways; i++) UNIT_EQUAL(mem_order_at(&order, 1, i), list[i]);
            UNIT_EQUAL(mem_order_last(&order, 0), 0); /* the neighbour is left alone */
            move(list, ways, way, front ? 0 : ways - 1);
            if (front)
                mem_order_to_front(&order, 1, way);
            else
                mem_order_to_back(&order, 1, way);
        }
        mem_order_clear(&order);
    }
}

static void every_memory_answers_after_it_was_asked_and_the_same_again(void)
{
    size_t n, p;
    const struct mem_dram *const *all = mem_dram_all(&n);
    const struct mem_prefetch *const *ahead = mem_prefetch_all(&p);
    struct mach *m = machine("t3d", NULL);
    for (size_t i = 0; i < n * (p + 1); i++) { /* p: nothing is read ahead */
        struct mem_dram_port port[3] = {{.model = NULL}};
        const struct mem_dram *memory = all[i / (p + 1)];
        m->dram_model = memory->name;
        m->dram_readahead = i % (p + 1) < p;
        m->prefetch_model = ahead[i % (p + 1) % p]->name;
        for (int k = 0; k < 3; k++) mem_dram_init(&port[k], m, 5, NULL);
        CU_ASSERT_PTR_EQUAL(port[0].model, memory);
        CU_ASSERT_PTR_EQUAL(port[0].prefetch.model, m->dram_readahead ? ahead[i % (p + 1)] : NULL);
        struct base_random random = {11};
        uint64_t line = 0;
        for (int64_t k = 0, now = 0; k < 2000; k++, now += 1 << 20) {
            line = base_random_next(&random) % 4 ? line + 1 : base_random_next(&random) % 100000;
            int64_t done = memory->read(&port[0], line, now);
            CU_ASSERT(done >= now && done <= memory->far(&port[0], now));
            UNIT_EQUAL(memory->read(&port[1], line, now), done);
            /* what the fast path does in place is the same */
            if (memory->in_place && port[2].prefetch.step)
                UNIT_EQUAL(now + mem_dram_fast(&port[2], line), done);
        }
        UNIT_EQUAL(mem_dram_occupy(&port[0], 10, 5), 15);
        UNIT_EQUAL(mem_dram_occupy(&port[0], 10, 5), 20); /* one after the other */
        for (int k = 0; k < 3; k++) mem_dram_clear(&port[k]);
    }
    mach_free(m);
}

static void every_prefetcher_knows_nothing_before_the_first_line_and_says_its_step(void)
{
    enum { TICKS = 50 };
    size_t n;
    const struct mem_prefetch *const *all = mem_prefetch_all(&n);
    for (size_t i = 0; i < n; i++) {
        int64_t there;
        CU_ASSERT_PTR_EQUAL(mem_prefetch_find(all[i]->name), all[i]);
        for (uint64_t line = 0; line < 200; line++)
            for (uint64_t next = 0; next < 20; next++) {
                struct mem_prefetcher p;
                mem_prefetch_init(&p, all[i], 4, 3, 6);
                CU_ASSERT_FALSE(mem_prefetch_read(&p, line, 7, TICKS, &there));
                bool has = mem_prefetch_read(&p, next, 9, TICKS, &there);
                if (all[i]->step) UNIT_EQUAL(has, next - line == all[i]->step);
                if (has) CU_ASSERT(there <= 9 + TICKS);
                mem_prefetch_clear(&p);
            }
    }
}

static void a_stream_prefetcher_spreads_the_latency_over_its_depth_to_the_end_of_the_page(void)
{
    enum { DEPTH = 4, TICKS = 100, EACH = 10, PAGE = 64 };
    struct mem_prefetcher p;
    mem_prefetch_init(&p, mem_prefetch_find("stream"), 2, DEPTH, 6);
    int64_t when[PAGE], now = 0;
    for (uint64_t line = 0; line < 2 * PAGE; line++) { /* two streams side by side */
        int64_t there, at = now;
        uint64_t k = line % PAGE;
        bool has = mem_prefetch_read(&p, line, now, TICKS, &there);
        UNIT_EQUAL(has, k >= 2); /* two lines make a stream, page by page */
        when[k] = at;
        if (has) {
            UNIT_EQUAL(there, when[MAX(1, (int64_t)k - DEPTH)] + TICKS);
            now = MAX(there, at) + EACH;
        } else {
            now += TICKS;
        }
        has = mem_prefetch_read(&p, 1000 * PAGE + line, at, TICKS, &there);
        UNIT_EQUAL(has, k >= 2);
    }
    CU_ASSERT(now < 2 * PAGE * (TICKS / DEPTH + EACH) + 4 * TICKS);
    mem_prefetch_clear(&p);
}

/* Not told where it begins, it follows whichever way two lines go. */
static void a_stream_prefetcher_follows_descending_lines_as_it_does_ascending_ones(void)
{
    enum { DEPTH = 4, TICKS = 100, LINES = 150, PAGE = 64 };
    struct mem_prefetcher up, down;
    mem_prefetch_init(&up, mem_prefetch_find("stream"), 2, DEPTH, 6);
    mem_prefetch_init(&down, mem_prefetch_find("stream"), 2, DEPTH, 6);
    for (uint64_t k = 0; k < LINES; k++) {
        int64_t there_up = -1, there_down = -1, now = 30 * (int64_t)k;
        bool has = mem_prefetch_read(&up, 10 * PAGE + k, now, TICKS, &there_up);
        UNIT_EQUAL(mem_prefetch_read(&down, 10 * PAGE - 1 - k, now, TICKS, &there_down), has);
        UNIT_EQUAL(there_down, there_up);
        UNIT_EQUAL(has, k % PAGE >= 2);
    }
    mem_prefetch_clear(&up);
    mem_prefetch_clear(&down);
}

static void banks_keep_the_pages_of_streams_open_for_all_processors_of_a_node(void)
{
    struct mach *m = machine("t3d", "dram.model=banks", "dram.banks=2", "dram.readahead=0", NULL);
    struct mem_dram_port port[2] = {{.model = NULL}};
    uint64_t page = m->dram_page / 32;
    mem_dram_init(&port[0], m, 5, NULL);
    mem_dram_init(&port[1], m, 5, &port[0]);
    const struct mem_dram *memory = port[0].model;
    int64_t same = mem_cycles(m->dram_line_cycles + m->dram_same_page_cycles);
    int64_t other = mem_cycles(m->dram_line_cycles + m->dram_other_page_cycles);
    UNIT_EQUAL(memory->read(&port[0], 0, 0), other);
    UNIT_EQUAL(memory->read(&port[0], page, 0), other); /* the other bank */
    UNIT_EQUAL(memory->read(&port[0], 1, 0), same);
    UNIT_EQUAL(memory->read(&port[0], page + 1, 0), same);
    UNIT_EQUAL(memory->read(&port[1], 2, 0), same); /* opened by the neighbour */
    UNIT_EQUAL(memory->read(&port[1], 2 * page, 0), other);
    UNIT_EQUAL(memory->read(&port[0], 3, 0), other); /* closed by him */
    for (int i = 0; i < 2; i++) mem_dram_clear(&port[i]);
    mach_free(m);
}

UNIT_SUITE(
    mem_family,
    UNIT_TEST(every_replacement_policy_names_a_way_of_the_set_and_forgets_no_line_just_used),
    UNIT_TEST(the_order_of_a_set_is_that_of_a_list_in_which_ways_are_moved_to_front_and_back),
    UNIT_TEST(every_memory_answers_after_it_was_asked_and_the_same_again),
    UNIT_TEST(every_prefetcher_knows_nothing_before_the_first_line_and_says_its_step),
    UNIT_TEST(a_stream_prefetcher_spreads_the_latency_over_its_depth_to_the_end_of_the_page),
    UNIT_TEST(a_stream_prefetcher_follows_descending_lines_as_it_does_ascending_ones),
    UNIT_TEST(banks_keep_the_pages_of_streams_open_for_all_processors_of_a_node))
