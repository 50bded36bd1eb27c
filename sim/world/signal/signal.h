/* Signals: the ranks' own (signal.c), crashes and interrupts (crash.c). */
#ifndef WORLD_SIGNAL_H
#define WORLD_SIGNAL_H

#include <signal.h>
#include <stdint.h>

/* For the program: sigaction of the running rank; sends one to that rank, returns an error number;
 * waits until the running rank is sent one, in the call at pc. */
int world_signal_action(int number, const struct sigaction *action, struct sigaction *before);
int world_signal_send(int rank, const siginfo_t *info);
void world_signal_pause(uintptr_t pc);

#endif
