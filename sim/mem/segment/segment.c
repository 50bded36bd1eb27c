/* segment: segments come and go: their bytes get an image (values), their pages a number that the
 * node's processors share (address), and the fast paths forget what they knew. */
#include "mem/segment/segment.h"
#include "mem/access/lend.h"

/* Private lines that become a segment's, or the other way, must not be answered by the filters. */
static void pages_change(struct mem_node *node)
{
    for (int i = 0; i < node->cpus; i++) {
        struct mem_core *core = &node->seat[i].core;
        mem_deferred_commit(&core->own);
        mem_quiet_end(core->cpu);
        mem_lend_end(core);
        mem_fold_counts(core);
        mem_filter_clear(&node->seat[i].cpu.filter);
        node->seat[i].cpu.changes++;
        mem_forget_rows(&node->seat[i].cpu, 0, UINTPTR_MAX);
        mem_near_clear(core);
        core->buffer.newest = &core->buffer.none;
    }
}

/* The lines of a page, by that number, which the processor holds: it forgets them, or stands in the
 * directory for them. */
static void renumber(struct mem_core *core, uint64_t where, bool forget)
{
    struct mem_cache *last = core->peer.levels.last;
    uint64_t model = mem_model(where, 0);
    if (!last) return;
    for (uint64_t a = model; a < model + MEM_PAGE_BYTES; a += UINT64_C(1) << last->shift) {
        struct mem_line *e = mem_cache_find(last, a);
        if (e && forget)
            mem_line_drop(&core->peer, e, MEM_DROP_EVICTED, false, mem_date(core->cpu));
        else if (e)
            mem_sharer_set(&core->peer, where, a);
    }
}

/* This page holds bytes of a segment. */
static void mark(struct mem_node *node, uintptr_t addr, struct mem_core *owner)
{
    struct mem_shared_pages *pages = &node->domain.pages;
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    uint64_t own = mem_page_where(&owner->peer.pages, addr);
    guint index;
    if (node->cpus == 1) {
        struct mem_page *page = mem_page_known(&owner->peer.pages, host);
        page->where = (page->where & ~(uint64_t)MEM_PAGE_ABSENT) | MEM_PAGE_SEGMENT;
        return;
    }
    const bool known = own & MEM_PAGE_SHARED;
    if (known) {
        index = (guint)mem_page_index(own);
        mem_page_shared_at(pages, index)->segment = true;
    } else {
        index = mem_page_share(pages, host, own);
        mem_directory_add(&node->domain);
    }
    uint64_t where = mem_page_shared_where(pages, index);
    for (int i = 0; i < node->cpus; i++) {
        struct mem_core *core = &node->seat[i].core;
        struct mem_page *page = mem_page_known(&core->peer.pages, host);
        if (!page) continue;
        if (page->where >> 32 != where >> 32) /* it has numbered the page for itself */
            renumber(core, page->where, true);
        else if (!known)
            renumber(core, where, false);
        page->where = where;
    }
}

static void unmark(struct mem_node *node, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    for (int i = 0; i < node->cpus; i++) {
        struct mem_page *page = mem_page_known(&node->seat[i].core.peer.pages, host);
        if (!page) continue;
        page->where &= ~(uint64_t)MEM_PAGE_SEGMENT;
        if (page->where & MEM_PAGE_SHARED)
            mem_page_shared_at(&node->domain.pages, mem_page_index(page->where))->segment = false;
    }
}

static void set_bounds(struct mem_node *node)
{
    const struct mem_values *v = &node->values;
    for (int i = 0; i < node->cpus; i++) {
        struct mem_foreign *f = &node->seat[i].cpu.foreign;
        f->low = v->regions ? v->region[0].base : 0;
        f->bytes = v->regions ? v->region[v->regions - 1].end - f->low : 0;
    }
}

MEM_WITHOUT_FLOATS bool mem_foreign_segment(const struct mem_cpu *cpu, uintptr_t addr)
{
    const struct mem_values *v = &cpu->core->node->values;
    size_t from = 0, to = v->regions;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (addr >= v->region[middle].end)
            from = middle + 1;
        else
            to = middle;
    }
    return from < v->regions && addr >= v->region[from].base;
}

void mem_segment_add(struct mem_node *node, int id, uintptr_t addr, uint64_t bytes)
{
    const struct op_segment *segment = op_segment(id);
    int rank = segment ? segment->rank : -1;
    if (bytes) pages_change(node);
    if (!mem_registration_add(&node->values, id, rank, addr, bytes)) return;
    set_bounds(node);
    struct mem_core *owner = mem_owner(node, rank);
    for (uintptr_t page = addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1); page < addr + bytes;
         page += MEM_PAGE_BYTES)
        mark(node, page, owner);
}

