/* dram.h: one line from main memory. Private to the room.
 *
 * A DRAM keeps one page open; a line from it costs same_page, another page must be opened first.
 * Read-ahead: after each line memory fetches the next ascending one into a single buffer, so one
 * ascending stream is served at once and a second one interleaved with it defeats it (McCalpin,
 * STREAM, T3D appendix; Grassl 1995). Left out: refresh, banks, and that writes open pages too
 * (they are the write buffer's: retire_cycles whatever the page).
 */
#ifndef MEM_DRAM_H
#define MEM_DRAM_H

#include "core.h"

static inline int64_t mem_dram(struct mem_core *core, uint64_t model)
{
    return mem_way_dram(&core->cpu->way, model >> core->node->last_shift);
}

/* Waits for memory, reads the line, and says what the processor waited in all. */
static inline int64_t mem_dram_wait(struct mem_core *core, uint64_t model, int64_t now)
{
    bool queued = core->cpu->way.queued;
    if (queued) mem_wb_advance(core, now); /* a write that has begun is not interrupted */
    int64_t wait = core->memory_free > now ? core->memory_free - now : 0;
    int64_t ticks = wait + mem_dram(core, model);
    /* Only writes that wait need to know: the processor itself goes on when memory is done. The
     * short way, which is taken when none waits, leaves no such date either. */
    if (queued) core->memory_free = now + ticks;
    core->cpu->way.beyond = 0;
    mem_way_look(&core->cpu->way);
    return ticks;
}

#endif
