/* cli/blocks, inside: names of functions. Not a door. */
#ifndef CLI_BLOCKS_NAME_H
#define CLI_BLOCKS_NAME_H

#include <stdbool.h>

/* As the program has it: of a symbol of C++ its name and arguments. Interned. */
const char *cli_blocks_name(const char *symbol);
/* Does the user mean it: by its symbol, its whole name, or its name without arguments? */
bool cli_blocks_named(const char *symbol, const char *given);

#endif
