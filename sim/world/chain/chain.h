/* Where a rank enters and leaves functions and MPI calls: for the profile by chain of calls
 * (profile/chains). Nothing is charged, nothing waits; a load that is on its way stays so. */
#ifndef WORLD_CHAIN_H
#define WORLD_CHAIN_H

#include "profile/chains/chains.h"
#include "world/rank/state.h"

/* The running rank is at a mark (instrument) of a function: it goes on at pc; base: its base
 * pointer. Nothing where no rank is running. */
void world_chain_enter(uintptr_t pc, struct profile_frame at, uintptr_t base);
void world_chain_leave(struct profile_frame at);
void world_chain_resume(struct profile_frame at);
/* Only while profile_chains_on. */
void world_chain_call(const struct world_rank_state *state, const char *call);
void world_chain_return(const struct world_rank_state *state);
/* The end of a world. */
void world_chains_clear(void);

#endif
