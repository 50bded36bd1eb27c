/* Passive target: locks kept at the target's node, granted in order of arrival (MPI-2 11.4.3). */
#include "move/control/control.h"
#include "profile/locks/locks.h"
#include "serve/request/request.h"
#include "sync/epoch/state.h"

#include <math.h>

static void granted(void *data, double at_s)
{
    struct sync_hold *hold = data;
    hold->got_s = at_s;
    hold->granted = true;
    kern_gate_open(hold->win->member[hold->origin].proc->gate);
}

/* ---- for the profile ------------------------------------------------------------------------- */

static struct profile_lock *profile_of(const struct sync_hold *hold)
{
    const struct sync_member *home = &hold->win->member[hold->target];
    return profile_lock(hold->win->number, home->proc->rank, home->name);
}

static struct profile_lock_who who_of(const struct sync_hold *hold)
{
    return (struct profile_lock_who){.site = hold->site,
                                     .rank = hold->win->member[hold->origin].proc->rank,
                                     .exclusive = hold->exclusive};
}

/* Seconds in which the rank neither worked nor stalled nor serviced others, so far. */
static double waited(const struct serve_proc *me)
{
    return kern_now() - (me->spent.compute_s + me->spent.memory_s + me->spent.service_s);
}

/* ---- at the target's node -------------------------------------------------------------------- */

/* Grants from the head of the queue as far as the lock's state allows; nobody overtakes. after_s:
 * when the release that is why was sent; negative: it is none. */
static void grant(struct sync_win *win, int target, double at_s, double after_s)
{
    struct sync_member *home = &win->member[target];
    struct sync_hold *hold;
    while ((hold = g_queue_peek_head(&home->lock_queue))) {
        if (home->exclusive_held || (hold->exclusive && home->shared_holders > 0)) return;
        g_queue_pop_head(&home->lock_queue);
        hold->after_s = after_s;
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
    struct sync_member *home = &hold->win->member[hold->target];
    g_queue_push_tail(&home->lock_queue, hold);
    grant(hold->win, hold->target, at_s, -1);
    if (home->lock_queue.length > 0) profile_lock_queue(profile_of(hold), home->lock_queue.length);
}

static void release_arrives(void *data, double at_s)
{
    struct sync_hold *hold = data;
    struct sync_member *home = &hold->win->member[hold->target];
    if (hold->exclusive)
        home->exclusive_held = false;
    else
        home->shared_holders--;
    grant(hold->win, hold->target, at_s, hold->released_s);
    if (--home->releases == 0) kern_gate_open(home->proc->gate);
    g_free(hold);
}

/* ---- at the origin --------------------------------------------------------------------------- */

static struct sync_hold *sync_hold_of(const struct sync_member *me, int target)
{
    return me->hold_of ? g_hash_table_lookup(me->hold_of, GINT_TO_POINTER(target)) : NULL;
}

static bool is_granted(void *data)
{
    const struct sync_hold *hold = data;
    return hold->granted;
}

static void remember(struct sync_member *m, struct sync_hold *hold)
{
    if (!m->hold_of) m->hold_of = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(m->hold_of, GINT_TO_POINTER(hold->target), hold);
    hold->next = m->holds;
    if (hold->next) hold->next->prev = hold;
    m->holds = hold;
}

static void forget(struct sync_member *m, struct sync_hold *hold)
{
    g_hash_table_remove(m->hold_of, GINT_TO_POINTER(hold->target));
    if (hold->next) hold->next->prev = hold->prev;
    if (hold->prev)
        hold->prev->next = hold->next;
    else
        m->holds = hold->next;
}

static struct sync_hold *lock(struct sync_win *win, int win_rank, int target, bool exclusive,
                              bool checked)
{
    struct sync_member *m = &win->member[win_rank];
    struct serve_proc *me = m->proc;
    struct sync_hold *hold = g_new0(struct sync_hold, 1);
    *hold = (struct sync_hold){.win = win,
                               .origin = win_rank,
                               .target = target,
                               .exclusive = exclusive,
                               .checked = checked,
                               .site = mem_place(me->cpu, me->cpu->call_pc)};
    hold->set.origin = me;
    if (checked) {
        const double before_s = waited(me);
        move_control(win->move, me, win->member[target].proc, true, request_arrives, hold);
        serve_wait(me, PROFILE_LOCK, is_granted, hold);
        const struct profile_lock_who who = who_of(hold);
        profile_lock_got(profile_of(hold), &who, fmax(0, waited(me) - before_s),
                         hold->after_s < 0 ? -1 : hold->got_s - hold->after_s);
    }
    remember(m, hold);
    if (m->access != SYNC_LOCKED_ALL) sync_access_become(m, SYNC_LOCKED);
    if (target == win_rank) sync_refresh(m); /* rule 6 */
    return hold;
}

static enum sync_status may_lock(struct sync_member *m)
{
    if (m->started || m->fence_operations > 0) return SYNC_EPOCH_OPEN;
    sync_access_unfence(m);
    return SYNC_OK;
}

enum sync_status sync_lock(struct sync_win *win, int win_rank, int target, bool exclusive,
                           unsigned asserts)
{
    struct sync_member *m = &win->member[win_rank];
    if (sync_hold_of(m, target) || m->access == SYNC_LOCKED_ALL) return SYNC_LOCKED_TWICE;
    enum sync_status status = may_lock(m);
    if (status == SYNC_OK) lock(win, win_rank, target, exclusive, !(asserts & SYNC_NOCHECK));
    return status;
}

/* Only this member's own, which loads and stores need; the others with the first operation there:
 * "the call MPI_WIN_LOCK may not block, while the call to MPI_PUT blocks until a lock is acquired"
 * (MPI-2 11.4.3). A shared lock of a target without an operation changes nothing, and asking every
 * member would cost each of them a message from each. */
enum sync_status sync_lock_all(struct sync_win *win, int win_rank, unsigned asserts)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->holds) return SYNC_LOCKED_TWICE;
    enum sync_status status = may_lock(m);
    if (status != SYNC_OK) return status;
    sync_access_become(m, SYNC_LOCKED_ALL);
    m->all_checked = !(asserts & SYNC_NOCHECK);
    lock(win, win_rank, win_rank, false, m->all_checked);
    return SYNC_OK;
}

