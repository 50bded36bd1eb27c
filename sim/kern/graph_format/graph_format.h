/* The file of `run --graph`: what had to wait for what, of a whole run.
 *
 * A head, then a record of 64 bytes for each date that something depended on, then a text. A date
 * is as late as the latest of what led to it: another one, by a stretch of time later, and a second
 * one, at once. What led to a date stands before it, so one pass finds the dates that come about
 * when stretches take longer or shorter. Numbers are the host's; indices begin with 1, the first
 * record's; 0 is the start of the run.
 *
 * The text has a line for each share of a part: its number in the records, the machine's key, or
 * "memory" (stalls on caches, bus and memory), and how much of the part the key is:
 *   3 net.overhead_send 0.8
 */
#ifndef KERN_GRAPH_FORMAT_H
#define KERN_GRAPH_FORMAT_H

#include <stdint.h>

#define GRAPH_MAGIC "SWGRAPH1"
enum { GRAPH_PARTS = 9 };

struct graph_head {
    char magic[8];
    uint64_t records; /* in the file */
    uint64_t end;     /* index of the date at which the run ended */
    double end_s;     /* that date */
    uint64_t text;    /* bytes */
    uint64_t none[3];
};
struct graph_record {
    double length_s;           /* the stretch */
    uint32_t after, also;      /* indices, so many before this one; also: 0: none */
    float part_s[GRAPH_PARTS]; /* of the stretch, so many seconds by each of its parts */
    uint8_t part[GRAPH_PARTS];
    uint8_t parts;
    uint16_t rank; /* a rank ran for the stretch: its number and 1; 0: not, or beyond 65534 */
};
_Static_assert(sizeof(struct graph_head) == 64 && sizeof(struct graph_record) == 64,
               "as described");

#endif
