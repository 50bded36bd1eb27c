/* turn: an agent's turn at a processor: see turn.h. */
#include "mem/agent/turn.h"
#include "mem/access/flying.h"

struct mem_ledger mem_turn_begin(struct mem_core *core, double at_s)
{
    mem_deferred_commit(&core->own);
    mem_fold_counts(core);
    core->cpu->flight = core->agent;
    core->agents_turn = true;
    return mem_ledger_begin(&core->cpu->ledger, mem_ticks(core->node->scale, at_s));
}

struct mem_charge mem_turn_end(struct mem_core *core, struct mem_ledger before)
{
    mem_fold_counts(core);
    if (core->agent) core->cpu->ledger.memory += mem_all_there(core);
    core->cpu->missed = (struct mem_missed){0}; /* not the program's own */
    core->cpu->flight = core->program;
    core->agents_turn = false;
    const struct mem_debt took = mem_ledger_end(&core->cpu->ledger, before);
    mem_deferred_commit(&core->own);
    return (struct mem_charge){mem_seconds(core->node->scale, took.work),
                               mem_seconds(core->node->scale, took.memory)};
}
