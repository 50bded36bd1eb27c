/* The calls that the compiler plugin places: before an access that the filters have no answer for,
 * one of more than 16 bytes, an atomic operation. Called through the program object
 * (program/hooks.c), by jumps: the return address is the access's place. */
#include "world/hits/hits.h"
#include "world/prices/prices.h"
#include "world/rank/rank.h"
#include "probe/hooks.h"

#include "probe/in_line/in_line.h"

#include <string.h>

#define SAME(ours, theirs)                                                                         \
    (offsetof(struct mem_cpu, ours) == offsetof(struct probe_in_line, theirs))
_Static_assert(SAME(filter.load_ok, load_ok) && SAME(filter.store_ok, store_ok) &&
                   SAME(filter.line_shift, line_shift) && SAME(branch, branch) &&
                   SAME(target, target) && SAME(loop_ends, loop_ends) && SAME(again, again) &&
                   SAME(priced, priced) && SAME(played, played) && SAME(ledger.loads, loads) &&
                   SAME(ledger.stores, stores) && SAME(ledger.work, work) &&
                   (int)MEM_FILTER == (int)PROBE_SLOTS &&
                   (int)MEM_BRANCHES == (int)PROBE_BRANCHES &&
                   (int)MEM_TARGETS == (int)PROBE_TARGETS &&
                   (int)MEM_TARGET_CALL == (int)PROBE_TARGET_CALL &&
                   (int)MEM_TARGET_ADDRESS == (int)PROBE_TARGET_ADDRESS &&
                   (int)MEM_BRANCH_QUIET == (int)PROBE_BRANCH_QUIET &&
                   (int)MEM_BRANCH_BACKWARD == (int)PROBE_BRANCH_BACKWARD &&
                   (int)MEM_BRANCH_ENDS == (int)PROBE_BRANCH_ENDS &&
                   (int)MEM_BRANCH_ENDS_AGAINST == (int)PROBE_BRANCH_ENDS_AGAINST,
               "a processor begins as instrumented code believes");
_Static_assert((int)MEM_ASK_BYTES == (1 << PROBE_BYTES_BITS) - 1,
               "mem finds the bytes of an access");

/* A block's price was charged and its accesses were counted where it began. This access, which mem
 * counts itself, and what is still to come are none of what has happened so far. */
static inline void take_back(struct mem_cpu *cpu, const struct mem_site *site, uint64_t loads,
                             uint64_t stores)
{
    cpu->ledger.work -= site->rest;
    cpu->ledger.loads -= loads;
    cpu->ledger.stores -= stores;
}
static inline void give_again(struct mem_cpu *cpu, const struct mem_site *site, uint64_t loads,
                              uint64_t stores)
{
    cpu->ledger.work += site->rest;
    cpu->ledger.loads += loads;
    cpu->ledger.stores += stores;
}

/* In short: it is the processor that the code found where its function began; nobody watches, and
 * nothing must be paid first. Then nobody looks at the counts meanwhile. */
static inline bool in_short(const struct mem_cpu *cpu, uint32_t what)
{
    return MEM_LIKELY(!probe_what_atomic(what) && cpu == world_cpu() && !world_watching());
}
/* Does mem answer? It does while the processor's code runs and nobody watches; what watches for a
 * whole run has told it so (world_program_start). */
static inline bool goes_on(uint32_t what, mem_ask *answers)
{
    return MEM_LIKELY(answers && !probe_what_atomic(what));
}
/* The row of what instrumented code loads or stores. */
static struct profile_stall *row_of(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    return probe_row(cpu, addr, pc, false);
}

static __attribute__((noinline)) void long_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                const struct mem_site *site, uintptr_t pc)
{
    uint64_t loads = probe_what_loads(what), stores = probe_what_stores(what);
    take_back(cpu, site, loads + 1, stores);
    probe_play_load(addr, probe_what_bytes(what), pc, site,
                    probe_what_relaxed(what)  ? CHECK_RELAXED_LOAD
                    : probe_what_atomic(what) ? CHECK_ATOMIC_LOAD
                                              : CHECK_LOAD);
    give_again(cpu, site, loads, stores);
}

