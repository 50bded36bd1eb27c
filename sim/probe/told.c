/* What touches no memory, and only the check is told of. What a fence orders in the copies that
 * processors have is the coherence protocol's. */
#include "probe/access.h"
#include "probe/hooks.h"

void probe_hook_fence(uint32_t order, struct mem_cpu *cpu)
{
    if (check_on && cpu->core && order != __ATOMIC_RELAXED)
        check_fence_of_memory(cpu->rank, order != __ATOMIC_RELEASE, order >= __ATOMIC_RELEASE);
}

void probe_hook_ends(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu)
{
    if (check_on && cpu->core) check_frame_ended(cpu->rank, addr, bytes);
}
