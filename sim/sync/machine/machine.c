/* What sync asks of the machine. */
#include "move/control/control.h"
#include "sync/machine/machine.h"

#include "sync/guard/guard.h"

#include <string.h>

static struct move *carriers;
static int windows; /* made so far */

void sync_open(struct move *move)
{
    carriers = move;
    windows = 0;
    if (move) sync_guards_clear();
}

struct move *sync_move(void) { return carriers; }

int sync_window_number(void) { return windows++; }

bool sync_shares_view(void) { return move_shares_view(carriers); }

bool sync_unified(void)
{
    const struct mach *m = carriers->mach;
    return sync_shares_view() && strcmp(m->serve_policy, "polling") != 0 &&
           strcmp(m->serve_when, "completion") != 0;
}

bool sync_shares_memory(const int *world_rank, int ranks)
{
    for (int i = 1; i < ranks; i++)
        if (carriers->proc[world_rank[i]]->node != carriers->proc[world_rank[0]]->node)
            return false;
    return ranks == 1 || sync_shares_view();
}

bool sync_registered_only(void) { return carriers->mach->register_required; }

void sync_tell(struct serve_proc *me, int rank, move_effect effect, void *data)
{
    move_control(carriers, me, carriers->proc[rank], false, effect, data);
}

int sync_counters(void) { return (int)carriers->mach->ni_counters; }
