/* world/signal, inside: a rank's signals. Not a door. */
#ifndef WORLD_SIGNAL_PENDING_H
#define WORLD_SIGNAL_PENDING_H

#include "world/signal/watch.h"

#include <stdatomic.h>

struct handler;

struct world_signals {
    struct sigaction action[_NSIG];
    sigset_t blocked;       /* what sigprocmask says */
    GQueue waiting;         /* siginfo_t: sent by ranks */
    _Atomic uint64_t came;  /* from the host, to be taken later: bit number - 1 */
    siginfo_t first[_NSIG]; /* the first of those */
    uint64_t handled;       /* so many have run a handler */
    const struct handler *running;
    double alarm_s, every_s; /* when SIGALRM comes, and how often from then on; 0: never */
    uint64_t alarms, waits;  /* set so far, and waits that end at a date */
    uint64_t over;           /* of those, the last whose date has come */
};

#define WORLD_SIGNAL(number) (UINT64_C(1) << ((number) - 1))

/* ---- kept.c */
/* It is taken later. In a handler. */
void world_signal_came(struct world_signals *signals, const siginfo_t *info);
/* The first that waits and is none of those (in: is one of those): taken out, to *info. Is there
 * one? */
bool world_signal_next(struct world_signals *signals, const sigset_t *set, bool in,
                       siginfo_t *info);
bool world_signal_any(const struct world_signals *signals, const sigset_t *set, bool in);
/* The computer's timer looks: does the rank compute beyond the date of its alarm? That is taken. */
bool world_alarm_passed(struct world_rank_state *state);

/* ---- signal.c */
struct world_signals *world_signals_of(struct world_rank_state *state); /* made if need be */
/* The process is to see that signal, which no rank has asked for. */
void world_signal_see(int number);

#endif
