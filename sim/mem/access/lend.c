/* lend: pages of segments that are played as private ones for a while: see lend.h. */
#include "mem/access/lend.h"
#include "mem/access/quiet.h"

/* Played otherwise before a page is lent at all: where somebody looks after every few accesses, to
 * compare pages would take longer than it saves. And again when one could not be lent, and between
 * two without coherence, where a payment after every millisecond gives all back. */
enum { BEFORE = 32, AGAIN = 64, BETWEEN = 8 };
/* Bytes on their way that are looked at one by one at most, and words of a page; what is compared
 * at once. */
enum { FEW = 64, PIECE = 512 };

/* ---- do view and memory agree? --------------------------------------------------------------- */

static bool is_behind(const struct mem_region *r, uintptr_t page)
{
    static const uint8_t none[MEM_PAGE_BYTES / 8];
    return r->behind && memcmp(r->behind + ((page >> 3) - (r->base >> 3)), none, sizeof none) != 0;
}
static bool is_own(const struct mem_own *own, const struct mem_region *r, uintptr_t from)
{
    for (uintptr_t a = from; a < from + 8; a++)
        if (*(const uint8_t *)a != r->image[a - r->base] && !mem_byte_own(own, r, a)) return false;
    return true;
}
/* But for bytes of the processor's own? False: or there are too many of them. What had reached
 * memory a quantum before its last store has; nobody looks at it at an earlier date. */
static bool agree_but_own(struct mem_core *core, const struct mem_region *r, uintptr_t page)
{
    struct mem_own *own = &core->own;
    const struct mem_posted_queue *q = &own->posted;
    int differ = 0;
    mem_posted_apply(own, own->stored - core->node->domain.quantum);
    if (is_behind(r, page) || q->end - q->first > FEW) return false;
    for (uintptr_t a = page, end; a < page + MEM_PAGE_BYTES; a = end) {
        end = a + PIECE;
        if (memcmp((const void *)a, r->image + (a - r->base), PIECE) == 0) continue;
        for (; a < end; a += 8) {
            if (mem_same_bytes((const void *)a, r->image + (a - r->base), 8)) continue;
            if (++differ > FEW || !is_own(own, r, a)) return false;
        }
    }
    return true;
}
/* Altogether? Nobody asks by which date memory has the bytes. */
static bool agree(struct mem_core *core, const struct mem_region *r, uintptr_t page)
{
    mem_posted_apply(&core->own, INT64_MAX / 2);
    return memcmp((const void *)page, r->image + (page - r->base), MEM_PAGE_BYTES) == 0;
}

/* ---- a page is lent -------------------------------------------------------------------------- */

static bool may_lend(const struct mem_core *core, bool stores)
{
    const struct mem_node *node = core->node;
    const struct mem_cpu *cpu = core->cpu;
    if (!cpu->unobserved || mem_watched || core->for_writing) return false;
    if (node->cpus > 1 || node->pool) return false;
    if (!node->domain.coherent && node->values.writes_back) return false;
    return !stores || (node->domain.coherent && cpu->quiet && !cpu->foreign.pc && !cpu->foreign.n);
}

static void add(struct mem_core *core, uintptr_t page, const struct mem_region *r)
{
    struct mem_lending *l = &core->lending;
    if (l->pages == l->room) {
        l->room = MAX(2 * l->room, 64);
        l->page = g_renew(struct mem_lent, l->page, l->room);
    }
    l->page[l->pages++] =
        (struct mem_lent){(uint64_t)page >> MEM_PAGE_BITS, r->image + (page - r->base)};
}

