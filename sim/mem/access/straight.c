/* straight: accesses of the simplest processors (node.c: is_simple), each from beginning to end in
 * one place: private ones, and of segments loads, and stores that fetch nothing.
 *
 * They do what shortcut.c, the core model, the memory and the write buffer say, where so many of
 * their questions have one answer: a first level that is direct mapped and written through, one
 * load in flight that stops nobody until its value is needed, and behind it a second level that has
 * the line, or memory that answers in place. Counts of accesses stay where instrumented code has
 * put them, and what the profile counts goes to its row at once. Left out, and so left to the one
 * path: what may be stale in a segment, or must be paid for first; pages whose translation is not
 * at hand, what no level has if there are two, a line that memory has newer bytes of, entries of a
 * write buffer that leave by themselves.
 *
 * Dates are integers here: nothing touches the program's state of floating point (probe/hooks.c).
 */
#include "mem/access/flying.h"

/* Has the first level, direct mapped, the line? */
static inline bool first_has(const struct mem_cache *first, uint64_t model)
{
    uint64_t line = model >> first->shift;
    return mem_line_is(first->line + (line & first->set_mask), line << 8 | MEM_LINE_HELD);
}

static inline struct profile_stall *row_of(const struct mem_cpu *cpu, uintptr_t pc)
{
    const struct mem_row *known = &cpu->row[pc & (MEM_ROWS - 1)];
    return MEM_LIKELY(known->pc == pc) ? known->row : NULL;
}

/* The load in flight, the only one, is needed by now: the processor has waited for it. */
static inline int64_t settled(struct mem_cpu *cpu, struct mem_flight *f, int64_t now)
{
    const struct mem_flying *load = &f->load[0];
    if (f->due > now) return now;
    int64_t stall = load->done - f->due;
    f->loads = 0;
    f->due = INT64_MAX;
    if (stall <= 0) return now;
    struct profile_stall *row = row_of(cpu, load->pc);
    if (MEM_LIKELY(row != NULL)) {
        row->loads++;
        row->load_ticks += stall;
    } else {
        mem_flight_note(f, load->pc, stall);
    }
    f->late += stall;
    cpu->ledger.memory += stall;
    return now + stall;
}

/* A line asked for at `now` from memory; it is there then. */
static inline int64_t from_memory(struct mem_core *core, uint64_t line, int64_t now)
{
    struct mem_dram_port *port = &core->peer.port;
    if (core->buffer.queued) mem_buffer_advance(&core->buffer, now);
    int64_t read = MAX(port->free, now), done = read + mem_dram_fast(port, line);
    mem_dram_taken(port, read, done);
    return done;
}

/* The same from the second level, which has it. */
static inline int64_t from_next(struct mem_core *core, const struct mem_line *below, int64_t now)
{
    struct mem_cache *next = core->peer.levels.level[0].next;
    next->count.loads++;
    if (next->ordered) mem_cache_used(&core->peer.levels, next, below);
    return now + next->hit;
}

/* A line of the first level, e->host its host line; it is put there. below: the second level's;
 * NULL: there is one level. The line that it drives out leaves nothing behind. */
static inline void come(struct mem_core *core, struct mem_line *at, struct mem_line e,
                        const struct mem_line *below, const struct mem_flying *load,
                        struct profile_stall *row)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = &core->peer.levels.level[0];
    struct mem_flight *f = cpu->flight;
    uint64_t line = e.key >> 8, set = line & first->set_mask;
    int64_t now = settled(cpu, f, mem_now(&cpu->ledger) - load->site->rest), begun = now;
    row->missed[0]++;
    if (f->there[0] > now) { /* another is on its way */
        begun = f->there[0];
        f->late += begun - now;
        cpu->ledger.memory += begun - now;
        row->loads++;
        row->load_ticks += begun - now;
    }
    int64_t done = below ? from_next(core, below, begun) : from_memory(core, line, begun);
    mem_filter_forget(&cpu->filter, at->host);
    *at = e;
    if (MEM_UNLIKELY(set >= first->used)) first->used = set + 1;
    first->count.load_misses++;
    f->there[0] = done;
    mem_flight_alone(f, (struct mem_flying){begun + MAX(core->first_hit, load->site->slack), done,
                                            load->site, load->pc});
}

