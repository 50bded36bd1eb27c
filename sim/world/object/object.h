/* world/object: which object of a rank's program has an address: a window, a static variable, a
 * block of its heap, its stack. For the profile by variable. */
#ifndef WORLD_OBJECT_H
#define WORLD_OBJECT_H

#include "world/rank/rank.h"
#include "profile/objects/objects.h"

/* Bytes around an address that are one object's. */
struct world_piece {
    struct profile_object *row;
    uintptr_t from, to;
    bool by_site; /* the row is the site's, another one has another row there */
};
/* What that rank's program accesses at addr, at `site`. */
struct world_piece world_object(const struct mem_cpu *cpu, uintptr_t addr, op_site site);
/* The rank, in a call, starts an operation whose bytes come from there or go there. */
void world_operates(const struct world_rank *rank, uintptr_t addr);
void world_objects_clear(void);

#endif
