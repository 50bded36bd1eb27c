/* What a rank reads when it reads its clock. */
#ifndef WORLD_CLOCK_H
#define WORLD_CLOCK_H

#include <stdbool.h>

/* the running rank's own time, seconds: the clock and what it owes */
double world_now(void);
/* The running rank reads its clock: the same, but a reading at the instant of the one before takes
 * clock.read. polled: is it one, and need the rank not pay first? Then *time_s. tick: clock.read.
 */
double world_read_clock(void);
bool world_clock_polled(double *time_s);
double world_clock_tick(void);

#endif
