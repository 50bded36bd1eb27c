/* What a program finds when it asks about the computer: the machine's node. */
#include "mach/mach.h"
#include "world/rank/rank.h"
#include "world/rank/state.h"

#include <unistd.h>

int world_node(void)
{
    const struct world_rank *r = world_here();
    return r ? mach_node_of(world_one.mach, r->rank) : -1;
}

int world_processor(void)
{
    const struct world_rank *r = world_here();
    return r ? r->rank % mach_node_ranks(world_one.mach) : -1;
}

/* size: sysconf's name of the level's size; those of its ways and lines follow. Of a level that the
 * machine lacks, 0, as the library says of one that a computer lacks. */
static long of_cache(int level, int name, int size)
{
    const struct mach *m = world_one.mach;
    if (level >= m->levels) return 0;
    const struct mach_cache *cache = &m->cache[level];
    return name == size ? (long)cache->size : name == size + 1 ? cache->ways : (long)cache->line;
}

bool world_sysconf(int name, long *answer)
{
    if (!world_here()) return false;
    switch (name) {
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: *answer = world_one.mach->cpus; return true;
    case _SC_LEVEL1_DCACHE_SIZE:
    case _SC_LEVEL1_DCACHE_ASSOC:
    case _SC_LEVEL1_DCACHE_LINESIZE:
        *answer = of_cache(0, name, _SC_LEVEL1_DCACHE_SIZE);
        return true;
    case _SC_LEVEL2_CACHE_SIZE:
    case _SC_LEVEL2_CACHE_ASSOC:
    case _SC_LEVEL2_CACHE_LINESIZE: *answer = of_cache(1, name, _SC_LEVEL2_CACHE_SIZE); return true;
    case _SC_LEVEL3_CACHE_SIZE:
    case _SC_LEVEL3_CACHE_ASSOC:
    case _SC_LEVEL3_CACHE_LINESIZE: *answer = of_cache(2, name, _SC_LEVEL3_CACHE_SIZE); return true;
    case _SC_LEVEL4_CACHE_SIZE:
    case _SC_LEVEL4_CACHE_ASSOC:
    case _SC_LEVEL4_CACHE_LINESIZE: *answer = of_cache(3, name, _SC_LEVEL4_CACHE_SIZE); return true;
    default: return false;
    }
}
