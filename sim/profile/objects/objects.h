/* profile/objects: the objects of the program: windows, variables, blocks of the heap by the place
 * that allocated them, stacks. What loads and stores missed and waited for there is in the rows of
 * their places (profile/stalls); those that hit and waited for nothing are counted here, where they
 * are asked for (run --profile-hits), and so are operations. Whose an address is,
 * world/object knows.
 */
#ifndef PROFILE_OBJECTS_H
#define PROFILE_OBJECTS_H

#include "base/base.h"
#include "op/op.h"

enum profile_memory {
    PROFILE_WINDOW, /* or other memory that peers may reach: key is the segment's id */
    PROFILE_STATIC, /* key: offset of its first byte in the program */
    PROFILE_HEAP,   /* key: site of the allocation */
    PROFILE_STACK,  /* key: site of the access */
    PROFILE_REST,   /* of libraries, or not known; key 0 */
    PROFILE_MEMORIES
};
struct profile_object {
    enum profile_memory memory;
    uint64_t key;
    uint64_t hits;       /* loads and stores that missed in no cache */
    uint64_t operations; /* puts, gets, accumulates: those complete at it, and from its bytes or to
                            them */
};

extern bool profile_hits_on;
/* The row, made now if there is none; it stays until all are cleared. */
struct profile_object *profile_object(enum profile_memory memory, uint64_t key);
/* An operation to that byte of the rank's memory is complete. */
void profile_operation(int rank, uintptr_t addr);

size_t profile_objects(void); /* in order of first occurrence */
const struct profile_object *profile_object_at(size_t i);
void profile_objects_clear(void); /* and off */

#endif
