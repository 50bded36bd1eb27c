/* mem's caches against a naive simulator, access by access: for each the reference says hit or
 * miss, then the totals. */
#include "mem_unit.h"

/* ---- the reference: a list of lines a set, no filters, no cleverness ------------------------- */

struct ref_way {
    uint64_t line;
    bool valid, dirty;
    uint64_t when;
};
struct ref {
    uint64_t line_bytes, sets, ways;
    bool back, both, lru, random;
    struct base_random chance;
    struct ref_way *way;
    uint64_t now, loads, stores, load_misses, store_misses, write_backs;
    uintptr_t page[4096]; /* host pages in the order of first touch */
    uint64_t pages;
};

static struct ref *ref_new(const struct mach_cache *c)
{
    struct ref *r = g_new0(struct ref, 1);
    r->line_bytes = c->line;
    r->ways = (uint64_t)c->ways;
    r->sets = c->size / c->line / r->ways;
    r->back = strcmp(c->write, "back") == 0;
    r->both = strcmp(c->allocate, "both") == 0;
    r->lru = strcmp(c->replace, "lru") == 0;
    r->random = strcmp(c->replace, "random") == 0;
    r->chance.state = c->seed;
    r->way = g_new0(struct ref_way, r->sets * r->ways);
    return r;
}

static void ref_free(struct ref *r)
{
    g_free(r->way);
    g_free(r);
}

static uint64_t ref_model(struct ref *r, uintptr_t addr)
{
    uint64_t i = 0;
    while (i < r->pages && r->page[i] != addr / 4096) i++;
    if (i == r->pages) r->page[r->pages++] = addr / 4096;
    return i * 4096 + addr % 4096;
}

/* One access inside one line; true: a hit. */
static bool ref_access(struct ref *r, uintptr_t addr, bool store)
{
    uint64_t line = ref_model(r, addr) / r->line_bytes;
    struct ref_way *set = r->way + line % r->sets * r->ways, *found = NULL, *victim = NULL;
    r->now++;
    for (uint64_t w = 0; w < r->ways; w++)
        if (set[w].valid && set[w].line == line) found = &set[w];
    if (store)
        r->stores++;
    else
        r->loads++;
    if (found) {
        if (r->lru) found->when = r->now;
        if (store && r->back) found->dirty = true;
        return true;
    }
    if (store)
        r->store_misses++;
    else
        r->load_misses++;
    if (store && !r->both) return false;
    for (uint64_t w = 0; w < r->ways && !victim; w++)
        if (!set[w].valid) victim = &set[w];
    if (!victim && r->random && r->ways > 1) victim = &set[base_random_next(&r->chance) % r->ways];
    if (!victim) {
        victim = set;
        for (uint64_t w = 1; w < r->ways; w++)
            if (set[w].when < victim->when) victim = &set[w];
    }
    if (victim->valid && victim->dirty) r->write_backs++;
    *victim = (struct ref_way){line, true, store && r->back, r->now};
    return false;
}

/* ---- both run the same trace ----------------------------------------------------------------- */

struct rig {
    struct mach *m;
    struct mem_node *node;
    struct mem_cpu *cpu;
    struct ref *ref;
    struct mem_cache_count before;
    int wrong, fast; /* accesses that differ; those the filters answered */
};

static struct rig rig_new(const char *geometry)
{
    g_auto(GStrv) k = g_strsplit(geometry, " ", -1);
    struct rig rig = {0};
    g_autofree char *size = g_strconcat("cache.l1.size=", k[0], NULL),
                    *line = g_strconcat("cache.l1.line=", k[1], NULL);
    g_autofree char *ways = g_strconcat("cache.l1.ways=", k[2], NULL),
                    *replace = g_strconcat("cache.l1.replace=", k[3], NULL);
    g_autofree char *write = g_strconcat("cache.l1.write=", k[4], NULL),
                    *alloc = g_strconcat("cache.l1.allocate=", k[5], NULL);
    rig.m = machine("t3d", "cpu.subword=native", size, line, ways, replace, write, alloc, NULL);
    rig.node = mem_node_new(rig.m, 1);
    rig.cpu = mem_node_cpu(rig.node, 0);
    rig.ref = ref_new(&rig.m->cache[0]);
    return rig;
}

