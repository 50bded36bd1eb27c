/* counters: what a node's caches and its bus have counted. A door of mem, for world's report and
 * sync. */
#ifndef MEM_COUNTERS_COUNTERS_H
#define MEM_COUNTERS_COUNTERS_H

#include "base/base.h"
#include "mem/cache/level.h"
#include "mem/time/resource.h"

struct mem_cpu;
struct mem_node;

int mem_levels(const struct mem_cpu *cpu);
struct mem_cache_count mem_cache_count(struct mem_cpu *cpu, int level); /* level from 0 */
uint64_t mem_stale_loads(const struct mem_cpu *cpu);
/* Pages that an access waited for. */
uint64_t mem_page_faults(const struct mem_cpu *cpu);
/* Branches whose outcome was predicted wrongly. */
uint64_t mem_mispredicted(const struct mem_cpu *cpu);
/* Seconds of a tick. */
double mem_tick(const struct mem_node *node);
/* Seconds: the last date that can be computed with. */
double mem_last_s(const struct mem_node *node);
struct mem_resource_count mem_bus_count(const struct mem_node *node);
/* The line, by its number on the node, of which writers took most time from each other, and its
 * transfers to them. False: none has had to wait for another. */
bool mem_line_count(const struct mem_node *node, uint64_t *line, struct mem_resource_count *count);
/* What memory gave where no bus stands before it, and what it can give: lines that the last level
 * missed, each in the time of one that it has at hand. What the node's link to the pool carried.
 * False: there is none, or it was not used. */
bool mem_memory_use(const struct mem_node *node, struct base_use *use);
bool mem_pool_use(const struct mem_node *node, struct base_use *use);

#endif
