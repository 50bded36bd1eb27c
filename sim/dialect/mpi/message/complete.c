/* Completion: MPI_Wait and MPI_Test with their families, on ordinary requests, request-based
 * operations and servicers of PUT/ACCEPT mixed in one array.
 *
 * SMPI knows the last two as generalised requests, and 3.32 loses them in an array. So they are
 * hidden from it (several.h), and a wait for any of a mixed array looks at both sides in turn.
 */
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "sync/heard/heard.h"
#include "sync/inquiry/inquiry.h"
#include "dialect/mpi/message/several.h"

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

#define STATUS_AT(i) (s.status ? &s.status[i] : NULL)
/* What completes here still has its buffer: is it of a function that has returned? */
#define UNWOUND                                                                                    \
    if (check_on && r) check_unwound(r->rank, DIALECT_FRAME, __func__, world_site(r), world_now())
#define BEGIN(n, statuses, wait)                                                                   \
    if ((n) > 0) DIALECT_NO_NULL(requests, MPI_ERR_REQUEST);                                       \
    struct world_rank *r = world_enter(__func__, DIALECT_PC);                                      \
    DIALECT_NO_THREAD(r);                                                                          \
    struct dialect_several s;                                                                      \
    int code = MPI_SUCCESS;                                                                        \
    UNWOUND;                                                                                       \
    dialect_several_init(&s, r, n, requests, statuses, wait)
#define BEGIN_TEST(n, statuses, not_yet)                                                           \
    if ((n) > 0) DIALECT_NO_NULL(requests, MPI_ERR_REQUEST);                                       \
    struct world_rank *r = world_enter_polling(__func__, DIALECT_PC, false);                       \
    DIALECT_NO_THREAD(r);                                                                          \
    struct dialect_several s;                                                                      \
    int code = MPI_SUCCESS;                                                                        \
    if (dialect_nothing_came(r, n, requests)) {                                                    \
        not_yet;                                                                                   \
        world_in_vain(r);                                                                          \
        world_leave(r);                                                                            \
        return code;                                                                               \
    }                                                                                              \
    if (r) world_settle(r);                                                                        \
    UNWOUND;                                                                                       \
    dialect_several_init(&s, r, n, requests, statuses, false)
/* "The error code ... will be returned in the error field of each status" (MPI-3.1 3.7.5). */
#define END_OF_MANY                                                                                \
    if (s.error) s.error = MPI_ERR_IN_STATUS;                                                      \
    END
#define END                                                                                        \
    if (code != MPI_SUCCESS && r) code = dialect_refused(r, MPI_COMM_NULL, __func__, code);        \
    if (code == MPI_SUCCESS) code = s.error;                                                       \
    dialect_several_clear(&s, requests);                                                           \
    if (r) world_leave(r);                                                                         \
    return code

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status status[])
{
    BEGIN(count, status, true);
    dialect_several_wait_all(&s);
    code = PMPI_Waitall(count, requests, s.status);
    for (int i = 0; code == MPI_SUCCESS && i < s.count; i++)
        dialect_several_complete(&s, i, STATUS_AT(i));
    END_OF_MANY;
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    BEGIN_TEST(count, statuses, (test(r), *flag = 0, tested(r, flag)));
    *flag = 0;
    if (s.unfinished > 0)
        sync_match_polled(r->proc);
    else if (r && s.count > 0)
        code = dialect_several_test_all(&s, requests, flag);
    else
        code = PMPI_Testall(count, requests, flag, s.status);
    test(r);
    for (int i = 0; code == MPI_SUCCESS && *flag && i < s.count; i++)
        dialect_several_complete(&s, i, STATUS_AT(i));
    tested(r, flag);
    if (r && !*flag) world_in_vain(r);
    END_OF_MANY;
}

int MPI_Wait(MPI_Request *requests, MPI_Status *status)
{
    BEGIN(1, status, true);
    const struct dialect_pending *receive =
        dialect_waits_for_message(r, *requests) ? dialect_pending_of(r, *requests) : NULL;
    if (receive) dialect_awaits(r, receive->comm, receive->to, receive->tag);
    dialect_several_wait_all(&s);
    code = PMPI_Wait(requests, s.status);
    if (code == MPI_SUCCESS) dialect_several_complete(&s, 0, s.status);
    END;
}

int MPI_Test(MPI_Request *requests, int *flag, MPI_Status *status)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
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
        dialect_several_complete(&s, 0, s.status);
        tested(r, flag);
    }
    if (r && !*flag) world_in_vain(r);
    END;
}

