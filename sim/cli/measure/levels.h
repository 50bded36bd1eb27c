/* The levels of a hierarchy, from latency by size. Pure. */
#ifndef CLI_MEASURE_LEVELS_H
#define CLI_MEASURE_LEVELS_H

#include "base/base.h"

struct cli_point {
    double bytes, cycles;
};
struct cli_level {
    double cycles; /* median of its plateau */
    double bytes;  /* up to where it reaches; 0: the last one, memory */
};
enum { CLI_LEVELS = 5 };
/* Finds the plateaus of latencies that ascend with size: at most CLI_LEVELS, their number is
 * returned. An octave of sizes within 12 % is one; two of nearly the same latency are one. A
 * level's size is where the latency has gone a third of the way to the next one's: beside a full
 * set of pages that lie at random others have room. */
int cli_levels_find(const struct cli_point *point, int n, struct cli_level *level);
/* A level between the last one that is known, which no point lies in, and memory: cycles of a line
 * in ascending order, as long as they are at most three quarters of the largest array's. Its size
 * is where they have gone a third of the way. False: there is none. */
bool cli_levels_by_passes(const struct cli_point *point, int n, struct cli_level *level);
/* Are two latencies, the second of more bytes, those of one level? */
bool cli_levels_alike(double less, double more);
/* What a processor says of a level counts where the measured size is within a factor of four: pages
 * that lie anywhere, and who else uses the levels behind it, blur that. */
bool cli_levels_agree(double measured, uint64_t said);
/* So does what it says of the second of three, wherever that was measured between the others. */
bool cli_levels_between(uint64_t said, double before, double after);
/* Of n levels, memory not among them, those behind the `said` levels that the processor has are
 * part of the last of these: who else uses it makes steps of its slope. Returns how many are left.
 */
int cli_levels_join(struct cli_level *level, int n, int said);
/* The nearest of 1, 1.25, 1.5 and 1.75 times a power of two, as caches have them. */
uint64_t cli_levels_round(double bytes);
/* Ways such that the sets are a power of two: as many as `wanted` at most, or the fewest. */
int cli_levels_ways(uint64_t bytes, uint64_t line, int wanted);

#endif
