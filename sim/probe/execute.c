/* What a library executes by its arguments: an element of an array that is written, a number that
 * is printed. What every call of a function executes, is in the prices of blocks already. */
#include "base/floating/floating.h"
#include "probe/access.h"
#include "world/prices/prices.h"

void probe_execute(const char *function, uint64_t times, uintptr_t pc)
{
    if (times == 0 || !probe_active()) return;
    struct mem_cpu *cpu = world_cpu();
    struct base_floating floating;
    base_floating_begin(&floating);
    const int64_t work = world_library_ticks(function) * (int64_t)times;
    mem_charge(&cpu->ledger, work, 0);
    profile_work(mem_place(cpu, pc), work);
    base_floating_end(&floating);
}