struct sync_hold *sync_hold_for(struct sync_win *win, int win_rank, int target)
{
    const struct sync_member *m = &win->member[win_rank];
    struct sync_hold *hold = sync_hold_of(m, target);
    return hold || m->access != SYNC_LOCKED_ALL
               ? hold
               : lock(win, win_rank, target, false, m->all_checked);
}

int sync_win_holder(const struct sync_win *win, int win_rank)
{
    for (int i = 0; i < win->members; i++)
        if (sync_hold_of(&win->member[i], win_rank) || win->member[i].access == SYNC_LOCKED_ALL)
            return win->member[i].proc->rank;
    return -1;
}

static void unlock(struct sync_win *win, struct serve_proc *me, struct sync_hold *hold)
{
    struct sync_member *m = &win->member[hold->origin];
    move_set_wait(&hold->set);
    if (hold->target == hold->origin) { /* rule 5 */
        sync_publish(m);
        sync_synchronised(m);
    }
    serve_pay(me);
    forget(m, hold);
    if (m->access == SYNC_LOCKED && !m->holds) sync_access_become(m, SYNC_NO_ACCESS);
    if (!hold->checked) {
        g_free(hold);
        return;
    }
    hold->released_s = kern_now();
    const struct profile_lock_who who = who_of(hold);
    profile_lock_held(profile_of(hold), &who, hold->released_s - hold->got_s);
    struct sync_member *home = &win->member[hold->target];
    home->releases++;
    kern_cause_site(me->rank, mem_place(me->cpu, me->cpu->call_pc), hold->site);
    move_control(win->move, me, home->proc, false, release_arrives, hold);
}

enum sync_status sync_unlock(struct sync_win *win, int win_rank, struct serve_proc *me, int target)
{
    struct sync_member *m = &win->member[win_rank];
    struct sync_hold *hold = sync_hold_of(m, target);
    if (m->access == SYNC_LOCKED_ALL) return SYNC_OTHER_LOCK;
    if (!hold) return SYNC_NOT_LOCKED;
    serve_completing(me, true);
    unlock(win, me, hold);
    return SYNC_OK;
}

enum sync_status sync_unlock_all(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    struct sync_member *m = &win->member[win_rank];
    if (!m->holds) return SYNC_NONE_LOCKED;
    if (m->access != SYNC_LOCKED_ALL) return SYNC_OTHER_LOCK;
    serve_completing(me, true);
    for (int target = 0; target < win->members; target++) {
        struct sync_hold *hold = sync_hold_of(m, target);
        if (hold) unlock(win, me, hold);
    }
    sync_access_become(m, SYNC_NO_ACCESS);
    return SYNC_OK;
}

enum sync_status sync_flush(struct sync_win *win, int win_rank, struct serve_proc *me, int target)
{
    struct sync_member *m = &win->member[win_rank];
    if (target >= 0 && m->access != SYNC_LOCKED_ALL && !sync_hold_of(m, target))
        return SYNC_NOT_LOCKED;
    if (!m->holds) return SYNC_NONE_LOCKED;
    serve_completing(me, true);
    for (struct sync_hold *hold = m->holds; hold; hold = hold->next)
        if (target < 0 || hold->target == target) move_set_wait(&hold->set);
    return SYNC_OK;
}

bool sync_flush_idle(const struct sync_win *win, int win_rank, int target)
{
    for (const struct sync_hold *hold = win->member[win_rank].holds; hold; hold = hold->next)
        if ((target < 0 || hold->target == target) && hold->set.started > 0) return false;
    return true;
}

double sync_complete_at(const struct sync_win *win, int win_rank, int target)
{
    const struct sync_hold *hold = sync_hold_of(&win->member[win_rank], target);
    return !hold ? 0 : hold->set.outstanding > 0 ? HUGE_VAL : hold->set.last_s;
}

enum sync_status sync_agree(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    struct sync_member *m = &win->member[win_rank];
    sync_publish(m);
    sync_synchronised(m);
    sync_refresh(m);
    serve_pay(me);
    return SYNC_OK;
}
