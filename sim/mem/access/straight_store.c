/* straight_store: stores of the simplest processors: see straight.c. */
#include "mem/access/quiet.h"
#include "mem/access/straight.h"

/* A store has filled the entry. Nobody waits for that: one behind the oldest leaves with it. */
static __attribute__((noinline)) void close_full(struct mem_core *core, const struct mem_entry *e,
                                                 const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    if (core->buffer.queue[MEM_ENTRY_OPEN].first != e) return;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    mem_buffer_complete(&core->buffer, e, now);
}

/* A store to an entry that is open, or to a new one (NULL); returns how long the processor waited
 * for it. */
static inline __attribute__((always_inline)) int64_t store_into(struct mem_core *core,
                                                                struct mem_entry *e, uint64_t host,
                                                                uint64_t model, uint64_t bits,
                                                                const struct mem_site *site,
                                                                bool segment)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_write_buffer *b = &core->buffer;
    int64_t asked = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest), now = asked;
    if (!e) e = mem_buffer_open(b, host, model, &now);
    e->mask |= bits;
    if (segment) {
        e->segment = true;
        mem_buffered_store(&core->own, e->index, (uintptr_t)(host << b->shift), bits, bits, 0);
    }
    b->newest = e;
    if (e->mask == b->full || !b->hold) mem_buffer_complete(b, e, now);
    if (now == asked) return 0;
    mem_flight_shift(cpu->flight, now - asked);
    cpu->ledger.memory += now - asked;
    return now - asked;
}

/* A store that does not find the line in the first level. False: it has no row. */
static inline bool note_store_miss(struct mem_core *core, uintptr_t addr, uintptr_t pc)
{
    struct profile_stall *row = mem_row_at(core->cpu, addr, pc);
    if (!row) return false;
    row->store = true;
    core->peer.levels.level[0].count.store_misses++;
    profile_missed(row, core->cpu->rank, addr);
    return true;
}

/* A store that the second level keeps, if it has the line for itself. */
static __attribute__((noinline)) int64_t store_below(struct mem_core *core, uintptr_t addr,
                                                     uint64_t bytes, uint64_t model, uintptr_t pc,
                                                     const struct mem_site *site)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    struct mem_line *keeps = mem_cache_find(next, model);
    uint64_t host = (uint64_t)addr >> first->shift;
    if ((addr + bytes - 1) >> first->shift != host || !keeps) return -1;
    const bool has = first_has(first, model);
    if (!has && !mem_row_at(core->cpu, addr, pc)) return -1;
    if (!(keeps->key & MEM_LINE_DIRTY || mem_ask_own(core, site, keeps, addr, pc))) return -1;
    if (has)
        mem_filter_stored(&core->cpu->filter, host);
    else
        note_store_miss(core, addr, pc);
    if (next->ordered) mem_cache_used(&core->peer.levels, next, keeps);
    return 0;
}

/* The bytes of an entry that a store is about. */
static inline uint64_t bits_of(const struct mem_write_buffer *b, uintptr_t addr, uint64_t bytes)
{
    static const uint32_t ones[32] = {0,     1,      3,      7,      0xf,   0x1f,
                                      0x3f,  0x7f,   0xff,   0x1ff,  0x3ff, 0x7ff,
                                      0xfff, 0x1fff, 0x3fff, 0x7fff, 0xffff};
    return (uint64_t)ones[bytes] << (addr & b->inside);
}
/* Does the buffer take the store as it is, in one piece? One of whole words that lies at a multiple
 * of its size is in a piece of 16 bytes (node.c: stores_simply), as others may be. */
static inline bool is_piece(const struct mem_node *node, uintptr_t addr, uint64_t bytes)
{
    if (MEM_LIKELY(!((bytes & 3) | (addr & (bytes - 1))))) return true;
    return !((addr ^ (addr + bytes - 1)) >> node->piece_shift) &&
           !(node->subword && (addr | bytes) & 3);
}

/* One more store into an open entry of a segment. */
static inline int64_t segment_merge(struct mem_core *core, struct mem_entry *e, uint64_t bits,
                                    int64_t now)
{
    struct mem_buffered *buffered = &core->own.buffered[e->index];
    buffered->mask |= bits;
    buffered->stored |= bits;
    mem_buffered_late(&core->own, buffered);
    e->mask |= bits;
    if (e->mask == core->buffer.full) mem_buffer_complete(&core->buffer, e, now);
    return 0;
}

