/* Post, start, complete, wait (MPI-2 11.4.2): tokens between targets and origins. */
#include "move/control/control.h"
#include "serve/request/request.h"
#include "sync/epoch/state.h"

/* A token on its way: from one member to another. */
struct token {
    struct sync_win *win;
    int from, to;
};

static struct token *token(struct sync_win *win, int from, int to)
{
    struct token *t = g_new(struct token, 1);
    *t = (struct token){win, from, to};
    return t;
}

static int posts_from(const struct sync_member *me, int target)
{
    return me->posts ? GPOINTER_TO_INT(g_hash_table_lookup(me->posts, GINT_TO_POINTER(target))) : 0;
}

static void add_posts(struct sync_member *me, int target, int n)
{
    if (!me->posts) me->posts = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(me->posts, GINT_TO_POINTER(target),
                        GINT_TO_POINTER(posts_from(me, target) + n));
}

static void post_arrives(void *data, double at_s)
{
    (void)at_s;
    struct token *t = data;
    struct sync_member *origin = &t->win->member[t->to];
    add_posts(origin, t->from, 1);
    kern_gate_open(origin->proc->gate);
    g_free(t);
}

static void complete_arrives(void *data, double at_s)
{
    (void)at_s;
    struct token *t = data;
    struct sync_member *target = &t->win->member[t->to];
    target->completes++;
    kern_gate_open(target->proc->gate);
    g_free(t);
}

enum sync_status sync_post(struct sync_win *win, int win_rank, struct serve_proc *me,
                           const int *group, int n, unsigned asserts)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->exposed_to >= 0) return SYNC_EPOCH_OPEN;
    serve_completing(me, false);
    sync_access_unfence(m);
    if (!(asserts & SYNC_NOSTORE)) sync_publish(m);
    m->exposed_to = n;
    m->no_put = asserts & SYNC_NOPUT;
    m->post_unchecked = asserts & SYNC_NOCHECK;
    m->post_site = mem_place(me->cpu, me->cpu->call_pc);
    sync_synchronised(m);
    for (int i = 0; i < n && !(asserts & SYNC_NOCHECK); i++)
        move_control(win->move, me, win->member[group[i]].proc, false, post_arrives,
                     token(win, win_rank, group[i]));
    serve_pay_some(me);
    return SYNC_OK;
}

static bool all_posted(void *data)
{
    const struct sync_member *me = data;
    for (guint i = 0; i < me->started->len; i++)
        if (posts_from(me, g_array_index(me->started, int, i)) == 0) return false;
    return true;
}

enum sync_status sync_start(struct sync_win *win, int win_rank, struct serve_proc *me,
                            const int *group, int n, unsigned asserts)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->started || m->holds || m->fence_operations > 0) return SYNC_EPOCH_OPEN;
    sync_access_become(m, SYNC_STARTED);
    m->started = g_array_sized_new(FALSE, FALSE, sizeof(int), n);
    g_array_append_vals(m->started, group, n);
    m->start_unchecked = asserts & SYNC_NOCHECK;
    if (asserts & SYNC_NOCHECK) return SYNC_OK;
    serve_wait(me, PROFILE_PARTNER, all_posted, m);
    for (int i = 0; i < n; i++) add_posts(m, group[i], -1);
    return SYNC_OK;
}

bool sync_started(const struct sync_member *me, int target)
{
    for (guint i = 0; me->started && i < me->started->len; i++)
        if (g_array_index(me->started, int, i) == target) return true;
    return false;
}

enum sync_status sync_complete(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    struct sync_member *m = &win->member[win_rank];
    if (!m->started) return SYNC_NO_EPOCH;
    serve_completing(me, true);
    move_set_wait(&m->epoch);
    for (guint i = 0; i < m->started->len; i++) {
        int target = g_array_index(m->started, int, i);
        move_control(win->move, me, win->member[target].proc, false, complete_arrives,
                     token(win, win_rank, target));
    }
    g_array_unref(m->started);
    m->started = NULL;
    sync_access_become(m, SYNC_NO_ACCESS);
    serve_pay_some(me);
    return SYNC_OK;
}

static bool all_complete(void *data)
{
    const struct sync_member *me = data;
    return me->completes >= me->exposed_to;
}

static void end_exposure(struct sync_member *m)
{
    m->completes -= m->exposed_to;
    m->exposed_to = -1;
    if (!m->no_put) sync_refresh(m);
    m->no_put = false;
    sync_synchronised(m);
    serve_pay(m->proc);
}

enum sync_status sync_wait(struct sync_win *win, int win_rank, struct serve_proc *me)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->exposed_to < 0) return SYNC_NO_EPOCH;
    serve_completing(me, true);
    serve_wait(me, PROFILE_PARTNER, all_complete, m);
    end_exposure(m);
    return SYNC_OK;
}

enum sync_status sync_test(struct sync_win *win, int win_rank, struct serve_proc *me, bool *done)
{
    struct sync_member *m = &win->member[win_rank];
    if (m->exposed_to < 0) return SYNC_NO_EPOCH;
    serve_completing(me, true);
    serve_charge(me, &me->mach->mpi_test, me->mach->mpi_test);
    serve_pay(me);
    *done = all_complete(m);
    if (*done) end_exposure(m);
    return SYNC_OK;
}
