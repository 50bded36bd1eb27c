/* cli/measure: the computer this runs on, measured by microbenchmarks, as a machine file.
 *
 * One family of benchmarks a file. Each is a short piece of machine code that is put together here
 * (code.h), timed by the monotonic clock, and repeated: the minimum counts, and its spread
 * (median - minimum) / minimum stands beside the number. Methods: McVoy and Staelin, lmbench,
 * USENIX 1996 (chains of loads); Agner Fog, Instruction tables (chains of instructions); Abel and
 * Reineke, uops.info, ASPLOS 2019 (ports from pairs); Wong, Measuring reorder buffer capacity, 2013
 * (what fits between two misses).
 *
 * Left out: what counters of the hardware would show, the network, instruction fetch and its cache,
 * processors other than x86-64.
 */
#ifndef CLI_MEASURE_MEASURE_H
#define CLI_MEASURE_MEASURE_H

#include "base/base.h"

struct cli_measure_options {
    bool all;   /* also between processors, and the memory bandwidth of all of them */
    bool quick; /* few repeats and small arrays: a file of the right form, less exact */
};
/* Prints the machine file on standard output, what is less exact on standard error, progress where
 * that is a terminal. Returns the exit code. */
int cli_measure(const struct cli_measure_options *options);

#endif
