/* One cycle of an in-order machine: which steps fit into it together. Every set of ports that a
 * step asks for gets a port of its own; who came first moves over where that helps (augmenting
 * paths, Kuhn 1955), so that the order in which steps are offered does not matter. */
#include "cpu/parts.h"

#include <string.h>

void cpu_cycle_clear(struct cpu_cycle *cycle)
{
    cycle->issued = cycle->sets = 0;
    memset(cycle->owner, -1, sizeof cycle->owner);
}

/* A port for set i; ports in *seen were asked already. */
static bool find_port(struct cpu_cycle *cycle, int i, uint32_t *seen)
{
    for (int p = 0; p < MACH_PORT_COUNT; p++) {
        uint32_t bit = 1U << p;
        if (!(cycle->set[i] & bit) || (*seen & bit)) continue;
        *seen |= bit;
        if (cycle->owner[p] < 0 || find_port(cycle, cycle->owner[p], seen)) {
            cycle->owner[p] = (int8_t)i;
            return true;
        }
    }
    return false;
}

bool cpu_cycle_add(struct cpu_cycle *cycle, const struct mach_ports *ports, uint32_t width)
{
    if (cycle->issued >= width) return false;
    struct cpu_cycle before = *cycle;
    for (int i = 0; i < ports->sets; i++) {
        uint32_t seen = 0;
        cycle->set[cycle->sets] = ports->set[i];
        if (!find_port(cycle, (int)cycle->sets++, &seen)) {
            *cycle = before;
            return false;
        }
    }
    cycle->issued++;
    return true;
}
