/* A store of a loop to where the round before stored: what it costs less, as one of a run. */
#include "world/prices/prices.h"
#include "probe/hooks.h"

#include "probe/in_line/in_line.h"

_Static_assert((int)MEM_AGAIN == (int)PROBE_AGAIN, "one and the same");

void probe_hook_again(uint64_t at, uint32_t number, struct mem_cpu *cpu, struct mem_site *site)
{
    if (!cpu->core) return;
    if (!cpu->runs) cpu->runs = g_new0(struct mem_runs, MEM_AGAIN);
    mem_charge(&cpu->ledger, -world_again(&cpu->runs[number], site, at, cpu->ledger.stores), 0);
}
