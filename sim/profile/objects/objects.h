/* profile/objects: what the program's own loads and stores missed and waited for, by the object
 * whose bytes they touched. Kept only where a profile is written (run --profile); otherwise a
 * sample is, by place. Whose an address is, world/object knows.
 *
 * Left out: loads and stores that hit and waited for nothing, unless all are asked for (run
 * --profile-hits); what MPI and others do there.
 */
#ifndef PROFILE_OBJECTS_H
#define PROFILE_OBJECTS_H

#include "base/base.h"
#include "op/op.h"
#include "profile/stalls/stalls.h"

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
    uint64_t loads, stores; /* that waited */
    int64_t load_ticks, store_ticks;
    uint64_t missed[PROFILE_LEVELS];
    uint64_t hits; /* loads and stores that missed in no cache */
};

extern bool profile_objects_on, profile_hits_on;
/* The row, made now if there is none; it stays until all are cleared. */
struct profile_object *profile_object(enum profile_memory memory, uint64_t key);
/* A load of that rank at that site missed in `row`: for what has no room where the rank keeps it
 * (world/hits). */
void profile_object_left(int rank, op_site site, struct profile_object *row);
struct profile_object *profile_object_missed(int rank, op_site site);

/* A look found that object at that row's place (stalls.h). What was seen least makes room. */
void profile_object_seen(struct profile_stall *row, const struct profile_object *object);
/* Of what its place waited, how much is that one's, of PROFILE_SEEN. */
int64_t profile_seen_ticks(const struct profile_stall *row, int i);

size_t profile_objects(void); /* in order of first occurrence */
const struct profile_object *profile_object_at(size_t i);
void profile_objects_clear(void); /* and off */

#endif
