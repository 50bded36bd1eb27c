/* Reading the clock. At the instant of the reading before it takes clock.read, or a loop on the
 * clock would never end; what a program measures between two readings is what it did. Left out: the
 * time of a reading that follows other work. */
#include "base/floating/floating.h"
#include "world/clock/clock.h"
#include "kern/kern.h"
#include "mach/mach.h"
#include "serve/clock/clock.h"
#include "world/detached/detached.h"
#include "world/rank/state.h"

/* In a rank that has called MPI_Finalize time stands still, but for its own loops. */
static double own_time(const struct world_rank_state *state)
{
    struct serve_proc *proc = state->rank.proc;
    return state->finished ? proc->end_s + state->after_s : serve_now(proc);
}

/* The clock has been read at this instant. */
static void charge_reading(struct world_rank_state *state)
{
    double wait_s = world_one.mach->clock_read;
    if (state->finished)
        state->after_s += wait_s;
    else
        serve_compute(state->rank.proc, wait_s);
}

static double read_it(struct world_rank_state *state) { return state->clock_s = own_time(state); }

double world_now(void)
{
    struct world_rank_state *state = world_state_here();
    return state ? own_time(state) : kern_now();
}

double world_clock_tick(void) { return world_one.mach->clock_read; }

static __attribute__((noinline)) bool polled(double *time_s)
{
    struct world_rank_state *state = world_state_here();
    if (!state || own_time(state) > state->clock_s) return false;
    charge_reading(state);
    if (!state->finished && serve_owed(state->rank.proc) > world_one.mach->quantum) return false;
    *time_s = read_it(state);
    return true;
}

bool world_clock_polled(double *time_s)
{
    unsigned floating = base_sse_begin();
    bool read = polled(time_s);
    base_sse_end(floating);
    return read;
}

double world_read_clock(void)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return kern_now();
    if (own_time(state) <= state->clock_s) {
        charge_reading(state);
        struct mem_cpu *before = world_away();
        if (!state->finished) serve_pay_some(state->rank.proc);
        world_back(before);
    }
    return read_it(state);
}
