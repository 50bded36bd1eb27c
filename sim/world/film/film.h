/* Films: pieces of segments that `run --watch` names, and what becomes of their copies.
 *
 * Looked at are a piece's copies in memory, in the caches and in the write buffers of the
 * processors of its node: when one of them accesses the piece, and when any rank begins and ends an
 * MPI call. A step is written into the trace when an access touched the piece or a copy changed. A
 * change in between is seen at the next look; ranks run ahead of each other by up to the quantum,
 * so steps of two ranks stand in the order in which the run played them. Nothing is charged.
 *
 * A film has 400 steps at most: the first, or those around the date that --watch names.
 */
#ifndef WORLD_FILM_H
#define WORLD_FILM_H

#include "world/rank/rank.h"

extern bool world_filming;
/* Names as op_memory_read reads them; the trace is open. False: *error. */
bool world_films_open(char **watch, GError **error);
void world_films_close(void);
/* Only while world_filming. An access of the running program has been played; a store has not
 * happened yet. */
void world_film_access(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool store,
                       op_site site, double now_s);
/* The rank is at the begin or the end of that call. */
void world_film_call(int rank, const char *call, bool begins, op_site site, double now_s);

#endif
