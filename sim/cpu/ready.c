/* When the operands of a step are there. */
#include "cpu/parts.h"

uint64_t cpu_ready(const struct cpu_path *path, const struct cpu_play *play, uint32_t pass,
                   uint32_t s)
{
    const struct cpu_step *step = cpu_step_at(path, s);
    uint64_t ready = 0;
    for (uint32_t i = 0; i < step->deps; i++) {
        const struct cpu_dep *d = cpu_dep_at(path, step->first_dep + i);
        if (d->step == CPU_NO_STEP || d->distance > pass) continue;
        uint64_t from = play->issue[(size_t)(pass - d->distance) * path->step->len + d->step];
        uint64_t there = from + cpu_wait(path, d, step);
        ready = MAX(ready, there);
    }
    return ready;
}
