/* check, inside: operations come to their ends. Not a door. */
#ifndef CHECK_OPERATE_H
#define CHECK_OPERATE_H

#include "check/parts.h"

/* A call begins that completes this member's operations to that target; -1: to all. local: at the
 * origin only. */
void check_operations_end(struct check_member *m, int target, bool local);
/* The call returns: what they fetched is there. */
void check_operations_landed(struct check_member *m);

void check_operations_open(void);
void check_operations_close(void);

#endif
