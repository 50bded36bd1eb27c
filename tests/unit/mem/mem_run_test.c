/* mem: an agent's accesses to long ranges, played by run.c and line by line. Random copies, by two
 * processors of a node where it has two, run twice: dates, counts and values are the same, to the
 * last bit. */
#include "mem_unit.h"

enum { BLOCK = 32 * 4096, STEPS = 300 };

static struct base_random rnd;
static uint64_t below(uint64_t n) { return base_random_next(&rnd) % n; }

/* Everything that can be seen from outside. */
struct seen {
    uint64_t values, stale;
    double took_s;
    struct mem_resource_count bus;
    struct mem_cache_count count[2][MACH_LEVELS];
};

static struct mach *random_machine(void)
{
    static const char *const name[] = {"smp", "smp", "challenge", "now", "t3d"};
    static const char *const set[] = {"mem.outstanding=1",
                                      "core.model=blocking",
                                      "cache.l1.size=1KiB",
                                      "mem.block_store=1B",
                                      "bus.slot=1us",
                                      "dram.readahead=1",
                                      "dram.other_page_cycles=90cycles"};
    const char *sets[3] = {set[below(G_N_ELEMENTS(set))], set[below(G_N_ELEMENTS(set))], NULL};
    struct mach *m = NULL;
    GError *error = NULL;
    if (!mach_load(name[below(G_N_ELEMENTS(name))], sets, 0, &m, &error)) {
        fprintf(stderr, "    %s\n", error->message);
        CU_FAIL_FATAL("no machine");
    }
    return m;
}

static void read_some(struct seen *s, const uint8_t *bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) s->values = (s->values ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* A copy from anywhere to anywhere, or what a library does in place; returns its seconds. */
static double copy_some(struct mem_cpu *cpu, uint8_t *memory, struct seen *s, double now_s)
{
    static uint8_t bytes[4096];
    const uint64_t n = 1 + below(below(3) ? 256 : sizeof bytes),
                   from = below(BLOCK - n) & ~(below(2) ? UINT64_C(63) : 0),
                   to = below(BLOCK - n) & ~(below(2) ? UINT64_C(63) : 0);
    const uintptr_t source = (uintptr_t)memory + from, target = (uintptr_t)memory + to;
    const uint8_t value = (uint8_t)below(256);
    double took_s = 0;
    switch (below(5)) {
    case 0: return mem_charge_s(mem_touch_load(cpu, source, n, now_s));
    case 1:
        memset(memory + to, value, n);
        return mem_charge_s(mem_touched_store(cpu, target, n, 3, now_s));
    case 2: took_s = mem_charge_s(mem_cpu_read_to_write(cpu, source, bytes, n, now_s)); break;
    default: took_s = mem_charge_s(mem_cpu_read(cpu, source, bytes, n, now_s));
    }
    read_some(s, bytes, n);
    memset(bytes, value, n);
    mem_copy_begin(cpu, target, n);
    took_s += mem_charge_s(mem_cpu_write(cpu, target, bytes, n, 4, now_s + took_s));
    mem_copy_end(cpu);
    return took_s;
}

static struct seen play(uint64_t seed, bool plain)
{
    struct seen s = {.values = 0};
    rnd.state = seed;
    record_clear();
    struct mach *m = random_machine();
    const int cpus = m->cpus > 1 ? 2 : 1;
    struct mem_node *node = mem_node_new(m, cpus);
    uint8_t *memory = pages(BLOCK / 4096);
    double now_s = 1e-6;
    for (int i = 0; i < cpus; i++) mem_node_cpu(node, i)->rank = i;
    if (plain) mem_set_plain(node);
    mem_set_quantum(node, 1e3);
    int id = segment(node, 0, memory + 100, BLOCK / 2);
    for (int step = 0; step < STEPS; step++) {
        struct mem_cpu *cpu = mem_node_cpu(node, (int)below((uint64_t)cpus));
        static uint8_t some[BLOCK / 2];
        const uint64_t at = below(BLOCK / 2 - sizeof step);
        if (below(8) == 0) mem_ni_write(node, (uintptr_t)memory + at, &step, sizeof step, 7, now_s);
        if (below(8) == 0) now_s += mem_publish(cpu, (uintptr_t)memory, BLOCK / 2, now_s);
        const double took_s = copy_some(cpu, memory, &s, now_s);
        if (below(2)) { /* while the copy lasts: what memory has by then */
            mem_ni_read(node, (uintptr_t)memory + 100, some, BLOCK / 2, now_s + took_s / 3);
            read_some(&s, some, BLOCK / 2);
        }
        s.took_s += took_s;
        now_s += below(3) ? took_s : 0;
        if (below(2)) mem_paid(cpu, now_s);
    }
    mem_segment_remove(node, id);
    read_some(&s, memory, BLOCK);
    s.bus = mem_bus_count(node);
    for (int i = 0; i < cpus; i++) {
        struct mem_cpu *cpu = mem_node_cpu(node, i);
        for (int k = 0; k < mem_levels(cpu); k++) s.count[i][k] = mem_cache_count(cpu, k);
        s.stale += mem_stale_loads(cpu);
    }
    mem_node_free(node);
    mach_free(m);
    free(memory);
    return s;
}

static void a_copy_takes_what_its_lines_take_one_by_one(void)
{
    const unsigned seeds = unit_sample("seeds", 30, 150);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct seen run = play(seed * 104729, false), plain = play(seed * 104729, true);
        UNIT_EQUAL(run.values, plain.values);
        UNIT_EQUAL(run.stale, plain.stale);
        CU_ASSERT(run.took_s == plain.took_s);
        UNIT_EQUAL(memcmp(run.count, plain.count, sizeof run.count), 0);
        UNIT_EQUAL(memcmp(&run.bus, &plain.bus, sizeof run.bus), 0);
        if (run.values != plain.values || run.took_s != plain.took_s)
            fprintf(stderr, "    seed %llu\n", (unsigned long long)seed * 104729);
    }
    record_clear();
}

UNIT_SUITE(mem_run, UNIT_TEST(a_copy_takes_what_its_lines_take_one_by_one))
