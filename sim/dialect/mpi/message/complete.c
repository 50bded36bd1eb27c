/* Completion: MPI_Wait and MPI_Test with their families, on ordinary requests, request-based
 * operations and servicers of PUT/ACCEPT mixed in one array.
 *
 * SMPI knows the last two as generalised requests, and 3.32 loses them in an array. So they are
 * hidden from it, and a wait for any of a mixed array looks at both sides in turn: a servicer wakes
 * the rank; an ordinary message is looked for after 1 us, later after 1 % of the time waited so
 * far.
 */
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "sync/heard/heard.h"
#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/message/pending.h"

#include <math.h>

/* nothing happened for so long: only a servicer can still wake the rank */
enum { PATIENCE_S = 1000 };

/* ---- a call on several requests -------------------------------------------------------------- */

/* What it needs: the handles, which the call overwrites, and statuses even when the program wants
 * none. */
struct several {
    struct world_rank *rank;
    int count;
    MPI_Request *request; /* NULL: nothing is pending */
    MPI_Status *status;   /* the program's, or ours */
    MPI_Status *ours;
    int unfinished; /* generalised requests that are not complete */
    int finished;   /* generalised requests that are complete */
    int others;     /* active requests that are SMPI's own */
    int error;      /* of a servicer that ended here */
    /* while it dozes: when the first operation is complete, as far as anybody knew */
    double until_s;
};

/* One that SMPI does not see. */
static struct dialect_pending *hidden_at(const struct several *s, int i)
{
    struct dialect_pending *p = s->request ? dialect_pending_of(s->rank, s->request[i]) : NULL;
    return p && (p->generalised || p->seen) ? p : NULL;
}

/* Its handle outlives its completion. */
static bool persistent_at(const struct several *s, int i)
{
    const struct dialect_pending *p = dialect_pending_of(s->rank, s->request[i]);
    return p && p->persistent;
}

static struct sync_servicer *servicer_at(const struct several *s, int i)
{
    const struct dialect_pending *p = hidden_at(s, i);
    return p ? p->servicer : NULL;
}

/* NULL: request i is no request-based operation, or it has been settled. */
static struct dialect_pending *operation_of(const struct several *s, int i)
{
    struct dialect_pending *p = hidden_at(s, i);
    return p && p->win ? p : NULL;
}

/* Ends the servicers and operations that are done, and counts. */
static void several_look(struct several *s, bool wait)
{
    s->unfinished = s->others = s->finished = 0;
    for (int i = 0; s->request && i < s->count; i++) {
        struct dialect_pending *p = hidden_at(s, i);
        if (p && p->servicer && sync_servicer_try(p->servicer, wait)) {
            int code = dialect_settle_servicer(s->rank, p, s->request[i]);
            if (code != MPI_SUCCESS) s->error = code;
        }
        dialect_settle_if_complete(s->rank, p, s->request[i]);
        if (p && (p->servicer || p->win))
            s->unfinished++;
        else if (p)
            s->finished++;
        else if (s->request[i] != MPI_REQUEST_NULL)
            s->others++;
    }
}

static void several_init(struct several *s, struct world_rank *r, int count, MPI_Request *requests,
                         MPI_Status *statuses, bool wait)
{
    *s = (struct several){.rank = r, .count = MAX(count, 0), .status = statuses};
    for (int i = 0; check_on && r && wait && i < count; i++)
        if (requests[i] == MPI_REQUEST_NULL) check_waits(r->rank);
    if (!r || !dialect_rank(r)->pending || g_hash_table_size(dialect_rank(r)->pending) == 0 ||
        count <= 0)
        return;
    s->request = g_memdup2(requests, (gsize)count * sizeof *requests);
    if (statuses == MPI_STATUSES_IGNORE) s->status = s->ours = g_new0(MPI_Status, count);
    several_look(s, wait);
    for (int i = 0; i < count; i++) /* hidden, until several_clear */
        if (hidden_at(s, i)) requests[i] = MPI_REQUEST_NULL;
}

