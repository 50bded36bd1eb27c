/* The one world's machine as sync sees it: its carriers, and what they make possible. */
#ifndef SYNC_MACHINE_H
#define SYNC_MACHINE_H

#include "base/base.h"
#include "move/control/control.h"
#include "serve/clock/clock.h"

/* The carriers of the one world; given by world before any window exists, taken back (NULL) at its
 * end. */
void sync_open(struct move *move);
struct move *sync_move(void); /* what sync_open was given */
int sync_window_number(void); /* of the next window of this world, from 0 */

/* Causes effect(data, time) at that world rank's node, by a control message where its memory cannot
 * be reached. */
void sync_tell(struct serve_proc *me, int rank, move_effect effect, void *data);
/* are a node's caches coherent, and its interface with them? */
bool sync_shares_view(void);
/* Are the public and the private copy of a window one? And do updates need no call of the target?
 */
bool sync_unified(void);
/* are they on one node, with one view of its memory? */
bool sync_shares_memory(const int *world_rank, int ranks);
bool sync_registered_only(void); /* does the machine refuse unregistered datatypes? */
int sync_counters(void);         /* fetch-and-increment registers of each rank */

#endif
