/* MPI_Probe and MPI_Iprobe: messages, and requests of PUT/ACCEPT that no servicer has taken ("the
 * STATUS argument returned by PROBE and IPROBE be extended to include an extra field, MPI_OP").
 *
 * SMPI does not report when a message came, so the calls that send one note it (put_accept.c), and
 * those that receive one forget it. It has come when its first byte gets to the target, but is
 * found behind what its origin sent before: no request is overtaken by a message, no message by a
 * request. Not noted, and so reported behind requests that are there: messages of persistent
 * requests, and, from Fortran, those sent before the program's first call
 * of PUT/ACCEPT.
 */
#include "sync/heard/heard.h"
#include "world/clock/clock.h"
#include "dialect/mpi/message/matched.h"
#include "dialect/put_accept/inside.h"
#include "put_accept.h"

#include <math.h>

enum { PATIENCE_S = 1000 }; /* nothing came for so long: only a request can still wake the rank */

struct probe {
    struct world_rank *rank;
    uint64_t come;            /* messages, when SMPI was asked last */
    struct sync_match *match; /* NULL: no requests come along the communicator */
    int comm_rank;
    int source, tag;
    struct sync_found found;
};

static int origin_of(const struct probe *p) { return p->source == MPI_ANY_SOURCE ? -1 : p->source; }
static int tag_of(const struct probe *p) { return p->tag == MPI_ANY_TAG ? -1 : p->tag; }

static bool look(struct probe *p)
{
    return p->match && sync_match_probe(p->match, p->comm_rank, origin_of(p), tag_of(p), &p->found);
}

/* What SMPI found is a message; it leaves that word of the status as it was. */
static void is_message(MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE) status->MPI_OP = MPI_SEND_PROBED;
}

/* Has SMPI such a message? "Partitioned communication operations can only match" each other
 * (MPI-4.0 4.2): no probe finds theirs. */
static int ask(struct world_rank *r, int source, int tag, MPI_Comm comm, int *flag,
               MPI_Status *status)
{
    int code;
    do {
        code = PMPI_Iprobe(source, tag, comm, flag, status);
        if (!r || code != MPI_SUCCESS || !*flag || !dialect_is_partitioned(status)) return code;
        code = dialect_set_aside(r, comm, status);
    } while (code == MPI_SUCCESS);
    return code;
}

/* A request is there: has a message come before it? Nothing is asked of SMPI, which takes time,
 * unless one may have. */
static bool message_first(const struct probe *p, MPI_Comm comm, MPI_Status *status)
{
    struct sync_message message;
    MPI_Status ours;
    int flag = 0;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    return sync_match_message_first(p->match, p->comm_rank, origin_of(p), tag_of(p), &p->found,
                                    &message) &&
           ask(p->rank, message.origin, message.tag, comm, &flag, status) == MPI_SUCCESS && flag;
}

/* Has SMPI a message? Not yet, when a request that its origin issued before is on its way, or came
 * while SMPI looked. */
static int find_message(const struct probe *p, MPI_Comm comm, int *flag, MPI_Status *status)
{
    MPI_Status ours;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    int code = ask(p->rank, p->source, p->tag, comm, flag, status);
    if (code != MPI_SUCCESS || !*flag) return code;
    const struct sync_message message = {status->MPI_SOURCE, status->MPI_TAG};
    *flag = !p->match || !sync_match_request_first(p->match, p->comm_rank, tag_of(p), &message);
    if (!*flag) return code;
    is_message(status);
    dialect_probed(world_here(), comm, status);
    return code;
}

static void fill(const struct probe *p, MPI_Status *status)
{
    static const int op[SYNC_KINDS][2] = {{MPI_PUT_PROBED, MPI_PUTHOLD_PROBED},
                                          {MPI_GET_PROBED, MPI_GETHOLD_PROBED},
                                          {MPI_PUTC_PROBED, MPI_PUTC_PROBED},
                                          {MPI_GETC_PROBED, MPI_GETC_PROBED}};
    if (status == MPI_STATUS_IGNORE) return;
    *status = (MPI_Status){
        .MPI_SOURCE = p->found.origin, .MPI_TAG = p->found.tag, .MPI_ERROR = MPI_SUCCESS};
    PMPI_Status_set_elements(status, MPI_BYTE, (int)p->found.bytes);
    status->MPI_OP = op[p->found.kind][p->found.hold];
}

/* messages: nothing else. */
static struct probe want(struct world_rank *r, int source, int tag, MPI_Comm comm, bool messages)
{
    const struct dialect_comm *c =
        r && !messages && dialect_put_accept_used() && source != MPI_PROC_NULL
            ? dialect_comm_find(r, comm)
            : NULL;
    return (struct probe){.rank = r,
                          .match = c ? dialect_match_of(r, c) : NULL,
                          .comm_rank = c ? c->comm_rank : 0,
                          .source = source,
                          .tag = tag};
}

/* SMPI is asked only where something may be there. */
static int poll_message(const struct probe *p, MPI_Comm comm, int *flag, MPI_Status *status)
{
    const struct sync_sought sought = {(intptr_t)comm, p->source, p->tag};
    *flag = 0;
    if (p->rank && sync_message_none(p->rank->proc, &sought)) return MPI_SUCCESS;
    if (p->rank) world_settle(p->rank);
    const int code = find_message(p, comm, flag, status);
    if (p->rank && code == MPI_SUCCESS && !*flag) sync_message_not_found(p->rank->proc, &sought);
    return code;
}

