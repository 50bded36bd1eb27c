/* mem under random programs on random machines: whatever the caches, a rank always reads what it
 * stored last, and after publish memory holds it. Every processor works in a block of its own;
 * others put there and read from there only between publish and refresh, as a correct program does.
 */
#include "mem_unit.h"

enum { BLOCK = 3 * 4096, BLOCKS = 4, STEPS = 2500 };

static struct base_random rnd;
static uint64_t below(uint64_t n) { return base_random_next(&rnd) % n; }
static const char *one_of(const char *const *words, size_t n) { return words[below(n)]; }

static struct mach *random_machine(GString *said)
{
#define PICK(...)                                                                                  \
    one_of((const char *const[]){__VA_ARGS__},                                                     \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
    const char *sets[28], *l2 = "", *line = "";
    int n = 0;
    sets[n++] = PICK("coh.protocol=none", "coh.protocol=none", "coh.protocol=msi",
                     "coh.protocol=mesi", "coh.protocol=moesi");
    sets[n++] = PICK("cache.l1.size=256", "cache.l1.size=1KiB", "cache.l1.size=8KiB");
    sets[n++] = PICK("cache.l1.line=16B", "cache.l1.line=32B", "cache.l1.line=64B");
    sets[n++] = PICK("cache.l1.ways=1", "cache.l1.ways=2", "cache.l1.ways=4");
    const char *write = PICK("cache.l1.write=back", "cache.l1.write=through");
    sets[n++] = write;
    sets[n++] = PICK("cache.l1.allocate=read", "cache.l1.allocate=both");
    sets[n++] = PICK("cache.l1.replace=lru", "cache.l1.replace=fifo", "cache.l1.replace=random");
    if (below(2)) {
        sets[n++] = PICK("cache.l2.size=2KiB", "cache.l2.size=16KiB");
        sets[n++] = line = PICK("cache.l2.line=64B", "cache.l2.line=128B");
        sets[n++] = PICK("cache.l2.ways=1", "cache.l2.ways=4");
        /* Nobody builds a write-through level behind a write-back one. */
        sets[n++] = l2 = strcmp(write, "cache.l1.write=back") == 0
                             ? "cache.l2.write=back"
                             : PICK("cache.l2.write=back", "cache.l2.write=through");
        const char *allocate = PICK("cache.l2.allocate=read", "cache.l2.allocate=both");
        sets[n++] = allocate;
        if (strcmp(allocate, "cache.l2.allocate=both") == 0) {
            sets[n++] =
                strcmp(l2, "cache.l2.write=back") == 0 ? "cache.l3.shared=1" : "cache.l3.shared=0";
            sets[n++] = PICK("cache.l3.size=1KiB", "cache.l3.size=16KiB");
            sets[n++] =
                strcmp(line, "cache.l2.line=64B") == 0 ? "cache.l3.line=64B" : "cache.l3.line=128B";
            sets[n++] = PICK("cache.l3.ways=1", "cache.l3.ways=4");
        }
    }
    sets[n++] = PICK("wb.entries=4", "wb.entries=8", "wb.entries=4");
    sets[n++] = PICK("wb.hold=0", "wb.hold=3");
    sets[n++] = PICK("wb.line=32B", "wb.line=16B", "wb.line=64B");
    sets[n++] = PICK("cpu.subword=native", "cpu.subword=rmw8");
    sets[n++] = PICK("ni.invalidate=none", "ni.invalidate=index", "ni.invalidate=address");
    sets[n++] = PICK("bus.slot=0s", "bus.slot=50ns");
    sets[n++] = PICK("cache.flush_all_cycles=0", "cache.flush_all_cycles=200");
    sets[n] = NULL;
    for (int i = 0; i < n; i++) g_string_append_printf(said, " --set %s", sets[i]);
    struct mach *m = NULL;
    GError *error = NULL;
    if (!mach_load("t3d", sets, 0, &m, &error)) {
        fprintf(stderr, "    %s\n", error->message);
        CU_FAIL_FATAL("no machine");
    }
    return m;
}

struct play {
    struct mem_node *node;
    int cpus, wrong;
    double now_s;
    uint8_t *memory, *expected;
    int id[BLOCKS][3];
};

static void check(struct play *p, const char *what, int i, uint64_t at, const uint8_t *seen,
                  uint64_t bytes)
{
    if (memcmp(seen, p->expected + at, bytes) == 0) return;
    if (!p->wrong++)
        fprintf(stderr,
                "    %s of %llu bytes at %llu of processor %d's block: not what was stored last\n",
                what, (unsigned long long)bytes, (unsigned long long)(at - (uint64_t)i * BLOCK), i);
}

static void pay_it(struct play *p, int i) { p->now_s = pay(mem_node_cpu(p->node, i), p->now_s); }

static uint64_t some_bytes(void)
{
    uint64_t n = below(20);
    return n < 16 ? UINT64_C(1) << (n & 3) : n < 18 ? 1 + below(40) : 1 + below(400);
}

static void program_access(struct play *p, int i)
{
    struct mem_cpu *cpu = mem_node_cpu(p->node, i);
    uint64_t bytes = some_bytes(),
             at = (uint64_t)i * BLOCK + (below(4) ? below(600) : below(BLOCK - 500));
    if (below(3)) at &= ~UINT64_C(7);
    if (below(5) < 3) {
        while (try_load(cpu, p->memory + at, bytes) == MEM_PAY_FIRST) pay_it(p, i);
        check(p, "a load", i, at, p->memory + at, bytes);
    } else {
        while (try_store(cpu, p->memory + at, bytes) == MEM_PAY_FIRST) pay_it(p, i);
        for (uint64_t b = 0; b < bytes; b++)
            p->memory[at + b] = p->expected[at + b] = (uint8_t)below(256);
    }
}

static void synchronise(struct play *p, int i)
{
    struct mem_cpu *cpu = mem_node_cpu(p->node, i);
    uint64_t from = (uint64_t)i * BLOCK;
    uint8_t seen[BLOCK];
    pay_it(p, i);
    p->now_s += mem_publish(cpu, (uintptr_t)p->memory + from, BLOCK, p->now_s);
    mem_paid(cpu, p->now_s);
    mem_ni_read(p->node, (uintptr_t)p->memory + from, seen, BLOCK, p->now_s);
    check(p, "a remote read", i, from, seen, BLOCK);
    int other = (int)below((uint64_t)p->cpus);
    uint64_t bytes = some_bytes(), at = from + below(BLOCK - 500);
    pay_it(p, other); /* it acts now, not in its past */
    struct mem_cpu *by = mem_node_cpu(p->node, other);
    p->now_s += mem_charge_s(mem_cpu_read(by, (uintptr_t)p->memory + at, seen, bytes, p->now_s));
    check(p, "a read by a processor", i, at, seen, bytes);
    for (uint64_t b = 0; b < bytes; b++) p->expected[at + b] = (uint8_t)below(256);
    switch (below(4)) {
    case 0:
        p->now_s += mem_charge_s(
            mem_cpu_write(by, (uintptr_t)p->memory + at, p->expected + at, bytes, 5, p->now_s));
        break;
    case 1:
        memcpy(p->memory + at, p->expected + at, bytes);
        p->now_s +=
            mem_charge_s(mem_touched_store(cpu, (uintptr_t)p->memory + at, bytes, 6, p->now_s));
        break;
    default:
        mem_ni_write(p->node, (uintptr_t)p->memory + at, p->expected + at, bytes, 7, p->now_s);
        mem_ni_read(p->node, (uintptr_t)p->memory + at, seen, bytes, p->now_s);
        check(p, "a read after a put", i, at, seen, bytes);
    }
    p->now_s +=
        mem_publish(mem_node_cpu(p->node, other), (uintptr_t)p->memory + at, bytes, p->now_s);
    p->now_s +=
        mem_refresh(mem_node_cpu(p->node, other), (uintptr_t)p->memory + from, BLOCK, p->now_s);
    p->now_s += mem_publish(cpu, (uintptr_t)p->memory + from, BLOCK, p->now_s);
    p->now_s += mem_refresh(cpu, (uintptr_t)p->memory + from, BLOCK, p->now_s);
    mem_paid(cpu, p->now_s);
}

static void register_again(struct play *p, int i)
{
    int k = (int)below(3);
    uintptr_t base = (uintptr_t)p->memory + (uint64_t)i * BLOCK;
    synchronise(p, i);
    mem_segment_remove(p->node, p->id[i][k]);
    uint64_t at = below(BLOCK - 10), bytes = below(4) ? below(BLOCK - at) : 0;
    p->id[i][k] = op_segment_add(i, base + at, bytes, "");
    mem_segment_add(p->node, p->id[i][k], base + at, bytes);
}

static void run(uint64_t seed)
{
    record_clear();
    rnd.state = seed;
    g_autoptr(GString) said = g_string_new(NULL);
    struct mach *m = random_machine(said);
    struct play p = {.cpus = 1 + (int)below(BLOCKS), .now_s = 1e-6};
    p.node = mem_node_new(m, p.cpus);
    p.memory = pages(BLOCKS * BLOCK / 4096);
    p.expected = g_malloc0(BLOCKS * BLOCK);
    mem_set_quantum(p.node, below(3) ? 1e-6 : 0);
    for (int i = 0; i < p.cpus; i++) {
        mem_node_cpu(p.node, i)->rank = i;
        for (int k = 0; k < 3; k++) {
            uintptr_t base = (uintptr_t)p.memory + (uint64_t)i * BLOCK + below(3000);
            uint64_t bytes = 1 + below(9000);
            mem_segment_add(p.node, p.id[i][k] = op_segment_add(i, base, bytes, ""), base, bytes);
        }
    }
    for (int step = 0; step < STEPS; step++) {
        int i = (int)below((uint64_t)p.cpus);
        uint64_t what = below(200);
        if (what == 0)
            register_again(&p, i);
        else if (what < 4)
            synchronise(&p, i);
        else if (what < 20)
            pay_it(&p, i);
        else
            program_access(&p, i);
    }
    for (int i = 0; i < p.cpus; i++) synchronise(&p, i);
    UNIT_EQUAL(p.wrong, 0);
    /* nobody raced: nothing was lost */
    UNIT_EQUAL(findings_note_count() ? findings_note_get(0)->kind : FINDINGS_NOTE_VICTIM,
               FINDINGS_NOTE_VICTIM);
    for (int i = 0; i < p.cpus; i++) UNIT_EQUAL(mem_stale_loads(mem_node_cpu(p.node, i)), 0);
    if (p.wrong)
        fprintf(stderr, "    seed %llu, %d processors,%s\n", (unsigned long long)seed, p.cpus,
                said->str);
    mem_node_free(p.node);
    mach_free(m);
    free(p.memory);
    g_free(p.expected);
}

static void a_rank_reads_what_it_stored_last_on_any_machine(void)
{
    for (uint64_t seed = 1; seed <= 150; seed++) run(seed * 7919);
    record_clear();
}

UNIT_SUITE(mem_random, UNIT_TEST(a_rank_reads_what_it_stored_last_on_any_machine))