/* SMPI's MPI_Waitany frees the requests of all messages with MPI_PROC_NULL, and returns one. */
static int wait_any(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL || !sync_message_with_nobody(requests[i])) continue;
        *index = i;
        return PMPI_Wait(&requests[i], status);
    }
    return PMPI_Waitany(count, requests, index, status);
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    DIALECT_NO_NULL(index, MPI_ERR_ARG);
    BEGIN(count, status, true);
    int flag = 0;
    enum dialect_active active = check_on && r ? dialect_several_active(&s) : ACTIVE_NONE;
    double begin_s = s.unfinished > 0 ? world_now() : 0;
    *index = MPI_UNDEFINED;
    for (; s.unfinished > 0 && s.finished == 0 && !flag && code == MPI_SUCCESS;) {
        if (s.others > 0) code = PMPI_Testany(count, requests, index, &flag, s.status);
        if (*index == MPI_UNDEFINED) flag = 0; /* it says so of no request at all */
        if (!flag && code == MPI_SUCCESS) dialect_several_doze(&s, begin_s);
    }
    if (!flag && s.finished > 0)
        *index = dialect_several_finished(&s);
    else if (!flag && code == MPI_SUCCESS)
        code = wait_any(count, requests, index, s.status);
    if (active == ACTIVE_SEVERAL) test(r);
    if (code == MPI_SUCCESS) dialect_several_complete(&s, *index, s.status);
    if (active == ACTIVE_SEVERAL) tested(r, index);
    if (active == ACTIVE_ONE) check_waits(r->rank);
    END;
}

/* SMPI's MPI_Testany sleeps longer with each no, and never tells that a short MPI_Isend is over. */
static int test_each(const struct dialect_several *s, MPI_Request *requests, int *index, int *flag)
{
    int active = 0;
    for (int i = 0; i < s->count && !*flag; i++) {
        MPI_Status ours, *status = s->status ? s->status : &ours;
        if (requests[i] == MPI_REQUEST_NULL) continue;
        active++;
        int code = PMPI_Test(&requests[i], flag, status);
        if (code != MPI_SUCCESS) return *index = i, code;
        if (*flag) *index = i;
    }
    if (active == 0) return PMPI_Testany(0, NULL, index, flag, s->status);
    return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    DIALECT_NO_NULL(index, MPI_ERR_ARG);
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    BEGIN_TEST(count, status, (test(r), *flag = 0, *index = MPI_UNDEFINED, tested(r, flag)));
    enum dialect_active active = check_on && r ? dialect_several_active(&s) : ACTIVE_NONE;
    *flag = 0;
    *index = MPI_UNDEFINED;
    if (s.finished > 0)
        *index = dialect_several_finished(&s), *flag = 1;
    else if (s.unfinished > 0 && s.others == 0)
        sync_match_polled(r->proc);
    else
        code = test_each(&s, requests, index, flag);
    if (s.unfinished > 0 && *index == MPI_UNDEFINED) *flag = 0;
    if (code == MPI_SUCCESS && *flag) {
        test(r);
        dialect_several_complete(&s, *index, s.status);
        if (r && active == ACTIVE_ONE) check_test_last(r->rank);
        /* the flag says that one is complete, the index which */
        tested(r, active == ACTIVE_SEVERAL ? index : flag);
        if (r && active != ACTIVE_SEVERAL) dialect_watch(r, index, sizeof *index);
    }
    if (r && !*flag) world_in_vain(r);
    END;
}

/* The finished generalised requests join what SMPI found. */
static void several_join(struct dialect_several *s, int *outcount, int *indices)
{
    int found = *outcount == MPI_UNDEFINED ? 0 : *outcount;
    for (int k = 0; k < found; k++)
        dialect_several_complete(s, indices[k], s->status ? &s->status[k] : NULL);
    for (int i; (i = dialect_several_finished(s)) >= 0; s->finished--) {
        dialect_several_complete(s, i, s->status ? &s->status[found] : NULL);
        indices[found++] = i;
    }
    if (found > 0 || s->unfinished > 0) *outcount = found;
}

int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int *indices,
                 MPI_Status status[])
{
    DIALECT_NO_NULL(outcount, MPI_ERR_ARG);
    BEGIN(incount, status, true);
    double begin_s = s.unfinished > 0 ? world_now() : 0;
    *outcount = 0;
    for (; s.unfinished > 0 && s.finished == 0 && *outcount <= 0 && code == MPI_SUCCESS;) {
        if (s.others > 0) code = PMPI_Testsome(incount, requests, outcount, indices, s.status);
        if (*outcount <= 0 && code == MPI_SUCCESS) dialect_several_doze(&s, begin_s);
    }
    if (s.finished > 0 && *outcount <= 0 && s.others > 0)
        code = PMPI_Testsome(incount, requests, outcount, indices, s.status);
    else if (s.finished == 0 && *outcount <= 0 && code == MPI_SUCCESS)
        code = PMPI_Waitsome(incount, requests, outcount, indices, s.status);
    if (code == MPI_SUCCESS) several_join(&s, outcount, indices);
    END_OF_MANY;
}

int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int *indices,
                 MPI_Status status[])
{
    DIALECT_NO_NULL(outcount, MPI_ERR_ARG);
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
    if (r && *outcount == 0) world_in_vain(r);
    END_OF_MANY;
}
