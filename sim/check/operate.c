/* Operations: the bytes they touch at the target, and their buffers at the origin. */
#include "check/operate.h"
#include "check/frame.h"
#include "check/look.h"
#include "check/moment.h"
#include "check/pair.h"
#include "check/request.h"
#include "check/touch.h"

#include <stdlib.h>

/* One whose value others may wait for, or that waits for others' values. */
struct atomic {
    struct check_stamp stamp; /* what its origin had done */
    struct check_flight *local;
    uintptr_t addr;
    struct op_piece *piece, one; /* one: of a single one */
    uint32_t pieces;
    bool reads, writes, replaces, swaps;
};
static GHashTable *atomics; /* number -> struct atomic */
static GPtrArray *spare;    /* struct atomic: most operations have one, for a while */

static void atomic_over(void *data)
{
    struct atomic *a = data;
    check_clock_unref(a->stamp.clock);
    check_flight_unref(a->local);
    if (a->piece != &a->one) g_free(a->piece);
    g_ptr_array_add(spare, a);
}

static struct atomic *atomic_new(void)
{
    return spare->len > 0 ? g_ptr_array_steal_index_fast(spare, spare->len - 1)
                          : g_new(struct atomic, 1);
}

void check_operations_open(void)
{
    spare = g_ptr_array_new_with_free_func(g_free);
    atomics = g_hash_table_new_full(NULL, NULL, NULL, atomic_over);
}

void check_operations_close(void)
{
    g_clear_pointer(&atomics, g_hash_table_unref);
    g_clear_pointer(&spare, g_ptr_array_unref);
}

/* ---- the epoch and the flight an operation belongs to ---------------------------------------- */

static struct check_epoch *epoch_for(const struct check_member *m, int target)
{
    for (guint i = 0; i < m->holds->len; i++) {
        struct check_epoch *hold = m->holds->pdata[i];
        if (hold->target == target || hold->target < 0) return hold;
    }
    for (guint i = 0; m->start && i < m->started->len; i++)
        if (g_array_index(m->started, int, i) == target) return m->start;
    return m->fence;
}

static struct check_pending *pending_for(struct check_member *m, const struct check_operation *o,
                                         struct check_epoch *epoch, uint64_t number)
{
    /* a fence completes those to all targets together; SHMALLOC's are complete one by one */
    const bool together =
        epoch->kind == CHECK_FENCED && !o->request && !(epoch->win->info & CHECK_STRICT);
    GPtrArray *list = check_pending_to(m, together ? -1 : o->target);
    for (guint i = list->len; !o->request && i-- > 0;) {
        struct check_pending *p = list->pdata[i];
        if (p->number != 0 || p->remote->epoch != epoch || p->gets != (o->kind == CHECK_GET))
            continue;
        if (p->local->done) { /* by a flush_local */
            check_flight_unref(p->local);
            p->local = check_flight_new(epoch);
        }
        return p;
    }
    struct check_pending *p = g_new0(struct check_pending, 1);
    p->number = o->request ? number : 0;
    p->gets = o->kind == CHECK_GET;
    p->remote = check_flight_new(epoch);
    p->local = check_flight_new(epoch);
    g_ptr_array_add(list, p);
    return p;
}

/* What its target did before the origin could reach it. */
static const struct check_clock *behind(const struct check_member *m,
                                        const struct check_epoch *epoch, int target)
{
    if (epoch->kind == CHECK_FENCED)
        target = -1;
    else if (epoch->kind != CHECK_STARTED)
        return NULL;
    return g_hash_table_lookup(m->behind, GINT_TO_POINTER(target));
}

/* ---- what it touches ------------------------------------------------------------------------- */

/* "may not specify overlapping entries": where it writes. */
static void note_twice(const struct check_operation *o, const struct check_window *win, int rank,
                       const struct check_buffer *written)
{
    const struct check_at at = {win, win->member[o->target].rank, 0, 0};
    if (written->layout && op_overlaps(written->layout))
        check_note_call(CHECK_RULE_TWICE, rank, o->call, o->site, NULL, &at, o->time_s);
}

static void remember_atomic(const struct check_operation *o, int rank, struct check_flight *local,
                            uint64_t number)
{
    enum { SMALL = 8, MANY = 512 };
    uint64_t bytes = o->there.layout->bytes;
    bool accumulates = check_accumulates(o->kind);
    if (bytes > (accumulates ? MANY : SMALL) || o->kind == CHECK_GET) return;
    struct atomic *a = atomic_new();
    *a = (struct atomic){.stamp = check_clock_stamp(rank)};
    a->local = check_flight_ref(local);
    a->addr = o->there.addr;
    a->pieces = o->there.layout->pieces;
    if (a->pieces == 1) a->one = o->there.layout->piece[0];
    a->piece =
        a->pieces == 1 ? &a->one : g_memdup2(o->there.layout->piece, a->pieces * sizeof *a->piece);
    a->reads = o->kind == CHECK_FETCH;
    a->writes = !o->no_op;
    a->replaces = !accumulates;
    a->swaps = o->swap;
    g_hash_table_insert(atomics, GSIZE_TO_POINTER(number), a);
}

