/* Signals: the ranks' own (signal.c), crashes and interrupts (crash.c). */
#ifndef WORLD_SIGNAL_H
#define WORLD_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* For the program: sigaction of the running rank; sends one to that rank, returns an error number.
 */
int world_signal_action(int number, const struct sigaction *action, struct sigaction *before);
int world_signal_send(int rank, const siginfo_t *info);
/* Its pthread_sigmask and sigpending. */
int world_signal_mask(int how, const sigset_t *set, sigset_t *before);
int world_signal_pending(sigset_t *set);
/* It waits in that call at pc until a handler has run, with that mask (NULL: the one it has); until
 * one of the set has been sent, which is taken (sigtimedwait; NULL: whatever it takes). */
void world_signal_suspend(const sigset_t *set, const char *call, uintptr_t pc);
int world_signal_wait(const sigset_t *set, siginfo_t *info, const struct timespec *most,
                      uintptr_t pc);
/* Its SIGALRM comes in so many seconds, and then every so many (0: never; negative: as it was).
 * *left_s, *every_before_s: what that was. False: nobody runs. */
bool world_alarm(double seconds, double every_s, double *left_s, double *every_before_s);

#endif