static void rig_free(struct rig *rig)
{
    ref_free(rig->ref);
    mem_node_free(rig->node);
    mach_free(rig->m);
}

/* The access, and whether both agree that each of its lines hit. */
static void both(struct rig *rig, uintptr_t addr, uint64_t bytes, bool store)
{
    uint64_t missed = 0, lines = 0;
    for (uintptr_t a = addr; a < addr + bytes;
         a = (a / rig->ref->line_bytes + 1) * rig->ref->line_bytes, lines++)
        missed += !ref_access(rig->ref, a, store);
    uintptr_t line = addr >> rig->cpu->filter.line_shift, slot = line & (MEM_FILTER - 1);
    rig->fast +=
        lines == 1 && (store ? rig->cpu->filter.store_ok : rig->cpu->filter.load_ok)[slot] == line;
    enum mem_result result =
        store ? try_store(rig->cpu, (void *)addr, bytes) : try_load(rig->cpu, (void *)addr, bytes);
    struct mem_cache_count c = mem_cache_count(rig->cpu, 0);
    uint64_t got_lines = store ? c.stores - rig->before.stores : c.loads - rig->before.loads;
    uint64_t got =
        c.load_misses + c.store_misses - rig->before.load_misses - rig->before.store_misses;
    if (result != MEM_DONE || got != missed || got_lines != lines ||
        c.write_backs != rig->ref->write_backs) {
        if (!rig->wrong++)
            fprintf(stderr,
                    "    access %llu (%s of %llu at %#lx): %llu of %llu lines missed, expected "
                    "%llu of %llu; write-backs %llu, "
                    "expected %llu\n",
                    (unsigned long long)rig->ref->now, store ? "store" : "load",
                    (unsigned long long)bytes, (unsigned long)addr, (unsigned long long)got,
                    (unsigned long long)got_lines, (unsigned long long)missed,
                    (unsigned long long)lines, (unsigned long long)c.write_backs,
                    (unsigned long long)rig->ref->write_backs);
    }
    rig->before = c;
}

static void totals(struct rig *rig)
{
    struct mem_cache_count c = mem_cache_count(rig->cpu, 0);
    UNIT_EQUAL(rig->wrong, 0);
    UNIT_EQUAL(c.loads, rig->ref->loads);
    UNIT_EQUAL(c.stores, rig->ref->stores);
    UNIT_EQUAL(c.load_misses, rig->ref->load_misses);
    UNIT_EQUAL(c.store_misses, rig->ref->store_misses);
    UNIT_EQUAL(c.write_backs, rig->ref->write_backs);
    CU_ASSERT(rig->fast > 1000);                             /* the filters took part */
    CU_ASSERT(c.load_misses > 0 && c.load_misses < c.loads); /* the trace tells something */
}

enum { TRACE_PAGES = 24 };

static void random_trace(struct rig *rig, uintptr_t base, int n, uint64_t seed)
{
    struct base_random r = {seed};
    uint64_t hot = 0;
    for (int i = 0; i < n; i++) {
        uint64_t x = base_random_next(&r), bytes = UINT64_C(1) << (x & 3);
        if ((x >> 2 & 63) == 0) hot = x >> 20;
        uint64_t span = x >> 8 & 1 ? TRACE_PAGES * 4096 : 1024; /* half the accesses stay near */
        uint64_t at = (hot + (x >> 30) % span) % (TRACE_PAGES * 4096 - 64);
        if ((x >> 9 & 7) != 0) at &= ~(bytes - 1); /* one of eight may cross a line */
        if ((x >> 12 & 63) == 0) bytes = 16;
        both(rig, base + at, bytes, (x >> 18 & 3) == 0);
    }
}

static void strided_trace(struct rig *rig, uintptr_t base)
{
    static const uint64_t strides[] = {4, 8, 24, 32, 64, 136, 1024, 4096, 8192};
    for (size_t s = 0; s < G_N_ELEMENTS(strides); s++)
        for (int round = 0; round < 3; round++)
            for (uint64_t at = 0; at + 8 < TRACE_PAGES * 4096; at += strides[s]) {
                both(rig, base + at, 4, false);
                if (at / strides[s] % 3 == 0) both(rig, base + at, 4, true);
            }
}

