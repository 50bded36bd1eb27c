/* A loop that adds to one of many (a histogram): data decide which. Where a round takes the same as
 * the round before, its load waits for what that has stored, and a round takes what the way from
 * the load to the store does, and cpu.forward: not what it takes where each goes elsewhere. Whether
 * it is the same is asked as the program runs (instrument, BLOCK_AGAIN).
 *
 * Rounds that go to one place, one behind the other, are a run. Its chain begins when it enters the
 * window, while the run before it goes on, as executions of inner loops do (overlap.c): how many
 * rounds fit is said here, and what they save by world/prices, which knows the runs.
 *
 * Several stores of a block share what their ways take: these run side by side. Left out: rounds
 * further apart, and in order, where the store buffer is asked in the time of a load. */
#include "cpu/parts.h"

/* Cycles from when a value loaded by an operation is there until one stored in the same round may
 * be loaded again; 0: it is not made of it. */
static uint64_t way(const struct cpu_path *path, uint32_t load, uint32_t store)
{
    g_autofree uint64_t *from = g_new0(uint64_t, path->step->len + 1); /* 1 more; 0: no way there */
    uint64_t longest = 0;
    for (uint32_t s = 0; s < path->step->len; s++) {
        const struct cpu_step *step = cpu_step_at(path, s);
        if (step->position > 0) break;
        for (uint32_t i = 0; i < step->deps; i++) {
            const struct cpu_dep *d = cpu_dep_at(path, step->first_dep + i);
            if (d->step == CPU_NO_STEP || d->distance > 0 || d->step >= s) continue;
            bool loaded = cpu_step_at(path, d->step)->op == load;
            uint64_t there = loaded          ? 1
                             : from[d->step] ? from[d->step] + cpu_wait(path, d, step)
                                             : 0;
            from[s] = MAX(from[s], there);
        }
        if (step->op == store && from[s] > 0)
            longest = MAX(longest, from[s] - 1 + cpu_latency(path->cpu, step, MACH_USE_VALUE));
    }
    return longest;
}

void cpu_time_again(const struct cpu_path *path, const struct cpu_price *price,
                    struct cpu_timing *timing)
{
    const struct cpu_block *block = cpu_block_at(path->object, path->block[0]);
    const uint32_t passes = path->joined ? path->positions : 1,
                   steps = MAX(path->step->len / passes, 1);
    uint32_t stores = 0;
    if (path->cpu->window == 0 || !(block->flags & BLOCK_LOOP)) return;
    for (uint32_t i = block->first_op; i < block->first_op + block->ops; i++)
        stores += (cpu_op_at(path->object, i)->flags & BLOCK_AGAIN) != 0;
    for (uint32_t i = block->first_op; i < block->first_op + block->ops; i++) {
        const struct cpu_op *op = cpu_op_at(path->object, i);
        if (!(op->flags & BLOCK_AGAIN)) continue;
        uint64_t takes = way(path, block->first_op + op->loaded, i) * CPU_TICKS,
                 priced = price[path->block[0]].ticks;
        if (takes <= priced) continue;
        timing[i].again = (uint32_t)MIN((takes - priced) / stores, UINT32_MAX);
        timing[i].again_way = (uint32_t)MIN(takes / stores, UINT32_MAX);
        timing[i].again_rounds = price[path->block[0]].window * CPU_AGAIN_PART / steps;
    }
}
