/* An in-order pipeline: a step is issued when all before it are, its operands are there, its unit
 * is free and the cycle has a slot and ports for it; until then it and all behind it wait. */
#include "cpu/parts.h"

struct pipeline {
    const struct cpu_path *path;
    struct cpu_play *play;
    struct cpu_cycle cycle;
    uint64_t now;                /* the cycle */
    uint64_t free[MACH_CLASSES]; /* each unit is, from then on */
};

static void move_to(struct pipeline *p, uint64_t when)
{
    if (when <= p->now) return;
    p->now = when;
    cpu_cycle_clear(&p->cycle);
}

static void issue(struct pipeline *p, uint32_t pass, uint32_t s)
{
    const struct cpu_step *step = cpu_step_at(p->path, s);
    const struct cpu_class *class = &p->path->cpu->class[step->class];
    uint64_t ready = cpu_ready(p->path, p->play, pass, s), when = MAX(p->now, ready);
    if (step->barrier) when = MAX(when, p->play->done);
    if (!p->play->unlimited) when = MAX(when, p->free[class->unit]);
    move_to(p, when);
    if (!p->play->unlimited)
        while (!cpu_cycle_add(&p->cycle, &class->ports, p->path->cpu->issue))
            move_to(p, p->now + 1);
    p->play->issue[(size_t)pass * p->path->step->len + s] = p->now;
    if (class->repeat > 1) p->free[class->unit] = p->now + class->repeat;
    uint64_t complete = p->now + cpu_completes(p->path->cpu, step);
    p->play->done = MAX(p->play->done, complete);
    if (step->barrier || step->cycles) move_to(p, complete);
}

void cpu_play_in_order(const struct cpu_path *path, const uint32_t *order, struct cpu_play *play)
{
    struct pipeline p = {.path = path, .play = play};
    uint64_t end = 0;
    cpu_cycle_clear(&p.cycle);
    play->done = 0;
    for (uint32_t pass = 0; pass < play->passes; pass++) {
        uint64_t *ends = play->end + (size_t)pass * path->positions;
        for (uint32_t i = 0; i < path->positions; i++) ends[i] = 0;
        for (uint32_t i = 0; i < path->step->len; i++) {
            issue(&p, pass, order[i]);
            uint64_t *at = &ends[cpu_step_at(path, order[i])->position];
            *at = MAX(*at, play->issue[(size_t)pass * path->step->len + order[i]] + 1);
        }
        for (uint32_t i = 0; i < path->positions; i++) ends[i] = end = MAX(end, ends[i]);
    }
}
