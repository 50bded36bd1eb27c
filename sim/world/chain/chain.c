/* What the rank has cost so far, whenever it changes functions. */
#include "world/chain/chain.h"

#include "kern/kern.h"
#include "mem/counters/counters.h"
#include "report/source/source.h"

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

/* How the function around a mark finds where it returns to. */
struct rule {
    op_site mark;
    bool known;
    struct report_source_frame frame;
};
static GHashTable *rules; /* struct rule, each its own key */

static const struct rule *rule_of(op_site mark)
{
    if (!rules) rules = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    struct rule *rule = g_hash_table_lookup(rules, &mark);
    if (rule) return rule;
    rule = g_new0(struct rule, 1);
    rule->mark = mark;
    rule->known = report_source_frame(world_one.description.program, mark, &rule->frame);
    g_hash_table_add(rules, rule);
    return rule;
}

/* Where the program called the function; 0: not known, or its caller is a library. */
static op_site called_from(const struct mem_cpu *cpu, op_site mark, uintptr_t stack, uintptr_t base)
{
    const struct rule *rule = rule_of(mark);
    if (!rule->known) return 0;
    const uintptr_t frame = (rule->frame.by_base ? base : stack) + (uintptr_t)rule->frame.offset;
    const op_site site = mem_place(cpu, ((const uintptr_t *)frame)[-1]);
    return site & OP_SITE_FOREIGN ? 0 : site;
}

void world_chain_enter(uintptr_t pc, struct profile_frame at, uintptr_t base)
{
    const struct world_rank_state *state = world_state_here();
    if (!state || state->gone || state->finished) return;
    const struct mem_cpu *cpu = state->rank.proc->cpu;
    const struct profile_chain_cost cost = so_far(state);
    const op_site mark = mem_place(cpu, pc);
    profile_chain_enter(state->rank.rank, mark, called_from(cpu, mark, at.frame, base), at, &cost);
}

void world_chain_leave(struct profile_frame at)
{
    const struct world_rank_state *state = world_state_here();
    if (!state || state->gone || state->finished) return;
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_leave(state->rank.rank, at, &cost);
}

void world_chain_resume(struct profile_frame at)
{
    const struct world_rank_state *state = world_state_here();
    if (!state || state->gone || state->finished) return;
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_resume(state->rank.rank, at, &cost);
}

void world_chain_call(const struct world_rank_state *state, const char *call)
{
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_call(state->rank.rank, call, world_site_of(state, state->pc),
                       (uintptr_t)__builtin_frame_address(0), &cost);
}

void world_chain_return(const struct world_rank_state *state)
{
    const struct profile_chain_cost cost = so_far(state);
    profile_chain_return(state->rank.rank, &cost);
}

void world_chains_clear(void)
{
    g_clear_pointer(&rules, g_hash_table_unref);
    profile_chains_clear();
}
