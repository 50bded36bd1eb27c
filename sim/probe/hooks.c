/* The calls that the compiler plugin places: before an access that the filters have no answer for,
 * one of more than 16 bytes, an atomic operation. Called through the program object
 * (program/hooks.c), by jumps: the return address is the access's place. */
#include "world/rank/rank.h"
#include "probe/hooks.h"

#include "probe/in_line/in_line.h"

#include <string.h>

#define SAME(ours, theirs)                                                                         \
    (offsetof(struct mem_cpu, ours) == offsetof(struct probe_in_line, theirs))
_Static_assert(SAME(filter.load_ok, load_ok) && SAME(filter.store_ok, store_ok) &&
                   SAME(filter.line_shift, line_shift) && SAME(ledger.loads, loads) &&
                   SAME(ledger.stores, stores) && (int)MEM_FILTER == (int)PROBE_SLOTS,
               "a processor begins as instrumented code believes");

static inline bool in_one_line(const struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    return (addr ^ (addr + bytes - 1)) >> cpu->filter.line_shift == 0;
}

/* The block's accesses were counted where it began: this one, which mem counts itself, and those
 * still to come are none of what has happened so far. */
static inline void uncount(struct mem_cpu *cpu, uint64_t loads, uint64_t stores)
{
    cpu->ledger.loads -= loads;
    cpu->ledger.stores -= stores;
}
static inline void count(struct mem_cpu *cpu, uint64_t loads, uint64_t stores)
{
    cpu->ledger.loads += loads;
    cpu->ledger.stores += stores;
}

static inline bool fast_load(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    int64_t stalled = mem_stalled(cpu);
    bool done = mem_fast_load(cpu, addr);
    if (done) probe_load_stalled(cpu, stalled, pc);
    return done;
}

void probe_hook_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu)
{
    uint64_t bytes = probe_what_bytes(what);
    uint64_t loads = probe_what_loads(what), stores = probe_what_stores(what);
    uncount(cpu, loads + 1, stores);
    if (probe_what_atomic(what))
        probe_load_atomic(addr, bytes, PROBE_CALLER);
    else if (!in_one_line(cpu, addr, bytes) || cpu != world_cpu() ||
             !fast_load(cpu, addr, PROBE_CALLER))
        probe_load(addr, bytes, PROBE_CALLER);
    count(cpu, loads, stores);
}

void probe_hook_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu)
{
    uint64_t loads = probe_what_loads(what), stores = probe_what_stores(what);
    uncount(cpu, loads, stores + 1);
    if (probe_what_atomic(what))
        probe_store_atomic(addr, probe_what_bytes(what), PROBE_CALLER);
    else
        probe_store(addr, probe_what_bytes(what), PROBE_CALLER);
    count(cpu, loads, stores);
}

void probe_hook_load_range(uintptr_t addr, uint64_t bytes)
{
    probe_load(addr, bytes, PROBE_CALLER);
}

void probe_hook_store_range(uintptr_t addr, uint64_t bytes)
{
    probe_store(addr, bytes, PROBE_CALLER);
}

void probe_hook_change(uintptr_t addr, uint32_t bytes) { probe_change(addr, bytes, PROBE_CALLER); }

static bool holds(uintptr_t addr, const void *value, uint32_t bytes)
{
    return memcmp((const void *)addr, value, bytes) == 0;
}

void probe_hook_compare(uintptr_t addr, uint32_t bytes, uint64_t value)
{
    uintptr_t pc = PROBE_CALLER;
    probe_load_atomic(addr, bytes, pc);
    if (holds(addr, &value, bytes)) probe_store_atomic(addr, bytes, pc);
}

void probe_hook_compare_with(uintptr_t addr, uint32_t bytes, void *value)
{
    uintptr_t pc = PROBE_CALLER;
    probe_load((uintptr_t)value, bytes, pc);
    probe_load_atomic(addr, bytes, pc);
    if (holds(addr, value, bytes))
        probe_store_atomic(addr, bytes, pc);
    else
        probe_store((uintptr_t)value, bytes, pc);
}
