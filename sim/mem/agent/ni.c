/* ni: the network interface reads and writes main memory without a processor.
 *
 * Without coherence it changes the image; what becomes of cached lines is ni.invalidate: nothing;
 * whatever lies at that cache index, related or not (the T3D's invalidate port takes an index, not
 * an address: Arpaci et al., ISCA 1995); or the line. With coherence the interface snoops like a
 * processor and the view follows. Left out: the time of a read-modify-write of a put's ragged edge
 * words, which nothing can interrupt here.
 */
#include "mem/agent/agent.h"
#include "mem/access/access.h"

/* Bytes whose time has come are in memory before the interface looks at it. */
static void catch_up(struct mem_node *node, int64_t at)
{
    for (int i = 0; i < node->cpus; i++) {
        mem_deferred_commit(&node->seat[i].core.own);
        mem_buffer_advance(&node->seat[i].core.buffer, at);
    }
    mem_values_until(&node->values, at);
}

static void note_victim(struct mem_core *core, const struct mem_line *e, uint32_t writer,
                        double at_s)
{
    struct mem_node *node = core->node;
    uintptr_t addr = (uintptr_t)(e->host << node->domain.line_shift);
    const struct mem_region *r =
        mem_region_find(&node->values, addr, addr + ((uintptr_t)1 << node->domain.line_shift));
    const struct mem_registration *reg =
        r ? mem_registration_at(&node->values, MAX(addr, r->base)) : NULL;
    struct findings_note note = {
        .kind = FINDINGS_NOTE_VICTIM,
        .rank = core->cpu->rank,
        .time_s = at_s,
        .segment = reg ? reg->id : -1,
        .offset = reg && addr > reg->base ? addr - reg->base : 0,
        .writer = writer,
    };
    findings_note(&note);
}

/* One line of a put comes in at this processor's invalidate port. */
static void invalidate(struct mem_core *core, uintptr_t addr, uint32_t writer, double at_s)
{
    const struct mem_cache *last = core->peer.levels.last;
    if (!last) return;
    int64_t now = mem_date(core->cpu);
    uint64_t model = mem_model(mem_page_where(&core->peer.pages, addr), addr);
    uint64_t line = model >> last->shift;
    switch (core->node->invalidate) {
    case MEM_NI_NONE: return;
    case MEM_NI_ADDRESS: {
        struct mem_line *e = mem_cache_find(last, model);
        if (e) mem_line_drop(&core->peer, e, MEM_DROP_KILLED, false, now);
        return;
    }
    case MEM_NI_INDEX:
        for (uint32_t w = 0; w < last->ways; w++) {
            struct mem_line *e = last->line + (line & last->set_mask) * last->ways + w;
            if (!mem_line_held(e)) continue;
            if (e->key >> 8 != line) note_victim(core, e, writer, at_s);
            mem_line_drop(&core->peer, e, MEM_DROP_KILLED, false, now);
        }
        return;
    }
}

/* The interface's transactions on the node's bus, line by line. */
static void snoop_range(struct mem_node *node, uintptr_t addr, uint64_t bytes, enum coh_event event,
                        int64_t at)
{
    struct mem_domain *d = &node->domain;
    const uintptr_t step = (uintptr_t)1 << d->line_shift, first = addr & ~(step - 1),
                    end = addr + bytes;
    if (d->bus)
        mem_resource_book_row(&d->resource, at, d->slot, step,
                              ((end - 1) >> d->line_shift) - (first >> d->line_shift) + 1);
    /* the copies are updated in place */
    if (event == COH_SNOOP_OWN && node->invalidate == MEM_NI_NONE) return;
    for (uintptr_t line = first, till; line < end; line = till) {
        till = MIN(end, (line & ~(uintptr_t)(MEM_PAGE_BYTES - 1)) + MEM_PAGE_BYTES);
        guint index;
        if (node->cpus > 1 && !mem_page_shared(&d->pages, line >> MEM_PAGE_BITS, &index))
            continue; /* a private page */
        const uint64_t where = mem_page_where(&d->peer[0]->pages, line);
        for (; line < till; line += step)
            mem_snoop(d, NULL, where, mem_model(where, line), event, at);
    }
}

/* The view of part of a page is what a load would return now: it has the image's bytes, but for
 * lines that the owner has in a cache; those say when they go. */
