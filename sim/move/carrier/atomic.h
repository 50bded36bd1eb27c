/* Where read-modify-writes of a target's memory serialise (atomic.c): the atomic units of its
 * interface, and the lock of its memory. */
#ifndef MOVE_ATOMIC_H
#define MOVE_ATOMIC_H

#include "move/transfer/bytes.h"

void move_atomics_free(struct move *move);

/* An accumulate arrives at the interface: the units of its words do it, for takes_s, when they have
 * done all that came before. Returns when they are done. Called in an event. */
double move_atomic_units(const struct move_transfer *t, double arrived_s, double takes_s);

/* The origin's swap reaches the lock of the target's memory: pays, and waits until the lock is
 * free. Takes no time beyond that: the caller charges the swap, half of it before. */
void move_atomic_lock(const struct move_transfer *t);
/* The lock is free again from that date on. */
void move_atomic_unlock(const struct move_transfer *t, double at_s);

/* What they were used for; false: for nothing. */
bool move_atomic_use(const struct move *move, int node, int i, struct base_use *use);
bool move_lock_use(const struct move *move, int rank, struct base_use *use);

#endif