uint64_t check_operation(const struct check_operation *o)
{
    struct check_window *win = check_window_find(o->win);
    struct check_member *m = &win->member[o->win_rank], *there = &win->member[o->target];
    struct check_epoch *epoch = epoch_for(m, o->target);
    if (!epoch) return 0;
    const uint64_t number = check_number();
    if (check_pairing) check_pair_operation(o, m->rank, number);
    struct check_rank *me = check_rank(m->rank);
    struct check_pending *p = pending_for(m, o, epoch, number);
    struct check_actor actor = {.rank = m->rank,
                                .kind = o->kind,
                                .site = o->site,
                                .call = o->call,
                                .win = win,
                                .op = o->op,
                                .type = o->type,
                                .no_op = o->no_op,
                                .swap = o->swap,
                                .replace = o->replace};
    struct check_now now = {
        .use = {.begun = check_clock_own(m->rank), .flight = p->remote, .holds = me->holds},
        .behind = behind(m, epoch, o->target),
        .time_s = o->time_s};
    if (!p->actor) p->actor = check_actor(&actor);
    bool reads = o->kind == CHECK_GET || o->kind == CHECK_FETCH;
    p->fetches = p->fetches || reads;
    check_counted.accesses++;
    now.use.number = number;
    note_twice(o, win, m->rank, o->kind == CHECK_GET ? &o->origin : &o->there);
    note_twice(o, win, m->rank, &o->result);
    check_touch_there(&now, actor, o->kind, &o->there);
    now.use.number = 0;
    bool asserted = epoch->kind == CHECK_FENCED    ? there->no_put_fence == m->fences
                    : epoch->kind == CHECK_STARTED ? there->no_put
                                                   : false;
    if (asserted && check_writes(now.use.actor)) {
        const struct check_at at = {win, there->rank, 0, 0};
        check_note_call(CHECK_RULE_NOPUT, there->rank, "assert", there->no_put_site, &now.use, &at,
                        o->time_s);
    }
    now.use.flight = p->local;
    check_touch_own(&now, actor, o->kind == CHECK_GET ? CHECK_BUFFER_WRITE : CHECK_BUFFER_READ,
                    &o->origin, &o->stack);
    check_touch_own(&now, actor, CHECK_BUFFER_READ, &o->compare, &o->stack);
    check_touch_own(&now, actor, CHECK_BUFFER_WRITE, &o->result, &o->stack);
    remember_atomic(o, m->rank, p->local, number);
    if (o->request) check_request_new(number, p->remote, p->local, p->actor);
    return number;
}

void check_unchanged(uint64_t number)
{
    struct atomic *a = g_hash_table_lookup(atomics, GSIZE_TO_POINTER(number));
    if (a && a->swaps) a->writes = false;
}

void check_performed(uint64_t number)
{
    check_moment_performed(number);
    struct atomic *a = g_hash_table_lookup(atomics, GSIZE_TO_POINTER(number));
    if (!a) return;
    for (uint32_t i = 0; i < a->pieces; i++) {
        const uintptr_t at = a->addr + (uintptr_t)a->piece[i].offset;
        if (a->reads) check_cells_read(at, a->piece[i].bytes, &a->local->behind);
        if (a->writes) check_cells_write(at, a->piece[i].bytes, &a->stamp, a->replaces);
    }
    g_hash_table_remove(atomics, GSIZE_TO_POINTER(number));
}

/* ---- completion ------------------------------------------------------------------------------ */

static void flight_add(GPtrArray **list, struct check_flight *flight)
{
    check_list_add(list, check_flight_ref(flight), (GDestroyNotify)check_flight_unref);
}

static void land(struct check_member *m, struct check_flight *flight)
{
    if (flight->done) return;
    check_flight_done(flight, m->rank);
    flight_add(&m->landing, flight);
}

static void complete_to(struct check_member *m, int target, GPtrArray *list, bool local)
{
    for (guint i = list->len; i-- > 0;) {
        struct check_pending *p = list->pdata[i];
        land(m, p->local);
        if (local && !p->gets) continue; /* what is delivered has been read */
        land(m, p->remote);
        const struct check_epoch *epoch = p->remote->epoch;
        if (epoch->kind == CHECK_STARTED)
            flight_add(&epoch->win->member[target].arrived, p->remote);
        if (p->fetches && epoch->kind == CHECK_STARTED)
            check_clock_merge(&p->local->behind,
                              g_hash_table_lookup(m->behind, GINT_TO_POINTER(target)));
        g_ptr_array_remove_index_fast(list, i);
    }
}

void check_operations_end(struct check_member *m, int target, bool local)
{
    GHashTableIter iter;
    gpointer key, list;
    g_hash_table_iter_init(&iter, m->flights);
    while (g_hash_table_iter_next(&iter, &key, &list))
        if (target < 0 || GPOINTER_TO_INT(key) == target)
            complete_to(m, GPOINTER_TO_INT(key), list, local);
    if (target < 0 && !local) check_pending_none(m);
}

void check_operations_landed(struct check_member *m)
{
    struct check_rank *me = check_rank(m->rank);
    for (guint i = 0; i < m->landing->len; i++) {
        check_flight_landed(m->landing->pdata[i], m->rank);
    }
    /* they were complete before what the rank does from now on */
    if (m->landing->len > 0 && me->shares) me->called = check_clock_tick(m->rank);
    g_ptr_array_set_size(m->landing, 0);
}

void check_note_pending(enum check_rule rule, const char *name, const struct check_call *call,
                        const struct check_window *win, struct check_member *m)
{
    GHashTableIter iter;
    gpointer list;
    g_hash_table_iter_init(&iter, m->flights);
    while (g_hash_table_iter_next(&iter, NULL, &list))
        for (guint i = 0; i < ((GPtrArray *)list)->len; i++) {
            const struct check_pending *p = ((GPtrArray *)list)->pdata[i];
            enum check_epoch_kind kind = p->remote->epoch->kind;
            const struct check_use use = {.actor = p->actor, .flight = p->remote};
            const struct check_at where = {win, m->rank, 0, 0};
            if (rule == CHECK_RULE_INCOMPLETE && (kind == CHECK_LOCKED || kind == CHECK_LOCKED_ALL))
                continue;
            check_note_call(rule, m->rank, name, call->site, &use, &where, call->time_s);
        }
}