static __attribute__((noinline)) void short_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                 const struct mem_site *site, uintptr_t pc)
{
    if (cpu->core && in_short(cpu, what)) {
        unsigned floating = base_sse_begin();
        cpu->ledger.work -= site->rest;
        struct probe_before before = probe_before(cpu);
        bool done = mem_load(cpu, addr, probe_what_bytes(what), pc, site) == MEM_DONE;
        if (done) probe_after(cpu, &before, addr, probe_what_bytes(what), pc, false);
        cpu->ledger.work += site->rest;
        cpu->ledger.loads -= done;
        base_sse_end(floating);
        if (done) return;
    }
    long_load(addr, what, cpu, site, pc);
}

/* Nobody watches but the check, which looks at the access once mem has answered, or the filter has,
 * where its line is hidden. If mem asked probe for it, the check has been told. */
static inline bool known_hit(const struct mem_cpu *cpu, const uint64_t *slots, uintptr_t addr,
                             uint64_t bytes)
{
    const uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
    return mem_filter_hides(slots[line & (MEM_FILTER - 1)], line) &&
           (uint64_t)(addr + bytes - 1) >> cpu->filter.line_shift == line;
}
static __attribute__((noinline)) void tell(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                           bool store, const struct mem_site *site, uintptr_t pc)
{
    const unsigned floating = base_sse_begin();
    take_back(cpu, site, 0, 0);
    world_referenced(cpu, addr, bytes, store ? CHECK_STORE : CHECK_LOAD, pc);
    give_again(cpu, site, 0, 0);
    base_sse_end(floating);
}
static inline void look(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool store,
                        const struct mem_site *site, uintptr_t pc)
{
    const enum check_again again =
        cpu->call_pc ? CHECK_TELL : check_again(cpu->rank, addr, bytes, store, pc);
    cpu->seen++;
    if (again == CHECK_SEEN) {
        mem_filter_hide(&cpu->filter, (uint64_t)addr >> cpu->filter.line_shift);
        mem_filter_hide(&cpu->filter, (uint64_t)(addr + bytes - 1) >> cpu->filter.line_shift);
    } else if (again == CHECK_TELL)
        tell(cpu, addr, bytes, store, site, pc);
}

/* False: somebody else watches, or mem does not answer; nothing was done. */
static inline __attribute__((always_inline)) bool looked(uintptr_t addr, uint32_t what,
                                                         struct mem_cpu *cpu,
                                                         const struct mem_site *site, uintptr_t pc,
                                                         bool store)
{
    mem_ask *answers = store ? cpu->looks_store : cpu->looks_load;
    if (!goes_on(what, answers)) return false;
    const uint32_t before = cpu->seen, bytes = probe_what_bytes(what);
    if (!known_hit(cpu, store ? cpu->filter.store_ok : cpu->filter.load_ok, addr, bytes))
        answers(addr, what, cpu, site, pc);
    cpu->played++; /* it is to be seen the next time, too */
    if (cpu->seen == before) look(cpu, addr, bytes, store, site, pc);
    return true;
}

/* Where mem answers nothing, or is seen: hits are counted, perhaps, that the filter knows. */
static __attribute__((noinline)) void plain_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                 const struct mem_site *site, uintptr_t pc)
{
    if (looked(addr, what, cpu, site, pc, false)) return;
    if (!cpu->filter.hides ||
        !world_hit(cpu, addr, probe_what_bytes(what), false, probe_what_loads(what), pc))
        short_load(addr, what, cpu, site, pc);
}

/* A load of the running processor that mem answers must be paid for first. Others may watch when it
 * has been. */
static __attribute__((noinline)) void pay_first(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                const struct mem_site *site, uintptr_t pc)
{
    const uint64_t loads = probe_what_loads(what) + 1, stores = probe_what_stores(what);
    if (cpu != world_cpu()) {
        short_load(addr, what, cpu, site, pc);
        return;
    }
    take_back(cpu, site, loads, stores);
    probe_pay_first(cpu, addr, probe_what_bytes(what), pc);
    cpu->played++; /* more than the hit that it may be now */
    give_again(cpu, site, loads, stores);
    if (goes_on(what, cpu->asked_load))
        cpu->asked_load(addr, what, cpu, site, pc);
    else
        plain_load(addr, what, cpu, site, pc);
}

/* The host's own caches fetch what the program is about to touch, while its access is played. */
void probe_hook_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                     const struct mem_site *site)
{
    __builtin_prefetch((const void *)addr, 0);
    cpu->played++;
    if (goes_on(what, cpu->asked_load))
        cpu->asked_load(addr, what, cpu, site, PROBE_CALLER);
    else
        plain_load(addr, what, cpu, site, PROBE_CALLER);
}

