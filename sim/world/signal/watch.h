/* Signals as the rest of the world sees them. */
#ifndef WORLD_WATCH_H
#define WORLD_WATCH_H

#include "world/rank/state.h"
#include "world/signal/signal.h"

void world_signals_start(void); /* before anything changes what the process inherited */
void world_signals_free(struct world_rank_state *state);
/* Takes what has been sent to the running rank, whose program runs. */
void world_signals_take(struct world_rank_state *state);
/* It has some, and sleeps until that date; false: a handler has run, and it sleeps no more. */
bool world_signal_sleep(struct world_rank_state *state, double until_s);
/* in a child: that rank has forked it */
void world_signals_forked(struct world_rank_state *state);
/* Crash messages: "rank 2: segmentation fault at halo.c:42". Called at the start, and again when
 * the first rank begins, after SimGrid has put its own handlers up: an interrupt is to end the run
 * as it ends any program. */
void world_watch_signals(void);
/* Before the first: who writes the report of a run that somebody asks about or ends. */
void world_report_by(void (*so_far)(int number));
/* Where a rank's call begins: what was asked for while the engine ran is reported now (crash.c). */
extern volatile sig_atomic_t world_asked_by; /* the signal; 0: none */
void world_answer(void);
static inline void world_asked(void)
{
    if (G_UNLIKELY(world_asked_by)) world_answer();
}

/* ---- crash.c */
bool world_is_crash(int number); /* a signal that world_crashed handles */
void world_crashed(int number, siginfo_t *info, void *context);
void world_interrupted(int number, siginfo_t *info,
                       void *context); /* SIGINT, SIGTERM; SIGUSR1: the run goes on */

#endif
