/* Signals of ranks: what the program's kill, sigaction and pause do while it is simulated.
 *
 * All ranks are one process of the host, so a disposition is kept for each rank, the process has
 * one handler that runs the handler of the rank whose code is running, and a signal to another rank
 * waits until that one is in its program's code: it is taken when a call of MPI, sleep, pause or
 * kill returns, or when it pays. A signal whose default action ends the process ends the run at
 * once. Semantics: POSIX.1-2017, 2.4. What a rank blocks, and its alarms: pending.c. Left out:
 * SIGSTOP is the process's, of all ranks.
 *
 * Timers of processor time are the host's and come to whoever runs. One for which the running rank
 * has the default waits for the rank that has last set a disposition, as those from rank to rank.
 * SIGCHLD goes to the rank whose child has ended.
 *
 * What a handler blocks is its own rank's. The kernel blocks it for the process, and a handler that
 * stores into a window lets other ranks run meanwhile: so the process's mask is put back. Only a
 * signal that comes to the rank too early is blocked, until its handler returns.
 */
#include "world/signal/pending.h"
#include "world/detached/detached.h"
#include "world/place/place.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A handler that runs, on its rank's stack. One that was left by longjmp lies below the stack
 * pointer of what runs then, or in frames that others have written over. */
struct handler {
    const struct handler *self, *outer;
    sigset_t blocked;
};

static struct sigaction inherited[_NSIG]; /* ignored, or the default */
static int last_rank = -1;                /* that set a disposition; of a child: that forked it */

void world_signals_start(void)
{
    for (int number = 1; number < _NSIG; number++) {
        struct sigaction now;
        inherited[number] = (struct sigaction){.sa_handler = SIG_DFL};
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            inherited[number].sa_handler = SIG_IGN;
    }
}

struct world_signals *world_signals_of(struct world_rank_state *state)
{
    if (!state->signals) {
        state->signals = g_new0(struct world_signals, 1);
        memcpy(state->signals->action, inherited, sizeof inherited);
        sigprocmask(SIG_BLOCK, NULL, &state->signals->blocked);
    }
    return state->signals;
}

void world_signals_free(struct world_rank_state *state)
{
    if (!state->signals) return;
    g_queue_clear_full(&state->signals->waiting, g_free);
    g_free(state->signals);
}

void world_signals_forked(struct world_rank_state *state)
{
    if (!state) return;
    last_rank = state->rank.rank;
    if (state->signals) sigprocmask(SIG_SETMASK, &state->signals->blocked, NULL);
}

static bool ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

static bool stops_by_default(int number)
{
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* As the kernel does for a process without a handler. */
static void default_action(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* The rank's innermost handler that it has not left. */
static const struct handler *running(struct world_signals *signals, const void *stack)
{
    const struct handler *h = signals->running;
    while (h && ((const void *)h <= stack || h->self != h)) h = h->self == h ? h->outer : NULL;
    return signals->running = h;
}

/* The stack pointer of what a signal has interrupted: the frames of its own handler lie below. */
static const void *interrupted_at(const void *context)
{
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[15]; /* REG_RSP */
}

static bool held_back(const struct handler *h, int number)
{
    for (; h; h = h->outer)
        if (sigismember(&h->blocked, number)) return true;
    return false;
}

static void call_handler(const struct sigaction *action, int number, siginfo_t *info, void *context)
{
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, context);
    else
        action->sa_handler(number);
}

/* With the mask that the process had before. */
static void handle(struct world_rank_state *state, const struct sigaction *action, int number,
                   siginfo_t *info, void *context)
{
    struct world_signals *signals = state->signals;
    struct handler here = {.outer = signals->running, .blocked = action->sa_mask};
    here.self = signals->running = &here;
    if (!(action->sa_flags & (int)SA_NODEFER)) sigaddset(&here.blocked, number);
    sigprocmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
    call_handler(action, number, info, context);
    signals->running = here.outer;
    here.self = NULL;
}

/* Pending, and blocked in the handler that it has interrupted. */
static void put_off(int number, siginfo_t *info, void *context)
{
    sigaddset(&((ucontext_t *)context)->uc_sigmask, number);
    syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, info);
}

/* Is it another rank's rather than this one's: of its child, or by the host's timer? That takes it
 * later. */
static bool left_to_another(const struct world_rank_state *state, const siginfo_t *info)
{
    int number = info->si_signo;
    bool timer = info->si_code == SI_TIMER ||
                 (info->si_code == SI_KERNEL && (number == SIGVTALRM || number == SIGPROF));
    int whose = number == SIGCHLD ? world_process_parent(info->si_pid) : timer ? last_rank : -1;
    if (whose < 0) return false;
    struct world_rank_state *other = &world_one.state[whose];
    if (other == state) return false;
    if (timer && (!other->signals || other->signals->action[number].sa_handler == SIG_DFL ||
                  (state->signals && state->signals->action[number].sa_handler != SIG_DFL)))
        return false;
    if (other->signals) world_signal_came(other->signals, info);
    return true;
}

