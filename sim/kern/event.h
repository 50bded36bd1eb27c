/* A heap of dates: what is to be handled when, equal dates by turn, then by the rank that set them
 * (-1: none), then in call order. Used by kern and kern_fake. */
#ifndef KERN_EVENT_H
#define KERN_EVENT_H

#include "kern/kern.h"

struct kern_event {
    double time_s;
    int turn, rank;
    uint64_t number;
    kern_handler handle;
    void *data;
    const struct kern_cause *cause; /* owned; NULL: none is kept */
};
struct kern_events {
    GArray *heap;
    uint64_t made;
};

void kern_events_add(struct kern_events *events, double time_s, int turn, int rank,
                     const struct kern_cause *cause, kern_handler handle, void *data);
const struct kern_event *kern_events_first(const struct kern_events *events); /* NULL: none */
/* the first; there must be one */
struct kern_event kern_events_take(struct kern_events *events);
void kern_events_clear(struct kern_events *events);

#endif