static __attribute__((noinline)) void long_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                                                 const struct mem_site *site, uintptr_t pc)
{
    uint64_t loads = probe_what_loads(what), stores = probe_what_stores(what);
    take_back(cpu, site, loads, stores + 1);
    probe_play_store(addr, probe_what_bytes(what), pc, site,
                     probe_what_relaxed(what)  ? CHECK_RELAXED_STORE
                     : probe_what_atomic(what) ? CHECK_ATOMIC_STORE
                                               : CHECK_STORE);
    give_again(cpu, site, loads, stores);
}

static __attribute__((noinline)) void short_store(uintptr_t addr, uint32_t what,
                                                  struct mem_cpu *cpu, const struct mem_site *site,
                                                  uintptr_t pc)
{
    if (cpu->core && in_short(cpu, what)) {
        unsigned floating = base_sse_begin();
        cpu->ledger.work -= site->rest;
        struct probe_before before = probe_before(cpu);
        bool done = mem_store(cpu, addr, probe_what_bytes(what), pc, site) == MEM_DONE;
        if (done) probe_after(cpu, &before, addr, probe_what_bytes(what), pc, true);
        cpu->ledger.work += site->rest;
        cpu->ledger.stores -= done;
        base_sse_end(floating);
        if (done) return;
    }
    long_store(addr, what, cpu, site, pc);
}

static __attribute__((noinline)) void plain_store(uintptr_t addr, uint32_t what,
                                                  struct mem_cpu *cpu, const struct mem_site *site,
                                                  uintptr_t pc)
{
    if (looked(addr, what, cpu, site, pc, true)) return;
    if (!cpu->filter.hides ||
        !world_hit(cpu, addr, probe_what_bytes(what), true, probe_what_stores(what), pc))
        short_store(addr, what, cpu, site, pc);
}

/* It has waited for the write buffer. */
static __attribute__((noinline)) void note_waiting(struct mem_cpu *cpu, int64_t stall,
                                                   uintptr_t addr, uintptr_t pc)
{
    world_waited(cpu);
    struct profile_stall *row = probe_row(cpu, addr, pc, false);
    row->stores++;
    row->store_ticks += stall;
}

void probe_hook_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                      const struct mem_site *site)
{
    __builtin_prefetch((const void *)addr, 1);
    cpu->played++;
    if (goes_on(what, cpu->asked_store))
        cpu->asked_store(addr, what, cpu, site, PROBE_CALLER);
    else
        plain_store(addr, what, cpu, site, PROBE_CALLER);
}

void probe_hook_load_range(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu,
                           const struct mem_site *site)
{
    take_back(cpu, site, 0, 0);
    probe_play_load(addr, bytes, PROBE_CALLER, site, CHECK_LOAD);
    give_again(cpu, site, 0, 0);
}

void probe_hook_store_range(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu,
                            const struct mem_site *site)
{
    take_back(cpu, site, 0, 0);
    probe_play_store(addr, bytes, PROBE_CALLER, site, CHECK_STORE);
    give_again(cpu, site, 0, 0);
}

/* The branch before pc was predicted wrongly. */
static __attribute__((noinline)) void mispredicted(struct mem_cpu *cpu, const struct mem_site *site,
                                                   uintptr_t pc)
{
    unsigned floating = base_sse_begin();
    struct probe_before before = probe_before(cpu);
    mem_mispredict(cpu, site);
    profile_wrong(mem_place(cpu, pc), cpu->ledger.work - before.work);
    probe_after(cpu, &before, 0, 0, pc, false); /* at no address */
    mem_know_row(cpu, pc, profile_row(mem_place(cpu, pc)), 0, 0);
    base_sse_end(floating);
}

/* What stands before pc took less than it was charged. */
static __attribute__((noinline)) void overlapped(struct mem_cpu *cpu, int64_t ticks, uintptr_t pc)
{
    unsigned floating = base_sse_begin();
    mem_charge(&cpu->ledger, -ticks, 0);
    profile_work(mem_place(cpu, pc), -ticks);
    mem_know_row(cpu, pc, profile_row(mem_place(cpu, pc)), 0, 0);
    base_sse_end(floating);
}

void probe_hook_branch(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site)
{
    cpu->played++;
    mem_goes(against, what, cpu, site, PROBE_CALLER);
}

