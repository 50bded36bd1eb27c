/* instrument, inside: the pass. Not a door. */
#ifndef INSTRUMENT_PASS_H
#define INSTRUMENT_PASS_H

#include "instrument/gcc.h"

opt_pass *pass_new(void);
/* Does a block end behind the statement, though the basic block goes on: at calls, atomics and
 * inline assembly? */
bool pass_ends_block(gimple *stmt);

#endif
