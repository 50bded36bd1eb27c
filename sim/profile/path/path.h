/* profile/path: the critical path of a run: the chain of what had to wait for what, from its end
 * back to its start. Every link of it is something that, if it had been shorter, would have let the
 * run end earlier, as long as no other chain became the longest. Filled by serve, at the end of a
 * run; equal links are one row. Times are simulated seconds. */
#ifndef PROFILE_PATH_H
#define PROFILE_PATH_H

#include "base/base.h"
#include "op/op.h"

struct profile_link {
    int cause;    /* enum profile_cause of the time; -1: a rank ran */
    op_site from; /* the call in which the rank woke, or from which an event was set; 0: none */
    op_site to;   /* the call in which it acted, or that the event woke; 0: none */
    int rank;     /* the first in this row; -1: none */
    bool others;  /* and others */
    uint64_t count;
    double time_s;
    double compute_s, memory_s, service_s; /* of time_s, where a rank ran; the rest: messages */
};
/* Adds one to its row. */
void profile_link(const struct profile_link *link);
size_t profile_links(void);
const struct profile_link *profile_link_at(size_t i); /* the run's last first */
/* Of the time of the whole path, so much is a number of the machine: its key, or "memory", stalls
 * undivided. What no number has was waiting for what others held, and messages of SimGrid. */
struct profile_part {
    const char *key; /* lasts as long as the program */
    double time_s;
};
void profile_part(const char *key, double time_s);
size_t profile_parts(void);
const struct profile_part *profile_part_at(size_t i);
/* It begins at that date, with so many links behind it: 0, if it is whole. */
void profile_path_begins(double time_s);
double profile_path_start(void); /* negative: there is no path */
void profile_path_clear(void);

#endif
