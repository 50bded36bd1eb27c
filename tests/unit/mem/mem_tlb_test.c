/* mem's translations: against a list, and what a miss costs an access. And pages that are absent.
 */
#include "mem_unit.h"

#include "mem/address/tlb.h"

static void pages_are_at_hand_as_in_a_list_of_which_the_oldest_goes(void)
{
    for (uint32_t entries = 1; entries < 40; entries += 3) {
        uint64_t list[40] = {0}, misses = 0;
        struct base_random random = {entries};
        struct mem_tlb tlb;
        mem_tlb_init(&tlb, entries, 8192, 1);
        for (int k = 0; k < 3000; k++) {
            uint64_t page = base_random_next(&random) % (2 * entries + 3), i = 0;
            uint64_t model = page * 8192 + base_random_next(&random) % 8192;
            while (i < MIN(misses, entries) && list[i] != page) i++;
            bool has = i < MIN(misses, entries);
            UNIT_EQUAL(mem_tlb_has(&tlb, model), has);
            if (has) continue;
            UNIT_EQUAL(mem_tlb_fetch(&tlb, model), misses >= entries);
            list[misses++ % entries] = page;
        }
        UNIT_EQUAL(tlb.misses, misses);
        mem_tlb_clear(&tlb);
    }
}

/* What a load waits and of a store of a word that is in the cache, or in an open entry; then at the
 * same place after two other pages have come and theirs has gone. */
static void a_page_that_has_gone_costs_a_fetch_however_near_its_lines_are(void)
{
    enum { MISS = 20, PAGE = 4096 };
    struct mach *m =
        machine("t3d", "tlb.entries=2", "tlb.miss=20cycles", "cache.l1.size=64KiB", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(4);
    mem_set_quantum(node, 1e3);
    for (int own = 0; own < 2; own++) { /* private, then a segment */
        if (own) segment(node, 0, memory, 4 * PAGE);
        for (int i = 0; i < 3; i++) try_load(cpu, memory + PAGE * i, 8);
        for (int round = 0; round < 6; round++) {
            mem_take(cpu);
            try_load(cpu, memory + PAGE * (round % 3), 8); /* three pages, two entries */
            UNIT_NEAR(mem_take(cpu).memory_s * 150e6, MISS, 1e-6);
            try_load(cpu, memory + PAGE * (round % 3), 8);
            UNIT_NEAR(mem_take(cpu).memory_s * 150e6, 0, 1e-6);
        }
        for (int round = 0; round < 6; round++) {
            try_store(cpu, memory + PAGE * (round % 3), 8);
            UNIT_NEAR(mem_take(cpu).memory_s * 150e6, MISS, 1e-6);
            try_store(cpu, memory + PAGE * (round % 3), 8);
            UNIT_NEAR(mem_take(cpu).memory_s * 150e6, 0, 1e-6);
        }
    }
    mem_node_free(node);
    mach_free(m);
    free(memory);
}

static void a_translation_waits_while_as_many_as_there_may_be_are_fetched(void)
{
    struct mem_tlb tlb;
    mem_tlb_init(&tlb, 4, 4096, 100);
    for (int i = 0; i < 5; i++) UNIT_EQUAL(mem_tlb_walk(&tlb, 7), 107); /* any number */
    tlb.walks = 2;
    for (int i = 0; i < 2; i++) tlb.walked[i] = 0;
    UNIT_EQUAL(mem_tlb_walk(&tlb, 10), 110);
    UNIT_EQUAL(mem_tlb_walk(&tlb, 30), 130);
    UNIT_EQUAL(mem_tlb_walk(&tlb, 40), 210);  /* behind the first */
    UNIT_EQUAL(mem_tlb_walk(&tlb, 50), 230);  /* and the second */
    UNIT_EQUAL(mem_tlb_walk(&tlb, 500), 600); /* all are done */
    mem_tlb_clear(&tlb);
}

/* Of five pages one level has two, the next one three; each time the one that came first goes. */
static void a_translation_comes_from_the_level_behind_or_by_a_walk_behind_that(void)
{
    enum { FIRST = 7, WALK = 20, PAGE = 4096 };
    struct mach *m = machine("t3d", "tlb.first_entries=2", "tlb.first_miss=7cycles",
                             "tlb.entries=3", "tlb.miss=20cycles", "cache.l1.size=64KiB", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(5);
    static const struct {
        int page, waits;
    } access[] = {{1, 0},
                  {2, 0},
                  {2, 0},
                  {0, FIRST},
                  {1, FIRST},
                  {3, FIRST + WALK},
                  {4, FIRST + WALK},
                  {2, FIRST},
                  {0, FIRST + WALK}};
    mem_set_quantum(node, 1e3);
    for (int i = 0; i < 5; i++) try_load(cpu, memory + PAGE * i, 8); /* the lines */
    for (int i = 0; i < 3; i++) try_load(cpu, memory + PAGE * i, 8);
    for (size_t i = 0; i < G_N_ELEMENTS(access); i++) {
        mem_take(cpu);
        try_load(cpu, memory + PAGE * access[i].page, 8);
        UNIT_NEAR(mem_take(cpu).memory_s * 150e6, access[i].waits, 1e-6);
    }
    mem_node_free(node);
    mach_free(m);
    free(memory);
}

/* The first access to each page waits, and again when the page has been given back; memory that is
 * registered, or was moved there, is there. */
static void a_page_that_nobody_has_touched_is_waited_for_once(void)
{
    enum { PAGE = 4096 };
    struct mach *m = machine("t3d", "page.fault=1us", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(6);
    const double most = 0.5e-6; /* a miss takes less */
    mem_set_quantum(node, 1e3);
    for (int time = 0; time < 2; time++) {
        for (int i = 0; i < 4; i++) {
            if (i & 1)
                try_store(cpu, memory + i * PAGE + 8, 8);
            else
                try_load(cpu, memory + i * PAGE + 8, 8);
            UNIT_NEAR(mem_take(cpu).memory_s, 1e-6, most);
            try_load(cpu, memory + i * PAGE + 16, 8);
            try_store(cpu, memory + i * PAGE + 512, 8);
            UNIT_NEAR(mem_take(cpu).memory_s, 0, most);
        }
        mem_given_back(cpu, (uintptr_t)memory, 4 * PAGE);
    }
    UNIT_EQUAL(mem_page_faults(cpu), 8);
    mem_moved(cpu, (uintptr_t)memory, PAGE);
    segment(node, 0, memory + 4 * PAGE, PAGE);
    try_load(cpu, memory, 8);
    try_load(cpu, memory + 4 * PAGE, 8);
    UNIT_EQUAL(mem_page_faults(cpu), 8);
    mem_node_free(node);
    mach_free(m);
    free(memory);
}

UNIT_SUITE(mem_tlb, UNIT_TEST(a_translation_comes_from_the_level_behind_or_by_a_walk_behind_that),
           UNIT_TEST(a_page_that_nobody_has_touched_is_waited_for_once),
           UNIT_TEST(a_translation_waits_while_as_many_as_there_may_be_are_fetched),
           UNIT_TEST(pages_are_at_hand_as_in_a_list_of_which_the_oldest_goes),
           UNIT_TEST(a_page_that_has_gone_costs_a_fetch_however_near_its_lines_are))
