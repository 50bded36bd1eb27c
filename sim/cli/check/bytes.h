/* cli/check, inside: what a pair's own bytes were, with and without its order forced. Not a door.
 */
#ifndef CLI_CHECK_BYTES_H
#define CLI_CHECK_BYTES_H

#include "base/base.h"

/* Of one run; texts are bytes in hex, NULL: none. */
struct cli_check_bytes {
    bool known;                /* the program came to both; if it was asked for, in that order */
    bool lost;                 /* an update was lost between the two */
    const char *read[2];       /* by each side */
    const char *memory, *load; /* what both left, in memory and for its owner's loads */
};
struct cli_check_sides {
    int rank[2];
    bool buffer; /* the first side is an operation, the bytes are its buffer */
};
/* as_is: the run as the program is; ordered[s]: with side s complete before the other begins. The
 * caller frees; NULL: neither is known. */
char *cli_check_effect(const struct cli_check_sides *sides, const struct cli_check_bytes *as_is,
                       const struct cli_check_bytes ordered[2]);
/* Bytes in hex, as a number if they may be one. The caller frees. */
char *cli_check_value(const char *hex);

#endif
