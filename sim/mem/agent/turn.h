/* turn: an agent's turn at a processor. Private to mem/agent. */
#ifndef MEM_AGENT_TURN_H
#define MEM_AGENT_TURN_H

#include "mem/access/access.h"
#include "mem/time/charge.h"

/* What the processor owes, and has in flight, is put aside; stores before have happened. */
struct mem_ledger mem_turn_begin(struct mem_core *core, double at_s);
/* It comes back; returns what the turn took, at whose end all loads have come. Stores of the turn
 * have happened already. */
struct mem_charge mem_turn_end(struct mem_core *core, struct mem_ledger before);

#endif
