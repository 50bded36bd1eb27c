/* The slow paths: whose access is it, play it, and pay when mem asks. */
#include "world/access/access.h"
#include "world/detached/detached.h"
#include "world/hits/hits.h"
#include "world/program/program.h"
#include "world/rank/rank.h"
#include "mem/counters/counters.h"
#include "mem/mem.h"
#include "probe/access.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* world_cpu of no rank has no core. */
static inline struct mem_cpu *whose(void)
{
    struct mem_cpu *cpu = world_cpu();
    return cpu->core ? cpu : world_resolve();
}

probe_function probe_library(const char *name)
{
    probe_function function;
    *(void **)&function = dlsym(RTLD_NEXT, name);
    return function;
}

bool probe_active(void) { return whose() != NULL || world_detached() >= 0; }

int probe_rank(void)
{
    struct mem_cpu *cpu = whose();
    return cpu ? cpu->rank : world_detached();
}

/* Others run meanwhile, in this thread: they may set errno, and the way and the flags of floating
 * point. */
void probe_pay(struct mem_cpu *cpu, uintptr_t pc)
{
    int kept = errno;
    struct base_floating floating;
    base_floating_begin(&floating);
    cpu->pay_pc = pc;
    double stolen_s = world_pay();
    if (stolen_s > 0) profile_row(mem_place(cpu, pc))->service_s += stolen_s;
    base_floating_end(&floating);
    errno = kept;
}

/* Nobody's: in a function that the engine runs, what a library loads and stores is counted there,
 * and what the program does is in its blocks' prices. */
static inline bool apart(const struct mem_cpu *cpu, uint64_t bytes, const struct mem_site *site)
{
    if (__builtin_expect(cpu == NULL, 0) && !site) world_detached_words(bytes);
    return cpu == NULL || bytes == 0;
}

void probe_note_hits(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    if (bytes == 0) return; /* a branch */
    const uint64_t accesses = bytes <= 16 ? 1 : (bytes + 7) / 8,
                   missed = MIN(cpu->missed.level[0], accesses);
    if (accesses > missed) world_touched(cpu, addr, pc)->hits += accesses - missed;
}

void probe_note(struct mem_cpu *cpu, int64_t stall, uintptr_t addr, uintptr_t pc, bool store)
{
    struct profile_stall *row =
        addr ? probe_row(cpu, addr, pc, store) : profile_row_of(mem_place(cpu, pc), NULL);
    const struct mem_missed *missed = &cpu->missed;
    row->store |= store;
    if (missed->level[0]) {
        profile_missed(row, cpu->rank, addr);
        row->missed[0] += missed->level[0] - 1;
        row->copied += cpu->copies ? missed->level[0] : 0;
    }
    if (missed->level[1] | missed->level[2] | missed->level[3])
        for (int level = 1; level < PROFILE_LEVELS; level++)
            row->missed[level] += missed->level[level];
    row->pages += missed->pages;
    row->around += missed->around;
    cpu->missed = (struct mem_missed){0};
    if (stall <= 0) return;
    row->stores += store;
    row->loads += !store;
    *(store ? &row->store_ticks : &row->load_ticks) += stall;
}

/* Its rank is about to pay before a load. If it did so the last time, and has missed and stored
 * nothing since, it loads these bytes again and again, and nobody has stored there. */
static void spins(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    const struct mem_cache_count first =
        mem_levels(cpu) > 0 ? mem_cache_count(cpu, 0) : (struct mem_cache_count){0};
    const struct mem_spin before = cpu->spin,
                          now = {pc, addr, first.load_misses + first.stores, mem_now(&cpu->ledger)};
    cpu->spin = now;
    if (before.pc == pc && before.addr == addr && before.changes == now.changes)
        probe_row(cpu, addr, pc, false)->spun_ticks += now.at - before.at;
}

typedef enum mem_result mem_access_call(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                        uintptr_t pc, const struct mem_site *site);

static enum mem_result store_loaded(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                    uintptr_t pc, const struct mem_site *site)
{
    mem_store_loaded(cpu, addr, bytes, pc, site);
    return MEM_DONE;
}

