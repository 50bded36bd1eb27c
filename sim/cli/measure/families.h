/* The families of benchmarks, one file each, in the order in which they are run: later ones need
 * what earlier ones found. Each adds its rows. */
#ifndef CLI_MEASURE_FAMILIES_H
#define CLI_MEASURE_FAMILIES_H

#include "cli/measure/parts.h"

void cli_measure_reference(struct cli_bench *b);
void cli_measure_issue(struct cli_bench *b);
void cli_measure_pipeline(struct cli_bench *b);
void cli_measure_caches(struct cli_bench *b);
void cli_measure_pages(struct cli_bench *b);
void cli_measure_overlap(struct cli_bench *b);
void cli_measure_streams(struct cli_bench *b);
void cli_measure_branches(struct cli_bench *b);
void cli_measure_targets(struct cli_bench *b);
void cli_measure_node(struct cli_bench *b);
void cli_measure_calls(struct cli_bench *b);
void cli_measure_clock(struct cli_bench *b);

#endif
