/* A described program on a machine, and its prices. */
#ifndef CPU_SCENE_H
#define CPU_SCENE_H

#include "cpu/cpu_made.h"

struct scene {
    struct mach *mach;
    struct cpu *cpu;
    GPtrArray *objects;
    struct cpu_object *object; /* the first */
    struct cpu_price *price;
    struct cpu_timing *timing;
};
/* sets: "k=v k=v", NULL: none. A machine or text that is refused fails the test. */
struct scene scene_open(const char *machine, const char *sets, const char *text);
void scene_close(struct scene *s);
/* Cycles of one execution of a block, rounded to 1/1000. */
double scene_cycles(const char *machine, const char *sets, const char *text, uint32_t block);

#endif