static void page_follows(struct mem_node *node, struct mem_core *owner, struct mem_region *r,
                         uintptr_t from, uintptr_t to)
{
    const uintptr_t step = (uintptr_t)1 << node->domain.line_shift;
    const struct mem_page *page =
        mem_page_known(&owner->peer.pages, (uint64_t)from >> MEM_PAGE_BITS);
    for (uintptr_t at = from, next; page && at < to; at = next) {
        next = MIN(to, (at & ~(step - 1)) + step);
        struct mem_line *e = mem_peer_line(&owner->peer, mem_model(page->where, at));
        if (!e) continue;
        if (from < at) mem_view_fill(&owner->own, from, at - from);
        from = next;
        e->key |= MEM_LINE_BEHIND;
        mem_view_behind(&node->values, r, at, next - at);
    }
    if (from < to) mem_view_fill(&owner->own, from, to - from);
}

static void view_follows(struct mem_node *node, uintptr_t addr, uint64_t bytes)
{
    const uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(&node->values, addr, to); r;
         r = mem_region_next(&node->values, r, to)) {
        struct mem_core *owner = mem_owner(node, r->rank);
        const uintptr_t end = MIN(to, r->end);
        for (uintptr_t at = MAX(addr, r->base), next; at < end; at = next) {
            next = MIN(end, (at & ~(uintptr_t)(MEM_PAGE_BYTES - 1)) + MEM_PAGE_BYTES);
            page_follows(node, owner, r, at, next);
        }
    }
}

void mem_ni_write(struct mem_node *node, uintptr_t addr, const void *in, uint64_t bytes,
                  uint32_t writer, double at_s)
{
    if (!bytes) return;
    struct mem_values *v = &node->values;
    int64_t at = mem_ticks(node->scale, at_s);
    catch_up(node, at);
    if (v->coherent) {
        snoop_range(node, addr, bytes, COH_SNOOP_OWN, at);
        mem_image_write(v, addr, in, bytes);
        mem_view_write(v, addr, in, bytes, at);
        return;
    }
    uintptr_t step = (uintptr_t)1 << node->domain.line_shift;
    for (int i = 0; i < node->cpus && node->invalidate != MEM_NI_NONE; i++)
        for (uintptr_t line = addr & ~(step - 1); line < addr + bytes; line += step)
            invalidate(&node->seat[i].core, line, writer, at_s);
    mem_values_until(v, at); /* dirty lines that were dropped went to memory first */
    mem_image_write_plain(v, addr, in, bytes);
    mem_image_write(v, addr, in, bytes);
    mem_image_wrote(v, addr, bytes, writer, at);
    view_follows(node, addr, bytes);
}

void mem_ni_read(struct mem_node *node, uintptr_t addr, void *out, uint64_t bytes, double at_s)
{
    if (!bytes) return;
    int64_t at = mem_ticks(node->scale, at_s);
    catch_up(node, at);
    if (node->domain.coherent) snoop_range(node, addr, bytes, COH_SNOOP_READ, at);
    mem_image_read(&node->values, addr, out, bytes);
}

bool mem_ni_missed(struct mem_node *node, uintptr_t addr, uint64_t bytes, double at_s,
                   struct findings_note *note)
{
    int64_t at = mem_ticks(node->scale, at_s);
    if (node->domain.coherent || !bytes) return false;
    catch_up(node, at);
    for (int i = 0; i < node->cpus; i++) {
        uintptr_t first;
        note->bytes = mem_own_unpublished(&node->seat[i].core.own, addr, bytes, at, &first);
        if (!note->bytes) continue;
        const struct mem_registration *reg = mem_registration_at(&node->values, first);
        note->segment = reg ? reg->id : -1;
        note->offset = reg ? first - reg->base : 0;
        note->writer = op_writer_id(node->seat[i].cpu.rank, "store", 0);
        return true;
    }
    return false;
}

void mem_peek(struct mem_node *node, const struct mem_cpu *agent, uintptr_t addr, void *out,
              uint64_t bytes, double at_s)
{
    catch_up(node, mem_ticks(node->scale, at_s));
    if (agent && node->domain.coherent)
        memcpy(out, (const void *)addr, bytes);
    else
        mem_image_read(&node->values, addr, out, bytes);
}
