/* quiet: stores to segments that nobody can see before their rank says so: see quiet.h. */
#include "mem/access/quiet.h"

MEM_WITHOUT_FLOATS static inline uintptr_t line_bytes(const struct mem_core *core)
{
    return (uintptr_t)1 << core->cpu->filter.line_shift;
}

/* Is memory what the view is? What was posted is, since nobody asks by which date. */
static bool is_published(struct mem_core *core, uintptr_t line)
{
    struct mem_own *own = &core->own;
    struct mem_values *v = own->values;
    const uintptr_t to = line + line_bytes(core);
    mem_posted_apply(own, INT64_MAX / 2);
    for (struct mem_region *r = mem_region_find(v, line, to); r; r = mem_region_next(v, r, to)) {
        const uintptr_t from = MAX(line, r->base), end = MIN(to, r->end);
        if (memcmp((const void *)from, r->image + (from - r->base), end - from) != 0) return false;
    }
    return true;
}

/* Word by word, and without a call of memcpy: where a library is called, arguments are in the
 * registers of floating point. */
MEM_WITHOUT_FLOATS static void copy(uint8_t *to, const uint8_t *from, uintptr_t bytes)
{
    uintptr_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
        __builtin_memcpy(to + i, from + i, 8);
        __asm__("" ::: "memory");
    }
    for (; i < bytes; i++) {
        to[i] = from[i];
        __asm__("" ::: "memory");
    }
}
MEM_WITHOUT_FLOATS static void publish(struct mem_core *core, uintptr_t line)
{
    const struct mem_values *v = &core->node->values;
    const uintptr_t to = line + line_bytes(core);
    struct mem_filter *f = &core->cpu->filter;
    uint64_t *known = &f->store_ok[line >> f->line_shift & (MEM_FILTER - 1)];
    if (*known == line >> f->line_shift) *known = ~UINT64_C(0); /* its next store is asked for */
    for (size_t i = 0; i < v->regions; i++) {
        const struct mem_region *r = &v->region[i];
        if (r->base >= to || r->end <= line) continue;
        const uintptr_t from = MAX(line, r->base);
        copy(r->image + (from - r->base), (const uint8_t *)from, MIN(to, r->end) - from);
    }
}

void mem_quiet_widen(struct mem_core *core)
{
    struct mem_quiet *q = &core->quiet;
    struct mem_foreign *f = &core->cpu->foreign;
    if (q->wide) return;
    q->wide = true;
    q->low = f->low;
    q->bytes = f->bytes;
    f->low = 0;
    f->bytes = UINTPTR_MAX;
}

bool mem_quiet_begin(struct mem_core *core, uintptr_t addr)
{
    struct mem_cpu *cpu = core->cpu;
    struct mem_quiet *q = &core->quiet;
    const uint32_t shift = cpu->filter.line_shift;
    const uint64_t host = (uint64_t)addr >> shift;
    struct mem_quiet_line *place = &core->quiet_line[host & (MEM_QUIET - 1)];
    if (cpu->foreign.pc || cpu->foreign.n || core->own.deferred.late) return false;
    if (core->own.deferred.bytes > line_bytes(core)) return false;
    if (!is_published(core, (uintptr_t)(host << shift))) return false;
    if (place->unlike) publish(core, (uintptr_t)(~place->unlike << shift));
    *place = (struct mem_quiet_line){~host, NULL};
    q->some = true;
    mem_quiet_widen(core);
    return true;
}

MEM_WITHOUT_FLOATS void mem_quiet_lines_end(struct mem_core *core)
{
    if (!core->quiet.some) return;
    for (uint32_t i = 0; i < MEM_QUIET; i++) {
        if (!core->quiet_line[i].unlike) continue;
        publish(core, (uintptr_t)(~core->quiet_line[i].unlike << core->cpu->filter.line_shift));
        core->quiet_line[i].unlike = 0;
    }
    core->quiet.some = false;
}