bool mem_lend(struct mem_core *core, uintptr_t addr, uint64_t where, bool stores)
{
    struct mem_values *v = &core->node->values;
    const uintptr_t page = addr & ~(uintptr_t)(MEM_PAGE_BYTES - 1);
    if (where & (stores ? MEM_PAGE_LENT_STORES : MEM_PAGE_LENT)) return !core->for_writing;
    if (!may_lend(core, stores)) return false;
    if (core->lending.soon > 0) {
        core->lending.soon--;
        return false;
    }
    const struct mem_region *r = mem_region_find(v, addr, addr + 1);
    if (!r || page < r->base || page + MEM_PAGE_BYTES > r->end) return false;
    /* of a segment's stores the run is to know where one was (mem_store_noted) */
    if (stores && r->rank == core->cpu->rank && !r->stored) return false;
    mem_deferred_commit(&core->own);
    if (stores) mem_quiet_lines_end(core);
    if (stores ? !agree(core, r, page) : !v->coherent && !agree_but_own(core, r, page)) {
        core->lending.soon = AGAIN;
        return false;
    }
    uint64_t *flags = &mem_page_known(&core->peer.pages, (uint64_t)addr >> MEM_PAGE_BITS)->where;
    if (!(*flags & MEM_PAGE_LENT)) add(core, page, r);
    *flags |= MEM_PAGE_LENT | (stores ? MEM_PAGE_LENT_STORES : 0);
    core->lending.stores += stores;
    if (stores) mem_quiet_widen(core);
    if (!v->coherent) core->lending.soon = BETWEEN;
    return true;
}

/* ---- and given back -------------------------------------------------------------------------- */

/* Where a library is called, arguments are in the registers of floating point. */
MEM_WITHOUT_FLOATS static void copy_page(uint8_t *to, const uint8_t *from)
{
    uint64_t words = MEM_PAGE_BYTES / 8;
    __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words)::"memory");
}
MEM_WITHOUT_FLOATS static uint64_t *where_of(const struct mem_pages *p, uint64_t host)
{
    uint64_t i = ((host >> 3) * UINT64_C(0x9e3779b97f4a7c15)) >> (p->shift + 3) << 3 | (host & 7);
    while (p->page[i].host != host) i = (i + 1) & (~UINT64_C(0) >> p->shift);
    return &p->page[i].where;
}
/* The shortcuts forget the pages, or that stores there are private. */
MEM_WITHOUT_FLOATS static void give_back(struct mem_core *core, uint64_t flags)
{
    struct mem_lending *l = &core->lending;
    struct mem_filter *f = &core->cpu->filter;
    for (size_t i = 0; i < l->pages; i++) {
        const uint64_t host = l->page[i].host;
        struct mem_near *near = &core->near[host & core->last_near];
        uint64_t *where = where_of(&core->peer.pages, host);
        if (*where & MEM_PAGE_LENT_STORES)
            copy_page(l->page[i].image, (const uint8_t *)(host << MEM_PAGE_BITS));
        *where &= ~flags;
        if (near->host != host) continue;
        near->stores = near->held = 0;
        if (flags & MEM_PAGE_LENT) near->host = 0;
    }
    l->stores = 0;
    for (size_t i = 0; i < MEM_FILTER; i++) f->store_ok[i] = ~UINT64_C(0);
    for (size_t i = 0; core->holds && i < 1 << MEM_HELD_LOG2; i++) core->held[i].unlike = 0;
    core->holds = false;
}

void mem_lend_end(struct mem_core *core)
{
    if (!core->lending.pages) return;
    give_back(core, MEM_PAGE_LENT | MEM_PAGE_LENT_STORES);
    core->lending.pages = 0;
    mem_filter_clear(&core->cpu->filter);
}

/* ---- and so are lines, where the processor is observed again ----------------------------------
 */

MEM_WITHOUT_FLOATS void mem_quiet_end(struct mem_cpu *cpu)
{
    struct mem_core *core = cpu->core;
    struct mem_quiet *q = core ? &core->quiet : NULL;
    if (!q || !q->wide) return;
    mem_quiet_lines_end(core);
    if (core->lending.stores) give_back(core, MEM_PAGE_LENT_STORES);
    q->wide = false;
    cpu->foreign.low = q->low;
    cpu->foreign.bytes = q->bytes;
}

void mem_unobserved(struct mem_cpu *cpu, bool is)
{
    if (cpu->unobserved && !is) {
        mem_quiet_end(cpu);
        mem_lend_end(cpu->core);
        mem_filter_clear(&cpu->filter);
    } else if (is && !cpu->unobserved) {
        cpu->core->lending.soon = BEFORE;
    }
    cpu->unobserved = is;
}
