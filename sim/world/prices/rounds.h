/* rounds: what a loop took less, known where it is left. Inside world/prices, not a door. */
#ifndef WORLD_ROUNDS_H
#define WORLD_ROUNDS_H

#include "cpu/cpu.h"

struct mem_site;
/* The second site of a loop's branch says so from now on; `overlap` stays where it is. */
void world_rounds_at(struct mem_site *site, const struct cpu_overlap *overlap);

#endif
