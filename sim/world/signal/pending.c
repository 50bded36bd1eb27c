/* What a rank blocks, waits for, and has come at a date.
 *
 * The mask of sigprocmask is the rank's. The process's own blocks nothing: what a rank blocks is
 * kept for it by the handler of all (signal.c). An alarm comes at its date of simulated time, as
 * sleep and the clock have it; a rank that waits in MPI takes it when that call returns. A rank
 * that computes in its own memory calls nobody: the host's timer looks every second. Left out: what
 * sigsetjmp saves and siglongjmp brings back is the process's mask.
 */
#include "world/signal/pending.h"
#include "world/clock/clock.h"
#include "world/detached/detached.h"

#include <errno.h>
#include <math.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- the mask -------------------------------------------------------------------------------- */

static void block(struct world_rank_state *state, const sigset_t *set)
{
    struct world_signals *signals = world_signals_of(state);
    signals->blocked = *set;
    sigdelset(&signals->blocked, SIGKILL);
    sigdelset(&signals->blocked, SIGSTOP);
    for (int number = 1; number < _NSIG; number++)
        if (sigismember(&signals->blocked, number) == 1 && !world_is_crash(number))
            world_signal_see(number);
    world_signals_take(state);
}

int world_signal_mask(int how, const sigset_t *set, sigset_t *before)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return pthread_sigmask(how, set, before);
    sigset_t old = world_signals_of(state)->blocked, now = old;
    if (set) {
        const sigset_t given = *set;
        if (how == SIG_BLOCK) sigorset(&now, &old, &given);
        for (int number = 1; how == SIG_UNBLOCK && number < _NSIG; number++)
            if (sigismember(&given, number) == 1) sigdelset(&now, number);
        if (how == SIG_SETMASK) now = given;
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    }
    if (before) *before = old;
    if (set) block(state, &now);
    return 0;
}

int world_signal_pending(sigset_t *set)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return sigpending(set);
    struct world_signals *signals = world_signals_of(state);
    sigemptyset(set);
    for (int number = 1; number < _NSIG; number++)
        if (signals->came & WORLD_SIGNAL(number)) sigaddset(set, number);
    for (const GList *at = signals->waiting.head; at; at = at->next)
        sigaddset(set, ((const siginfo_t *)at->data)->si_signo);
    return 0;
}

/* ---- waiting for one ------------------------------------------------------------------------- */

struct wait {
    struct world_rank_state *state;
    const sigset_t *set;
    bool in;
    uint64_t number; /* of its waits that end at a date; 0: it has no end */
};

static bool arrived(void *data)
{
    const struct wait *w = data;
    const struct world_signals *signals = w->state->signals;
    return world_signal_any(signals, w->set, w->in) ||
           (w->number > 0 && signals->over == w->number);
}

struct event {
    struct world_rank_state *state;
    uint64_t number;
};

static struct event *event(struct world_rank_state *state, uint64_t number)
{
    struct event *e = g_new(struct event, 1);
    *e = (struct event){state, number};
    return e;
}

static void is_over(void *data, double time_s)
{
    (void)time_s;
    g_autofree struct event *e = data;
    if (e->state->gone) return;
    e->state->signals->over = e->number;
    kern_gate_open(e->state->rank.proc->gate);
}

/* Of the host, and a child may do something any time: the ranks stand still meanwhile. */
static void let_children_run(struct world_rank_state *state)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    serve_wait_until(state->rank.proc, KERN_DATE, serve_now(state->rank.proc) + 1e-6, 0);
}

/* Until one of those comes, or that date (0: none); false: it has come to that. */
static bool wait_for(struct world_rank_state *state, const sigset_t *set, bool in, double until_s)
{
    struct world_signals *signals = state->signals;
    struct wait w = {state, set, in, until_s > 0 ? ++signals->waits : 0};
    struct mem_cpu *before = world_away();
    if (until_s > 0)
        kern_at(fmax(until_s, kern_now()), KERN_DATE, state->rank.rank, is_over,
                event(state, w.number));
    while (!arrived(&w)) {
        if (world_process_has_child(state->rank.rank))
            let_children_run(state);
        else
            serve_wait(state->rank.proc, PROFILE_PARTNER, arrived, &w);
    }
    world_back(before);
    return world_signal_any(signals, set, in);
}

