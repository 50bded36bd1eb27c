/* straight: private accesses of the simplest processor (node.c: is_simple), each from beginning to
 * end in one place.
 *
 * They do what shortcut.c, the core model, the memory and the write buffer say, where so many of
 * their questions have one answer: one level, direct mapped and written through, one load in flight
 * that stops nobody until its value is needed, memory that answers in place. Counts of accesses
 * stay where instrumented code has put them, and what the
 * profile counts goes to its row at once. Left out, and so left to the one path: bytes of
 * segments, pages whose translation is not at hand, a line that memory has newer bytes of, entries
 * of a write buffer that leave by themselves. */
#include "mem/access/access.h"

/* Its model address, if the page is known to be this processor's own. */
static inline bool own_page(const struct mem_core *core, uintptr_t addr, uint64_t *model)
{
    uint64_t host = (uint64_t)addr >> MEM_PAGE_BITS;
    const struct mem_near *near = &core->near[host & (MEM_NEAR - 1)];
    *model = near->model | (addr & (MEM_PAGE_BYTES - 1));
    return MEM_LIKELY(near->host == host);
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

/* The line comes to the place e, of a line that leaves nothing behind. */
static inline void come(struct mem_core *core, struct mem_line *e, uint64_t host, uint64_t line,
                        const struct mem_flying *load, struct profile_stall *row)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_cache *first = &core->peer.levels.level[0];
    struct mem_dram_port *port = &core->peer.port;
    struct mem_flight *f = cpu->flight;
    int64_t now = settled(cpu, f, mem_now(&cpu->ledger) - load->site->rest), begun = now;
    row->missed[0]++;
    if (f->there[0] > now) { /* another is on its way */
        begun = f->there[0];
        f->late += begun - now;
        cpu->ledger.memory += begun - now;
        row->loads++;
        row->load_ticks += begun - now;
    }
    if (core->buffer.queued) mem_buffer_advance(&core->buffer, begun);
    int64_t read = MAX(port->free, begun), done = read + mem_dram_fast(port, line);
    mem_dram_taken(port, read, done);
    cpu->filter.load_ok[e->host & (MEM_FILTER - 1)] = ~UINT64_C(0);
    *e = (struct mem_line){line << 8 | MEM_LINE_HELD | COH_S, host};
    uint64_t set = line & first->set_mask;
    if (MEM_UNLIKELY(set >= first->used)) first->used = set + 1;
    first->count.load_misses++;
    f->there[0] = done;
    mem_flight_alone(f, (struct mem_flying){begun + MAX(core->first_hit, load->site->slack), done,
                                            load->site, load->pc});
}

bool mem_straight_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                       const struct mem_site *site)
{
    struct mem_core *core = cpu->core;
    struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model, host = (uint64_t)addr >> first->shift;
    if ((addr + bytes - 1) >> first->shift != host || !own_page(core, addr, &model)) return false;
    uint64_t line = model >> first->shift;
    struct mem_line *e = first->line + (line & first->set_mask);
    if (!mem_line_is(e, line << 8 | MEM_LINE_HELD)) {
        struct profile_stall *row = row_of(cpu, pc);
        if (!row || e->key & MEM_LINE_BEHIND) return false;
        come(core, e, host, line, &(struct mem_flying){.site = site, .pc = pc}, row);
    }
    cpu->filter.load_ok[host & (MEM_FILTER - 1)] = host;
    return true;
}

/* A store has filled the entry. */
static inline void close_full(struct mem_core *core, struct mem_entry *e,
                              const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    int64_t now = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest);
    mem_buffer_complete(&core->buffer, e, now);
}

/* A store to another entry, or a new one; returns how long the processor waited for it. */
static inline int64_t other_entry(struct mem_core *core, uint64_t host, uint64_t model,
                                  uint64_t bits, const struct mem_site *site)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_write_buffer *b = &core->buffer;
    int64_t asked = settled(cpu, cpu->flight, mem_now(&cpu->ledger) - site->rest), now = asked;
    struct mem_entry *e = mem_buffer_find(b, host);
    if (!e) e = mem_buffer_open(b, host, model, &now);
    e->mask |= bits;
    b->newest = e;
    if (e->mask == b->full || !b->hold) mem_buffer_complete(b, e, now);
    if (now == asked) return 0;
    mem_flight_shift(cpu->flight, now - asked);
    cpu->ledger.memory += now - asked;
    return now - asked;
}

int64_t mem_straight_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                           const struct mem_site *site)
{
    struct mem_core *core = cpu->core;
    struct mem_write_buffer *b = &core->buffer;
    struct mem_cache *first = &core->peer.levels.level[0];
    uint64_t model, host = (uint64_t)addr >> b->shift;
    uint32_t at = (uint32_t)addr & ((1u << b->shift) - 1);
    uint64_t bits = ((UINT64_C(1) << bytes) - 1) << at;
    if ((addr ^ (addr + bytes - 1)) >> core->node->piece_shift || !own_page(core, addr, &model) ||
        (core->node->subword && (addr | bytes) & 3))
        return -1;
    uint64_t line = model >> first->shift;
    if (!mem_line_is(first->line + (line & first->set_mask), line << 8 | MEM_LINE_HELD)) {
        struct profile_stall *row = row_of(cpu, pc);
        if (!row) return -1;
        row->missed[0]++;
        first->count.store_misses++;
    }
    if (b->newest->host != host) return other_entry(core, host, model, bits, site);
    b->newest->mask |= bits;
    if (b->newest->mask == b->full) close_full(core, b->newest, site);
    return 0;
}
