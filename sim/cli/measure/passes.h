/* Passes over an array in ascending order; figures of a line. */
#ifndef CLI_MEASURE_PASSES_H
#define CLI_MEASURE_PASSES_H

#include "cli/measure/levels.h"
#include "cli/measure/parts.h"

struct cli_figure cli_pass(struct cli_bench *b, char *arena, double bytes);
/* The same, each load's address from the one before. */
struct cli_figure cli_pass_chain(struct cli_bench *b, char *arena, double bytes);
/* Arrays of more than `from` bytes, at most `most`: is there one more level? */
bool cli_pass_level(struct cli_bench *b, char *arena, double from, double most,
                    struct cli_level *level);

#endif
