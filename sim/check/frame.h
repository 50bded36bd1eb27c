/* check, inside: buffers on the stack. Not a door. */
#ifndef CHECK_FRAME_H
#define CHECK_FRAME_H

#include "check/parts.h"

/* An operation has that buffer until its flight is done; nothing, if it is not on the stack. */
void check_frame_buffer(const struct check_stack *stack, const struct check_use *use,
                        uintptr_t addr, uint64_t bytes);
/* What somebody did to these bytes of the operation's buffer is a finding already: that its
 * function has returned is none beside it. */
void check_frame_reported(const struct check_use *use, uintptr_t addr, uint64_t bytes);
void check_frames_open(int ranks);
void check_frames_close(void);

#endif
