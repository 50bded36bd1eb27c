/* cli/check, inside: what the runs found. Not a door. */
#ifndef CLI_CHECK_ROWS_H
#define CLI_CHECK_ROWS_H

#include "base/base.h"

/* A pair of lines. */
struct cli_check_row {
    const char *at, *other; /* "halo.c:14"; NULL: none */
    const char *rule, *class;
    char *message;
    GPtrArray *did; /* char *: what it did on each machine */
};

/* Writes the rows as SARIF 2.1.0 (OASIS, 2020), one result a row. machine: as many names as each
 * row's `did` has words. */
bool cli_check_sarif(const char *file, const GArray *rows, char *const *machine, GError **error);

#endif
