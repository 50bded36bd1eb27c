/* What fences of instrumented code take; what they order is told.c's. Called through the program
 * object (sim/program/hooks.c). */
#include "probe/hooks.h"
#include "world/rank/rank.h"

void probe_hook_stand(struct mem_cpu *cpu)
{
    if (cpu == world_cpu() && cpu->core) mem_fence_all(cpu);
}