static void play(const char *geometry)
{
    void *memory = pages(TRACE_PAGES);
    struct rig rig = rig_new(geometry);
    random_trace(&rig, (uintptr_t)memory, (int)unit_sample("accesses", 20000, 60000), 1);
    strided_trace(&rig, (uintptr_t)memory);
    random_trace(&rig, (uintptr_t)memory, 20000, 2);
    totals(&rig);
    if (rig.wrong) fprintf(stderr, "    geometry %s: %d accesses differ\n", geometry, rig.wrong);
    rig_free(&rig);
    free(memory);
}

static void write_back_lru_caches_miss_as_the_reference(void)
{
    play("8KiB 32B 1 lru back both");
    play("8KiB 32B 2 lru back both");
    play("16KiB 64B 4 lru back both");
    play("4KiB 16B 8 lru back both");
    play("1KiB 32B 32 lru back both");
    play("12KiB 64B 3 lru back both");
    play("8KiB 128B 2 lru back read");
}

static void write_through_lru_caches_miss_as_the_reference(void)
{
    play("8KiB 32B 1 lru through read");
    play("8KiB 32B 2 lru through read");
    play("16KiB 64B 4 lru through both");
    play("32KiB 16B 2 lru through read");
    play("2KiB 32B 64 lru through both");
    play("8KiB 128B 4 lru through read");
}

static void fifo_caches_miss_as_the_reference(void)
{
    play("8KiB 32B 2 fifo back both");
    play("16KiB 64B 8 fifo through read");
    play("12KiB 64B 3 fifo through both");
}

static void random_caches_miss_as_the_reference_with_the_same_seed(void)
{
    play("8KiB 32B 2 random back both");
    play("16KiB 64B 4 random through read");
}

/* ---- where the host put the memory must not matter ------------------------------------------- */

static struct mem_cache_count walk_pages(const char *name, const uint8_t *base, const int *where,
                                         double *owed)
{
    struct mach *m = machine(name, NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    mem_set_quantum(node, 1e3);
    struct base_random r = {9};
    bool done = true;
    int accesses = (int)unit_sample("accesses of a walk", 60000, 200000);
    for (int i = 0; i < accesses; i++) {
        uint64_t x = base_random_next(&r);
        const uint8_t *at = base + where[x % 64 * (x >> 8 & 1)] * 4096 + (x >> 16 & 0xff8);
        done &= ((x >> 60) < 5 ? try_store(cpu, at, 8) : try_load(cpu, at, 8)) == MEM_DONE;
    }
    CU_ASSERT(done);
    *owed = mem_unpaid(cpu);
    struct mem_cache_count c = mem_cache_count(cpu, 0);
    mem_node_free(node);
    mach_free(m);
    return c;
}

static void counts_and_charges_do_not_depend_on_host_addresses(void)
{
    uint8_t *base = pages(512);
    static const char *const names[] = {"t3d", "smp", "cxl-pool", "now"};
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
        int straight[64], mixed[64];
        for (int i = 0; i < 64; i++) straight[i] = i, mixed[i] = (i * 37 + 11) % 512;
        double a_s, b_s;
        struct mem_cache_count a = walk_pages(names[k], base, straight, &a_s);
        struct mem_cache_count b = walk_pages(names[k], base, mixed, &b_s);
        CU_ASSERT(memcmp(&a, &b, sizeof a) == 0);
        CU_ASSERT(a_s == b_s); /* to the last bit */
        CU_ASSERT(a.load_misses > 1000);
    }
    free(base);
}

/* ---- several levels -------------------------------------------------------------------------- */