/* A store to a segment: the second level keeps it, which has the line for itself, and memory gets
 * the bytes by its date; or the write buffer takes it. */
static __attribute__((noinline)) int64_t segment_store(struct mem_core *core,
                                                       const struct mem_near_segment *near,
                                                       uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                                       const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    struct mem_write_buffer *b = &core->buffer;
    uint64_t model = mem_model(near->where, addr), host = (uint64_t)addr >> b->shift;
    const struct mem_line *keeps = next ? mem_cache_find(next, model) : NULL;
    if (next ? !keeps || !(keeps->key & MEM_LINE_DIRTY) || near->image
             : !is_piece(core->node, addr, bytes))
        return -1;
    if ((addr + bytes - 1) >> first->shift != (uint64_t)addr >> first->shift) return -1;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    if (!mem_may_lead(core, near->where, addr, now)) return -1;
    if (next && mem_line_comes(core, near->where, model, now)) return -1;
    if (!first_has(first, model) && !note_store_miss(core, addr, pc)) return -1;
    core->own.stored = now;
    mem_near_stored(core, near, pc);
    if (next) {
        mem_deferred_commit(&core->own);
        if (next->ordered) mem_cache_used(&core->peer.levels, next, keeps);
        if (mem_quiet_store(core, addr)) {
            if (next->ways == 1) mem_quiet_at(core, near->where, addr, keeps);
            return 0;
        }
        mem_deferred_begin(&core->own, addr, bytes);
        mem_posted_push(&core->own, addr, bytes, NULL, 0, 0, mem_store_seen(core, now));
        return 0;
    }
    uint64_t bits = bits_of(b, addr, bytes);
    struct mem_entry *e = mem_buffer_find(b, host);
    if (e && e->segment) {
        b->newest = e;
        mem_deferred_merge(&core->own, &core->own.buffered[e->index], addr, bytes);
        return segment_merge(core, e, bits, now);
    }
    mem_deferred_begin(&core->own, addr, bytes);
    return store_into(core, e, host, model, bits, site, true);
}

/* What is not that simple; how long the processor waited; -1: nothing was done. */
static int64_t store_elsewhere(struct mem_core *core, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                               const struct mem_site *site)
{
    uint64_t model;
    if (mem_page_near_store(core, addr, &model) || mem_lends(core, addr, true, &model))
        return core->peer.levels.level[0].next ? store_below(core, addr, bytes, model, pc, site)
                                               : -1;
    const struct mem_near_segment *near = mem_segment_near(core, addr);
    return near ? segment_store(core, near, addr, bytes, pc, site) : -1;
}
static __attribute__((noinline)) void store_further(uintptr_t addr, uint32_t what,
                                                    struct mem_cpu *cpu,
                                                    const struct mem_site *site, uintptr_t pc)
{
    int64_t stall = store_elsewhere(cpu->core, addr, what & MEM_ASK_BYTES, pc, site);
    if (stall < 0)
        mem_above.store(addr, what, cpu, site, pc);
    else if (stall > 0)
        mem_above.waited(cpu, stall, addr, pc);
}

/* Has the first level the line that an entry's bytes are of? They are of one. */
static inline bool holds_entry(const struct mem_cpu *cpu, const struct mem_entry *e, uintptr_t addr)
{
    return slot_has(&cpu->core->peer.levels.level[0],
                    mem_cache_slot(&cpu->core->peer.levels.level[0], e->model), addr);
}

/* A store that no entry is open for, or not known to be. */
static __attribute__((noinline)) void store_new(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                const struct mem_site *site, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    const struct mem_write_buffer *b = &core->buffer;
    const uint64_t bytes = what & MEM_ASK_BYTES, host = (uint64_t)addr >> b->shift;
    uint64_t model;
    struct mem_entry *e = mem_buffer_find(b, host);
    if ((e && e->segment) || !mem_page_near_store(core, addr, &model) ||
        !is_piece(core->node, addr, bytes) ||
        !(first_has(&core->peer.levels.level[0], model) || note_store_miss(core, addr, pc))) {
        store_further(addr, what, cpu, site, pc);
        return;
    }
    int64_t stall = store_into(core, e, host, model, bits_of(b, addr, bytes), site, false);
    if (stall > 0) mem_above.waited(cpu, stall, addr, pc);
}