static void several_clear(struct several *s, MPI_Request *requests)
{
    for (int i = 0; s->request && i < s->count; i++) {
        if (hidden_at(s, i) || persistent_at(s, i)) requests[i] = s->request[i];
        if (servicer_at(s, i)) sync_servicer_rest(servicer_at(s, i));
    }
    g_free(s->request);
    g_free(s->ours);
}

/* The program learns that request i is complete. */
static void several_complete(struct several *s, int i, MPI_Status *status)
{
    if (!s->request || i < 0 || i >= s->count) return;
    struct dialect_pending *p = hidden_at(s, i);
    MPI_Status seen;
    if (p && p->seen) {
        dialect_pending_left(s->rank, p, s->request[i], &seen);
        if (status) *status = seen;
    } else if (p) {
        MPI_Request gone = s->request[i];
        PMPI_Wait(&gone, MPI_STATUS_IGNORE);
        if (status) dialect_fill_status(p, status);
    }
    bool stays = persistent_at(s, i);
    dialect_pending_complete(s->rank, s->request[i], status);
    if (!stays) s->request[i] = MPI_REQUEST_NULL;
}

/* A finished generalised request; -1: none. */
static int several_finished(const struct several *s)
{
    for (int i = 0; s->finished > 0 && i < s->count; i++)
        if (hidden_at(s, i) && !servicer_at(s, i) && !operation_of(s, i)) return i;
    return -1;
}

/* Requests of which one may be complete before another; persistent ones may not be active. */
enum active { ACTIVE_NONE, ACTIVE_ONE, ACTIVE_SEVERAL, ACTIVE_UNKNOWN };
static enum active several_active(const struct several *s)
{
    int active = 0;
    for (int i = 0; s->request && i < s->count; i++) {
        if (s->request[i] == MPI_REQUEST_NULL) continue;
        if (persistent_at(s, i)) return ACTIVE_UNKNOWN;
        active++;
    }
    return active > 1 ? ACTIVE_SEVERAL : active == 1 ? ACTIVE_ONE : ACTIVE_NONE;
}

/* Until none of these is left. */
static void several_wait_all(struct several *s)
{
    for (int i = 0; s->unfinished > 0 && i < s->count; i++) {
        dialect_settle_operation(s->rank, operation_of(s, i), s->request[i]);
        if (servicer_at(s, i)) sync_servicer_wait(servicer_at(s, i));
    }
    if (s->unfinished > 0) several_look(s, true);
}

/* When the first of its operations is complete; HUGE_VAL: nobody knows yet of any. */
static double first_operation(const struct several *s)
{
    double first_s = HUGE_VAL;
    for (int i = 0; i < s->count; i++)
        if (operation_of(s, i)) first_s = fmin(first_s, dialect_operation_at(operation_of(s, i)));
    return first_s;
}

static bool one_done(void *data)
{
    struct several *s = data;
    for (int i = 0; i < s->count; i++)
        if (servicer_at(s, i) && sync_servicer_done(servicer_at(s, i))) return true;
    /* now there is a date to sleep to */
    return s->until_s == HUGE_VAL && first_operation(s) < HUGE_VAL;
}

/* Waits a little, for whichever comes first. Begun at begin_s. */
static void several_doze(struct several *s, double begin_s)
{
    double now_s = world_now(), waited_s = now_s - begin_s;
    double step_s = s->others > 0 && waited_s < PATIENCE_S ? fmax(1e-6, waited_s / 100) : HUGE_VAL;
    s->until_s = first_operation(s);
    sync_match_doze(s->rank->proc, now_s + step_s, s->until_s, one_done, s);
    several_look(s, true);
}

/* What completes in between does so for the program once it looks at the flag. */
static void test(const struct world_rank *r)
{
    if (check_on && r) check_test(r->rank);
}
static void tested(struct world_rank *r, const int *flag)
{
    if (!check_on || !r) return;
    check_tested(r->rank);
    dialect_watch(r, flag, sizeof *flag);
}

