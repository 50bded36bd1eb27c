/* instrument, inside: the passes. Not a door. */
#ifndef INSTRUMENT_PASS_H
#define INSTRUMENT_PASS_H

#include "instrument/gcc.h"

opt_pass *pass_new(void);
opt_pass *pass_new_lines(void); /* lines.cc */
opt_pass *pass_new_loops(void); /* motion.cc */

#endif
