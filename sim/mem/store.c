/* store: the program's stores, and stores made on a rank's behalf.
 *
 * The hook runs before the store, so only addresses are known: the bytes are fetched from the view
 * at the processor's next event (mem_carry). A store that no cache keeps goes to the write buffer;
 * on a coherent node the bytes of a segment go to the outbox at once, dated now, and the caches are
 * time only.
 */
#include "core.h"
#include "dram.h"

/* The quadword's other bytes, as the processor sees them now: from its cache or write buffer, else
 * from memory. The read counts as part of the store; it does not bring the line into the cache. */
static void read_around(struct mem_core *core, const struct mem_access *a, uintptr_t quad)
{
    struct mem_node *node = core->node;
    const struct mem_cache *last = &core->cache[core->levels ? core->levels - 1 : 0];
    if ((core->levels && mem_cache_find(last, a->model)) ||
        (node->wb_entries && mem_wb_covers(core, quad, 8))) {
        core->memory += core->cache[0].hit;
        return;
    }
    core->memory += mem_dram_wait(core, a->model, mem_now(core));
    if (a->segment) mem_view_fill(core, quad, 8);
}

/* Neighbours outside every segment are nobody's business. */
static void clip(struct mem_node *node, const struct mem_access *a, uintptr_t *from, uintptr_t *to)
{
    while (*from < a->addr && !mem_region_find(node, *from, *from + 1)) ++*from;
    while (*to > a->addr + a->bytes && !mem_region_find(node, *to - 1, *to)) --*to;
}

/* Alpha's stores shorter than a longword (4 bytes) read the quadword (8) around and write it back.
 */
static void to_buffer(struct mem_core *core, const struct mem_access *a, uintptr_t pc)
{
    uintptr_t from = a->addr, to = a->addr + a->bytes;
    op_site site = 0;
    if (core->node->subword && ((a->addr | a->bytes) & 3)) {
        uintptr_t first = a->addr & ~(uintptr_t)7, last = (to - 1) & ~(uintptr_t)7;
        bool head = a->addr & 3, tail = to & 3;
        if (head) {
            read_around(core, a, first);
            from = first;
            to = MAX(to, first + 8);
        }
        if (tail) {
            if (!head || last != first) read_around(core, a, last);
            from = MIN(from, last);
            to = last + 8;
        }
        if (a->segment) {
            clip(core->node, a, &from, &to);
            site = mem_site(core, pc);
        }
    }
    mem_wb_store(core, a, from, to, site);
}

/* Written through to memory on a coherent node: other copies go, the bus carries the bytes. */
static void through_coherently(struct mem_core *core, const struct mem_access *a)
{
    struct mem_node *node = core->node;
    struct mem_access timed = *a;
    timed.segment = false; /* its bytes travel by the outbox */
    mem_snoop(node, core, a->where, a->model, COH_SNOOP_OWN);
    if (node->bus) mem_bus_book(node, mem_now(core), node->slot, a->bytes);
    mem_wb_store(core, &timed, a->addr, a->addr + a->bytes, 0);
}

static void private_store(struct mem_core *core, struct mem_access *a, uintptr_t pc)
{
    struct mem_cpu *cpu = core->cpu;
    if (mem_walk_store(core, a)) {
        uint64_t line = (uint64_t)a->addr >> cpu->line_shift;
        if (!core->through || mem_cache_find(core->cache, a->model))
            cpu->store_ok[line & (MEM_FILTER - 1)] = line;
    } else if (core->node->coherent) {
        through_coherently(core, a);
    } else {
        to_buffer(core, a, pc);
    }
}

static void segment_store(struct mem_core *core, struct mem_access *a, uintptr_t pc)
{
    struct mem_node *node = core->node;
    bool kept = mem_walk_store(core, a);
    if (node->coherent) {
        if (!kept) through_coherently(core, a);
        mem_out_push(core, a->addr, a->bytes, NULL, 0, 0, mem_now(core));
    } else if (kept) {
        mem_dirty_mark(node, a->addr, a->bytes);
        if (core->open + core->cpu->way.queued) mem_wb_forget(core, a->addr, a->bytes);
    } else {
        to_buffer(core, a, pc);
    }
}

