/* The bytes of the snippets; code.c puts them together. */
#ifndef CLI_MEASURE_SNIPPETS_H
#define CLI_MEASURE_SNIPPETS_H

#include "cli/measure/code.h"

/* Its record: a byte with the length, then the bytes; NULL: there are none for this processor. */
const unsigned char *cli_snippet(enum cli_snippet snippet, int instance);

#endif
