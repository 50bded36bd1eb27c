/* stale: where view and image meet: lines that are filled, and loads that returned something older
 * than memory.
 *
 * Only nodes without coherence come here. A byte is the processor's own while memory does not have
 * it yet: dirty in a write-back cache, in the write buffer, on its way, or about to be stored. Own
 * bytes are newer than the image: a fill leaves them, and they never make a load stale.
 */
#include "core.h"
#include "findings/findings.h"

static bool overlap(uintptr_t a, uint64_t n, uintptr_t b, uint64_t m)
{
    return a < b + m && b < a + n;
}

bool mem_byte_own(const struct mem_core *core, const struct mem_region *r, uintptr_t addr)
{
    const struct mem_node *node = core->node;
    if (core->shield_bytes && overlap(addr, 1, core->shield, core->shield_bytes)) return true;
    if (r->dirty && r->dirty[(addr >> 3) - (r->base >> 3)] >> (addr & 7) & 1) return true;
    uint64_t host = (uint64_t)addr >> node->wb_shift;
    for (uint32_t i = 0; i < node->wb_entries; i++) {
        const struct mem_entry *e = &core->entry[i];
        if (e->host == host && e->segment && e->mask >> (addr - (host << node->wb_shift)) & 1)
            return true;
    }
    for (size_t i = core->outbox.first; i < core->outbox.end; i++)
        if (overlap(addr, 1, core->outbox.out[i].addr, core->outbox.out[i].bytes)) return true;
    return false;
}

/* Could a byte of the range be the processor's own? False is certain. */
static bool some_own(const struct mem_core *core, const struct mem_region *r, uintptr_t addr,
                     uint64_t bytes)
{
    const struct mem_node *node = core->node;
    if (core->shield_bytes && overlap(addr, bytes, core->shield, core->shield_bytes)) return true;
    if (r->dirty)
        for (uintptr_t w = addr >> 3; w <= (addr + bytes - 1) >> 3; w++)
            if (r->dirty[w - (r->base >> 3)]) return true;
    for (uint32_t i = 0; i < node->wb_entries; i++) {
        const struct mem_entry *e = &core->entry[i];
        if (e->segment && e->state != MEM_ENTRY_FREE &&
            overlap(addr, bytes, (uintptr_t)(e->host << node->wb_shift),
                    UINT64_C(1) << node->wb_shift))
            return true;
    }
    for (size_t i = core->outbox.first; i < core->outbox.end; i++)
        if (overlap(addr, bytes, core->outbox.out[i].addr, core->outbox.out[i].bytes)) return true;
    return false;
}

void mem_view_fill(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(core->node, addr, to); r;
         r = mem_region_next(core->node, r, to)) {
        if (mem_anothers(core, r)) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        if (!some_own(core, r, base, end - base)) {
            memcpy((void *)base, r->image + (base - r->base), end - base);
            continue;
        }
        for (uintptr_t a = base; a < end; a++)
            if (!mem_byte_own(core, r, a)) *(uint8_t *)a = r->image[a - r->base];
    }
}

op_site mem_site(const struct mem_core *core, uintptr_t pc)
{
    const struct mem_cpu *cpu = core->cpu;
    if (!pc) pc = cpu->call_pc;
    if (!pc) return 0;
    return pc >= cpu->code_base && pc < cpu->code_end ? pc - cpu->code_base : OP_SITE_FOREIGN | pc;
}

static void note(struct mem_core *core, struct mem_region *r, uintptr_t addr, uint64_t bytes,
                 uintptr_t first, uintptr_t pc)
{
    const struct mem_registration *reg = mem_registration_at(core->node, first, false);
    uint64_t word = r->provenance[(first >> 3) - (r->base >> 3)];
    struct findings_stale stale = {
        .rank = core->cpu->rank,
        .time_s = mem_seconds(core->node, mem_now(core)),
        .segment = reg ? reg->id : -1,
        .offset = reg ? addr - reg->base : 0,
        .bytes = (uint32_t)bytes,
        .load_site = mem_site(core, pc),
        .writer = (uint32_t)(word >> 44),
        .write_time_s = (double)(word & UINT64_C(0xfffffffffff)) * 1e-10,
    };
    if (reg && addr < reg->base) stale.offset = 0; /* the load began before the segment */
    for (uint64_t i = 0; i < MIN(bytes, FINDINGS_STALE_BYTES); i++) {
        uintptr_t a = addr + i;
        stale.seen[i] = stale.memory[i] = *(const uint8_t *)a;
        if (a >= r->base && a < r->end && !mem_byte_own(core, r, a))
            stale.memory[i] = r->image[a - r->base];
    }
    core->stale++;
    findings_stale_note(&stale);
}

void mem_stale_check(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(core->node, addr, to); r;
         r = mem_region_next(core->node, r, to)) {
        if (mem_anothers(core, r)) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        if (memcmp((const void *)base, r->image + (base - r->base), end - base) == 0) continue;
        for (uintptr_t a = base; a < end; a++) {
            if (*(const uint8_t *)a == r->image[a - r->base] || mem_byte_own(core, r, a)) continue;
            note(core, r, addr, bytes, a, pc);
            return;
        }
    }
}

uint64_t mem_stale_loads(const struct mem_cpu *cpu) { return cpu->core->stale; }
