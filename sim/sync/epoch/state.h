/* What the files of epochs share: the locks that a member holds. */
#ifndef SYNC_EPOCH_STATE_H
#define SYNC_EPOCH_STATE_H

#include "sync/epoch/epoch.h"
#include "sync/window/state.h"

void sync_access_become(struct sync_member *me, enum sync_access access);
void sync_access_unfence(struct sync_member *me); /* what fences opened ends without one */
/* The hold of a target whose lock is this member's by sync_lock_all; takes it now if need be. NULL:
 * there is none. */
struct sync_hold *sync_hold_for(struct sync_win *win, int win_rank, int target);
bool sync_started(const struct sync_member *me, int target);

#endif
