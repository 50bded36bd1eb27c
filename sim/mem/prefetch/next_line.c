/* next_line: after each line memory fetches the next ascending one into a single buffer, so one
 * ascending stream is served at once and a second one interleaved with it defeats it. */
#include "mem/prefetch/prefetch.h"

static bool has(uint64_t last, uint64_t line) { return line - last == 1; }

const struct mem_prefetch mem_prefetch_next_line = {
    .name = "next_line",
    .doc = "Memory reads one ascending stream of lines ahead, into one buffer.",
    .source = "McCalpin, STREAM, T3D appendix; Grassl, STREAM mail, January 1995",
    .has = has,
    .step = 1,
};
