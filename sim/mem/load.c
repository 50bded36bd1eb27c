/* load: the program's loads, and loads made on a rank's behalf.
 *
 * A private line needs the walk and the filter. A segment's line that is in the cache is left
 * alone, however old the processor's view of it is; if it differs from the image, on a node without
 * coherence, that is a stale load. A line that has to be fetched brings the image's bytes into the
 * view before the load happens.
 */
#include "core.h"
#include "dram.h"

/* Is [addr, addr+bytes), inside one line, in a line of the last level that holds bytes of a
 * segment? */
static inline bool in_segment(struct mem_node *node, uint64_t where, uintptr_t addr)
{
    if (MEM_LIKELY(!(where & MEM_PAGE_SEGMENT))) return false;
    uintptr_t line = addr >> node->last_shift << node->last_shift;
    return mem_region_find(node, line, line + ((uintptr_t)1 << node->last_shift)) != NULL;
}

static inline void private_load(struct mem_core *core, struct mem_access *a)
{
    struct mem_cpu *cpu = core->cpu;
    uint64_t line = (uint64_t)a->addr >> cpu->line_shift;
    mem_walk_load(core, a);
    if (core->levels) cpu->load_ok[line & (MEM_FILTER - 1)] = line;
}

/* A range beyond 16 bytes is played as loads (stores) of 8 bytes; all but the first of a line hit.
 */
static void rest_of_range(struct mem_core *core, uint64_t bytes)
{
    if (bytes <= 16) return;
    int64_t more = (int64_t)((bytes + 7) / 8) - 1;
    if (core->levels) {
        core->cache[0].count.loads += (uint64_t)more;
        core->memory += more * core->cache[0].hit;
    }
    core->compute += more * core->access;
}

void mem_do_load(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    struct mem_node *node = core->node;
    uintptr_t end = addr + bytes;
    mem_carry(core);
    while (addr < end) {
        uintptr_t next = MIN(end, ((addr >> core->cpu->line_shift) + 1) << core->cpu->line_shift);
        uint64_t where = mem_page_where(core, addr);
        struct mem_access a = {
            .addr = addr, .bytes = next - addr, .model = mem_model(where, addr), .where = where};
        a.segment = in_segment(node, where, addr);
        a.own = core->for_writing;
        if (a.segment) {
            core->filled = false;
            mem_walk_load(core, &a);
            if (!node->coherent && !core->filled) mem_stale_check(core, addr, a.bytes, pc);
        } else {
            private_load(core, &a);
        }
        rest_of_range(core, a.bytes);
        addr = next;
    }
}

bool mem_must_pay(struct mem_core *core, uintptr_t addr, uint64_t bytes, bool store)
{
    for (uintptr_t end = addr + bytes; addr < end;) {
        uint64_t where = mem_page_where(core, addr);
        struct mem_access a = {.addr = addr, .model = mem_model(where, addr), .where = where};
        bool ahead = mem_owed(core) > mem_lead(core, where, addr);
        if (ahead && (in_segment(core->node, where, addr) ||
                      (mem_meets_others(core->node) && mem_needs_bus(core, &a, store))))
            return true;
        addr = ((addr >> core->cpu->line_shift) + 1) << core->cpu->line_shift;
    }
    return false;
}

/* The short way of a load that hits in a segment. False: not that simple. */
static inline bool segment_hit(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                               uint64_t where, uintptr_t pc)
{
    struct mem_node *node = core->node;
    struct mem_cache *c = core->cache;
    const struct mem_region *r = node->region + node->hint;
    if (!node->regions || addr < r->base || addr + bytes > r->end) return false;
    mem_carry(core);
    struct mem_line *e = core->levels ? mem_cache_find(c, mem_model(where, addr)) : NULL;
    if (!e) return false;
    c->count.loads++;
    core->compute += core->access;
    core->memory += c->hit;
    if (c->ordered) mem_cache_used(core, c, e, false);
    if (node->coherent || mem_anothers(core, r)) return true;
    const void *view = (const void *)addr, *image = r->image + (addr - r->base);
    bool equal;
    if (bytes == 8) {
        uint64_t v, i;
        memcpy(&v, view, 8);
        memcpy(&i, image, 8);
        equal = v == i;
    } else {
        equal = memcmp(view, image, bytes) == 0;
    }
    if (MEM_UNLIKELY(!equal)) {
        core->shield_bytes = 0;
        mem_stale_check(core, addr, bytes, pc);
    }
    return true;
}

enum mem_result mem_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    struct mem_node *node = core->node;
    uint64_t where = mem_page_where(core, addr);
    bool in_time = mem_owed(core) <= mem_lead(core, where, addr);
    if (MEM_LIKELY(bytes - 1 < 16 && (addr ^ (addr + bytes - 1)) >> cpu->line_shift == 0)) {
        if (where & MEM_PAGE_SEGMENT) {
            if (in_time && segment_hit(core, addr, bytes, where, pc)) return MEM_DONE;
        } else if (in_time || !mem_meets_others(node)) {
            struct mem_access a = {
                .addr = addr, .bytes = bytes, .model = mem_model(where, addr), .where = where};
            private_load(core, &a);
            if (cpu->way.near && !(where & MEM_PAGE_POOL)) mem_page_near(cpu, addr, where);
            return MEM_DONE;
        }
    }
    if (mem_must_pay(core, addr, bytes, false)) return MEM_PAY_FIRST;
    mem_do_load(core, addr, bytes, pc);
    return MEM_DONE;
}

void mem_load_paying(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                     void (*pay)(void))
{
    while (mem_load(cpu, addr, bytes, pc) == MEM_PAY_FIRST) pay();
}
