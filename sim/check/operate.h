/* check, inside: operations come to their ends. Not a door. */
#ifndef CHECK_OPERATE_H
#define CHECK_OPERATE_H

#include "check/parts.h"

/* A call begins that completes this member's operations to that target; -1: to all. local: at the
 * origin only. */
void check_operations_end(struct check_member *m, int target, bool local);
/* The call returns: what they fetched is there. */
void check_operations_landed(struct check_member *m);
/* Each operation of the member that nothing has completed breaks that rule by the call. At the end
 * of the program, those under a lock are left out: of the lock it is said already. */
void check_note_pending(enum check_rule rule, const char *name, const struct check_call *call,
                        const struct check_window *win, struct check_member *m);

void check_operations_open(void);
void check_operations_close(void);

#endif