static bool wait_in(struct world_rank_state *state, const sigset_t *set, bool in, double until_s,
                    const char *call, uintptr_t pc)
{
    state->call = call;
    state->pc = pc;
    bool one = wait_for(state, set, in, until_s);
    state->call = NULL;
    return one;
}

bool world_signal_sleep(struct world_rank_state *state, double until_s)
{
    const uint64_t handled = state->signals->handled;
    while (wait_for(state, &state->signals->blocked, false, until_s)) {
        world_signals_take(state);
        if (state->signals->handled != handled) return false;
    }
    return true;
}

void world_signal_suspend(const sigset_t *set, const char *call, uintptr_t pc)
{
    struct world_rank_state *state = world_state_here();
    if (!state) {
        if (set)
            sigsuspend(set);
        else
            pause();
        return;
    }
    struct world_signals *signals = world_signals_of(state);
    const sigset_t kept = signals->blocked;
    const uint64_t handled = signals->handled;
    if (set) block(state, set);
    while (signals->handled == handled) {
        wait_in(state, &signals->blocked, false, 0, call, pc);
        world_signals_take(state);
    }
    if (set) block(state, &kept);
}

int world_signal_wait(const sigset_t *set, siginfo_t *info, const struct timespec *most,
                      uintptr_t pc)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return sigtimedwait(set, info, most);
    struct world_signals *signals = world_signals_of(state);
    double until_s =
        most ? serve_now(state->rank.proc) + (double)most->tv_sec + 1e-9 * (double)most->tv_nsec
             : 0;
    siginfo_t taken;
    while (!world_signal_next(signals, set, true, &taken)) {
        if (wait_in(state, set, true, until_s, "sigwait", pc)) continue;
        errno = EAGAIN;
        return -1;
    }
    if (info) *info = taken;
    return taken.si_signo;
}

/* ---- alarms ---------------------------------------------------------------------------------- */

static void set_alarm(struct world_rank_state *state, double date_s);

static void rings(void *data, double time_s)
{
    g_autofree struct event *e = data;
    struct world_rank_state *state = e->state;
    struct world_signals *signals = state->signals;
    if (signals->alarms != e->number || state->gone) return;
    if (signals->alarm_s > 0 && signals->alarm_s <= time_s) { /* it has not been taken early */
        world_signal_came(signals, &(siginfo_t){.si_signo = SIGALRM, .si_code = SI_TIMER});
        kern_gate_open(state->rank.proc->gate);
        signals->alarm_s = signals->every_s > 0 ? time_s + signals->every_s : 0;
    }
    if (signals->alarm_s > 0) set_alarm(state, fmax(signals->alarm_s, time_s));
}

static void set_alarm(struct world_rank_state *state, double date_s)
{
    static const struct itimerval look = {{1, 0}, {1, 0}};
    struct world_signals *signals = state->signals;
    world_signal_see(SIGALRM);
    setitimer(ITIMER_REAL, &look, NULL);
    signals->alarm_s = date_s;
    kern_at(date_s, KERN_DATE, state->rank.rank, rings, event(state, ++signals->alarms));
}

bool world_alarm(double seconds, double every_s, double *left_s, double *every_before_s)
{
    struct world_rank_state *state = world_state_here();
    if (!state) return false;
    struct world_signals *signals = world_signals_of(state);
    const double now_s = world_now();
    *left_s = signals->alarm_s > 0 ? fmax(signals->alarm_s - now_s, 1e-6) : 0;
    *every_before_s = signals->every_s;
    if (seconds < 0) return true;
    signals->alarms++;
    signals->alarm_s = signals->every_s = 0;
    if (seconds == 0 || state->finished) return true;
    signals->every_s = every_s;
    set_alarm(state, fmax(now_s + seconds, kern_now()));
    mem_unobserved(state->rank.proc->cpu, false);
    return true;
}
