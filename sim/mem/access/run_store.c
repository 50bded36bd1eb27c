/* Stores of an agent to long ranges: see run.c. */
#include "mem/access/run.h"

/* The processor waits for the load in flight, the only one, if it needs it by now. Nobody asks of
 * an agent for which. */
static inline void settle(struct mem_cpu *cpu)
{
    struct mem_flight *f = cpu->flight;
    if (!f || f->due > mem_now(&cpu->ledger)) return;
    const int64_t stall = MAX(f->load[0].done - f->due, 0);
    f->loads = 0;
    f->due = INT64_MAX;
    f->late += stall;
    cpu->ledger.memory += stall;
}

/* ---- stores of whole lines that are not fetched (block.c) ------------------------------------ */

/* The part of such a line that lies in one of the first level; the line goes to memory with its
 * first one. */
static inline void store_part(struct mem_core *core, const struct run_page *p, uintptr_t addr,
                              uint64_t bytes, bool begins)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_ledger *l = &cpu->ledger;
    struct mem_cache *first = core->peer.levels.first, *next = first->next;
    settle(cpu);
    const bool buffered = cpu->flight && cpu->flight->stores;
    const uint64_t words = 1 + (uint64_t)mem_further_words(bytes);
    const int64_t now = mem_now(l) + l->store_word;
    int64_t done = buffered ? mem_store_leaves(core, now) : now;
    first->count.stores += words;
    first->count.store_misses++;
    next->count.stores += words;
    next->count.store_misses++;
    cpu->missed.level[0]++;
    cpu->missed.level[1]++;
    core->elsewhere++;
    if (begins) done = mem_line_stored(core, done);
    const bool waits = buffered && done > now + core->first_hit;
    const int64_t stall =
        buffered ? mem_store_waits(core, now, done) : MAX(done - now - core->first_hit, 0);
    l->work += l->store_word;
    mem_stand_still(core, stall);
    if (p->segment) {
        core->own.stored = now;
        mem_store_noted(core, addr, 0);
        mem_posted_push(&core->own, addr, bytes, NULL, 0, 0,
                        mem_store_seen(core, waits ? done : now + stall));
    }
    l->work += (int64_t)(words - 1) * l->store_word;
}

/* Is it part of a line of the last level that a copy stores whole, and that no cache holds? */
static inline bool is_block(const struct mem_core *core, const struct run_page *p, uintptr_t addr)
{
    const struct mem_cache *first = core->peer.levels.first, *next = first->next;
    const uintptr_t line = (uintptr_t)1 << core->peer.domain->line_shift,
                    begin = addr & ~(line - 1);
    const uint64_t model = mem_model(p->where, addr);
    if (begin < core->block_from || begin + line > core->block_to || !p->simple) return false;
    if (has(next, mem_cache_slot(next, model), model) ||
        has(first, mem_cache_slot(first, model), model))
        return false;
    return addr != begin || !others_hold(core, p, addr);
}

/* ---- stores that the first level keeps ------------------------------------------------------- */

/* Are stores to the page what keep_lines says, but for single lines? Each waits for the one before,
 * and memory gets it by its date. */
static bool keeps(const struct mem_core *core, const struct run_page *p)
{
    const struct mem_cache *first = core->peer.levels.first, *next = first->next;
    const struct mem_cpu *cpu = core->cpu;
    return p->simple && core->peer.domain->coherent && !cpu->flight &&
           !(p->segment && cpu->unobserved && cpu->quiet) && first->write_back &&
           first->allocate_write && next && next->write_back && next->allocate_write;
}

/* Does the processor own the line, if it has it at all, without a word to anybody? `hit`: where the
 * first level has it; NULL: it has not. */
static inline bool own_unasked(const struct mem_core *core, const struct mem_line *hit,
                               uint64_t model)
{
    struct mem_cache *first = core->peer.levels.first, *next = first->next;
    if (hit && hit->key & MEM_LINE_DIRTY) return true;
    struct mem_line *below = mem_cache_slot(next, model);
    return !has(next, below, model) || mem_own_unasked(core, next, below);
}

/* It comes, if the first level has not got it, and takes the store. Complete when? */
static inline int64_t keep(struct mem_core *core, struct run_page *p, uintptr_t addr,
                           uint64_t model, int64_t now, bool hit)
{
    struct mem_cache *first = core->peer.levels.first;
    bool filled = false;
    if (!hit) {
        first->count.store_misses++;
        core->cpu->missed.level[0]++;
        now = come(core, p, addr, model, now, true, true, &filled);
    }
    mem_cache_slot(first, model)->key |= MEM_LINE_DIRTY;
    if (filled) {
        struct mem_line *below = mem_cache_slot(first->next, model);
        below->key = (below->key & ~(uint64_t)MEM_LINE_STATE) | COH_M | MEM_LINE_DIRTY;
    }
    return hit ? now + first->hit : now;
}

/* Lines that nobody else may hold, and that nobody must be told of; returns where they end. */
static uintptr_t keep_lines(struct mem_core *core, struct run_page *p, uintptr_t addr,
                            uintptr_t end)
{
    struct mem_cache *first = core->peer.levels.first;
    struct mem_ledger *l = &core->cpu->ledger;
    const uintptr_t line = (uintptr_t)1 << first->shift;
    const int64_t word = l->store_word;
    for (uintptr_t till; addr < end && !others_hold(core, p, addr); addr = till) {
        till = MIN(end, (addr & ~(line - 1)) + line);
        const uint64_t model = mem_model(p->where, addr);
        const struct mem_line *e = mem_cache_slot(first, model);
        const bool hit = has(first, e, model);
        if (!own_unasked(core, hit ? e : NULL, model)) break;
        const int64_t words = 1 + mem_further_words(till - addr), now = mem_now(l) + word,
                      done = keep(core, p, addr, model, now, hit),
                      stall = MAX(done - now - core->first_hit, 0);
        first->count.stores += (uint64_t)words;
        if (p->segment) {
            core->own.stored = now;
            mem_posted_push(&core->own, addr, till - addr, NULL, 0, 0, now + stall);
        } else {
            mem_filter_know_store(&core->cpu->filter, (uint64_t)addr >> first->shift);
        }
        mem_charge(l, words * word, stall);
    }
    return addr;
}

void mem_run_stores(struct mem_core *core, struct run_page *p, uintptr_t addr, uintptr_t end)
{
    const struct mem_cache *first = core->peer.levels.first;
    const bool kept = keeps(core, p);
    const bool blocks =
        core->block_to && first->next && !first->write_back && !first->allocate_write;
    const uintptr_t line = (uintptr_t)1 << first->shift,
                    step = (uintptr_t)1 << core->peer.domain->line_shift;
    for (uintptr_t till; addr < end; addr = till) {
        if (kept) addr = keep_lines(core, p, addr, end);
        if (addr == end) return;
        till = MIN(end, (addr & ~(line - 1)) + line);
        if (blocks && is_block(core, p, addr))
            store_part(core, p, addr, till - addr, !(addr & (step - 1)));
        else
            play_one(core, MEM_STORE, p, addr, till - addr);
    }
}
