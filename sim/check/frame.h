/* check, inside: buffers on the stack. Not a door. */
#ifndef CHECK_FRAME_H
#define CHECK_FRAME_H

#include "check/parts.h"

/* An operation or message has that buffer until its flight is done; nothing, if it is not on the
 * stack. */
void check_frame_buffer(const struct check_stack *stack, const struct check_use *use,
                        uintptr_t addr, uint64_t bytes);
/* The stack at the operation's call, if the byte is of a buffer of it there; otherwise unchanged.
 */
void check_frame_stack(const struct check_use *use, uintptr_t addr, struct check_stack *stack);
/* What somebody did to these bytes of the operation's buffer is a finding already: that its
 * function has returned is none beside it. */
void check_frame_reported(const struct check_use *use, uintptr_t addr, uint64_t bytes);
/* One that lies below, and is not complete; NULL: there is none. check_frame_reported forgets it.
 */
const struct check_use *check_frame_below(int rank, uintptr_t low, uintptr_t *addr,
                                          uint64_t *bytes);
void check_frames_open(int ranks);
void check_frames_close(void);

#endif
