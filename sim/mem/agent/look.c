/* look: copies of a few bytes, wherever they lie: for films of a line, which people step through.
 */
#include "mem/access/access.h"
#include "mem/agent/agent.h"

/* The entries of the write buffer, from the oldest to the youngest, which has the last word. */
static void look_into_buffer(const struct mem_own *own, uintptr_t addr, uint32_t bytes,
                             struct mem_look *look)
{
    uint64_t order[MEM_LOOK_BYTES] = {0};
    uint64_t line = UINT64_C(1) << own->values->line_shift;
    for (uint32_t i = 0; i < own->entries; i++) {
        const struct mem_buffered *b = &own->buffered[i];
        for (uint32_t k = 0; b->live && k < bytes; k++) {
            uint64_t at = addr + k - b->line; /* below the line: a very large one */
            if (at >= line || !(b->mask >> at & 1) || b->order < order[k]) continue;
            look->waits |= UINT64_C(1) << k;
            look->waiting[k] = b->late ? *(const uint8_t *)(addr + k) : b->data[at];
            order[k] = b->order;
        }
    }
}

static void look_at_writer(const struct mem_region *r, uintptr_t addr, struct mem_look *look)
{
    uint64_t word = r->provenance ? r->provenance[(addr >> 3) - (r->base >> 3)] : 0;
    look->writer = (uint32_t)(word >> 44);
    look->written_s = (double)(word & ((UINT64_C(1) << 44) - 1)) * 1e-10;
}

static void look_into_caches(struct mem_core *core, uintptr_t addr, struct mem_look *look)
{
    struct mem_peer *peer = &core->peer;
    const struct mem_page *page = mem_page_known(&peer->pages, (uint64_t)addr >> MEM_PAGE_BITS);
    look->cached = peer->levels.last != NULL;
    look->coherent = peer->domain->coherent;
    const struct mem_line *e = page ? mem_peer_line(peer, mem_model(page->where, addr)) : NULL;
    look->held = e != NULL;
    if (e && peer->domain->coherent) look->state = "ISEOM"[mem_line_state(e)];
}

bool mem_look(struct mem_cpu *cpu, uintptr_t addr, uint32_t bytes, struct mem_look *look)
{
    struct mem_core *core = cpu->core;
    struct mem_values *v = &core->node->values;
    const struct mem_region *r = mem_region_find(v, addr, addr + bytes);
    *look = (struct mem_look){.buffered = core->buffer.entries > 0};
    if (!r || addr < r->base || addr + bytes > r->end || bytes > MEM_LOOK_BYTES) return false;
    memcpy(look->memory, r->image + (addr - r->base), bytes);
    memcpy(look->load, (const void *)addr, bytes);
    look_into_caches(core, addr, look);
    look_into_buffer(&core->own, addr, bytes, look);
    look_at_writer(r, addr, look);
    struct findings_stale stale;
    look->old = look->held && !v->coherent && mem_stale(&core->own, addr, bytes, &stale);
    return true;
}
