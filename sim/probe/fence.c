/* Fences of memory. What one orders in the copies that processors have is the coherence protocol's:
 * only the check is told. */
#include "probe/access.h"
#include "probe/hooks.h"

void probe_hook_fence(uint32_t order, struct mem_cpu *cpu)
{
    if (check_on && cpu->core && order != __ATOMIC_RELAXED)
        check_fence_of_memory(cpu->rank, order != __ATOMIC_RELEASE, order >= __ATOMIC_RELEASE);
}
