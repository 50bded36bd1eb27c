/* A processor that --measure runs its code on instead of the host's: it replaces cli/measure's
 * code.c and sample.c. */
#ifndef MEASURE_FAKE_H
#define MEASURE_FAKE_H

#include "cli/measure/code.h"

#include <stdint.h>

struct measure_fake {
    int issue;                     /* operations a cycle */
    int joins_nop;                 /* a nop goes with the operation before it */
    int window, registers, stores; /* entries */
    int fp_registers, queue;
    int zeros; /* registers set to 0 side by side that share an entry */
    /* bytes of two caches; 0: a chain misses in all its loads. Others use the last, too: of a ring
     * in it every other line is gone, unless all were just read */
    uint64_t first_cache, last_cache;
    double set; /* cycles of a load of lines that have one place in their pages, side by side */
    struct cli_said first_said; /* of the first level */
    int outcomes;               /* of branches that it remembers */
    double floats_later; /* cycles, of a branch on floating point that was predicted wrongly */
};
extern struct measure_fake measure_fake;

#endif