static void rest_of_range(struct mem_core *core, uint64_t bytes)
{
    if (bytes <= 16) return;
    int64_t more = (int64_t)((bytes + 7) / 8) - 1;
    core->compute += more * core->access;
    for (uint32_t i = 0; i < core->levels; i++) {
        core->cache[i].count.stores += (uint64_t)more;
        if (core->cache[i].write_back) {
            core->memory += more * core->cache[0].hit;
            break;
        }
    }
}

void mem_do_store(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    struct mem_node *node = core->node;
    uintptr_t end = addr + bytes;
    mem_carry(core);
    core->shield = addr;
    core->shield_bytes = bytes;
    while (addr < end) {
        uintptr_t next = MIN(end, ((addr >> core->cpu->line_shift) + 1) << core->cpu->line_shift);
        uint64_t where = mem_page_where(core, addr);
        uintptr_t line = addr >> node->last_shift << node->last_shift;
        struct mem_access a = {
            .addr = addr, .bytes = next - addr, .model = mem_model(where, addr), .where = where};
        a.segment = where & MEM_PAGE_SEGMENT &&
                    mem_region_find(node, line, line + ((uintptr_t)1 << node->last_shift));
        if (a.segment)
            segment_store(core, &a, pc);
        else
            private_store(core, &a, pc);
        rest_of_range(core, a.bytes);
        addr = next;
    }
}

/* The common case on a write-through cache: one more store into the line last stored to. */
static inline bool merge(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    const struct mem_node *node = core->node;
    struct mem_entry *e = core->newest;
    if (e->host != (uint64_t)addr >> node->wb_shift || bytes - 1 >= 16) return false;
    if ((addr ^ (addr + bytes - 1)) >> node->piece_shift || (node->subword && (addr | bytes) & 3))
        return false;
    if (e->segment) {
        if (mem_owed(core) > node->quantum) return false;
        mem_carry(core);
        core->shield = addr;
        core->shield_bytes = bytes;
    }
    struct mem_cache *c = core->cache;
    uint32_t at = (uint32_t)addr & ((1u << node->wb_shift) - 1);
    struct mem_line *line = mem_cache_find(c, (e->model >> node->wb_shift << node->wb_shift) + at);
    core->compute += core->access;
    c->count.stores++;
    if (!line)
        c->count.store_misses++;
    else if (c->ordered)
        mem_cache_used(core, c, line, false);
    uint64_t mask = ((UINT64_C(1) << bytes) - 1) << at;
    e->mask |= mask;
    if (e->segment) {
        e->stored |= mask;
        mem_wb_late(core, e);
    }
    if (e->mask == node->wb_full) mem_wb_close(core, e, mem_now(core));
    return true;
}

static __attribute__((noinline)) enum mem_result other_store(struct mem_core *core, uintptr_t addr,
                                                             uint64_t bytes, uintptr_t pc)
{
    struct mem_node *node = core->node;
    uint64_t where = mem_page_where(core, addr);
    bool in_time = mem_owed(core) <= mem_lead(core, where, addr);
    if (MEM_LIKELY(bytes - 1 < 16 && (addr ^ (addr + bytes - 1)) >> core->cpu->line_shift == 0 &&
                   !(where & MEM_PAGE_SEGMENT) && (in_time || !mem_meets_others(node)))) {
        struct mem_access a = {
            .addr = addr, .bytes = bytes, .model = mem_model(where, addr), .where = where};
        private_store(core, &a, pc);
        return MEM_DONE;
    }
    if (mem_must_pay(core, addr, bytes, true)) return MEM_PAY_FIRST;
    mem_do_store(core, addr, bytes, pc);
    return MEM_DONE;
}

enum mem_result mem_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    return merge(cpu->core, addr, bytes) ? MEM_DONE : other_store(cpu->core, addr, bytes, pc);
}
