/* Control messages: a few bytes that make something happen at the target, and what synchronisation
 * without bytes takes. */
#ifndef MOVE_CONTROL_H
#define MOVE_CONTROL_H

#include "move/transfer/transfer.h"

typedef void (*move_effect)(void *data, double at_s);
/* The origin, in its own context, causes effect(data, time) at the target's node: a flag or a lock
 * word where memory can be reached, else a message the target's processor services. atomic: a
 * read-modify-write that answers (a lock). */
void move_control(struct move *move, struct serve_proc *origin, struct serve_proc *target,
                  bool atomic, move_effect effect, void *data);
/* An answer, sent from an event at at_s; needs nobody's processor beyond what its request was
 * charged. */
void move_answer(struct move *move, struct serve_proc *from, struct serve_proc *to, double at_s,
                 move_effect effect, void *data);

/* seconds from the last arrival to the release */
double move_barrier(struct move *move, int ranks);
/* have the processors of a node one view of its memory? */
bool move_shares_view(const struct move *move);
bool move_barrier_network(const struct move *move); /* has the machine a network for barriers? */
/* Seconds to total a vector of a count for each rank over all of them and to broadcast the totals:
 * ceil(log2 n) rounds of messages each way. */
double move_total(struct move *move, int ranks);
/* from rank to rank: the first byte's way */
double move_latency(const struct move *move, int from, int to);
/* until its interface has the first byte of a message of so many bytes (net.fetch) */
double move_fetch(const struct move *move, int from, int to, uint64_t bytes);

#endif
