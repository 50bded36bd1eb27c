/* next_line: after each line memory fetches the next ascending one into a single buffer, so one
 * ascending stream is served at once and a second one interleaved with it defeats it. */
#include "mem/prefetch/prefetch.h"

static bool read_line(struct mem_prefetcher *p, uint64_t line, int64_t now, int64_t ticks,
                      int64_t *there)
{
    (void)ticks; /* the buffer is filled while the line before is used */
    bool has = line - p->last == 1;
    p->last = line;
    *there = now;
    return has;
}

const struct mem_prefetch mem_prefetch_next_line = {
    .name = "next_line",
    .doc = "Memory reads one ascending stream of lines ahead, into one buffer.",
    .source = "McCalpin, STREAM, T3D appendix; Grassl, STREAM mail, January 1995",
    .read = read_line,
    .step = 1,
};
