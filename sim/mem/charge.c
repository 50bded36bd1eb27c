/* charge: what a processor owes the clock, and what happens when it has been paid. */
#include "mem/mem.h"
#include "mem/access/lend.h"

double mem_unpaid(struct mem_cpu *cpu)
{
    mem_settle(cpu);
    return mem_seconds(cpu->core->node->scale, mem_owed(&cpu->ledger));
}

void mem_compute(struct mem_cpu *cpu, double seconds)
{
    mem_charge_compute(&cpu->ledger, mem_ticks(cpu->core->node->scale, seconds));
}

struct mem_charge mem_take(struct mem_cpu *cpu)
{
    struct mem_core *core = cpu->core;
    struct mem_scale scale = core->node->scale;
    mem_settle(cpu);
    mem_fold_counts(core);
    struct mem_debt debt = mem_ledger_take(&cpu->ledger);
    return (struct mem_charge){mem_seconds(scale, debt.work), mem_seconds(scale, debt.memory)};
}

/* What the clock has gone on by, beside what was owed: the processor waited for something else. */
static void stood_still(struct mem_cpu *cpu, int64_t ticks)
{
    if (ABS(ticks) > MEM_TICK_SLACK) mem_flight_shift(cpu->flight, ticks);
}

void mem_paid(struct mem_cpu *cpu, double now_s)
{
    struct mem_core *core = cpu->core;
    struct mem_node *node = core->node;
    int64_t now = mem_ticks(node->scale, now_s);
    if (cpu->flight) stood_still(cpu, now - cpu->ledger.clock);
    mem_ledger_set(&cpu->ledger, now);
    node->domain.resource.latest = MAX(node->domain.resource.latest, now);
    mem_deferred_commit(&core->own);
    mem_buffer_advance(&core->buffer, now);
    mem_values_until(&node->values, now);
    if (MEM_UNLIKELY(core->behind != node->values.fell_behind)) {
        core->behind = node->values.fell_behind;
        mem_lend_end(core);
        if (cpu->unobserved) mem_filter_clear(&cpu->filter);
    }
}

void mem_resume(struct mem_cpu *cpu, double now_s, double owed_s)
{
    struct mem_scale scale = cpu->core->node->scale;
    if (mem_ticks(scale, now_s) > cpu->ledger.clock) mem_paid(cpu, now_s);
    int64_t now = mem_ticks(scale, now_s + owed_s);
    if (now <= cpu->ledger.clock) return;
    if (cpu->flight) stood_still(cpu, now - cpu->ledger.clock);
    mem_ledger_set(&cpu->ledger, now);
}
