/* Pieces of objects by place, and whose the lines are that the filter shows. */
#include "world/hits/hits.h"

#include "world/object/object.h"

enum {
    PLACES = 512, /* a power of two */
    CALLS = 64    /* after so many calls it is asked whether the current object saves enough */
};

/* What a place of the program touched last. */
struct last {
    uintptr_t pc, from;
    uint64_t bytes;
    struct profile_object *row;
    uint32_t changes;
    bool by_site;
};

/* Loads, or stores. */
struct kind {
    struct profile_object *current; /* NULL: none yet */
    /* when the row was last settled: accesses that instrumented code had counted; and those that
     * have called since, although the filter knew their lines */
    uint64_t settled, called;
};

struct world_hits {
    struct last last[PLACES];
    struct kind load, store;
};

void world_hits_begin(struct mem_cpu *cpu)
{
    const struct mem_ledger *l = &cpu->ledger;
    cpu->hits = g_new0(struct world_hits, 1);
    cpu->hits->load.settled = l->folded_loads + l->loads;
    cpu->hits->store.settled = l->folded_stores + l->stores;
    cpu->filter.hides = true;
    mem_filter_clear(&cpu->filter);
}

static __attribute__((noinline)) void ask(const struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc,
                                          struct last *last)
{
    const struct world_piece piece = world_object(cpu, addr, mem_place(cpu, pc));
    *last = (struct last){pc,        piece.from,   piece.to - piece.from,
                          piece.row, cpu->changes, piece.by_site};
}

static inline struct last *last_at(struct world_hits *hits, uintptr_t pc)
{
    return &hits->last[(pc ^ pc >> 9) & (PLACES - 1)];
}

static inline struct last *touched(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    struct last *last = last_at(cpu->hits, pc);
    if (MEM_UNLIKELY(last->pc != pc || addr - last->from >= last->bytes ||
                     last->changes != cpu->changes))
        ask(cpu, addr, pc, last);
    return last;
}

struct profile_object *world_touched(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    return touched(cpu, addr, pc)->row;
}

/* Instrumented code has counted so many: what did not call was the current object's. */
static uint64_t settle(struct kind *kind, uint64_t counted)
{
    const uint64_t in_line = counted - kind->settled - kind->called;
    if (kind->current) kind->current->hits += in_line;
    kind->settled = counted;
    kind->called = 0;
    return in_line;
}

static void hide(uint64_t *slot)
{
    for (int i = 0; i < MEM_FILTER; i++) slot[i] |= MEM_FILTER_HIDDEN;
}

/* Many have called: would there have been fewer if that object were the current one? */
static __attribute__((noinline)) void reconsider(struct kind *kind, uint64_t counted,
                                                 const struct last *last, uint64_t *slot)
{
    const uint64_t in_line = settle(kind, counted);
    if (in_line >= CALLS / 2 || last->by_site || last->row == kind->current) return;
    kind->current = last->row;
    hide(slot);
}

static inline bool has_line(const struct last *last, uint64_t line, uint32_t shift)
{
    const uint64_t bytes = UINT64_C(1) << shift, before = (line << shift) - last->from;
    return before < last->bytes && last->bytes - before >= bytes;
}

bool world_hit(struct mem_cpu *cpu, uintptr_t addr, uint32_t bytes, bool store, uint32_t ahead,
               uintptr_t pc)
{
    const uint32_t shift = cpu->filter.line_shift;
    const uint64_t line = (uint64_t)addr >> shift;
    uint64_t *slot = store ? cpu->filter.store_ok : cpu->filter.load_ok,
             *here = &slot[line & (MEM_FILTER - 1)];
    if (!mem_filter_is(*here, line) || addr & (bytes - 1)) return false;
    struct kind *kind = store ? &cpu->hits->store : &cpu->hits->load;
    const struct last *last = touched(cpu, addr, pc);
    last->row->hits++;
    kind->called++;
    if (last->row == kind->current) {
        if (has_line(last, line, shift)) *here = line;
    } else if (MEM_UNLIKELY(kind->called >= CALLS)) {
        const struct mem_ledger *l = &cpu->ledger;
        const uint64_t counted = store ? l->folded_stores + l->stores : l->folded_loads + l->loads;
        reconsider(kind, counted - ahead, last, slot);
    }
    return true;
}

void world_hits_allocated(struct mem_cpu *cpu)
{
    if (!cpu->hits) return;
    cpu->changes++;
    hide(cpu->filter.load_ok);
    hide(cpu->filter.store_ok);
}

void world_hits_settle(struct mem_cpu *cpu)
{
    const struct mem_ledger *l = &cpu->ledger;
    if (!cpu->hits) return;
    settle(&cpu->hits->load, l->folded_loads + l->loads);
    settle(&cpu->hits->store, l->folded_stores + l->stores);
}

void world_hits_free(struct mem_cpu *cpu) { g_clear_pointer(&cpu->hits, g_free); }