static void what_the_last_level_loses_the_first_loses_too(void)
{
    struct mach *m = machine("t3d", "cache.l1.size=1KiB", "cache.l1.ways=32", "cache.l2.size=4KiB",
                             "cache.l2.line=64B", "cache.l2.ways=1", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(2);
    try_load(cpu, memory, 8);
    try_load(cpu, memory, 8);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 1);
    try_load(cpu, memory + 4096, 8); /* the same place of l2; l1 has room for both */
    try_load(cpu, memory, 8);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 3);
    UNIT_EQUAL(mem_cache_count(cpu, 1).loads, 3);
    UNIT_EQUAL(mem_cache_count(cpu, 1).load_misses, 3);
    try_load(cpu, memory + 32, 8); /* the other half of the l2 line */
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, 4);
    UNIT_EQUAL(mem_cache_count(cpu, 1).load_misses, 3);
    free(memory);
    mem_node_free(node);
    mach_free(m);
}

static void a_load_costs_what_the_level_that_answers_takes_longer_than_the_first(void)
{
    struct mach *m = machine("smp", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(1);
    double hit_s = 6e-9; /* the price of the load's block has it */
    try_load(cpu, memory, 8);
    UNIT_NEAR(mem_take(cpu).memory_s, 270e-9 - hit_s, 1e-12);
    try_load(cpu, memory + 32, 8); /* in l2 now */
    UNIT_NEAR(mem_take(cpu).memory_s, 42e-9 - hit_s, 1e-12);
    try_load(cpu, memory + 40, 8);
    UNIT_NEAR(mem_take(cpu).memory_s, 0, 0);
    free(memory);
    mem_node_free(node);
    mach_free(m);
}

static void dirty_lines_of_the_first_level_are_written_to_the_second(void)
{
    struct mach *m = machine("t3d", "cache.l1.size=64B", "cache.l1.write=back",
                             "cache.l1.allocate=both", "cache.l2.size=4KiB", NULL);
    struct mem_node *node = mem_node_new(m, 1);
    struct mem_cpu *cpu = mem_node_cpu(node, 0);
    uint8_t *memory = pages(3);
    for (int i = 0; i < 10; i++) try_store(cpu, memory + 8 * (i & 3), 8);
    UNIT_EQUAL(mem_cache_count(cpu, 0).stores, 10);
    UNIT_EQUAL(mem_cache_count(cpu, 0).store_misses, 1);
    try_load(cpu, memory + 64, 8); /* out of l1 */
    UNIT_EQUAL(mem_cache_count(cpu, 0).write_backs, 1);
    UNIT_EQUAL(mem_cache_count(cpu, 1).write_backs, 0);
    try_load(cpu, memory + 4096, 8); /* out of l2 */
    UNIT_EQUAL(mem_cache_count(cpu, 1).write_backs, 1);
    free(memory);
    mem_node_free(node);
    mach_free(m);
}

/* Pages of this process that are in the host's memory. */
static long resident(void)
{
    g_autofree char *text = NULL;
    long all = 0, in_memory = 0;
    g_file_get_contents("/proc/self/statm", &text, NULL, NULL);
    CU_ASSERT_EQUAL_FATAL(sscanf(text, "%ld %ld", &all, &in_memory), 2);
    return in_memory;
}

static void caches_take_host_memory_where_they_are_touched(void)
{
    enum { NODES = 8, MIB = (1 << 20) / 4096 };
    struct mach *m = machine("rdma", NULL); /* a last level of 32 MiB */
    struct mem_node *node[NODES];
    long before = resident();
    for (int i = 0; i < NODES; i++) node[i] = mem_node_new(m, 1);
    CU_ASSERT(resident() - before < NODES * MIB / 2);
    for (int i = 0; i < NODES; i++) mem_node_free(node[i]);
    mach_free(m);
}

UNIT_SUITE(mem_cache, UNIT_TEST(write_back_lru_caches_miss_as_the_reference),
           UNIT_TEST(write_through_lru_caches_miss_as_the_reference),
           UNIT_TEST(fifo_caches_miss_as_the_reference),
           UNIT_TEST(random_caches_miss_as_the_reference_with_the_same_seed),
           UNIT_TEST(counts_and_charges_do_not_depend_on_host_addresses),
           UNIT_TEST(what_the_last_level_loses_the_first_loses_too),
           UNIT_TEST(a_load_costs_what_the_level_that_answers_takes_longer_than_the_first),
           UNIT_TEST(dirty_lines_of_the_first_level_are_written_to_the_second),
           UNIT_TEST(caches_take_host_memory_where_they_are_touched))
