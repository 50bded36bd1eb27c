/* Pairs of accesses that the check found in an earlier run (`run --pair`, `--order`): what their
 * bytes were, and one of them forced into order: the second side's rank waits until the first is
 * complete. A wait is given up when the simulated time has doubled, and 10 ms have passed. */
#ifndef WORLD_PAIR_H
#define WORLD_PAIR_H

#include "check/check.h"
#include "report/run/run.h"
#include "world/rank/rank.h"

/* check_pair_text; NULL ended, or NULL: none. False: *error. The check is on. */
bool world_pairs_open(char **pairs, const char *order, GError **error);
/* Only while check_pairing. The rank has told the check of an access that is about to happen:
 * waits, if it is the forced pair's second. True: it is the first, an operation: the call waits
 * until that is complete and says so. inside: a call of MPI. */
bool world_pair_comes(struct world_rank *rank, bool inside);
void world_pair_over(struct world_rank *rank);
/* The first side is a call that others complete: waits until it is done, by that or by what the
 * check knows (NULL), or given up. */
void world_pair_await(struct world_rank *rank, bool (*done)(void *data), void *data);
/* The rank comes to its next access or call. */
void world_pair_goes_on(struct world_rank *rank);
/* The rank's request of that number is complete (check_requested). */
void world_pair_requested(struct world_rank *rank, uint64_t number);
/* A call of the rank's ends. */
void world_pairs_look(const struct world_rank *rank);
/* For the report. The caller frees it with world_pairs_free, and n of them. */
struct report_pair *world_pairs_seen(int *n);
void world_pairs_free(struct report_pair *pair, int n);
void world_pairs_close(void);

#endif
