/* several: see several.h. A servicer wakes the rank that waits for any of a mixed array; an
 * ordinary message is looked for after 1 us, later after 1 % of the time waited so far. */
#include "world/clock/clock.h"
#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/message/several.h"

#include <math.h>

/* nothing happened for so long: only a servicer can still wake the rank */
enum { PATIENCE_S = 1000 };

/* One that SMPI does not see. */
static struct dialect_pending *hidden_at(const struct dialect_several *s, int i)
{
    struct dialect_pending *p = s->request ? dialect_pending_of(s->rank, s->request[i]) : NULL;
    return p && (p->generalised || p->seen || p->before != MPI_REQUEST_NULL) ? p : NULL;
}

/* Its handle outlives its completion. */
static bool persistent_at(const struct dialect_several *s, int i)
{
    const struct dialect_pending *p = dialect_pending_of(s->rank, s->request[i]);
    return p && p->persistent;
}

/* Of those that are not, SMPI's MPI_Testsome says that they are complete; they are hidden from it,
 * too. */
static bool active_at(const struct dialect_several *s, int i)
{
    const struct dialect_pending *p = dialect_pending_of(s->rank, s->request[i]);
    return s->request[i] != MPI_REQUEST_NULL && (!p || !p->persistent || p->started);
}

static struct sync_servicer *servicer_at(const struct dialect_several *s, int i)
{
    const struct dialect_pending *p = hidden_at(s, i);
    return p ? p->servicer : NULL;
}

/* NULL: request i is no request-based operation, or it has been settled. */
static struct dialect_pending *operation_of(const struct dialect_several *s, int i)
{
    struct dialect_pending *p = hidden_at(s, i);
    return p && p->win ? p : NULL;
}

/* Ends the servicers and operations that are done, and counts. */
static void several_look(struct dialect_several *s, bool wait)
{
    s->unfinished = s->others = s->finished = 0;
    for (int i = 0; s->request && i < s->count; i++) {
        struct dialect_pending *p = hidden_at(s, i);
        if (p && p->servicer && sync_servicer_try(p->servicer, wait))
            dialect_settle_servicer(s->rank, p, s->request[i]);
        dialect_settle_if_complete(s->rank, p, s->request[i]);
        if (p && (p->servicer || p->win || p->before != MPI_REQUEST_NULL || dialect_asked_open(p)))
            s->unfinished++;
        else if (p)
            s->finished++;
        else if (active_at(s, i))
            s->others++;
    }
}

void dialect_several_init(struct dialect_several *s, struct world_rank *r, int count,
                          MPI_Request *requests, MPI_Status *statuses, bool wait)
{
    *s = (struct dialect_several){.rank = r, .count = MAX(count, 0), .status = statuses};
    for (int i = 0; check_on && r && wait && i < count; i++)
        if (requests[i] == MPI_REQUEST_NULL) check_waits(r->rank);
    if (!r || !dialect_rank(r)->pending || g_hash_table_size(dialect_rank(r)->pending) == 0 ||
        count <= 0)
        return;
    s->outer = dialect_again_hide(r, count, requests);
    for (int i = 0; i < count; i++)
        (void)dialect_before_over(dialect_pending_of(r, requests[i]), wait);
    s->request = g_memdup2(requests, (gsize)count * sizeof *requests);
    if (statuses == MPI_STATUSES_IGNORE) s->status = s->ours = g_new0(MPI_Status, count);
    several_look(s, wait);
    for (int i = 0; i < count; i++) /* hidden, until dialect_several_clear */
        if (hidden_at(s, i) || !active_at(s, i)) requests[i] = MPI_REQUEST_NULL;
}

void dialect_several_clear(struct dialect_several *s, MPI_Request *requests)
{
    for (int i = 0; s->request && i < s->count; i++) {
        if (hidden_at(s, i) || persistent_at(s, i)) requests[i] = s->request[i];
        if (servicer_at(s, i)) sync_servicer_rest(servicer_at(s, i));
    }
    dialect_again_show(s->rank, s->count, requests, s->outer);
    g_free(s->request);
    g_free(s->ours);
}

