/* turn: an agent's turn at a processor. Private to mem/agent. */
#ifndef MEM_AGENT_TURN_H
#define MEM_AGENT_TURN_H

#include "mem/access/access.h"

/* What the processor owes, and has in flight, is put aside; stores before have happened. */
struct mem_ledger mem_turn_begin(struct mem_core *core, double at_s);
/* It comes back; returns the seconds of the turn, at whose end all loads have come. Stores of the
 * turn have happened already. */
double mem_turn_end(struct mem_core *core, struct mem_ledger before);

#endif
