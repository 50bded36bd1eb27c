/* Code that nobody instrumented: its stores into windows, and which libraries it lies in. */
#ifndef WORLD_UNSEEN_H
#define WORLD_UNSEEN_H

#include "world/rank/state.h"

/* Carries what foreign code has stored into segments since it was called last. Not while MPI is
 * at work for the rank. */
void world_unseen(struct world_rank_state *state);
/* The check is on, and MPI is at work for the rank no more: what it goes on filling. */
void world_unseen_after(struct world_rank_state *state);

/* A program calls that function of a library, which lies in that file ("/usr/lib/libblas.so.3"):
 * *called is set at the first call. Names last. What C and its compiler bring along is not counted.
 */
void world_unseen_function(const char *file, const char *function, const uint8_t *called);
/* Libraries of which functions were called, those with them: "libblas.so.3 (dgemm_ was called)",
 * and before them `others`. NULL ended, the caller's. */
char **world_unseen_libraries(char *const *others);

#endif
