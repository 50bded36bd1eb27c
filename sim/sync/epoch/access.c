/* Access epochs: which may follow which. What a program does wrong is found before. */
#include "sync/epoch/state.h"

#define EPOCHS (1 << SYNC_FENCED | 1 << SYNC_STARTED | 1 << SYNC_LOCKED | 1 << SYNC_LOCKED_ALL)

static const struct base_state epochs[SYNC_ACCESSES] = {
    [SYNC_NO_ACCESS] = {"outside any access epoch", EPOCHS | 1 << SYNC_NO_ACCESS},
    [SYNC_FENCED] = {"between fences", EPOCHS | 1 << SYNC_NO_ACCESS},
    [SYNC_STARTED] = {"between start and complete", 1 << SYNC_NO_ACCESS},
    [SYNC_LOCKED] = {"locking targets", 1 << SYNC_LOCKED | 1 << SYNC_NO_ACCESS},
    [SYNC_LOCKED_ALL] = {"locking all", 1 << SYNC_NO_ACCESS},
};

void sync_access_become(struct sync_member *me, enum sync_access access)
{
    me->access = (enum sync_access)base_state_next("member of a window", epochs, (int)me->access,
                                                   (int)access);
}

void sync_access_unfence(struct sync_member *me)
{
    if (me->access == SYNC_FENCED) sync_access_become(me, SYNC_NO_ACCESS);
}
