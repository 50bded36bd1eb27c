/* check, inside: which of two accesses came first on this machine. Not a door. */
#ifndef CHECK_MOMENT_H
#define CHECK_MOMENT_H

#include "base/base.h"

/* Moments are numbered from 1, in the order in which memory was read and written. */
uint64_t check_moment_now(void);
/* The operation of that number reads or writes its target now. */
void check_moment_performed(uint64_t number);
/* Fills in *moment, now or when the operation is performed; it must live until check_moments_close.
 * Operations too long ago are not known any more: 0. */
void check_moment_ask(uint64_t number, uint64_t *moment);
void check_moments_open(void);
void check_moments_close(void);

#endif
