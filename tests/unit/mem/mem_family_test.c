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
            unsigned victim = policy->victim(&set);
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
        for (int k = 0; k < 3; k++) mem_dram_init(&port[k], m, 5);
        CU_ASSERT_PTR_EQUAL(port[0].model, memory);
        CU_ASSERT_PTR_EQUAL(port[0].prefetch, m->dram_readahead ? ahead[i % (p + 1)] : NULL);
        struct base_random random = {11};
        uint64_t line = 0;
        for (int64_t k = 0, now = 0; k < 2000; k++, now += 1 << 20) {
            line = base_random_next(&random) % 4 ? line + 1 : base_random_next(&random) % 100000;
            int64_t done = memory->read(&port[0], line, now);
            CU_ASSERT(done >= now && done <= memory->far(&port[0], now));
            UNIT_EQUAL(memory->read(&port[1], line, now), done);
            /* what the fast path does in place is the same */
            if (memory->in_place && port[2].step)
                UNIT_EQUAL(now + mem_dram_fast(&port[2], line), done);
        }
        UNIT_EQUAL(mem_dram_occupy(&port[0], 10, 5), 15);
        UNIT_EQUAL(mem_dram_occupy(&port[0], 10, 5), 20); /* one after the other */
    }
    mach_free(m);
}

static void every_prefetcher_knows_nothing_before_the_first_line_and_says_its_step(void)
{
    size_t n;
    const struct mem_prefetch *const *all = mem_prefetch_all(&n);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_PTR_EQUAL(mem_prefetch_find(all[i]->name), all[i]);
        for (uint64_t line = 0; line < 1000; line++) {
            CU_ASSERT_FALSE(all[i]->has(MEM_PREFETCH_NOTHING, line));
            for (uint64_t next = 0; all[i]->step && next < 20; next++)
                UNIT_EQUAL(all[i]->has(line, next), next - line == all[i]->step);
        }
    }
}

static void every_processor_waits_no_longer_than_an_access_takes(void)
{
    size_t n;
    const struct mem_core_model *const *all = mem_core_all(&n);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_PTR_EQUAL(mem_core_find(all[i]->name), all[i]);
        for (int64_t took = 0; took < 1000; took++) {
            int64_t stall = all[i]->stall(5, 5 + took);
            CU_ASSERT(stall >= 0 && stall <= took);
            CU_ASSERT(!all[i]->waits || stall == took);
            UNIT_EQUAL(mem_stall(all[i], 5, 5 + took), stall);
        }
    }
}

UNIT_SUITE(
    mem_family,
    UNIT_TEST(every_replacement_policy_names_a_way_of_the_set_and_forgets_no_line_just_used),
    UNIT_TEST(the_order_of_a_set_is_that_of_a_list_in_which_ways_are_moved_to_front_and_back),
    UNIT_TEST(every_memory_answers_after_it_was_asked_and_the_same_again),
    UNIT_TEST(every_prefetcher_knows_nothing_before_the_first_line_and_says_its_step),
    UNIT_TEST(every_processor_waits_no_longer_than_an_access_takes))
