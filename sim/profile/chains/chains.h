/* profile/chains: what a run cost by chain of calls: a tree whose nodes are functions of the
 * program, each called from one place of the one above, and MPI calls below them. Kept only where a
 * profile is written (run --profile). Filled by world, which says where each rank enters and leaves
 * functions.
 *
 * Recursion counts once a chain: a function that is called while it stands in the chain is that
 * node again. All ranks share the tree; each has a stack of its own. Frames that nobody left
 * (exceptions, longjmp) are dropped by their addresses: stacks grow downwards.
 *
 * Left out: what functions cost that were put in line, or that sidewinder cc has not compiled: it
 * is their callers'. Chains beyond 65,536: they count with the last node that was made.
 */
#ifndef PROFILE_CHAINS_H
#define PROFILE_CHAINS_H

#include "base/base.h"
#include "op/op.h"
#include "profile/stalls/stalls.h"

/* Of a rank, so far; of a node, its own. */
struct profile_chain_cost {
    double compute_s, memory_s, service_s, wait_s;
    uint64_t missed[PROFILE_LEVELS];
};
struct profile_chain {
    uint32_t parent;  /* its place in the list, which is before this one's; of the first: itself */
    op_site function; /* a place in it; 0: an MPI call, or the first node */
    op_site site;     /* of the call; 0: not known */
    const char *call; /* "MPI_Win_fence": static storage; NULL: none */
    uint64_t count, again; /* called by its parent; by itself and what it has called, below it */
    struct profile_chain_cost cost;
};

extern bool profile_chains_on;
/* The rank, which has cost so much so far, enters a function, leaves it, or goes on in it after
 * others may have been left behind its back. id: the function's; frame: its stack pointer. */
struct profile_frame {
    int id;
    uintptr_t frame;
};
void profile_chain_enter(int rank, op_site function, op_site site, struct profile_frame at,
                         const struct profile_chain_cost *now);
void profile_chain_leave(int rank, struct profile_frame at, const struct profile_chain_cost *now);
void profile_chain_resume(int rank, struct profile_frame at, const struct profile_chain_cost *now);
/* An MPI call begins; the last one that has begun is over. */
void profile_chain_call(int rank, const char *call, op_site site, uintptr_t frame,
                        const struct profile_chain_cost *now);
void profile_chain_return(int rank, const struct profile_chain_cost *now);

size_t profile_chains(void); /* 0: none were kept */
const struct profile_chain *profile_chain_at(size_t i);
void profile_chains_clear(void); /* and off */

#endif
