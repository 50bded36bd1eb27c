/* world/object: which object of a rank's program has an address: a window, a static variable, a
 * block of its heap, its stack. For the profile by variable. */
#ifndef WORLD_OBJECT_H
#define WORLD_OBJECT_H

#include "world/rank/rank.h"
#include "profile/objects/objects.h"

/* The row of the object at addr, which that rank's program accesses at `site`. */
struct profile_object *world_object(const struct mem_cpu *cpu, uintptr_t addr, op_site site);
void world_objects_clear(void);

#endif
