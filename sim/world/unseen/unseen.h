/* Stores into windows that nobody announced. */
#ifndef WORLD_UNSEEN_H
#define WORLD_UNSEEN_H

#include "world/rank/state.h"

/* Carries what foreign code has stored into segments since it was called last. Not while MPI is
 * at work for the rank. */
void world_unseen(struct world_rank_state *state);
/* The check is on, and MPI is at work for the rank no more: what it goes on filling. */
void world_unseen_after(struct world_rank_state *state);

#endif
