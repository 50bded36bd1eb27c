/* mem: the fast path against the plain one. Random programs on random machines run twice, with and
 * without shortcuts: counts, charges, payments and values are the same, to the last bit. */
#include "mem_unit.h"

#include "mem/access/access.h"
#include "mem/zeroed/zeroed.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK = 8 * 4096, STEPS = 4000 };

static struct base_random rnd;
static uint64_t below(uint64_t n) { return base_random_next(&rnd) % n; }

/* One of the ways a machine may be, by a random number; NULL ended. */
static struct mach *random_machine(void)
{
    static const char *const choice[][6] = {
        {"coh.protocol=none", "coh.protocol=none", "coh.protocol=none", "coh.protocol=mesi"},
        {"cache.l1.size=1KiB", "cache.l1.size=8KiB"},
        {"cache.l1.line=32B", "cache.l1.line=32B", "cache.l1.line=64B"},
        {"cache.l1.ways=1", "cache.l1.ways=1", "cache.l1.ways=4"},
        {"cache.l1.write=through", "cache.l1.write=through", "cache.l1.write=back"},
        {"cache.l1.allocate=read", "cache.l1.allocate=read", "cache.l1.allocate=both"},
        {"cache.l1.replace=lru", "cache.l1.replace=fifo", "cache.l1.replace=random"},
        {"wb.entries=4", "wb.entries=4", "wb.entries=0"},
        {"wb.hold=0", "wb.hold=3"},
        {"wb.line=32B", "wb.line=16B", "wb.line=64B"},
        {"cpu.subword=native", "cpu.subword=rmw8"},
        {"ni.invalidate=none", "ni.invalidate=index", "ni.invalidate=address"},
        {"bus.slot=0s", "bus.slot=50ns"},
        {"dram.readahead=1", "dram.readahead=1", "dram.readahead=0"},
        {"dram.model=open_page", "dram.model=banks"},
        {"dram.banks=1", "dram.banks=4"},
        {"dram.busy=0s", "dram.busy=20ns"},
        {"prefetch.model=next_line", "prefetch.model=next_line", "prefetch.model=stream"},
        {"prefetch.streams=3"},
        {"prefetch.depth=5"},
        {"wb.timeout=0s", "wb.timeout=256cycles", "wb.timeout=1us"},
        {"tlb.entries=0", "tlb.entries=0", "tlb.entries=3"},
        {"tlb.page=4KiB", "tlb.page=8KiB"},
        {"tlb.miss=20cycles"},
        {"page.fault=0s", "page.fault=300ns"},
        {"core.model=blocking", "core.model=in_order", "core.model=out_of_order"},
        {"cpu.window=64"},
        {"mem.outstanding=0", "mem.outstanding=1", "mem.outstanding=5"},
    };
    const char *sets[G_N_ELEMENTS(choice) + 40];
    int n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(choice); i++) {
        uint64_t words = 0;
        while (words < 6 && choice[i][words]) words++;
        sets[n++] = choice[i][below(words)];
    }
    bool is_simple = below(4) == 0; /* what straight.c plays */
    if (below(3) == 0) {
        static const char *const l2[] = {"cache.l2.size=16KiB",    "cache.l2.line=64B",
                                         "cache.l2.ways=4",        "cache.l2.write=back",
                                         "cache.l2.allocate=both", "mem.store_buffer=4"};
        static const char *const shared[] = {"cache.l3.size=64KiB", "cache.l3.line=64B",
                                             "cache.l3.ways=4", "cache.l3.shared=1"};
        for (size_t i = 0, most = G_N_ELEMENTS(l2) - below(2); i < most; i++) sets[n++] = l2[i];
        if (below(3) == 0) sets[n++] = "cache.l2.readahead=1";
        if (below(3) == 0) sets[n++] = "cache.l2.busy_cycles=7";
        if (below(3) == 0) sets[n++] = "cache.l1.set_cycles=9";
        bool shares = below(2);
        for (size_t i = 0; shares && i < G_N_ELEMENTS(shared); i++) sets[n++] = shared[i];
    }
    static const char *const simple[] = {"cache.l1.ways=1",        "cache.l1.write=through",
                                         "cache.l1.allocate=read", "core.model=in_order",
                                         "mem.outstanding=1",      "wb.timeout=0s"};
    for (size_t i = 0; is_simple && i < G_N_ELEMENTS(simple); i++) sets[n++] = simple[i];
    static const char *const layered[] = {
        "cache.l1.line=64B",      "cache.l1.ways=4",      "cache.l1.write=back",
        "cache.l1.allocate=both", "cache.l1.replace=lru", "core.model=out_of_order",
        "mem.outstanding=5",      "mem.store_buffer=4",   "cache.l2.size=16KiB",
        "cache.l2.line=64B",      "cache.l2.ways=16",     "cache.l2.write=back",
        "cache.l2.allocate=both", "cache.l2.replace=lru", "coh.protocol=mesi",
        "bus.slot=50ns"};
    const size_t most = G_N_ELEMENTS(layered) - 2 * below(2);
    bool is_layered = below(4) == 0; /* what layered.c plays */
    for (size_t i = 0; is_layered && i < most; i++) sets[n++] = layered[i];
    sets[n] = NULL;
    struct mach *m = NULL;
    GError *error = NULL;
    if (!mach_load("t3d", sets, 0, &m, &error)) {
        fprintf(stderr, "    %s\n", error->message);
        CU_FAIL_FATAL("no machine");
    }
    return m;
}

