/* Fences of instrumented code: what they order is the check's, what they wait for mem's. What one
 * orders in the copies that processors have is the coherence protocol's. Called through the program
 * object (sim/program/hooks.c). */
#include "probe/access.h"
#include "probe/hooks.h"

void probe_hook_fence(uint32_t order, struct mem_cpu *cpu)
{
    if (check_on && cpu->core && order != __ATOMIC_RELAXED)
        check_fence_of_memory(cpu->rank, order != __ATOMIC_RELEASE, order >= __ATOMIC_RELEASE);
}

void probe_hook_stand(struct mem_cpu *cpu)
{
    if (cpu == world_cpu() && cpu->core) mem_fence_all(cpu);
}
