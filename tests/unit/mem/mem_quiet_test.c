/* mem: stores to segments that nobody can see before their rank says so. */
#include "mem_unit.h"

#include "mem/access/access.h"

enum { PAGES = 8 };
static struct mach *m;
static struct mem_node *node;
static struct mem_cpu *cpu;
static int32_t *x;

static void begin(const char *name, const char *core)
{
    m = machine(name, core, NULL);
    node = mem_node_new(m, 1);
    cpu = mem_node_cpu(node, 0);
    cpu->rank = 0;
    x = pages(PAGES);
    mem_set_quantum(node, 1e3);
    segment(node, 0, x, PAGES * 4096);
    cpu->quiet = true;
    mem_unobserved(cpu, true);
}
static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(x);
    record_clear();
}

static void memory_has_what_was_stored_when_others_may_look(void)
{
    begin("smp", "core.model=blocking");
    store_int(cpu, &x[1], 5); /* fetches the line */
    store_int(cpu, &x[1], 0); /* as it was */
    store_int(cpu, &x[1], 6);
    store_int(cpu, &x[2], 7);
    for (int i = 0; i < 4096; i += 8) store_int(cpu, &x[i], i); /* more lines than places */
    mem_unobserved(cpu, false);
    const double now_s = pay(cpu, 0);
    UNIT_EQUAL(memory_int(node, &x[1], now_s), 6);
    UNIT_EQUAL(memory_int(node, &x[2], now_s), 7);
    int wrong = 0;
    for (int i = 0; i < 4096; i += 8) wrong += memory_int(node, &x[i], now_s) != i;
    UNIT_EQUAL(wrong, 0);
    end();
}

/* What a library stores to x[1], which the program has stored to before and will after. */
static void a_library_stores(void)
{
    store_int(cpu, &x[0], 1);
    store_int(cpu, &x[0], 2);
    CU_ASSERT(cpu->foreign.bytes > PAGES * 4096); /* every argument is looked at */
    mem_quiet_end(cpu);
    UNIT_EQUAL(cpu->foreign.bytes, PAGES * 4096);
    x[1] = 3;
    cpu->foreign.pc = 0x3000;
    store_int(cpu, &x[0], 4);
    UNIT_EQUAL(cpu->foreign.bytes, PAGES * 4096);
    mem_unobserved(cpu, false);
}

static void what_a_library_stores_to_such_a_line_is_found_and_nothing_else(void)
{
    begin("smp", "core.model=blocking");
    struct mem_range all = {(uintptr_t)x, PAGES * 4096};
    struct mem_unseen found;
    a_library_stores();
    CU_ASSERT(mem_unseen_store(cpu, &all, &found, pay(cpu, 0)));
    UNIT_EQUAL(found.addr, (uintptr_t)&x[1]);
    UNIT_EQUAL(found.offset, 4);
    CU_ASSERT(found.bytes <= 4);
    CU_ASSERT(!mem_unseen_store(cpu, &all, &found, pay(cpu, 1)));
    end();
}

/* Instrumented code asks. */
static void by_mem_store(uintptr_t addr, uint32_t what, struct mem_cpu *asks,
                         const struct mem_site *site, uintptr_t pc)
{
    while (mem_store(asks, addr, what & MEM_ASK_BYTES, pc, site) == MEM_PAY_FIRST) pay(asks, 0);
}
static void ask_store(int32_t *at, int32_t value)
{
    static const struct mem_site site = {.after = MEM_AFTER_NONE};
    if (!mem_fast_store(cpu, (uintptr_t)at)) cpu->store((uintptr_t)at, 4, cpu, &site, 0x1000);
    *at = value;
}
static void in_line(const char *name, const char *core)
{
    const struct mem_above above = mem_above;
    begin(name, core);
    mem_above.store = by_mem_store;
    load_int(cpu, &x[0]);
    for (int i = 0; i < 4; i++) ask_store(&x[i], i);
    CU_ASSERT(mem_fast_store(cpu, (uintptr_t)&x[4]));
    ask_store(&x[4], 9);
    mem_quiet_end(cpu);
    CU_ASSERT_FALSE(mem_fast_store(cpu, (uintptr_t)&x[4]));
    ask_store(&x[4], 10);
    for (int i = 0; i < 3; i++) ask_store(&x[5], i);
    CU_ASSERT(mem_fast_store(cpu, (uintptr_t)&x[5]));
    /* a line that wants its place sends it to memory */
    for (int i = 0; i < 4; i++) ask_store(&x[5 + MEM_FILTER * 64 / 4], i);
    CU_ASSERT_FALSE(mem_fast_store(cpu, (uintptr_t)&x[5]));
    ask_store(&x[6], 11);
    mem_unobserved(cpu, false);
    CU_ASSERT_FALSE(mem_fast_store(cpu, (uintptr_t)&x[6]));
    const double now_s = pay(cpu, 0);
    UNIT_EQUAL(memory_int(node, &x[4], now_s), 10);
    UNIT_EQUAL(memory_int(node, &x[6], now_s), 11);
    end();
    mem_above = above;
}
static void a_store_to_such_a_line_needs_no_call_until_its_bytes_go_to_memory(void)
{
    in_line("rdma", "core.model=out_of_order");
    in_line("smp", "core.model=in_order");
}

/* After some accesses pages are lent (sim/mem/access/lend.h): a store then costs a segment nothing
 * that it does not cost private memory. */