/* Longer ones are a library's copies, in pieces of lines. */
enum { LONGEST = 16 };

static inline void play(mem_access_call *call, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                        const struct mem_site *site, enum check_kind kind, bool store)
{
    struct mem_cpu *cpu = whose();
    if (apart(cpu, bytes, site)) return;
    unsigned floating = base_sse_begin();
    struct probe_before before = probe_before(cpu);
    cpu->copies = !site && bytes > LONGEST;
    for (bool again = false; call(cpu, addr, bytes, pc, site) == MEM_PAY_FIRST; again = true) {
        if (!store && !again && cpu->rank >= 0) spins(cpu, addr, pc);
        probe_pay(cpu, pc);
        before = probe_before(cpu);
    }
    if (!site) profile_work(mem_place(cpu, pc), cpu->ledger.work - before.work);
    probe_after(cpu, &before, addr, bytes, pc, store);
    cpu->copies = false;
    cpu->seen++;
    if (__builtin_expect(world_watching(), 0)) world_referenced(cpu, addr, bytes, kind, pc);
    base_sse_end(floating);
}

void probe_pay_first(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    const unsigned floating = base_sse_begin();
    probe_before(cpu);
    if (cpu->rank >= 0) spins(cpu, addr, pc);
    do {
        probe_pay(cpu, pc);
        probe_before(cpu);
    } while (mem_load_pays_first(cpu, addr, bytes));
    base_sse_end(floating);
}

void probe_play_load(uintptr_t addr, uint64_t bytes, uintptr_t pc, const struct mem_site *site,
                     enum check_kind kind)
{
    play(mem_load, addr, bytes, pc, site, kind, false);
}

void probe_play_store(uintptr_t addr, uint64_t bytes, uintptr_t pc, const struct mem_site *site,
                      enum check_kind kind)
{
    play(mem_store, addr, bytes, pc, site, kind, true);
}

void probe_play_load_to_write(uintptr_t addr, uint64_t bytes, uintptr_t pc,
                              const struct mem_site *site, enum check_kind kind)
{
    play(mem_load_to_write, addr, bytes, pc, site, kind, false);
}

void probe_play_store_loaded(uintptr_t addr, uint64_t bytes, uintptr_t pc,
                             const struct mem_site *site, enum check_kind kind)
{
    play(store_loaded, addr, bytes, pc, site, kind, true);
}

void probe_load(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    probe_play_load(addr, bytes, pc, NULL, CHECK_LOAD);
}

void probe_store(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    probe_play_store(addr, bytes, pc, NULL, CHECK_STORE);
}

void probe_load_range(const void *from, size_t n, uintptr_t pc)
{
    if (!probe_active()) return;
    for (uintptr_t at = (uintptr_t)from, end = at + n; at < end;) {
        size_t piece = probe_piece(at, end - at);
        probe_load(at, piece, pc);
        at += piece;
    }
}

bool probe_of_segments(const void *at)
{
    const struct mem_cpu *cpu = whose();
    return cpu && (uintptr_t)at - cpu->foreign.low < cpu->foreign.bytes &&
           mem_of_segment(cpu, (uintptr_t)at);
}

void probe_report(const void *at, size_t n, enum check_kind kind, uintptr_t pc)
{
    struct mem_cpu *cpu = whose();
    if (!cpu || !at || n == 0 || !world_watching()) return;
    unsigned floating = base_sse_begin();
    world_referenced(cpu, (uintptr_t)at, n, kind, pc);
    base_sse_end(floating);
}

void probe_look(const void *from, size_t n, uintptr_t pc)
{
    if (whose() && n > 0 && probe_of_segments(from))
        probe_load_range(from, n, pc);
    else
        probe_report(from, n, CHECK_LOAD, pc);
}

void probe_deliver(void *to, const void *from, size_t n, uintptr_t pc)
{
    char *out = to;
    const char *in = from;
    if (!probe_active()) {
        memcpy(to, from, n);
        return;
    }
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)out + done, n - done);
        probe_store((uintptr_t)out + done, piece, pc);
        memcpy(out + done, in + done, piece);
        done += piece;
    }
}