/* Everything that can be seen from outside. */
struct seen {
    uint64_t values, stale, pays;
    double compute_s, memory_s;
    struct mem_cache_count count[MACH_LEVELS];
};

static void hash(struct seen *s, uint64_t v)
{
    s->values = (s->values ^ v) * UINT64_C(0x100000001b3);
}

static void pay_it(struct mem_cpu *cpu, struct seen *s, double *now_s)
{
    struct mem_charge c = mem_take(cpu);
    s->compute_s += c.compute_s;
    s->memory_s += c.memory_s;
    s->pays++;
    *now_s += c.compute_s + c.memory_s;
    mem_paid(cpu, *now_s);
}

/* Where an access stands in the program: its address may be made of another's value. */
static const struct mem_site *site_at(uintptr_t addr)
{
    static const struct mem_site site[] = {
        {0},
        {7 << MEM_TICK_BITS, 5 << MEM_TICK_BITS, MEM_AFTER_NONE, 0, 0},
        {3, 30 << MEM_TICK_BITS, -1, 0, 9},
        {1 << 20, 12 << MEM_TICK_BITS, MEM_AFTER_YOUNGEST, 0, 0}};
    return &site[addr >> 3 & 3];
}

static bool done;
static void not_done(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                     const struct mem_site *site, uintptr_t pc)
{
    (void)addr, (void)what, (void)cpu, (void)site, (void)pc;
    done = false;
}
/* Only what mem_load would not play before its rank has paid. */
static uint32_t paid_first;
static void pays_first(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    cpu->ledger.work -= site->rest;
    CU_ASSERT_TRUE(mem_load_pays_first(cpu, addr, what & MEM_ASK_BYTES));
    cpu->ledger.work += site->rest;
    paid_first++;
    not_done(addr, what, cpu, site, pc);
}
static void waited(struct mem_cpu *cpu, int64_t ticks, uintptr_t addr, uintptr_t pc)
{
    (void)cpu, (void)ticks, (void)addr, (void)pc;
}

/* What instrumented code does: its block has counted the access, and charged its price, before it
 * comes. */
static bool straight(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool store)
{
    uint64_t *count = store ? &cpu->ledger.stores : &cpu->ledger.loads;
    mem_ask *ask = store ? cpu->store : cpu->load;
    if (!ask) return false;
    static struct profile_stall row;
    static unsigned turn;
    const uintptr_t pc = store ? 0x2000 : 0x1000;
    if (++turn % 4) mem_know_row(cpu, pc, &row, 0, UINTPTR_MAX);
    if (cpu->flight) cpu->flight->waits = 0; /* as probe, which has looked at them */
    cpu->missed = (struct mem_missed){0};
    const struct mem_site *site = site_at(addr);
    ++*count;
    cpu->ledger.work += site->rest;
    done = true;
    mem_above = (struct mem_above){
        .load = not_done, .store = not_done, .pay_first = pays_first, .waited = waited};
    ask(addr, (uint32_t)bytes, cpu, site, pc);
    cpu->ledger.work -= site->rest;
    if (!done) --*count;
    return done;
}

