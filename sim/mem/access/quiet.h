/* quiet: stores to segments that nobody can see before their rank says so. Private to mem/access.
 *
 * On a node with coherence memory gets the bytes of a store by its date. While nobody but this
 * processor's rank acts (mem_unobserved) nobody asks by which: memory gets a line that takes stores
 * when others may look, or when its place is wanted. Before its first store view and memory agree
 * in it, so that nothing else goes along: what a library has stored unseen is found by where they
 * differ. So lines go to memory before a library is called, too: while there are some, every
 * argument counts as an address of a segment (foreign.h), and probe takes its longer way. While it
 * is one of them and the level that keeps stores finds it in place, a store to it changes nothing
 * but counts, and it stands in the filter as a private line does.
 */
#ifndef MEM_ACCESS_QUIET_H
#define MEM_ACCESS_QUIET_H

#include "mem/access/access.h"

/* Every argument of a library's counts as an address of a segment, until mem_quiet_end. */
void mem_quiet_widen(struct mem_core *core);
/* Memory has what was stored to the lines: there are none. */
MEM_WITHOUT_FLOATS void mem_quiet_lines_end(struct mem_core *core);
/* The line becomes one of them. False: it may not. */
bool mem_quiet_begin(struct mem_core *core, uintptr_t addr);
static inline struct mem_quiet_line *mem_quiet_place(struct mem_core *core, uintptr_t addr)
{
    return &core->quiet_line[(uint64_t)addr >> core->cpu->filter.line_shift & (MEM_QUIET - 1)];
}
static inline bool mem_quiet_has(struct mem_core *core, uintptr_t addr)
{
    return mem_quiet_place(core, addr)->unlike == ~((uint64_t)addr >> core->cpu->filter.line_shift);
}
/* A store to a segment whose line is the processor's own: does nobody need its date? The stores
 * before it have happened. */
static inline bool mem_quiet_store(struct mem_core *core, uintptr_t addr)
{
    const struct mem_cpu *cpu = core->cpu;
    if (!cpu->unobserved || !cpu->quiet) return false;
    return mem_quiet_has(core, addr) || mem_quiet_begin(core, addr);
}
/* It does not, and is `at` that level: the next store finds it there, if dates need not be those of
 * a line that changes writers. */
static inline void mem_quiet_at(struct mem_core *core, uint64_t where, uintptr_t addr,
                                const struct mem_line *at)
{
    if (!(where & MEM_PAGE_SHARED)) mem_quiet_place(core, addr)->at = at;
}
/* The first level has it, too, in front of its set if hits count. */
static inline void mem_quiet_known(struct mem_core *core, uintptr_t addr)
{
    mem_filter_stored(&core->cpu->filter, (uint64_t)addr >> core->cpu->filter.line_shift);
}
/* One more such store to a line that `c` still has, by a processor that may be as far ahead as it
 * is, with nothing in flight that it needs. NULL: it is to be asked. */
static inline const struct mem_line *mem_quiet_again(struct mem_core *core,
                                                     const struct mem_cache *c, uintptr_t addr,
                                                     uint64_t bytes, const struct mem_site *site)
{
    const struct mem_cpu *cpu = core->cpu;
    const uint32_t shift = cpu->filter.line_shift;
    const uint64_t host = (uint64_t)addr >> shift, flags = MEM_LINE_HELD | MEM_LINE_DIRTY;
    const struct mem_quiet_line *place = &core->quiet_line[host & (MEM_QUIET - 1)];
    const struct mem_line *e = place->at;
    if (place->unlike != ~host || !e || (addr + bytes - 1) >> shift != host) return NULL;
    if (e->host != (uint64_t)addr >> c->shift || (e->key & flags) != flags) return NULL;
    const int64_t now = mem_now(&cpu->ledger) - site->rest;
    if (cpu->flight && cpu->flight->due <= now) return NULL;
    return now - cpu->ledger.clock <= core->node->domain.unobserved ? e : NULL;
}

#endif
