/* Who is running, where, and the one world itself. */
#include "world/rank/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct world world_one = {.detached = {.rank = -1}};

/* No line has the number 0, so its filters match none. */
struct mem_cpu world_nobody = {.filter.line_shift = 5};
_Thread_local intptr_t world_offset;

bool world_is_child(void) { return world_one.forked; }

bool world_simulated(void) { return world_one.running; }

int world_detached(void) { return world_one.detached.rank; }

struct world_rank_state *world_state_here(void)
{
    if (!world_one.running || world_detached() >= 0) return NULL;
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

char *const *world_arguments(int *argc)
{
    *argc = (int)g_strv_length(world_one.arguments);
    return world_one.arguments;
}

/* ---- places and messages --------------------------------------------------------------------- */

op_site world_site_of(const struct world_rank_state *state, uintptr_t pc)
{
    return mem_site(state->rank.proc->cpu, pc);
}

op_site world_site(const struct world_rank *rank)
{
    const struct world_rank_state *state = (const struct world_rank_state *)rank;
    return state->call ? world_site_of(state, state->pc) : 0;
}

const char *world_where(const struct world_rank *rank)
{
    return report_site(world_one.description.program, world_site(rank));
}

const char *world_place(op_site site) { return report_site(world_one.description.program, site); }

void world_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *line = g_strdup_vprintf(format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "sidewinder: %s\n", line);
}

void world_abort(int code)
{
    world_one.aborted = true;
    world_one.exit_code = code;
    kern_stop();
}
