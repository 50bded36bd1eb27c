/* Who is running, and the one world itself. */
#include "world/rank/state.h"

#include "kern/kern.h"
#include "serve/clock/clock.h"
#include "trace/trace.h"

struct world world_one = {.detached = {.rank = -1}};

/* No line has the number 0, so its filters match none. */
struct mem_cpu world_nobody = {.filter.line_shift = 5};
_Thread_local intptr_t world_offset;

bool world_is_child(void) { return world_one.forked; }

bool world_simulated(void) { return world_one.running; }

bool world_unseen_here(void)
{
    return world_one.in_region ||
           (world_one.running && !pthread_equal(world_one.simulator, pthread_self()));
}

struct world_rank_state *world_state_here(void)
{
    if (!world_one.running || world_one.detached.rank >= 0 || world_unseen_here()) return NULL;
    int rank = world_cpu() != &world_nobody ? world_cpu()->rank : kern_rank();
    return rank >= 0 && rank < world_one.description.ranks ? &world_one.state[rank] : NULL;
}

struct mem_cpu *world_resolve(void)
{
    struct world_rank_state *state = world_state_here();
    return state && !state->finished ? state->rank.proc->cpu : NULL;
}

struct world_rank *world_here(void)
{
    struct world_rank_state *state = world_state_here();
    return state ? &state->rank : NULL;
}

int world_ranks(void) { return world_one.description.ranks; }

struct world_rank *world_rank_of(int rank) { return &world_one.state[rank].rank; }

double world_cycles(double cycles)
{
    return world_one.running ? cycles / world_one.mach->cpu_clock : 0;
}

int64_t world_issue_ticks(uint32_t operations)
{
    return world_one.running ? mem_cycles((double)operations / world_one.mach->cpu_issue) : 0;
}
int64_t world_miss_ticks(void)
{
    return world_one.running ? mem_cycles(world_one.mach->cpu_branch_miss) : 0;
}

op_site world_site_of(const struct world_rank_state *state, uintptr_t pc)
{
    return mem_place(state->rank.proc->cpu, pc);
}

void world_ends(struct world_rank_state *state, double end_s)
{
    struct world *w = &world_one;
    state->finished = true;
    state->rank.proc->end_s = end_s;
    if (trace_on) trace_track_end(state->rank.rank, end_s);
    kern_cause_also(&w->ended, state->rank.rank, end_s, end_s);
    if (w->end && w->end->to_s >= end_s) return;
    kern_cause_unref(w->end);
    w->end = kern_cause_here(state->rank.rank, end_s);
}
