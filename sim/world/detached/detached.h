/* Code that runs while no rank does: functions of the program that the engine runs, and code of
 * SimGrid. */
#ifndef WORLD_DETACHED_H
#define WORLD_DETACHED_H

#include "world/rank/rank.h"

/* A function of the program that the engine itself runs for that rank (a user's operation where it
 * is the target), in an event or in any rank's context. What it loads and stores goes through
 * nobody's caches: each access hits the first level. Its blocks are charged to nobody, and
 * sw_compute counts. Nothing is paid: returns the seconds. MPI calls end the run. */
double world_run_detached(int rank, void (*function)(void *data), void *data);
int world_detached(void);                  /* the rank whose function runs so now; -1: none */
void world_detached_words(uint64_t bytes); /* loaded or stored by a library for it */
void world_detached_compute(double seconds);
void world_not_detached(const char *call); /* ends the run where a function runs detached */

/* Around code of SimGrid that a call which does not enter runs: any of its system calls may let
 * other ranks run in between. */
struct mem_cpu *world_away(void);
void world_back(struct mem_cpu *before);

#endif
