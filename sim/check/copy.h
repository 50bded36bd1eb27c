/* check, inside: what buffers hold that operations on their way read. Not a door. */
#ifndef CHECK_COPY_H
#define CHECK_COPY_H

#include "check/parts.h"

/* The use's call has begun to read the buffer, which lies in no window. stack: in use then. */
void check_copy_keep(const struct check_use *use, const struct check_buffer *buffer,
                     const struct check_stack *stack);
/* Something that is recorded stores there: what changes is known. */
void check_copy_known(int rank, uintptr_t addr, uint64_t bytes);
/* It has begun to fill the buffer. */
void check_copy_fills(const struct check_use *use, const struct check_buffer *buffer);
void check_copies_open(int ranks);
void check_copies_close(void);

#endif