static bool is_receive(struct world_rank *r, MPI_Request request)
{
    const struct dialect_pending *p = dialect_pending_of(r, request);
    return p && p->receive && !p->persistent && !p->seen && !p->cancelled &&
           p->to != MPI_PROC_NULL && dialect_comm_find(r, p->comm);
}

/* Are all of them receives, for which nothing can have come? Then each one's test is charged. */
static bool nothing_came(struct world_rank *r, int count, const MPI_Request *requests)
{
    int active = 0;
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL) continue;
        if (!is_receive(r, requests[i])) return false;
        active++;
    }
    return active > 0 && sync_message_none_due(r->proc, active);
}

#define STATUS_AT(i) (s.status ? &s.status[i] : NULL)
/* What completes here still has its buffer: is it of a function that has returned? */
#define UNWOUND                                                                                    \
    if (check_on && r) check_unwound(r->rank, DIALECT_FRAME, __func__, world_site(r), world_now())
#define BEGIN(n, statuses, wait)                                                                   \
    struct world_rank *r = world_enter(__func__, DIALECT_PC);                                      \
    struct several s;                                                                              \
    int code = MPI_SUCCESS;                                                                        \
    UNWOUND;                                                                                       \
    several_init(&s, r, n, requests, statuses, wait)
#define BEGIN_TEST(n, statuses, not_yet)                                                           \
    struct world_rank *r = world_enter_polling(__func__, DIALECT_PC, false);                       \
    struct several s;                                                                              \
    int code = MPI_SUCCESS;                                                                        \
    if (nothing_came(r, n, requests)) {                                                            \
        not_yet;                                                                                   \
        world_leave(r);                                                                            \
        return code;                                                                               \
    }                                                                                              \
    if (r) world_settle(r);                                                                        \
    UNWOUND;                                                                                       \
    several_init(&s, r, n, requests, statuses, false)
#define END                                                                                        \
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);        \
    if (code == MPI_SUCCESS) code = s.error;                                                       \
    several_clear(&s, requests);                                                                   \
    if (r) world_leave(r);                                                                         \
    return code

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status status[])
{
    BEGIN(count, status, true);
    several_wait_all(&s);
    code = PMPI_Waitall(count, requests, s.status);
    for (int i = 0; code == MPI_SUCCESS && i < s.count; i++) several_complete(&s, i, STATUS_AT(i));
    END;
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    BEGIN_TEST(count, statuses, (test(r), *flag = 0, tested(r, flag)));
    *flag = 0;
    if (s.unfinished > 0)
        sync_match_polled(r->proc);
    else
        code = PMPI_Testall(count, requests, flag, s.status);
    for (int i = 0; code == MPI_SUCCESS && !*flag && s.request && i < s.count; i++)
        if (requests[i] != s.request[i] && !hidden_at(&s, i) && !persistent_at(&s, i))
            dialect_pending_early(r, s.request[i], STATUS_AT(i));
    test(r);
    for (int i = 0; code == MPI_SUCCESS && *flag && i < s.count; i++)
        several_complete(&s, i, STATUS_AT(i));
    tested(r, flag);
    END;
}

int MPI_Wait(MPI_Request *requests, MPI_Status *status)
{
    BEGIN(1, status, true);
    several_wait_all(&s);
    code = PMPI_Wait(requests, s.status);
    if (code == MPI_SUCCESS) several_complete(&s, 0, s.status);
    END;
}

