/* instrument, inside: the pass. Not a door. */
#ifndef INSTRUMENT_PASS_H
#define INSTRUMENT_PASS_H

#include "instrument/gcc.h"

opt_pass *pass_new(void);

#endif
