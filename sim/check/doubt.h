/* check, inside: conflicts that only the messages which receives from any source took separate. Not
 * a door. */
#ifndef CHECK_DOUBT_H
#define CHECK_DOUBT_H

#include "check/parts.h"

/* `before` comes first as things happened: is it surely so? Known at the end. */
void check_doubt(enum check_rule rule, const struct check_use *before, const struct check_now *now,
                 const struct check_at *at);
/* Notes those that are not. */
void check_doubts_end(void);
void check_doubts_open(void);
void check_doubts_close(void);

#endif
