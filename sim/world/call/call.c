/* In and out of MPI. */
#include "base/floating/floating.h"
#include "trace/trace.h"
#include "profile/profile.h"
#include "world/call/call.h"
#include "check/check.h"
#include "kern/kern.h"
#include "mach/mach.h"
#include "serve/request/request.h"
#include "sync/late/late.h"
#include "world/access/access.h"
#include "world/beside/beside.h"
#include "world/chain/chain.h"
#include "world/detached/detached.h"
#include "world/film/film.h"
#include "world/label/label.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "world/prices/prices.h"
#include "world/progress/progress.h"
#include "world/signal/watch.h"
#include "world/thread/thread.h"
#include "world/unseen/unseen.h"

#include <float.h>
#include <string.h>

enum { CALLS = 1000000 };

/* A loop of calls that take no time never sees what it waits for. */
static void count_call(struct world_rank_state *state)
{
    double now_s = serve_now(state->rank.proc);
    if (now_s > state->instant_s) {
        state->instant_s = now_s;
        state->calls = 0;
    }
    if (++state->calls == CALLS)
        world_say("rank %d has made %d MPI calls at one simulated instant, the last %s at %s. A "
                  "loop of calls that take no time never ends (mpi.call is the time of a call)",
                  state->rank.rank, CALLS, state->call, world_where(&state->rank));
}

/* A processor that others keep from computing makes no call that could show it: they do. */
static void look_for_starved(const struct world_rank *by)
{
    struct serve_starved who;
    if (!serve_starves(by->proc, &who)) return;
    g_autofree char *at =
        who.site ? g_strdup_printf(" at %s", world_place(who.site)) : g_strdup("");
    const bool over = who.requests == SERVE_TOO_MANY;
    world_say("rank %d has been interrupted by %u requests in a row and computed next to nothing "
              "meanwhile, the last from rank %d%s. They come faster than its processor services "
              "them (serve.policy=%s)%s",
              who.rank, who.requests, by->rank, at, world_one.mach->serve_policy,
              over ? ": the run is over" : "");
    if (over) world_abort(1);
}

/* MPI_Wtime, MPI_Wtick: many programs read them before MPI_Init. */
static bool is_clock(const char *call) { return g_str_has_prefix(call, "MPI_Wti"); }

/* "All MPI programs must contain exactly one call to an MPI initialization routine" (MPI-3.1, 8.7),
 * and it comes first. MPI_Abort need not wait for it. */
static void begins(struct world_rank_state *state, const char *call, uintptr_t pc)
{
    if (is_clock(call) || g_str_has_prefix(call, "MPI_Init") || strcmp(call, "MPI_Abort") == 0 ||
        strcmp(call, "MPI_Session_init") == 0)
        return;
    world_say("rank %d: %s at %s: MPI is not initialized; MPI_Init comes before it",
              state->rank.rank, call, world_place(world_site_of(state, pc)));
    world_abort(1);
}

/* What the rank has done, in seconds: paid or owed. The rest of its time it waited. */
static double busy(const struct world_rank_state *state)
{
    struct serve_proc *proc = state->rank.proc;
    return proc->spent.compute_s + proc->spent.memory_s + proc->spent.service_s + serve_owed(proc);
}

/* Ranks load and store each other's memory: barriers may be for that. */
static bool shares;
static uint64_t calls; /* of all ranks, but clocks and barriers */

void world_share(void) { shares = true; }

static void account_begin(struct world_rank_state *state)
{
    state->vain = false;
    calls += !is_clock(state->call) && strcmp(state->call, "MPI_Barrier") != 0;
    state->serviced_then_s = state->rank.proc->spent.service_s;
    state->entered_s = serve_now(state->rank.proc);
    state->busy_s = busy(state);
    state->stalled_s = serve_stalled(state->rank.proc);
    state->callback_stalled_s = state->callback_worked_s = 0;
    if (state->rank.proc->cpu) state->rank.proc->cpu->spin.pc = 0;
    if (profile_chains_on) world_chain_call(state, state->call);
}

/* A difference of sums: what is left of rounding is nothing. */
static double rest(double seconds, double now_s)
{
    return seconds > 8 * DBL_EPSILON * now_s ? seconds : 0;
}

static void account_end(struct world_rank_state *state)
{
    struct serve_proc *proc = state->rank.proc;
    double now_s = serve_now(proc), time_s = now_s - state->entered_s;
    double busy_s = busy(state) - state->busy_s, stalled_s = serve_stalled(proc) - state->stalled_s;
    double service_s = proc->spent.service_s - state->serviced_then_s;
    const double wait_s = time_s - busy_s;
    busy_s -= state->callback_stalled_s + state->callback_worked_s;
    stalled_s -= state->callback_stalled_s;
    struct profile_times times = {.time_s = wait_s + busy_s,
                                  .wait_s = rest(wait_s, now_s),
                                  .memory_s = rest(stalled_s, now_s),
                                  .compute_s = rest(busy_s - stalled_s - service_s, now_s),
                                  .service_s = world_serviced(state),
                                  .vain = state->vain};
    profile_call(world_site_of(state, state->pc), state->call, state->rank.rank, &times);
    if (profile_chains_on) world_chain_return(state);
}

static void pay(struct serve_proc *proc, bool ahead, bool polling)
{
    if (polling && serve_alone(proc, 0)) return;
    if (ahead)
        serve_pay_some(proc);
    else
        serve_pay(proc);
}

