/* Variables that are an operation's buffer and whose function ends within its caller (instrument's
 * ends.cc): only the check is asked. */
#include "probe/access.h"
#include "probe/hooks.h"

void probe_hook_ends(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu)
{
    if (check_on && cpu->core) check_frame_ended(cpu->rank, addr, bytes);
}