static enum mem_result announce(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool store,
                                bool plain)
{
    bool line = (addr ^ (addr + bytes - 1)) >> cpu->filter.line_shift == 0 && bytes <= 16;
    if (!plain && line && (store ? mem_fast_store(cpu, addr) : mem_fast_load(cpu, addr)))
        return MEM_DONE;
    if (!plain && bytes <= 16 && straight(cpu, addr, bytes, store)) return MEM_DONE;
    return store ? mem_store(cpu, addr, bytes, 0x2000, site_at(addr))
                 : mem_load(cpu, addr, bytes, 0x1000, site_at(addr));
}

/* An access as programs make them: mostly near the one before. */
static void access_some(struct mem_cpu *cpu, uint8_t *memory, uint64_t *near, struct seen *s,
                        double *now_s, bool plain)
{
    static const uint64_t sizes[] = {8, 8, 8, 4, 4, 2, 1, 16, 24, 100};
    uint64_t bytes = sizes[below(G_N_ELEMENTS(sizes))];
    *near = below(8) ? (*near + 8) % (BLOCK - 200) : below(BLOCK - 200) & ~UINT64_C(7);
    uint64_t at = *near + (below(10) ? 0 : below(8));
    bool store = below(3) == 0;
    mem_compute(cpu, (double)below(40) * 1e-9);
    while (announce(cpu, (uintptr_t)memory + at, bytes, store, plain) == MEM_PAY_FIRST)
        pay_it(cpu, s, now_s);
    for (uint64_t b = 0; b < bytes; b++) {
        if (store) memory[at + b] = (uint8_t)below(256);
        hash(s, memory[at + b]);
    }
}

static void put_some(struct mem_node *node, uint8_t *memory, struct seen *s, double now_s)
{
    uint64_t word = base_random_next(&rnd), at = below(BLOCK / 2 - 8);
    mem_ni_write(node, (uintptr_t)memory + at, &word, 8, 7, now_s);
    at = below(BLOCK / 2 - 8);
    mem_ni_read(node, (uintptr_t)memory + at, &word, 8, now_s);
    hash(s, word);
}

static struct seen play(uint64_t seed, bool plain)
{
    struct seen s = {.values = 0};
    uint64_t near = 0;
    double now_s = 1e-6;
    rnd.state = seed;
    record_clear();
    struct mach *m = random_machine();
    /* with another, which does nothing, it must be in time on the bus */
    const int processors = 1 + (int)below(2);
    struct mem_node *node = mem_node_new(m, processors);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(BLOCK / 4096);
    cpu->rank = 0;
    cpu->quiet = !plain;
    if (plain) mem_set_plain(node);
    bool alone = below(4) == 0; /* then it is unobserved at times, and pays when it wants to */
    const uint64_t events = alone && below(2) ? 2000 : 200; /* or for long: pages are lent */
    mem_set_quantum(node, alone ? 1e3 : below(3) ? 1e-6 : 0);
    int id = segment(node, 0, memory, BLOCK / 2); /* the rest is private */
    for (int step = 0; step < STEPS; step++) {
        uint64_t what = below(events);
        if (what < 5) mem_unobserved(cpu, false);
        if (what < 5 && alone) pay_it(cpu, &s, &now_s); /* nobody comes at an earlier date */
        if (what < 3)
            put_some(node, memory, &s, now_s);
        else if (what == 3)
            now_s += mem_refresh(cpu, (uintptr_t)memory, BLOCK / 2, now_s);
        else if (what == 4)
            now_s += mem_publish(cpu, (uintptr_t)memory, BLOCK / 2, now_s);
        else if (what < 10)
            pay_it(cpu, &s, &now_s);
        else if (what < 13 && alone)
            mem_unobserved(cpu, true);
        else
            access_some(cpu, memory, &near, &s, &now_s, plain);
    }
    pay_it(cpu, &s, &now_s);
    mem_segment_remove(node, id);
    for (uint64_t b = 0; b < BLOCK; b++) hash(&s, memory[b]);
    for (int k = 0; k < mem_levels(cpu); k++) s.count[k] = mem_cache_count(cpu, k);
    s.stale = mem_stale_loads(cpu);
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return s;
}

