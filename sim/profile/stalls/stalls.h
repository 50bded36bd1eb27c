/* profile/stalls: what one place of the program waited for caches, bus and memory. Rows are made by
 * profile; mem adds to those whose place it knows. */
#ifndef PROFILE_STALLS_H
#define PROFILE_STALLS_H

#include "base/base.h"
#include "op/op.h"

enum { PROFILE_LEVELS = 4 }; /* of caches; what lies behind counts with the fourth */

/* Objects that its accesses were seen to touch. From one look at an address to the next, the stalls
 * are the object's that the first look found: a sample. A look is due once misses have grown by an
 * eighth. */
enum { PROFILE_SEEN = 3 };
struct profile_object;
struct profile_seen {
    const struct profile_object *object; /* NULL: none */
    int64_t ticks;
};

struct profile_stall {
    op_site site;
    uint64_t loads, stores; /* that waited */
    int64_t load_ticks, store_ticks;
    uint64_t missed[PROFILE_LEVELS]; /* lines, whether or not it waited for them */
    uint64_t look_at;                /* misses of the first level, from which on a look is due */
    /* what a library computed on its words, or the program asked to be charged (sw_compute) */
    int64_t work_ticks;
    double service_s; /* servicing that took the processor meanwhile */
    struct profile_seen seen[PROFILE_SEEN];
    int64_t looked_ticks; /* its stalls at the last look, which found seen[looked] */
    int looked;
};

static inline int64_t profile_stall_ticks(const struct profile_stall *row)
{
    return row->load_ticks + row->store_ticks;
}
static inline bool profile_look_due(const struct profile_stall *row)
{
    return row->missed[0] >= row->look_at;
}

#endif