static void until_pages_are_lent(void)
{
    for (int i = 0; i < 64; i++) ask_store(&x[i * 16], i);
}

static void memory_has_a_lent_page_when_others_may_look(void)
{
    const struct mem_above above = mem_above;
    begin("rdma", "core.model=out_of_order");
    mem_above.store = by_mem_store;
    until_pages_are_lent();
    for (int i = 0; i < 8; i++) ask_store(&x[4096 + i], 20 + i);
    UNIT_EQUAL(x[4096 + 7], 27);
    CU_ASSERT(cpu->foreign.bytes > PAGES * 4096); /* every argument is looked at */
    mem_quiet_end(cpu);
    UNIT_EQUAL(cpu->foreign.bytes, PAGES * 4096);
    CU_ASSERT_FALSE(mem_fast_store(cpu, (uintptr_t)&x[4096]));
    ask_store(&x[4096], 30);
    mem_unobserved(cpu, false);
    CU_ASSERT_FALSE(mem_fast_load(cpu, (uintptr_t)&x[4096]));
    const double now_s = pay(cpu, 0);
    int wrong = memory_int(node, &x[4096], now_s) != 30;
    for (int i = 0; i < 64; i++) wrong += memory_int(node, &x[i * 16], now_s) != i;
    for (int i = 1; i < 8; i++) wrong += memory_int(node, &x[4096 + i], now_s) != 20 + i;
    UNIT_EQUAL(wrong, 0);
    end();
    mem_above = above;
}

static void what_a_library_stores_to_a_lent_page_is_found_and_nothing_else(void)
{
    const struct mem_above above = mem_above;
    begin("rdma", "core.model=out_of_order");
    mem_above.store = by_mem_store;
    struct mem_range all = {(uintptr_t)x, PAGES * 4096};
    struct mem_unseen found;
    until_pages_are_lent();
    mem_quiet_end(cpu);
    x[17] = 3;
    cpu->foreign.pc = 0x3000;
    until_pages_are_lent();
    mem_unobserved(cpu, false);
    CU_ASSERT(mem_unseen_store(cpu, &all, &found, pay(cpu, 0)));
    UNIT_EQUAL(found.addr, (uintptr_t)&x[17]);
    CU_ASSERT(!mem_unseen_store(cpu, &all, &found, pay(cpu, 1)));
    end();
    mem_above = above;
}

/* Without coherence, where memory gets each line by its date. */
static void loads_are_lent_however_much_was_stored_since_the_last_payment(void)
{
    begin("t3d", "core.model=in_order");
    mem_set_quantum(node, 1e-6);
    for (int i = 0; i < 200; i++) store_int(cpu, &x[i * 8], i);
    for (int i = 0; i < 200; i++) load_int(cpu, &x[4096 + i * 8]);
    UNIT_EQUAL(cpu->core->lending.pages, 2);
    int wrong = 0;
    for (int i = 0; i < 200; i++) wrong += load_int(cpu, &x[i * 8]) != i;
    mem_unobserved(cpu, false);
    const double now_s = pay(cpu, 0);
    for (int i = 0; i < 100; i++) wrong += memory_int(node, &x[i * 8], now_s) != i;
    UNIT_EQUAL(wrong, 0);
    end();
}

/* Where stores are not lent: the program has inline assembly, or objects that nobody instrumented.
 */
static void by_mem_load(uintptr_t addr, uint32_t what, struct mem_cpu *asks,
                        const struct mem_site *site, uintptr_t pc)
{
    while (mem_load(asks, addr, what & MEM_ASK_BYTES, pc, site) == MEM_PAY_FIRST) pay(asks, 0);
}
static void ask_load(const int32_t *at)
{
    static const struct mem_site site = {.after = MEM_AFTER_NONE};
    if (!mem_fast_load(cpu, (uintptr_t)at)) cpu->load((uintptr_t)at, 4, cpu, &site, 0x1000);
}
static void a_store_to_a_page_of_which_only_loads_are_lent_reaches_memory(void)
{
    const struct mem_above above = mem_above;
    begin("rdma", "core.model=out_of_order");
    mem_above.load = by_mem_load;
    mem_above.store = by_mem_store;
    cpu->quiet = false;
    for (int i = 0; i < 256; i++) ask_load(&x[i * 16]);
    CU_ASSERT(cpu->core->lending.pages > 0);
    for (int i = 0; i < 256; i++) ask_store(&x[i * 16], i + 1);
    mem_unobserved(cpu, false);
    const double now_s = pay(cpu, 0) + 1e-6; /* when all have left the store buffer */
    int wrong = 0;
    for (int i = 0; i < 256; i++) wrong += memory_int(node, &x[i * 16], now_s) != i + 1;
    UNIT_EQUAL(wrong, 0);
    end();
    mem_above = above;
}

UNIT_SUITE(mem_quiet, UNIT_TEST(memory_has_what_was_stored_when_others_may_look),
           UNIT_TEST(what_a_library_stores_to_such_a_line_is_found_and_nothing_else),
           UNIT_TEST(a_store_to_such_a_line_needs_no_call_until_its_bytes_go_to_memory),
           UNIT_TEST(memory_has_a_lent_page_when_others_may_look),
           UNIT_TEST(what_a_library_stores_to_a_lent_page_is_found_and_nothing_else),
           UNIT_TEST(a_store_to_a_page_of_which_only_loads_are_lent_reaches_memory),
           UNIT_TEST(loads_are_lent_however_much_was_stored_since_the_last_payment))
