/* One processor for the benchmarks, and what else ran there. */
#ifndef CLI_MEASURE_PIN_H
#define CLI_MEASURE_PIN_H

#include "base/base.h"

/* Stays on the processor it runs on. False: not allowed. */
bool cli_pin(void);
/* Processors that this process was allowed before; the calling thread moves to the i-th of them. */
int cli_pin_allowed(void);
bool cli_pin_to(int i);
/* How much of the time since the last call this process had its processor, 0 to 1. */
double cli_share(void);

#endif