static void counts_charges_and_values_are_the_same_without_the_fast_path(void)
{
    const unsigned seeds = unit_sample("plays", 30, 200);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct seen fast = play(seed * 104729, false), plain = play(seed * 104729, true);
        UNIT_EQUAL(fast.values, plain.values);
        UNIT_EQUAL(fast.stale, plain.stale);
        UNIT_EQUAL(fast.pays, plain.pays);
        CU_ASSERT(fast.compute_s == plain.compute_s && fast.memory_s == plain.memory_s);
        UNIT_EQUAL(memcmp(fast.count, plain.count, sizeof fast.count), 0);
        if (fast.values != plain.values || fast.memory_s != plain.memory_s)
            fprintf(stderr, "    seed %llu\n", (unsigned long long)seed * 104729);
    }
    CU_ASSERT_TRUE(seeds < 200 || paid_first > 0);
    record_clear();
}

/* So many it keeps at hand, when a program has gone through some pages again and again. */
static uint32_t at_hand(size_t pages_there)
{
    struct mach *m = machine("t3d", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    char *memory = pages(pages_there);
    for (size_t i = 0; i < 8 * pages_there; i++)
        try_load(cpu, memory + i % pages_there * MEM_PAGE_BYTES, 8);
    const uint32_t places = cpu->core->last_near + 1;
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return places;
}

static void a_processor_keeps_more_pages_at_hand_where_its_program_uses_more(void)
{
    UNIT_EQUAL(at_hand(MEM_NEAR_FIRST), MEM_NEAR_FIRST);
    UNIT_EQUAL(at_hand(MEM_NEAR), MEM_NEAR);
}

/* Does the mapping that has the byte ask the host for large pages? */
static bool is_large(const void *byte)
{
    FILE *maps = fopen("/proc/self/smaps", "re");
    char line[512];
    bool here = false, large = false;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            here = (uintptr_t)byte - from < to - from;
        else if (here && g_str_has_prefix(line, "VmFlags:"))
            large = strstr(line, " hg") != NULL;
    }
    if (maps) fclose(maps);
    return large;
}

/* A program loads from so many pages, of which each is so far behind the one before. */
static bool becomes_large(size_t loads, size_t apart)
{
    const size_t bytes = loads * apart * MEM_PAGE_BYTES, large = 1 << MEM_LARGE_BITS;
    struct mach *m = machine("t3d", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    char *memory = aligned_alloc(large, bytes);
    madvise(memory, bytes, MADV_NOHUGEPAGE); /* as the ranks' heaps are */
    for (size_t i = 0; i < loads; i++)
        try_load(mem_node_cpu(node, 0), memory + i * apart * MEM_PAGE_BYTES, 8);
    const bool is = is_large(memory + large);
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return is;
}

static void pages_become_large_where_a_program_uses_many_beside_each_other(void)
{
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) return; /* there are none */
    CU_ASSERT_TRUE(becomes_large(8192, 1));
    CU_ASSERT_FALSE(becomes_large(8192, 4));
    CU_ASSERT_FALSE(becomes_large(2048, 1));
}

/* Which calls of a function of 4 KiB have their rows at hand at once? */
static void rows_of_calls_of_one_function_do_not_take_each_others_place(void)
{
    struct mach *m = machine("t3d", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    static struct profile_stall row[128];
    enum { CALLS = G_N_ELEMENTS(row), APART = 32, FIRST = 0x401234 };
    for (size_t i = 0; i < CALLS; i++) mem_know_row(cpu, FIRST + i * APART, &row[i], 0, 1);
    for (size_t i = 0; i < CALLS; i++)
        CU_ASSERT_PTR_EQUAL(mem_row_of(cpu, FIRST + i * APART), &row[i]);
    mem_node_free(node);
    mach_free(m);
}

UNIT_SUITE(mem_fast, UNIT_TEST(counts_charges_and_values_are_the_same_without_the_fast_path),
           UNIT_TEST(a_processor_keeps_more_pages_at_hand_where_its_program_uses_more),
           UNIT_TEST(pages_become_large_where_a_program_uses_many_beside_each_other),
           UNIT_TEST(rows_of_calls_of_one_function_do_not_take_each_others_place))
