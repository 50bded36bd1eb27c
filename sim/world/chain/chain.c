/* What the rank has cost so far, whenever it changes functions. */
#include "world/chain/chain.h"

#include "kern/kern.h"
#include "mem/counters/counters.h"

/* Charged or paid; owed work and stalls are a rank's own as soon as they are charged. It has waited
 * for the rest of the clock. */
static struct profile_chain_cost so_far(const struct world_rank_state *state)
{
    const struct serve_proc *proc = state->rank.proc;
    const double tick_s = mem_tick(proc->memory);
    const struct kern_spent *spent = &proc->spent;
    const struct mem_ledger *owed = &proc->cpu->ledger;
    struct profile_chain_cost cost = {
        .compute_s = spent->compute_s + proc->owed_compute_s + (double)owed->work * tick_s,
        .memory_s = spent->memory_s + proc->owed_memory_s + (double)owed->memory * tick_s,
        .service_s = spent->service_s,
        .wait_s = kern_now() - spent->compute_s - spent->memory_s - spent->service_s};
    for (int level = 0; level < mem_levels(proc->cpu); level++) {
        const struct mem_cache_count count = mem_cache_count(proc->cpu, level);
        cost.missed[MIN(level, PROFILE_LEVELS - 1)] += count.load_misses + count.store_misses;
    }
    return cost;
}

void world_chain_enter(uintptr_t pc, struct profile_frame at)
{
    const struct world_rank_state *state = world_state_here();
    if (!state || state->gone) return;
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_enter(state->rank.rank, mem_place(state->rank.proc->cpu, pc), at, &cost);
}

void world_chain_leave(struct profile_frame at)
{
    const struct world_rank_state *state = world_state_here();
    if (!state || state->gone) return;
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_leave(state->rank.rank, at, &cost);
}

void world_chain_resume(struct profile_frame at)
{
    const struct world_rank_state *state = world_state_here();
    if (!state || state->gone) return;
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_resume(state->rank.rank, at, &cost);
}

void world_chain_call(const struct world_rank_state *state, const char *call)
{
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_call(state->rank.rank, call, (uintptr_t)__builtin_frame_address(0), &cost);
}

void world_chain_return(const struct world_rank_state *state)
{
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_return(state->rank.rank, &cost);
}