static void leave(struct world_rank_state *state)
{
    if (state->finished) return; /* after MPI_Finalize a rank services whatever comes */
    sync_late_over(state->rank.proc);
    serve_leave(state->rank.proc);
    serve_resume(state->rank.proc);
    world_check_date(&state->rank, serve_now(state->rank.proc));
    account_end(state);
    if (trace_on) trace_track_leave(state->rank.rank, kern_now());
    if (world_filming)
        world_film_call(state->rank.rank, state->call, false, world_site_of(state, state->pc),
                        kern_now());
    state->call = NULL;
    state->partner.what = WORLD_NOT_KNOWN;
    state->rank.proc->cpu->call_pc = 0;
    if (check_on && check_pairing) world_pairs_look(&state->rank);
    if (check_on) {
        mem_filter_clear(&state->rank.proc->cpu->filter);
        world_unseen_after(state);
    }
    world_run_as(state->rank.proc->cpu);
}

/* A handler of errors may have left its call by longjmp: a call that is made above its frame ends
 * that one. When it was left nobody has seen. */
static void end_what_was_left(struct world_rank_state *state)
{
    if (state->callbacks == 0 || (uintptr_t)__builtin_frame_address(0) <= state->callback_frame)
        return;
    state->callbacks = 1;
    world_callback_end(&state->rank);
    if (state->depth > 0) leave(state);
    state->depth = 0;
}

static struct world_rank *enter(const char *call, uintptr_t pc, bool ahead, bool polling)
{
    world_not_detached(call);
    struct world_rank_state *state = world_state_here();
    if (!state) {
        world_refuse_thread(call, pc);
        return NULL;
    }
    end_what_was_left(state);
    world_run_as(&world_nobody);
    if (world_labels) world_label_drain(state->rank.rank);
    if (state->depth++ == 0) {
        if (!state->called) begins(state, call, pc);
        mem_unobserved(state->rank.proc->cpu, false);
        base_floating_begin(&state->floating);
        state->call = call;
        state->called |= !is_clock(call);
        state->again = state->pc == pc;
        state->pc = pc;
        state->rank.proc->cpu->call_pc = pc;
        account_begin(state);
        kern_cause_site(state->rank.rank, world_site_of(state, pc), 0);
        mem_fence(state->rank.proc->cpu);
        if (!polling)
            serve_charge(state->rank.proc, &world_one.mach->mpi_call, world_one.mach->mpi_call);
        pay(state->rank.proc, ahead, polling);
        world_progress();
        world_say_threads();
        world_asked();
        world_check_date(&state->rank, serve_now(state->rank.proc));
        world_unseen(state);
        count_call(state);
        look_for_starved(&state->rank);
        if (trace_on) {
            bool settled = serve_owed(state->rank.proc) == 0;
            trace_track_enter(state->rank.rank, kern_now(), call, world_site_of(state, pc),
                              settled);
        }
        if (world_filming)
            world_film_call(state->rank.rank, call, true, world_site_of(state, pc), kern_now());
        if (check_on && check_pairing) world_pair_goes_on(&state->rank);
        serve_enter(state->rank.proc, true);
    }
    return &state->rank;
}

struct world_rank *world_refuse(const char *call, uintptr_t pc)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return NULL;
    if (!state->called) begins(state, call, pc);
    if (state->depth == 0) {
        state->call = call;
        state->pc = pc;
    }
    return &state->rank;
}

void world_refused(struct world_rank *rank)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    if (state && state->depth == 0 && !state->finished) state->call = NULL;
}

struct world_rank *world_enter(const char *call, uintptr_t pc)
{
    return enter(call, pc, false, false);
}

struct world_rank *world_enter_ahead(const char *call, uintptr_t pc)
{
    return enter(call, pc, true, false);
}

struct world_rank *world_enter_polling(const char *call, uintptr_t pc, bool ahead)
{
    return enter(call, pc, ahead, true);
}

void world_leave(struct world_rank *rank)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    if (!state) return;
    if (check_on && state->depth == 1) world_beside_over(rank);
    if (--state->depth > 0) {
        world_callback_goes_on(rank);
        return;
    }
    leave(state);
    base_floating_end(&state->floating);
    if (!state->finished && state->signals) world_signals_take(state);
}

void world_finalized(struct world_rank *rank)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    world_ends(state, kern_now());
    account_end(state);
    world_prices_profile();
}

void world_in_vain(struct world_rank *rank) { ((struct world_rank_state *)rank)->vain = true; }

void world_polls(struct world_rank *rank)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    state->vain = state->again;
}

void world_at_barrier(struct world_rank *rank, uintptr_t among)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    const bool idle = !shares && state->barrier == among && state->calls_then == calls;
    state->vain = idle && state->idle;
    state->idle = idle;
    state->barrier = among;
    state->calls_then = calls;
}

void world_awaits_message(struct world_rank *rank, int from, int tag)
{
    struct world_partner *partner = &((struct world_rank_state *)rank)->partner;
    *partner = (struct world_partner){partner->what ? WORLD_EITHER : WORLD_MESSAGE, from, tag};
}

void world_awaits_receive(struct world_rank *rank, int by, int tag)
{
    struct world_partner *partner = &((struct world_rank_state *)rank)->partner;
    *partner = (struct world_partner){partner->what ? WORLD_EITHER : WORLD_RECEIVE, by, tag};
}

void world_settle(struct world_rank *rank) { serve_pay(rank->proc); }

void world_settle_poll(struct world_rank *rank) { pay(rank->proc, false, true); }
