/* What waits until a rank takes it: signals that it blocks, and those that came while others ran.
 */
#include "world/signal/pending.h"

void world_signal_came(struct world_signals *signals, const siginfo_t *info)
{
    if (atomic_load(&signals->came) & WORLD_SIGNAL(info->si_signo)) return;
    signals->first[info->si_signo] = *info;
    atomic_fetch_or(&signals->came, WORLD_SIGNAL(info->si_signo));
}

bool world_signal_next(struct world_signals *signals, const sigset_t *set, bool in, siginfo_t *info)
{
    for (int number = 1; signals->came && number < _NSIG; number++) {
        if (!(signals->came & WORLD_SIGNAL(number)) || sigismember(set, number) != in) continue;
        *info = signals->first[number];
        atomic_fetch_and(&signals->came, ~WORLD_SIGNAL(number));
        return true;
    }
    for (GList *at = signals->waiting.head; at; at = at->next) {
        const siginfo_t *sent = at->data;
        if (sigismember(set, sent->si_signo) != in) continue;
        *info = *sent; /* a handler may leave by longjmp */
        g_free(at->data);
        g_queue_delete_link(&signals->waiting, at);
        return true;
    }
    return false;
}

bool world_signal_any(const struct world_signals *signals, const sigset_t *set, bool in)
{
    for (int number = 1; signals->came && number < _NSIG; number++)
        if ((signals->came & WORLD_SIGNAL(number)) && sigismember(set, number) == in) return true;
    for (const GList *at = signals->waiting.head; at; at = at->next)
        if (sigismember(set, ((const siginfo_t *)at->data)->si_signo) == in) return true;
    return false;
}

bool world_alarm_passed(struct world_rank_state *state)
{
    struct world_signals *signals = state ? state->signals : NULL;
    if (!signals || signals->alarm_s <= 0 || world_cpu() != state->rank.proc->cpu ||
        serve_now(state->rank.proc) < signals->alarm_s)
        return false;
    signals->alarm_s = signals->every_s > 0 ? signals->alarm_s + signals->every_s : 0;
    return true;
}
