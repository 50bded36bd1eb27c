/* Passive target: locks kept at the target's node, granted in order of arrival (MPI-2 11.4.3). */
#include "sync/win.h"

static void granted(void *data, double at_s)
{
    (void)at_s;
    struct sync_hold *hold = data;
    hold->granted = true;
    kern_gate_open(hold->win->member[hold->origin].proc->gate);
}

/* ---- at the target's node -------------------------------------------------------------------------------*/

/* Grants from the head of the queue as far as the lock's state allows; nobody overtakes. */
static void grant(struct sync_win *win, int target, double at_s)
{
    struct sync_member *home = &win->member[target];
    struct sync_hold *hold;
    while ((hold = g_queue_peek_head(&home->lock_queue))) {
        if (home->exclusive_held || (hold->exclusive && home->shared_holders > 0)) return;
        g_queue_pop_head(&home->lock_queue);
        if (hold->exclusive)
            home->exclusive_held = true;
        else
            home->shared_holders++;
        move_answer(win->move, home->proc, win->member[hold->origin].proc, at_s, granted, hold);
    }
}

static void request_arrives(void *data, double at_s)
{
    struct sync_hold *hold = data;
    g_queue_push_tail(&hold->win->member[hold->target].lock_queue, hold);
    grant(hold->win, hold->target, at_s);
}

static void release_arrives(void *data, double at_s)
{
    struct sync_hold *hold = data;
    struct sync_member *home = &hold->win->member[hold->target];
    if (hold->exclusive)
        home->exclusive_held = false;
    else
        home->shared_holders--;
    grant(hold->win, hold->target, at_s);
    if (--home->releases == 0) kern_gate_open(home->proc->gate);
    g_free(hold);
}

/* ---- at the origin ----------------------------------------------------------------------------------------*/

static bool is_granted(void *data)
{
    const struct sync_hold *hold = data;
    return hold->granted;
}

enum sync_status sync_lock(struct sync_win *win, int member, struct serve_proc *me, int target, bool exclusive, unsigned asserts)
{
    struct sync_member *m = &win->member[member];
    if (sync_hold_of(m, target)) return SYNC_LOCKED_TWICE;
    if (m->started || m->fence_operations > 0) return SYNC_EPOCH_OPEN;
    m->fenced = false;
    struct sync_hold *hold = g_new0(struct sync_hold, 1);
    *hold = (struct sync_hold){.win = win, .origin = member, .target = target, .exclusive = exclusive};
    hold->checked = !(asserts & SYNC_NOCHECK);
    hold->set.origin = me;
    if (hold->checked) {
        move_control(win->move, me, win->member[target].proc, true, request_arrives, hold);
        serve_wait(me, is_granted, hold);
    }
    hold->next = m->holds;
    m->holds = hold;
    if (target == member) sync_refresh(m);   /* rule 6 */
    return SYNC_OK;
}

int sync_win_holder(const struct sync_win *win, int member)
{
    for (int i = 0; i < win->members; i++)
        if (sync_hold_of(&win->member[i], member)) return win->member[i].proc->rank;
    return -1;
}

static void forget(struct sync_member *m, struct sync_hold *hold)
{
    struct sync_hold **at = &m->holds;
    while (*at != hold) at = &(*at)->next;
    *at = hold->next;
}

enum sync_status sync_unlock(struct sync_win *win, int member, struct serve_proc *me, int target)
{
    struct sync_member *m = &win->member[member];
    struct sync_hold *hold = sync_hold_of(m, target);
    if (!hold) return SYNC_NOT_LOCKED;
    serve_completing(me, true);
    move_set_wait(&hold->set);
    if (target == member) sync_publish(m);   /* rule 5 */
    serve_pay(me);
    forget(m, hold);
    if (!hold->checked) {
        g_free(hold);
        return SYNC_OK;
    }
    win->member[target].releases++;
    move_control(win->move, me, win->member[target].proc, false, release_arrives, hold);
    return SYNC_OK;
}

enum sync_status sync_flush(struct sync_win *win, int member, struct serve_proc *me, int target)
{
    struct sync_member *m = &win->member[member];
    if (target >= 0 && !sync_hold_of(m, target)) return SYNC_NOT_LOCKED;
    serve_completing(me, true);
    for (struct sync_hold *hold = m->holds; hold; hold = hold->next)
        if (target < 0 || hold->target == target) move_set_wait(&hold->set);
    return SYNC_OK;
}

enum sync_status sync_agree(struct sync_win *win, int member, struct serve_proc *me)
{
    struct sync_member *m = &win->member[member];
    sync_publish(m);
    sync_refresh(m);
    serve_pay(me);
    return SYNC_OK;
}