/* The process's handler of every signal for which a rank has set a disposition. */
static void dispatch(int number, siginfo_t *info, void *context)
{
    if (!world_one.running && !world_one.forked) return; /* the ranks are gone */
    struct world_rank_state *state = world_state_here();
    if (number == SIGALRM && info->si_code == SI_KERNEL && !world_one.forked) {
        if (!world_alarm_passed(state)) return;
    } else if (state && left_to_another(state, info)) {
        return;
    }
    if (!state && last_rank >= 0) state = &world_one.state[last_rank];
    if (!state || !state->signals) return;
    struct sigaction *action = &state->signals->action[number], then = *action;
    if (then.sa_handler == SIG_IGN) return;
    if (!world_one.forked && sigismember(&state->signals->blocked, number) &&
        !(world_is_crash(number) && info->si_code > 0)) {
        world_signal_came(state->signals, info);
        return;
    }
    if (held_back(running(state->signals, interrupted_at(context)), number)) {
        put_off(number, info, context);
        return;
    }
    if (then.sa_handler == SIG_DFL) {
        if (world_is_crash(number))
            world_crashed(number, info, context);
        else if (number == SIGINT || number == SIGTERM)
            world_interrupted(number, info, context);
        else if (!ignored_by_default(number))
            default_action(number);
        return;
    }
    state->signals->handled++;
    if (then.sa_flags & (int)SA_RESETHAND) *action = inherited[0];
    if (world_is_crash(number) || then.sa_flags & SA_ONSTACK) /* on a stack of its own */
        call_handler(&then, number, info, context);
    else
        handle(state, &then, number, info, context);
}

/* Of children that end, the kernel asks whether anybody will. */
static int see(int number, const struct sigaction *action)
{
    struct sigaction all = *action;
    bool handled = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    if (handled || number != SIGCHLD) {
        all.sa_sigaction = dispatch;
        all.sa_flags = (all.sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO;
        if (world_is_crash(number)) all.sa_flags |= SA_ONSTACK;
    }
    return sigaction(number, &all, NULL);
}

void world_signal_see(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) != 0 || now.sa_handler != SIG_DFL) return;
    now.sa_sigaction = dispatch;
    now.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(number, &now, NULL);
}

int world_signal_action(int number, const struct sigaction *action, struct sigaction *before)
{
    struct world_rank_state *state = world_state_here();
    if (!state || number < 1 || number >= _NSIG) return sigaction(number, action, before);
    struct sigaction mine = world_signals_of(state)->action[number];
    int code = action ? see(number, action) : 0;
    if (action && code == 0) {
        state->signals->action[number] = *action;
        last_rank = state->rank.rank;
    }
    if (before && code == 0) *before = mine;
    return code;
}

/* ---- from rank to rank ----------------------------------------------------------------------- */

/* Does it end a process of those dispositions? */
static bool ends(const struct world_signals *signals, int number)
{
    return number == SIGKILL ||
           (signals->action[number].sa_handler == SIG_DFL && !ignored_by_default(number) &&
            !stops_by_default(number) && !sigismember(&signals->blocked, number));
}

/* The rank's code is running. */
static void take(struct world_rank_state *state, siginfo_t *info)
{
    const struct sigaction *action = &state->signals->action[info->si_signo];
    bool none = action->sa_handler == SIG_IGN ||
                (action->sa_handler == SIG_DFL && ignored_by_default(info->si_signo));
    if (none) return;
    if (action->sa_handler == SIG_DFL) world_signal_see(info->si_signo);
    syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), info->si_signo, info);
}

void world_signals_take(struct world_rank_state *state)
{
    siginfo_t info;
    running(state->signals, __builtin_frame_address(0));
    /* who runs ahead, as nobody else acts, would be told of its own alarm late */
    if (state->signals->alarm_s > 0) mem_unobserved(state->rank.proc->cpu, false);
    while (world_signal_next(state->signals, &state->signals->blocked, false, &info))
        take(state, &info);
}

int world_signal_send(int rank, const siginfo_t *info)
{
    int number = info->si_signo;
    world_not_detached("kill");
    struct world_rank_state *from = world_state_here(), *to = &world_one.state[rank];
    if (number < 0 || number >= _NSIG) return EINVAL;
    if (!from || number == 0 || to->gone) return 0;
    struct world_signals *signals = world_signals_of(to);
    if (ends(signals, number) && !world_is_crash(number)) {
        world_say("rank %d sent signal %d (%s) to rank %d, which ends it: the run is over",
                  from->rank.rank, number, g_strsignal(number), rank);
        default_action(number);
    }
    g_queue_push_tail(&signals->waiting, g_memdup2(info, sizeof *info));
    if (to == from)
        world_signals_take(to);
    else
        kern_gate_open(to->rank.proc->gate);
    return 0;
}
