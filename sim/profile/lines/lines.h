/* profile/lines: what the blocks of the program cost, by line of its source. Filled at the end of a
 * run, by world, from the count of each block. */
#ifndef PROFILE_LINES_H
#define PROFILE_LINES_H

#include "base/base.h"

/* Of one function; a line of an inlined function counts in the one that it became part of. */
struct profile_line {
    const char *function, *file; /* as the compiler was given them; interned */
    uint32_t line;
    uint64_t executions; /* of the block of the line that ran most often */
    uint64_t loads, stores;
    int64_t ticks;   /* of mem; every load hits the first level */
    int64_t divided; /* of them, divisions and square roots, and what waits for them */
};
/* Adds to the row of that function, file and line. */
void profile_line(const struct profile_line *line);
size_t profile_lines(void);
const struct profile_line *profile_line_at(size_t i);
void profile_lines_clear(void);

#endif