int MPI_Test(MPI_Request *requests, int *flag, MPI_Status *status)
{
    BEGIN_TEST(1, status, *flag = 0);
    MPI_Status ours;
    /* without one, SMPI 3.32 calls a null request not complete */
    if (!s.status) s.status = &ours;
    *flag = 0;
    if (s.unfinished > 0)
        sync_match_polled(r->proc);
    else
        code = PMPI_Test(requests, flag, s.status);
    if (code == MPI_SUCCESS && *flag) {
        test(r);
        several_complete(&s, 0, s.status);
        tested(r, flag);
    }
    END;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    BEGIN(count, status, true);
    int flag = 0;
    enum active active = check_on && r ? several_active(&s) : ACTIVE_NONE;
    double begin_s = s.unfinished > 0 ? world_now() : 0;
    *index = MPI_UNDEFINED;
    for (; s.unfinished > 0 && s.finished == 0 && !flag && code == MPI_SUCCESS;) {
        if (s.others > 0) code = PMPI_Testany(count, requests, index, &flag, s.status);
        /* SMPI's own are persistent and not active: they count for nothing */
        if (*index == MPI_UNDEFINED) flag = 0;
        if (!flag && code == MPI_SUCCESS) several_doze(&s, begin_s);
    }
    if (!flag && s.finished > 0)
        *index = several_finished(&s);
    else if (!flag && code == MPI_SUCCESS)
        code = PMPI_Waitany(count, requests, index, s.status);
    if (active == ACTIVE_SEVERAL) test(r);
    if (code == MPI_SUCCESS) several_complete(&s, *index, s.status);
    if (active == ACTIVE_SEVERAL) tested(r, index);
    if (active == ACTIVE_ONE) check_waits(r->rank);
    END;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    BEGIN(count, status, false);
    enum active active = check_on && r ? several_active(&s) : ACTIVE_NONE;
    *flag = 0;
    *index = MPI_UNDEFINED;
    if (s.finished > 0)
        *index = several_finished(&s), *flag = 1;
    else if (s.unfinished > 0 && s.others == 0)
        sync_match_polled(r->proc);
    else
        code = PMPI_Testany(count, requests, index, flag, s.status);
    if (s.unfinished > 0 && *index == MPI_UNDEFINED) *flag = 0;
    if (code == MPI_SUCCESS && *flag) {
        test(r);
        several_complete(&s, *index, s.status);
        if (r && active == ACTIVE_ONE) check_test_last(r->rank);
        /* the flag says that one is complete, the index which */
        tested(r, active == ACTIVE_SEVERAL ? index : flag);
        if (r && active != ACTIVE_SEVERAL) dialect_watch(r, index, sizeof *index);
    }
    END;
}

/* The finished generalised requests join what SMPI found. */
static void several_join(struct several *s, int *outcount, int *indices)
{
    int found = *outcount == MPI_UNDEFINED ? 0 : *outcount;
    for (int k = 0; k < found; k++)
        several_complete(s, indices[k], s->status ? &s->status[k] : NULL);
    for (int i; (i = several_finished(s)) >= 0; s->finished--) {
        several_complete(s, i, s->status ? &s->status[found] : NULL);
        indices[found++] = i;
    }
    if (found > 0 || s->unfinished > 0) *outcount = found;
}

int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int *indices,
                 MPI_Status status[])
{
    BEGIN(incount, status, true);
    double begin_s = s.unfinished > 0 ? world_now() : 0;
    *outcount = 0;
    for (; s.unfinished > 0 && s.finished == 0 && *outcount <= 0 && code == MPI_SUCCESS;) {
        if (s.others > 0) code = PMPI_Testsome(incount, requests, outcount, indices, s.status);
        if (*outcount <= 0 && code == MPI_SUCCESS) several_doze(&s, begin_s);
    }
    if (s.finished > 0 && *outcount <= 0 && s.others > 0)
        code = PMPI_Testsome(incount, requests, outcount, indices, s.status);
    else if (s.finished == 0 && *outcount <= 0 && code == MPI_SUCCESS)
        code = PMPI_Waitsome(incount, requests, outcount, indices, s.status);
    if (code == MPI_SUCCESS) several_join(&s, outcount, indices);
    END;
}

int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int *indices,
                 MPI_Status status[])
{
    BEGIN_TEST(incount, status, (test(r), *outcount = 0, tested(r, outcount)));
    *outcount = 0;
    if (s.others > 0 || s.unfinished + s.finished == 0)
        code = PMPI_Testsome(incount, requests, outcount, indices, s.status);
    else if (s.finished == 0)
        sync_match_polled(r->proc);
    test(r);
    if (code == MPI_SUCCESS) several_join(&s, outcount, indices);
    tested(r, outcount);
    if (r && *outcount > 0) dialect_watch(r, indices, (uint64_t)*outcount * sizeof *indices);
    END;
}