/* ---- segments -------------------------------------------------------------------------------- */

/* The first level has another line where this one belongs: it is fetched. False: not that simple.
 */
static inline __attribute__((always_inline)) bool fetch(struct mem_core *core, struct mem_line *e,
                                                        uintptr_t addr, uint64_t model,
                                                        uintptr_t pc, const struct mem_site *site)
{
    const struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    const struct mem_line *below = next ? mem_cache_find(next, model) : NULL;
    const enum coh_state state = next ? COH_I : COH_S;
    struct profile_stall *row = row_of(core->cpu, pc);
    if (!row || (next && !below) || e->key & MEM_LINE_BEHIND) return false;
    come(core, e,
         (struct mem_line){(model >> first->shift) << 8 | MEM_LINE_HELD | state,
                           (uint64_t)addr >> first->shift},
         below, &(struct mem_flying){.site = site, .pc = pc}, row);
    return true;
}

/* A load from a segment. False: not that simple, or it may be stale. */
static __attribute__((noinline)) bool segment_load(struct mem_core *core,
                                                   const struct mem_near_segment *near,
                                                   uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                                   const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    const struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model = mem_model(near->where, addr), line = model >> first->shift;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    if (!mem_may_lead(core, near->where, addr, now)) return false;
    mem_deferred_commit(&core->own);
    struct mem_line *e = first->line + (line & first->set_mask);
    if (mem_line_is(e, line << 8 | MEM_LINE_HELD)) {
        mem_filter_segment(core, near->region, addr);
        return !near->image || mem_same_bytes((const void *)addr,
                                              near->image + (addr & (MEM_PAGE_BYTES - 1)), bytes);
    }
    if ((!first->next && core->node->pool) || !fetch(core, e, addr, model, pc, site)) return false;
    if (!first->next)
        mem_view_catch_up(&core->own, addr >> first->shift << first->shift,
                          UINT64_C(1) << first->shift);
    mem_filter_segment(core, near->region, addr);
    return true;
}

bool mem_straight_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                       const struct mem_site *site)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model, host = (uint64_t)addr >> first->shift;
    if ((addr + bytes - 1) >> first->shift != host) return false;
    if (!mem_page_near(core, addr, &model)) {
        const struct mem_near_segment *near = mem_segment_near(core, addr);
        if (near) return segment_load(core, near, addr, bytes, pc, site);
        if (!mem_is_private(core, addr, &model)) return false;
    }
    uint64_t line = model >> first->shift;
    struct mem_line *e = first->line + (line & first->set_mask);
    if (!mem_line_is(e, line << 8 | MEM_LINE_HELD) && !fetch(core, e, addr, model, pc, site))
        return false;
    cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
    return true;
}

/* A store has filled the entry. Nobody waits for that: one behind the oldest leaves with it. */
static __attribute__((noinline)) int64_t close_full(struct mem_core *core,
                                                    const struct mem_entry *e,
                                                    const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    if (core->buffer.queue[MEM_ENTRY_OPEN].first != e) return 0;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    mem_buffer_complete(&core->buffer, e, now);
    return 0;
}

/* A store to an entry that is open, or to a new one (NULL); returns how long the processor waited
 * for it. */
static __attribute__((noinline)) int64_t store_into(struct mem_core *core, struct mem_entry *e,
                                                    uint64_t host, uint64_t model, uint64_t bits,
                                                    const struct mem_site *site, bool segment)
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
static inline bool note_store_miss(struct mem_core *core, uintptr_t pc)
{
    struct profile_stall *row = row_of(core->cpu, pc);
    if (!row) return false;
    row->missed[0]++;
    core->peer.levels.level[0].count.store_misses++;
    return true;
}

