/* move: ways to carry an operation from origin to target.
 *
 * A carrier reads the origin's bytes (mem: charge), sends them (net), has the target's part done
 * (serve, mem) and counts it in its set as complete when the origin knows. Which one is used is the
 * first of the family that applies: loads and stores by the origin's processor, the network
 * interface, an eager message, a rendezvous. Costs and sources: each carrier's file.
 */
#ifndef MOVE_MOVE_H
#define MOVE_MOVE_H

#include "move/transfer/transfer.h"

struct move *move_new(const struct mach *m, struct net *net, struct serve_proc *const *proc,
                      int ranks);
void move_free(struct move *move);

/* Sends it on its way: chooses the carrier, counts it in its set. */
void move_start(struct move_transfer *t);
/* What its resources were used for, 0 to move_uses: block engines, atomic units, locks of
 * accumulates. False: for nothing. */
int move_uses(const struct move *move);
bool move_use(const struct move *move, int i, struct base_use *use);
/* Every member of the family, in the order in which they are asked. */
const struct move_carrier *const *move_all(size_t *n);

#endif
