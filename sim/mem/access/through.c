/* through: a store that no level keeps goes to memory: by the write buffer, or at once where there
 * is none.
 *
 * Sub-word stores (cpu.subword = rmw8; Alpha 21064 has none shorter than 4 bytes): the 8 bytes
 * around are read and written back with the store. On a coherent node other copies go and the bus
 * carries the bytes; those of segments are posted at once (access.c), and this is time only.
 */
#include "mem/access/line.h"

/* The quadword's other bytes, as the processor sees them now: from its cache or write buffer, which
 * the price covers, else from memory. The read counts as part of the store; it does not bring the
 * line into the cache. */
static int64_t read_around(struct mem_core *core, const struct mem_access *a, uintptr_t quad,
                           int64_t now)
{
    const struct mem_levels *l = &core->peer.levels;
    mem_buffer_advance(&core->buffer, now); /* what is written by now covers nothing */
    if ((l->last && mem_cache_find(l->last, a->model)) ||
        (core->buffer.entries && mem_buffer_covers(&core->buffer, quad, 8)))
        return now;
    core->cpu->missed.around++;
    int64_t done = mem_read_line(core, a->model, now) - core->first_hit;
    if (a->segment) mem_view_catch_up(&core->own, quad, 8);
    return MAX(done, now);
}

/* Neighbours outside every segment are ignored. */
static void clip(struct mem_values *v, const struct mem_access *a, uintptr_t *from, uintptr_t *to)
{
    while (*from < a->addr && !mem_region_find(v, *from, *from + 1)) ++*from;
    while (*to > a->addr + a->bytes && !mem_region_find(v, *to - 1, *to)) --*to;
}

/* Which bytes of [from, from + n), a segment's, does the program itself store? n <= 64. Those as
 * well that code which nobody instrumented has stored before: put back, they would be as they
 * should be, and nobody would find them any more. */
static uint64_t stored_bits(const struct mem_core *core, const struct mem_access *a, uintptr_t from,
                            unsigned n)
{
    uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
    if (from >= a->addr && from + n <= a->addr + a->bytes) return all;
    uint64_t bits = mem_unseen_bits(&core->own, from, n);
    for (unsigned i = 0; i < n; i++)
        if (from + i >= a->addr && from + i < a->addr + a->bytes) bits |= UINT64_C(1) << i;
    return bits;
}

/* No buffer: the processor waits until memory has the bytes. */
static int64_t at_once(struct mem_core *core, const struct mem_access *a, uintptr_t from,
                       uintptr_t to, op_site site, int64_t now)
{
    int64_t done = mem_dram_occupy(&core->peer.port, now, core->buffer.retire);
    for (; a->segment && from < to; from += 64) {
        unsigned n = (unsigned)MIN(to - from, 64);
        uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
        mem_posted_push(&core->own, from, n, NULL, all & ~stored_bits(core, a, from, n), site,
                        done);
    }
    return done;
}

static int64_t to_buffer(struct mem_core *core, const struct mem_access *a, uintptr_t from,
                         uintptr_t to, op_site site, int64_t now)
{
    struct mem_write_buffer *b = &core->buffer;
    while (from < to) {
        uint64_t host = from >> b->shift, end = MIN(to, (host + 1) << b->shift);
        unsigned at = (unsigned)(from - (host << b->shift)), bytes = (unsigned)(end - from);
        uint64_t mask = (bytes < 64 ? (UINT64_C(1) << bytes) - 1 : ~UINT64_C(0)) << at;
        struct mem_entry *e = mem_buffer_find(b, host);
        if (!e) e = mem_buffer_open(b, host, a->model, &now);
        e->mask |= mask;
        if (a->segment) {
            e->segment = true;
            mem_buffered_store(&core->own, e->index, (uintptr_t)(host << b->shift), mask,
                               stored_bits(core, a, from, bytes) << at, site);
        }
        b->newest = b->merges ? e : &b->none;
        if (e->mask == b->full || !b->hold) mem_buffer_complete(b, e, now);
        from = end;
    }
    return now;
}

static int64_t write_out(struct mem_core *core, const struct mem_access *a, uintptr_t from,
                         uintptr_t to, op_site site, int64_t now)
{
    return core->buffer.entries ? to_buffer(core, a, from, to, site, now)
                                : at_once(core, a, from, to, site, now);
}

static int64_t coherently(struct mem_core *core, const struct mem_access *a, int64_t now)
{
    struct mem_domain *d = core->peer.domain;
    struct mem_access timed = *a;
    timed.segment = false;
    mem_snoop(d, &core->peer, a->where, a->model, COH_SNOOP_OWN, now);
    if (d->bus) mem_resource_book(&d->resource, now, d->slot, a->bytes);
    return write_out(core, &timed, a->addr, a->addr + a->bytes, 0, now);
}

/* Less than a longword (4 bytes): the quadword (8) around it. */
static int64_t with_neighbours(struct mem_core *core, const struct mem_access *a, op_site site,
                               int64_t now)
{
    uintptr_t from = a->addr, to = a->addr + a->bytes;
    uintptr_t first = a->addr & ~(uintptr_t)7, last = (to - 1) & ~(uintptr_t)7;
    bool head = a->addr & 3, tail = to & 3;
    if (head) {
        now = read_around(core, a, first, now);
        from = first;
        to = MAX(to, first + 8);
    }
    if (tail) {
        if (!head || last != first) now = read_around(core, a, last, now);
        from = MIN(from, last);
        to = last + 8;
    }
    if (a->segment) clip(&core->node->values, a, &from, &to);
    return write_out(core, a, from, to, a->segment ? site : 0, now);
}

int64_t mem_store_through(struct mem_core *core, const struct mem_access *a, op_site site,
                          int64_t now)
{
    if (core->peer.domain->coherent) return coherently(core, a, now);
    mem_buffer_expire(&core->buffer, now);
    if (core->node->subword && ((a->addr | a->bytes) & 3))
        return with_neighbours(core, a, site, now);
    return write_out(core, a, a->addr, a->addr + a->bytes, 0, now);
}