double mem_segment_remove(struct mem_node *node, int id)
{
    pages_change(node);
    struct mem_registration gone = mem_registration_remove(&node->values, id);
    set_bounds(node);
    for (uintptr_t page = gone.base & ~(uintptr_t)(MEM_PAGE_BYTES - 1); page < gone.end;
         page += MEM_PAGE_BYTES)
        if (!mem_region_find(&node->values, page, page + MEM_PAGE_BYTES)) unmark(node, page);
    return gone.restored ? node->values.restore_s : 0;
}

int mem_segment_at(const struct mem_node *node, uintptr_t addr)
{
    const struct mem_registration *reg = mem_registration_at(&node->values, addr);
    return reg ? reg->id : -1;
}

static void border(uintptr_t at, uintptr_t addr, uintptr_t *from, uintptr_t *to)
{
    if (at <= addr) *from = MAX(*from, at);
    if (at > addr) *to = MIN(*to, at);
}

void mem_segment_around(const struct mem_node *node, uintptr_t addr, uintptr_t *from, uintptr_t *to)
{
    const struct mem_values *v = &node->values;
    const size_t place = mem_region_place(v, addr);
    const struct mem_region *r = place < v->regions ? &v->region[place] : NULL;
    if (place > 0) border(v->region[place - 1].end, addr, from, to);
    if (r) border(r->base, addr, from, to);
    for (const struct mem_registration *reg = r ? r->first : NULL; reg; reg = reg->next) {
        border(reg->base, addr, from, to);
        border(reg->end, addr, from, to);
    }
}

void mem_segment_protect(struct mem_node *node, int id)
{
    mem_registration_of(&node->values, id)->protected = node->values.restores;
}

double mem_segment_restore(const struct mem_node *node, int id)
{
    return node->subword ? mem_registration_restore(&node->values, id) : 0;
}

void mem_segment_stored_to(struct mem_node *node, int rank, uintptr_t addr, uint64_t bytes,
                           uintptr_t pc)
{
    struct mem_values *v = &node->values;
    struct mem_region *r = mem_region_find(v, addr, addr + bytes);
    for (; r; r = mem_region_next(v, r, addr + bytes))
        if (r->rank == rank) r->stored = pc;
}

/* The piece of memory, if it is this segment alone. */
static struct mem_region *alone(const struct mem_node *node, int id)
{
    const struct mem_values *v = &node->values;
    const struct mem_registration *reg = mem_registration_of(v, id);
    if (!reg || reg->base == reg->end) return NULL;
    struct mem_region *r = &v->region[mem_region_place(v, reg->base)];
    return r->base == reg->base && r->end == reg->end ? r : NULL;
}

void mem_segment_synchronised(struct mem_node *node, int id)
{
    struct mem_region *r = alone(node, id);
    if (r) r->stored = 0;
}

uintptr_t mem_segment_stored(const struct mem_node *node, int id)
{
    const struct mem_region *r = alone(node, id);
    return r ? r->stored : 0;
}

void mem_pool(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool there)
{
    struct mem_node *node = cpu->core->node;
    if (!node->pool) return;
    for (uintptr_t at = addr; at < addr + bytes; at += MEM_PAGE_BYTES) {
        uint64_t host = (uint64_t)at >> MEM_PAGE_BITS;
        guint index;
        mem_page_where(&cpu->core->peer.pages, at);
        struct mem_shared_page *known = mem_page_shared(&node->domain.pages, host, &index);
        if (known) known->pool = there;
        for (int i = 0; i < node->cpus; i++) {
            struct mem_page *page = mem_page_known(&node->seat[i].core.peer.pages, host);
            if (!page) continue;
            page->where &= ~(uint64_t)MEM_PAGE_POOL;
            if (there) page->where |= MEM_PAGE_POOL;
        }
    }
    for (int i = 0; i < node->cpus; i++) mem_near_clear(&node->seat[i].core);
}

void mem_share(struct mem_node *node, int rank, uintptr_t addr, uint64_t bytes)
{
    if (node->cpus == 1) return;
    pages_change(node);
    struct mem_core *owner = mem_owner(node, rank);
    for (uintptr_t page = addr; page < addr + bytes; page += MEM_PAGE_BYTES) {
        mark(node, page, owner);
        if (!mem_region_find(&node->values, page, page + MEM_PAGE_BYTES)) unmark(node, page);
    }
}
