/* kern/graph: writes down what had to wait for what (kern/graph_format). kern/cause keeps only what
 * came last, this all of it; on disk, as it comes. Nothing waits, nothing costs simulated time. */
#ifndef KERN_GRAPH_H
#define KERN_GRAPH_H

#include "base/base.h"
#include "kern/parts/parts.h"

/* A date, as an index of the file; 0: the start, or nothing. */
typedef uint32_t kern_date;

struct kern_graph_step {
    kern_date after, also; /* also: 0: nothing else */
    double length_s;       /* from `after` on */
    const struct kern_parts_list *parts;
    int rank; /* that ran; -1: none did */
};

extern bool kern_graph_on;
bool kern_graph_open(const char *file, GError **error);
/* 0: no graph is written. */
kern_date kern_graph_add(const struct kern_graph_step *step);
/* The date so many seconds later, all of that number of the machine. */
kern_date kern_graph_part(kern_date after, double seconds, const double *of);
/* The later one of two. */
kern_date kern_graph_later(kern_date a, kern_date b);
/* The run ended then; `text`: what the parts are. False: not all could be written, and the file is
 * gone. */
bool kern_graph_close(kern_date end, double end_s, const char *text, GError **error);

#endif
