/* The machine file of what was measured. */
#ifndef CLI_MEASURE_FILE_H
#define CLI_MEASURE_FILE_H

#include "cli/measure/parts.h"

/* The rows, and what they do not say as in rdma's file; checked as any machine file is. NULL:
 * *error. Free with g_free. */
char *cli_measure_file(const struct cli_bench *b, GError **error);

#endif
