/* Operations that need a servicer at the target: their requests wait there, and some bring their
 * bytes along. */
#ifndef MOVE_SERVICING_H
#define MOVE_SERVICING_H

#include "move/transfer/transfer.h"

/* The servicer of an operation whose place() said false has come and filled `to` in. */
void move_service(struct move_transfer *t, double at_s);

#endif
