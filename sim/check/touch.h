/* check, inside: an access against all that is remembered of its bytes. Not a door. */
#ifndef CHECK_TOUCH_H
#define CHECK_TOUCH_H

#include "check/parts.h"

/* Judges the access against earlier ones, and remembers it. */
void check_touch(const struct check_now *now, uintptr_t addr, uint64_t bytes);
/* The same of what an operation touches at its target, or of a buffer of the rank's own. */
void check_touch_there(struct check_now *now, struct check_actor actor, enum check_kind kind,
                       const struct check_buffer *there);
void check_touch_own(struct check_now *now, struct check_actor actor, enum check_kind kind,
                     const struct check_buffer *buffer, const struct check_stack *stack);
/* What that line of code of the rank touched of the page lately; NULL: not known. */
struct check_record *check_recent(struct check_page *page, int rank, enum check_kind kind,
                                  op_site site);
/* Atomics: the bytes they write carry what their writer had done (value.c). replaces: what was
 * there carries nothing any more. */
void check_cells_open(void);
void check_cells_close(void);
void check_cells_write(uintptr_t addr, uint64_t bytes, const struct check_stamp *stamp,
                       bool replaces);
void check_cells_read(uintptr_t addr, uint64_t bytes, struct check_clock **behind);

#endif