static int iprobe(const char *name, struct world_rank *r, const struct probe *given, MPI_Comm comm,
                  int *flag, MPI_Status *status)
{
    struct probe p = *given;
    int code = MPI_SUCCESS;
    if (p.match) world_settle_poll(r);
    if (look(&p)) {
        *flag = 1;
        if (message_first(&p, comm, status))
            is_message(status);
        else {
            sync_match_polled(r->proc);
            fill(&p, status);
        }
    } else {
        if (check_on && r) check_test(r->rank);
        code = poll_message(&p, comm, flag, status);
        if (check_on && r) check_tested(r->rank);
        if (r) dialect_watch(r, flag, sizeof *flag);
    }
    if (r && !*flag) world_in_vain(r);
    return code != MPI_SUCCESS && r ? dialect_refused(r, comm, name, code) : code;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    struct world_rank *r = world_enter_polling(__func__, DIALECT_PC, true);
    DIALECT_NO_THREAD(r);
    int code, shift = r ? dialect_across(r, &comm, __func__, NULL, &source, &code) : 0;
    if (shift < 0) return code;
    const struct probe p = want(r, source, tag, comm, false);
    code = iprobe(__func__, r, &p, comm, flag, status);
    if (code == MPI_SUCCESS && *flag && status != MPI_STATUS_IGNORE)
        dialect_came_across(status, shift);
    if (r) world_leave(r);
    return code;
}

/* Something new has come. */
static bool news(void *data)
{
    struct probe *p = data;
    return look(p) || sync_message_come(p->rank->proc) != p->come;
}

/* Until either is there. The rank wakes when a request or a message comes; for messages that nobody
 * hears of it looks after 1 us, later after 1 % of the time waited so far. */
static int wait_for_either(struct world_rank *r, struct probe *p, MPI_Comm comm, MPI_Status *status)
{
    double begin_s = world_now();
    for (;;) {
        int flag = 0, code = MPI_SUCCESS;
        if (look(p)) {
            if (message_first(p, comm, status))
                is_message(status);
            else
                fill(p, status);
            return MPI_SUCCESS;
        }
        p->come = sync_message_come(r->proc);
        code = find_message(p, comm, &flag, status);
        double waited_s = world_now() - begin_s;
        if (flag || code != MPI_SUCCESS) return code;
        /* SMPI's own would look for ever */
        double step_s = waited_s < PATIENCE_S ? fmax(1e-6, waited_s / 100) : HUGE_VAL;
        sync_match_doze(r->proc, world_now() + step_s, HUGE_VAL, news, p);
    }
}

static int probe(const char *name, struct world_rank *r, const struct probe *given, MPI_Comm comm,
                 MPI_Status *status)
{
    struct probe p = *given;
    const int source = p.source, tag = p.tag;
    MPI_Status ours;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    if (r) dialect_awaits(r, comm, source, tag);
    if (r) sync_message_await(r->proc, true);
    int code = r ? wait_for_either(r, &p, comm, status) : PMPI_Probe(source, tag, comm, status);
    if (r) sync_message_await(r->proc, false);
    return code != MPI_SUCCESS && r ? dialect_refused(r, comm, name, code) : code;
}

static int probe_either(uintptr_t pc, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct world_rank *r = world_enter("MPI_Probe", pc);
    DIALECT_NO_THREAD(r);
    int code, shift = r ? dialect_across(r, &comm, "MPI_Probe", NULL, &source, &code) : 0;
    if (shift < 0) return code;
    const struct probe p = want(r, source, tag, comm, false);
    code = probe("MPI_Probe", r, &p, comm, status);
    if (code == MPI_SUCCESS && status != MPI_STATUS_IGNORE) dialect_came_across(status, shift);
    if (r) world_leave(r);
    return code;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    return probe_either(DIALECT_PC, source, tag, comm, status);
}

/* Fortran has no header that would call PA_Present: the call itself announces that requests may
 * come while this rank waits. */
int PA_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    PA_Present();
    return probe_either(DIALECT_PC, source, tag, comm, status);
}

/* ---- matched probes, which find messages alone ----------------------------------------------- */

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    int code, shift = dialect_across(r, &comm, __func__, NULL, &source, &code);
    if (shift < 0) return code;
    const struct probe p = want(r, source, tag, comm, true);
    MPI_Status ours;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    code = probe(__func__, r, &p, comm, status);
    if (code == MPI_SUCCESS)
        code = dialect_matched(r, comm, status, source == MPI_ANY_SOURCE, shift, message);
    world_leave(r);
    return code;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status)
{
    struct world_rank *r = world_enter_polling(__func__, DIALECT_PC, true);
    if (!r) return MPI_ERR_OTHER;
    int code, shift = dialect_across(r, &comm, __func__, NULL, &source, &code);
    if (shift < 0) return code;
    const struct probe p = want(r, source, tag, comm, true);
    MPI_Status ours;
    if (status == MPI_STATUS_IGNORE) status = &ours;
    code = iprobe(__func__, r, &p, comm, flag, status);
    if (code == MPI_SUCCESS && *flag)
        code = dialect_matched(r, comm, status, source == MPI_ANY_SOURCE, shift, message);
    world_leave(r);
    return code;
}