void probe_hook_target(uint64_t to, uint32_t what, struct mem_cpu *cpu, const struct mem_site *site)
{
    mem_jumps(to, what, cpu, site, PROBE_CALLER);
}

void probe_answer(void)
{
    mem_above = (struct mem_above){.load = short_load,
                                   .pay_first = pay_first,
                                   .store = short_store,
                                   .row = row_of,
                                   .waited = note_waiting,
                                   .mispredicted = mispredicted,
                                   .saved = overlapped};
}

/* Behind a wrong prediction nothing has begun: executions do not overlap. Sites lie below each
 * other, so that of the loop's branch is the next one in memory. */
static bool left_unforeseen(struct mem_cpu *cpu, const struct mem_site *site)
{
    bool unforeseen = cpu->branches.left == site + 1;
    if (unforeseen) cpu->branches.left = cpu->branches.loop = NULL;
    return unforeseen;
}

void probe_hook_rounds(uint64_t rounds, struct mem_cpu *cpu, const struct mem_site *site)
{
    if (left_unforeseen(cpu, site)) return;
    const struct world_end end = world_end(site);
    if (end.lost && mem_leaves_loop(rounds, end.number, end.lost, cpu, PROBE_CALLER)) {
        cpu->branches.loop = NULL;
        return;
    }
    int64_t saved = (int64_t)world_overlap(&cpu->branches, site, rounds);
    if (saved > 0 && cpu->core) overlapped(cpu, saved, PROBE_CALLER);
}

void probe_hook_begin(struct mem_cpu *cpu, const struct mem_site *site)
{
    if (cpu->core) mem_begin(cpu, site);
}

void probe_hook_budget(struct mem_cpu *cpu)
{
    if (cpu == world_cpu() && cpu->core) probe_pay(cpu, PROBE_CALLER);
}

/* ---- atomic operations: a line that is missing is fetched to be written, and stays from the load
 * to the store. A payment comes before both, and lets others run; the operation itself comes last.
 */

static void play_load(uintptr_t addr, uint32_t change, uintptr_t pc, const struct mem_site *site)
{
    probe_play_load_to_write(addr, probe_change_bytes(change), pc, site,
                             probe_change_load_relaxed(change) ? CHECK_RELAXED_LOAD
                                                               : CHECK_ATOMIC_LOAD);
}

/* A store that does not release goes on with what its load found released (C11 5.1.2.4). */
static void play_store(uintptr_t addr, uint32_t change, uintptr_t pc, const struct mem_site *site)
{
    probe_play_store_loaded(addr, probe_change_bytes(change), pc, site,
                            probe_change_store_relaxed(change) ? CHECK_RELAXED_STORE
                                                               : CHECK_ATOMIC_STORE);
}

void probe_hook_change(uintptr_t addr, uint32_t change, struct mem_cpu *cpu,
                       const struct mem_site *site)
{
    uintptr_t pc = PROBE_CALLER;
    take_back(cpu, site, 0, 0);
    mem_fence(cpu);
    play_load(addr, change, pc, site);
    play_store(addr, change, pc, site);
    give_again(cpu, site, 0, 0);
}

static bool holds(uintptr_t addr, const void *value, uint32_t bytes)
{
    return memcmp((const void *)addr, value, bytes) == 0;
}

void probe_hook_compare(uintptr_t addr, uint32_t change, uint64_t value, struct mem_cpu *cpu,
                        const struct mem_site *site)
{
    uintptr_t pc = PROBE_CALLER;
    take_back(cpu, site, 0, 0);
    mem_fence(cpu);
    play_load(addr, change, pc, site);
    if (holds(addr, &value, probe_change_bytes(change))) play_store(addr, change, pc, site);
    give_again(cpu, site, 0, 0);
}

void probe_hook_compare_with(uintptr_t addr, uint32_t change, void *value, struct mem_cpu *cpu,
                             const struct mem_site *site)
{
    const uint32_t bytes = probe_change_bytes(change);
    uintptr_t pc = PROBE_CALLER;
    take_back(cpu, site, 0, 0);
    mem_fence(cpu);
    probe_play_load((uintptr_t)value, bytes, pc, site, CHECK_LOAD);
    play_load(addr, change, pc, site);
    if (holds(addr, value, bytes))
        play_store(addr, change, pc, site);
    else
        probe_play_store((uintptr_t)value, bytes, pc, site, CHECK_STORE);
    give_again(cpu, site, 0, 0);
}
