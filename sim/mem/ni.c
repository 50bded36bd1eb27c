/* ni: the network interface reads and writes main memory without a processor.
 *
 * Without coherence it changes the image; what becomes of cached lines is ni.invalidate: nothing;
 * whatever lies at that cache index, related or not (the T3D's invalidate port takes an index, not
 * an address: Arpaci et al., ISCA 1995); or the line. With coherence the interface snoops like a
 * processor and the view follows. Left out: the time of a read-modify-write of a put's ragged edge
 * words, which nothing can interrupt here.
 */
#include "core.h"
#include "findings/findings.h"

/* Bytes whose time has come are in memory before the interface looks at it. */
static void catch_up(struct mem_node *node, int64_t at)
{
    for (int i = 0; i < node->cpus; i++) {
        mem_carry(&node->core[i]);
        mem_wb_advance(&node->core[i], at);
    }
    mem_out_apply(node, at);
}

static void note_victim(struct mem_core *core, const struct mem_line *e, uint32_t writer,
                        double at_s)
{
    struct mem_node *node = core->node;
    uintptr_t addr = (uintptr_t)(e->host << node->last_shift);
    const struct mem_registration *reg = NULL;
    struct mem_region *r = mem_region_find(node, addr, addr + ((uintptr_t)1 << node->last_shift));
    if (r) reg = mem_registration_at(node, MAX(addr, r->base), false);
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
    struct mem_node *node = core->node;
    if (!core->levels) return;
    struct mem_cache *last = &core->cache[core->levels - 1];
    uint64_t model = mem_model(mem_page_where(core, addr), addr), line = model >> last->shift;
    switch (node->invalidate) {
    case MEM_NI_NONE: return;
    case MEM_NI_ADDRESS: {
        struct mem_line *e = mem_cache_find(last, model);
        if (e) mem_cache_drop_line(core, e, MEM_DROP_KILLED, false);
        return;
    }
    case MEM_NI_INDEX:
        for (uint32_t w = 0; w < last->ways; w++) {
            struct mem_line *e = last->line + (line & last->set_mask) * last->ways + w;
            if (e->key == MEM_LINE_EMPTY) continue;
            if (e->key >> 8 != line) note_victim(core, e, writer, at_s);
            mem_cache_drop_line(core, e, MEM_DROP_KILLED, false);
        }
        return;
    }
}

/* The interface's transactions on the node's bus, line by line. */
static void snoop_range(struct mem_node *node, uintptr_t addr, uint64_t bytes, enum coh_event event,
                        int64_t at)
{
    uintptr_t line = addr >> node->last_shift << node->last_shift,
              step = (uintptr_t)1 << node->last_shift;
    for (; line < addr + bytes; line += step) {
        if (node->bus) mem_bus_book(node, at, node->slot, step);
        /* the copies are updated in place */
        if (event == COH_SNOOP_OWN && node->invalidate == MEM_NI_NONE) continue;
        gpointer known =
            node->cpus > 1
                ? g_hash_table_lookup(node->shared_index, GSIZE_TO_POINTER(line >> MEM_PAGE_BITS))
                : NULL;
        if (node->cpus > 1 && !known) continue; /* nobody can hold it as another's */
        struct mem_core *any = node->core;
        uint64_t where = mem_page_where(any, line);
        mem_snoop(node, NULL, where, mem_model(where, line), event);
    }
}

/* Bytes that a processor of a coherent node has stored later than `at` stay. */
static void write_view(struct mem_node *node, uintptr_t addr, const uint8_t *in, uint64_t bytes,
                       int64_t at)
{
    bool later = false;
    for (int i = 0; i < node->cpus && !later; i++) {
        const struct mem_core *core = &node->core[i];
        for (size_t k = core->outbox.first; k < core->outbox.end; k++) {
            const struct mem_out *out = &core->outbox.out[k];
            if (out->at > at && out->addr < addr + bytes && addr < out->addr + out->bytes)
                later = true;
        }
    }
    if (!later) {
        memcpy((void *)addr, in, bytes);
        return;
    }
    for (uint64_t b = 0; b < bytes; b++) {
        bool keep = false;
        for (int i = 0; i < node->cpus; i++) {
            const struct mem_core *core = &node->core[i];
            for (size_t k = core->outbox.first; k < core->outbox.end; k++) {
                const struct mem_out *out = &core->outbox.out[k];
                if (out->at > at && addr + b >= out->addr && addr + b < out->addr + out->bytes)
                    keep = true;
            }
        }
        if (!keep) *(uint8_t *)(addr + b) = in[b];
    }
}

void mem_ni_write(struct mem_node *node, uintptr_t addr, const void *in, uint64_t bytes,
                  uint32_t writer, double at_s)
{
    if (!bytes) return;
    int64_t at = mem_ticks(node, at_s);
    catch_up(node, at);
    uintptr_t to = addr + bytes;
    if (node->coherent) {
        snoop_range(node, addr, bytes, COH_SNOOP_OWN, at);
        mem_image_write(node, addr, in, bytes);
        write_view(node, addr, in, bytes, at);
        return;
    }
    if (node->invalidate != MEM_NI_NONE)
        for (int i = 0; i < node->cpus; i++)
            for (uintptr_t line = addr >> node->last_shift << node->last_shift; line < to;
                 line += (uintptr_t)1 << node->last_shift)
                invalidate(&node->core[i], line, writer, at_s);
    mem_out_apply(node, at); /* dirty lines that were dropped went to memory first */
    const uint8_t *bytes_in = in;
    uintptr_t done = addr;
    for (struct mem_region *r = mem_region_find(node, addr, to); r;
         r = mem_region_next(node, r, to)) {
        /* plain memory between */
        if (r->base > done) memmove((void *)done, bytes_in + (done - addr), r->base - done);
        done = MIN(to, r->end);
    }
    if (done < to) memmove((void *)done, bytes_in + (done - addr), to - done);
    mem_image_write(node, addr, in, bytes);
    mem_image_wrote(node, addr, bytes, writer, at);
}

/* Main memory's bytes: the image of a segment, or plain memory. */
static void read_memory(struct mem_node *node, uintptr_t addr, uint8_t *to, uint64_t bytes)
{
    uintptr_t done = addr, end = addr + bytes;
    for (struct mem_region *r = mem_region_find(node, addr, end); r;
         r = mem_region_next(node, r, end)) {
        if (r->base > done) memcpy(to + (done - addr), (const void *)done, r->base - done);
        done = MAX(done, r->base);
        uintptr_t stop = MIN(end, r->end);
        memcpy(to + (done - addr), r->image + (done - r->base), stop - done);
        done = stop;
    }
    if (done < end) memcpy(to + (done - addr), (const void *)done, end - done);
}

void mem_ni_read(struct mem_node *node, uintptr_t addr, void *out, uint64_t bytes, double at_s)
{
    if (!bytes) return;
    int64_t at = mem_ticks(node, at_s);
    catch_up(node, at);
    if (node->coherent) snoop_range(node, addr, bytes, COH_SNOOP_READ, at);
    read_memory(node, addr, out, bytes);
}

void mem_peek(struct mem_node *node, const struct mem_cpu *hands, uintptr_t addr, void *out,
              uint64_t bytes, double at_s)
{
    catch_up(node, mem_ticks(node, at_s));
    if (hands && node->coherent)
        memcpy(out, (const void *)addr, bytes);
    else
        read_memory(node, addr, out, bytes);
}
