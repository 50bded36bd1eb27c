/* Barriers among ranks. */
#ifndef SYNC_BARRIER_H
#define SYNC_BARRIER_H

#include "base/base.h"
#include "serve/clock/clock.h"

/* A barrier among `members` ranks, on the machine's barrier network where it has one, of messages
 * otherwise. */
struct sync_barrier;
struct sync_barrier *sync_barrier_new(int members);
void sync_barrier_free(struct sync_barrier *barrier);
void sync_barrier_wait(struct sync_barrier *barrier, struct serve_proc *me);
bool sync_barrier_network(void); /* has the machine a network of its own for barriers? */

#endif