void dialect_several_complete(struct dialect_several *s, int i, MPI_Status *status)
{
    if (!s->request || i < 0 || i >= s->count || !active_at(s, i)) return;
    struct dialect_pending *p = hidden_at(s, i);
    MPI_Status seen;
    if (p && p->error) s->error = p->error;
    if (p && p->seen) {
        dialect_pending_left(s->rank, p, s->request[i], &seen);
        if (status) *status = seen;
    } else if (p) {
        MPI_Request gone = s->request[i];
        if (p->asked)
            dialect_asked_status(p, status), dialect_asked_end(p, gone);
        else if (status)
            dialect_fill_status(p, status);
        PMPI_Wait(&gone, MPI_STATUS_IGNORE);
    }
    bool stays = persistent_at(s, i);
    const struct dialect_pending *ends = dialect_pending_of(s->rank, s->request[i]);
    const int shift = ends ? ends->shift : 0, beyond = ends ? ends->beyond : 0;
    dialect_pending_complete(s->rank, s->request[i], status);
    dialect_came(status, shift, beyond);
    if (!stays) s->request[i] = MPI_REQUEST_NULL;
}

int dialect_several_finished(const struct dialect_several *s)
{
    for (int i = 0; s->finished > 0 && i < s->count; i++)
        if (hidden_at(s, i) && !servicer_at(s, i) && !operation_of(s, i) &&
            !dialect_asked_open(hidden_at(s, i)))
            return i;
    return -1;
}

enum dialect_active dialect_several_active(const struct dialect_several *s)
{
    int active = 0;
    for (int i = 0; s->request && i < s->count; i++) active += active_at(s, i);
    return active > 1 ? ACTIVE_SEVERAL : active == 1 ? ACTIVE_ONE : ACTIVE_NONE;
}

void dialect_several_wait_all(struct dialect_several *s)
{
    for (int i = 0; s->unfinished > 0 && i < s->count; i++) {
        dialect_settle_operation(s->rank, operation_of(s, i), s->request[i]);
        if (servicer_at(s, i)) sync_servicer_wait(servicer_at(s, i));
    }
    if (s->unfinished > 0) several_look(s, true);
    /* the program's own, which nobody else completes */
    for (const double begin_s = world_now(); s->unfinished > 0;) dialect_several_doze(s, begin_s);
}

/* Has SMPI completed it in a test that says no? A persistent one keeps its handle; its status says
 * whom it was with, which that of one that is not active or not complete does not. */
static bool completed_early(const struct dialect_several *s, int i, MPI_Request now,
                            const MPI_Status *how)
{
    if (hidden_at(s, i) || !active_at(s, i)) return false;
    return now != s->request[i] || (persistent_at(s, i) && how->MPI_SOURCE != MPI_ANY_SOURCE);
}

/* SMPI frees those that are
 * complete, sets their handles to null, and knows nothing of them in the test that says yes: they
 * are kept, as those that MPI_Request_get_status has seen. */
int dialect_several_test_all(struct dialect_several *s, MPI_Request *requests, int *flag)
{
    g_autofree MPI_Status *status = g_new0(MPI_Status, s->count);
    if (!s->request) s->request = g_memdup2(requests, (gsize)s->count * sizeof *requests);
    for (int i = 0; i < s->count; i++) status[i].MPI_SOURCE = MPI_ANY_SOURCE;
    int code = PMPI_Testall(s->count, requests, flag, status);
    if (code != MPI_SUCCESS) return code;
    for (int i = 0; i < s->count; i++) {
        if (*flag && s->status)
            s->status[i] = status[i];
        else if (!*flag && completed_early(s, i, requests[i], &status[i]))
            dialect_pending_saw(s->rank, s->request[i], &status[i], persistent_at(s, i));
    }
    return MPI_SUCCESS;
}

/* When the first of its operations is complete; HUGE_VAL: nobody knows yet of any. */
static double first_operation(const struct dialect_several *s)
{
    double first_s = HUGE_VAL;
    for (int i = 0; i < s->count; i++)
        if (operation_of(s, i)) first_s = fmin(first_s, dialect_operation_at(operation_of(s, i)));
    return first_s;
}

static bool one_done(void *data)
{
    struct dialect_several *s = data;
    for (int i = 0; i < s->count; i++)
        if (servicer_at(s, i) && sync_servicer_done(servicer_at(s, i))) return true;
    /* now there is a date to sleep to */
    return s->until_s == HUGE_VAL && first_operation(s) < HUGE_VAL;
}

void dialect_several_doze(struct dialect_several *s, double begin_s)
{
    double now_s = world_now(), waited_s = now_s - begin_s;
    double step_s = s->others > 0 && waited_s < PATIENCE_S ? fmax(1e-6, waited_s / 100) : HUGE_VAL;
    s->until_s = first_operation(s);
    sync_match_doze(s->rank->proc, now_s + step_s, s->until_s, one_done, s);
    several_look(s, true);
}
