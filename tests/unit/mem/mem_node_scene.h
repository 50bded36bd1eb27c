/* What the suites of mem on a node share: a node of several processors with its memory, and what an
 * access costs there. */
#ifndef MEM_NODE_SCENE_H
#define MEM_NODE_SCENE_H

#include "mem_unit.h"

/* ns of a hit on smp: the price of its block has it, so a miss costs so much less here; of a word
 * that a library or an agent loads or stores, one a cycle */
enum { HIT = 6 };
#define WORD (1e3 / 167)

static struct mach *m;
static struct mem_node *node;
static uint8_t *memory;
static volatile int32_t *x;
static double now_s[128];

static void begin(const char *name, int cpus, const char *set)
{
    record_clear();
    m = machine(name, set, NULL);
    node = mem_node_new(m, cpus);
    for (int i = 0; i < cpus; i++) {
        mem_node_cpu(node, i)->rank = i;
        now_s[i] = 0;
    }
    mem_set_quantum(node, 1e3);
    memory = pages(64);
    x = (volatile int32_t *)memory;
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

static struct mem_cpu *cpu(int i) { return mem_node_cpu(node, i); }

/* Nanoseconds of one access, paid at once; all processors stand at the same date afterwards. */
static double ns(int i, const volatile void *at, bool store)
{
    double latest = 0;
    for (int k = 0; k < 64; k++) latest = MAX(latest, now_s[k]);
    mem_paid(cpu(i), latest);
    UNIT_EQUAL(store ? try_store(cpu(i), at, 4) : try_load(cpu(i), at, 4), MEM_DONE);
    now_s[i] = pay(cpu(i), latest);
    return (now_s[i] - latest) * 1e9;
}

#endif