/* One more store into the open entry of a segment, which takes it in one piece. */
static __attribute__((noinline)) void store_segment_again(uintptr_t addr, uint32_t what,
                                                          struct mem_cpu *cpu,
                                                          const struct mem_site *site, uintptr_t pc,
                                                          struct mem_entry *e)
{
    struct mem_core *core = cpu->core;
    struct mem_write_buffer *b = &core->buffer;
    const struct mem_near_segment *near = mem_segment_place(core, (uint64_t)addr >> MEM_PAGE_BITS);
    const uint64_t bytes = what & MEM_ASK_BYTES;
    bool goes = near->host == (uint64_t)addr >> MEM_PAGE_BITS && near->where;
    int64_t now = 0;
    if (goes) {
        now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
        goes = mem_may_lead(core, near->where, addr, now) &&
               (holds_entry(cpu, e, addr) || note_store_miss(core, addr, pc));
    }
    if (MEM_UNLIKELY(!goes)) {
        store_further(addr, what, cpu, site, pc);
        return;
    }
    core->own.stored = now;
    mem_near_stored(core, near, pc);
    b->newest = e;
    mem_deferred_merge(&core->own, &core->own.buffered[e->index], addr, bytes);
    segment_merge(core, e, bits_of(b, addr, bytes), now);
}
/* The same of a private line that the first level has not got, and of which a row must be asked
 * for. */
static __attribute__((noinline)) void store_again_far(uintptr_t addr, uint32_t what,
                                                      struct mem_cpu *cpu,
                                                      const struct mem_site *site, uintptr_t pc,
                                                      struct mem_entry *e)
{
    struct mem_write_buffer *b = &cpu->core->buffer;
    if (!note_store_miss(cpu->core, addr, pc)) {
        store_further(addr, what, cpu, site, pc);
        return;
    }
    b->newest = e;
    e->mask |= bits_of(b, addr, what & MEM_ASK_BYTES);
    if (e->mask == b->full) close_full(cpu->core, e, site);
}
static __attribute__((noinline)) void close_full_missing(struct mem_core *core,
                                                         const struct mem_entry *e,
                                                         const struct mem_site *site,
                                                         struct profile_stall *row, uintptr_t addr)
{
    profile_missed(row, core->cpu->rank, addr);
    close_full(core, e, site);
}
/* The row is at hand. */
static __attribute__((noinline)) void store_again_missing(uintptr_t addr, uint32_t what,
                                                          struct mem_cpu *cpu,
                                                          const struct mem_site *site, uintptr_t pc,
                                                          struct mem_entry *e)
{
    struct mem_core *core = cpu->core;
    struct mem_write_buffer *b = &core->buffer;
    struct profile_stall *row = mem_row_near(cpu, addr, pc);
    if (MEM_UNLIKELY(!row)) {
        store_again_far(addr, what, cpu, site, pc, e);
        return;
    }
    row->store = true;
    core->peer.levels.level[0].count.store_misses++;
    b->newest = e;
    e->mask |= bits_of(b, addr, what & MEM_ASK_BYTES);
    if (e->mask == b->full)
        close_full_missing(core, e, site, row, addr);
    else
        profile_missed(row, cpu->rank, addr);
}

