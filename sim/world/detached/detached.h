/* Code that runs while no rank does: functions of the program that the engine runs, and code of
 * SimGrid. */
#ifndef WORLD_DETACHED_H
#define WORLD_DETACHED_H

#include "world/rank/rank.h"

/* A function of the program that the engine itself runs for that rank (a user's operation where it
 * is the target), in an event or in any rank's context. What it loads and stores goes through
 * nobody's caches: each access computes for cpu.cycles_per_access, as one that hits does, and
 * sw_compute counts. Nothing is paid: returns the seconds. MPI calls end the run. */
double world_run_detached(int rank, void (*function)(void *data), void *data);
int world_detached(void); /* the rank whose function runs so now; -1: none */
void world_detached_access(uint64_t bytes);
void world_detached_compute(double cycles);
void world_not_detached(const char *call); /* ends the run where a function runs detached */

/* Around code of SimGrid that a call which does not enter runs: any of its system calls may let
 * other ranks run in between. */
struct mem_cpu *world_away(void);
void world_back(struct mem_cpu *before);

#endif