/* A store that the second level keeps, if it has the line for itself. */
static __attribute__((noinline)) int64_t store_below(struct mem_core *core, uintptr_t addr,
                                                     uint64_t bytes, uint64_t model, uintptr_t pc)
{
    struct mem_cache *first = &core->peer.levels.level[0], *next = first->next;
    struct mem_line *keeps = mem_cache_find(next, model);
    uint64_t host = (uint64_t)addr >> first->shift;
    if ((addr + bytes - 1) >> first->shift != host || !keeps || !(keeps->key & MEM_LINE_DIRTY))
        return -1;
    if (first_has(first, model))
        core->cpu->filter.store_ok[host & (MEM_FILTER - 1)] = host;
    else if (!note_store_miss(core, pc))
        return -1;
    if (next->ordered) mem_cache_used(&core->peer.levels, next, keeps);
    return 0;
}

/* The bytes of an entry that a store is about. */
static inline uint64_t bits_of(const struct mem_write_buffer *b, uintptr_t addr, uint64_t bytes)
{
    return ((UINT64_C(1) << bytes) - 1) << (addr & (((uintptr_t)1 << b->shift) - 1));
}
/* Does the buffer take the store as it is, in one piece? */
static inline bool is_piece(const struct mem_node *node, uintptr_t addr, uint64_t bytes)
{
    return !((addr ^ (addr + bytes - 1)) >> node->piece_shift) &&
           !(node->subword && (addr | bytes) & 3);
}

/* One more store into the entry of a segment last stored to. */
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
    struct mem_entry *e = b->newest;
    uint64_t model = mem_model(near->where, addr), host = (uint64_t)addr >> b->shift;
    const struct mem_line *keeps = next ? mem_cache_find(next, model) : NULL;
    if (next ? !keeps || !(keeps->key & MEM_LINE_DIRTY) || near->image
             : !is_piece(core->node, addr, bytes))
        return -1;
    if ((addr + bytes - 1) >> first->shift != (uint64_t)addr >> first->shift) return -1;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    if (!mem_may_lead(core, near->where, addr, now)) return -1;
    if (!first_has(first, model) && !note_store_miss(core, pc)) return -1;
    core->own.stored = now;
    if (next) {
        mem_deferred_begin(&core->own, addr, bytes);
        if (next->ordered) mem_cache_used(&core->peer.levels, next, keeps);
        mem_posted_push(&core->own, addr, bytes, NULL, 0, 0, mem_store_seen(core, now));
        return 0;
    }
    uint64_t bits = bits_of(b, addr, bytes);
    if (e->host == host && e->segment) {
        mem_deferred_merge(&core->own, &core->own.buffered[e->index], addr, bytes);
        return segment_merge(core, e, bits, now);
    }
    mem_deferred_begin(&core->own, addr, bytes);
    return store_into(core, mem_buffer_find(b, host), host, model, bits, site, true);
}

/* A store that no entry is open for, or to a segment. */
static __attribute__((noinline)) int64_t store_elsewhere(struct mem_core *core, uintptr_t addr,
                                                         uint64_t bytes, uintptr_t pc,
                                                         const struct mem_site *site)
{
    struct mem_write_buffer *b = &core->buffer;
    struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model, host = (uint64_t)addr >> b->shift;
    if (!mem_page_near(core, addr, &model)) {
        const struct mem_near_segment *near = mem_segment_near(core, addr);
        return near ? segment_store(core, near, addr, bytes, pc, site) : -1;
    }
    if (first->next) return store_below(core, addr, bytes, model, pc);
    if (!is_piece(core->node, addr, bytes)) return -1;
    if (!first_has(first, model) && !note_store_miss(core, pc)) return -1;
    return store_into(core, NULL, host, model, bits_of(b, addr, bytes), site, false);
}

int64_t mem_straight_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                           const struct mem_site *site)
{
    struct mem_core *core = cpu->core;
    struct mem_write_buffer *b = &core->buffer;
    /* none on a machine without a buffer that merges */
    struct mem_entry *e = mem_buffer_find(b, (uint64_t)addr >> b->shift);
    if (!e || e->segment) return store_elsewhere(core, addr, bytes, pc, site);
    if (!is_piece(core->node, addr, bytes)) return -1;
    /* an entry lies in one line of the first level */
    if (!first_has(&core->peer.levels.level[0], e->model) && !note_store_miss(core, pc)) return -1;
    b->newest = e;
    e->mask |= bits_of(b, addr, bytes);
    return e->mask == b->full ? close_full(core, e, site) : 0;
}