void mem_straight_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                        const struct mem_site *site, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    struct mem_write_buffer *b = &core->buffer;
    const uint64_t host = (uint64_t)addr >> b->shift, bytes = what & MEM_ASK_BYTES;
    struct mem_entry *e = b->newest;
    if (e->host != host) e = b->opened[host & (MEM_OPENED - 1)];
    if (e->host != host || e->state != MEM_ENTRY_OPEN || !is_piece(core->node, addr, bytes)) {
        store_new(addr, what, cpu, site, pc);
    } else if (e->segment) {
        store_segment_again(addr, what, cpu, site, pc, e);
    } else if (MEM_LIKELY(holds_entry(cpu, e, addr))) {
        b->newest = e;
        e->mask |= bits_of(b, addr, bytes);
        if (e->mask == b->full) close_full(core, e, site);
    } else {
        store_again_missing(addr, what, cpu, site, pc, e);
    }
}
/* One more store to a segment's line whose stores wait (quiet.h). False: nothing was done. */
static inline bool quiet_again(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                               const struct mem_site *site, uintptr_t pc)
{
    const struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    const struct mem_line *keeps = mem_quiet_again(core, next, addr, bytes, site);
    if (!keeps) return false;
    const uint64_t in_line = (UINT64_C(1) << next->shift) - 1;
    if (!first_has(first, keeps->key >> 8 << next->shift | (addr & in_line)))
        return note_store_miss(core, addr, pc);
    mem_quiet_known(core, addr);
    return true;
}
/* As mem_ask_own, of a processor in order. */
static inline bool ask_own(struct mem_core *core, const struct mem_site *site,
                           struct mem_line *keeps, uintptr_t addr, uintptr_t pc)
{
    const struct mem_domain *d = &core->node->domain;
    struct mem_cpu *cpu = core->cpu;
    struct mem_flight *f = cpu->flight;
    if (mem_missed_any(&cpu->missed) || f->waits) return false;
    const int64_t now = settled(cpu, f, mem_now(&cpu->ledger) - site->rest);
    if (d->long_owed && now - cpu->ledger.clock > d->quantum) return false;
    if (!mem_own_unasked(core, &core->peer.levels.level[1], keeps)) return false;
    keeps->key |= MEM_LINE_DIRTY;
    if (!f->stores || f->last_stored <= now) return true;
    const int64_t wait = mem_flight_store(f, f->last_stored + core->first_hit, now);
    if (MEM_LIKELY(wait == 0)) return true;
    mem_flight_shift(f, wait);
    cpu->ledger.memory += wait;
    mem_above.waited(cpu, wait, addr, pc);
    return true;
}
/* The first store to a private line that the second level, a direct mapped one, has: it is the
 * processor's own then, and the store leaves the first level for it. */
static inline bool first_store(struct mem_core *core, uintptr_t addr, uint64_t bytes,
                               const struct mem_site *site, uintptr_t pc)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    const uint64_t host = (uint64_t)addr >> first->shift;
    uint64_t model;
    if (!mem_page_near_store(core, addr, &model) || next->ways != 1) return false;
    struct mem_line *keeps = mem_cache_slot(next, model);
    if (!slot_has(next, keeps, addr) || keeps->key & MEM_LINE_DIRTY) return false;
    if ((addr + bytes - 1) >> first->shift != host) return false;
    const bool has = mem_cache_slot(first, model)->host == host;
    struct profile_stall *row = mem_row_at(core->cpu, addr, pc);
    if ((!has && !row) || !ask_own(core, site, keeps, addr, pc)) return false;
    if (has) {
        mem_filter_stored(&core->cpu->filter, host);
    } else {
        profile_missed(row, core->cpu->rank, addr);
        row->store = true;
        first->count.store_misses++;
    }
    return true;
}
/* What is not that simple; a private one is left to the one that searches. */
static __attribute__((noinline)) void store_elsewhere_two(uintptr_t addr, uint32_t what,
                                                          struct mem_cpu *cpu,
                                                          const struct mem_site *site, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    if (first_store(core, addr, what & MEM_ASK_BYTES, site, pc)) return;
    if (core->quiet.some && quiet_again(core, addr, what & MEM_ASK_BYTES, site, pc)) return;
    store_further(addr, what, cpu, site, pc);
}
void mem_straight_store_two(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                            const struct mem_site *site, uintptr_t pc)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0], *next = &core->peer.levels.level[1];
    uint64_t model;
    if (MEM_LIKELY(mem_page_near_store(core, addr, &model) && next->ways == 1)) {
        const struct mem_line *keeps = mem_cache_slot(next, model);
        const uint32_t shift = first->shift;
        const uint64_t host = (uint64_t)addr >> shift;
        if (MEM_LIKELY(slot_has(next, keeps, addr) && keeps->key & MEM_LINE_DIRTY &&
                       (addr + (what & MEM_ASK_BYTES) - 1) >> shift == host)) {
            if (first->line[(model >> shift) & first->set_mask].host == host) {
                mem_filter_stored(&cpu->filter, host);
                cpu->played--;
                return;
            }
            struct profile_stall *row = mem_row_near(cpu, addr, pc);
            if (MEM_LIKELY(row != NULL)) {
                row->store = true;
                first->count.store_misses++;
                profile_missed(row, cpu->rank, addr);
                return;
            }
        }
    }
    store_elsewhere_two(addr, what, cpu, site, pc);
}
