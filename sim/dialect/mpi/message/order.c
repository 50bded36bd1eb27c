/* What messages order, and collectives once they are complete, as the check hears of it. */
#include "world/clock/clock.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "check/check.h"
#include "world/access/access.h"
#include "sync/heard/heard.h"
#include "sync/late/late.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/pending.h"

/* Who receives it may have waited for it. */
static void awaited(struct world_rank *r, MPI_Comm comm, uint64_t bytes, int target, int tag)
{
    const struct dialect_comm *in = r && target >= 0 ? dialect_comm_find(r, comm) : NULL;
    if (!in || target >= in->ranks->members) return;
    const struct sync_context context = dialect_context_of(in);
    sync_late_sent(r->proc, &context, in->ranks->world_rank[target], tag, bytes);
    world_awaits_receive(r, in->ranks->world_rank[target], tag);
}

void dialect_awaits(struct world_rank *r, MPI_Comm comm, int source, int tag)
{
    const struct dialect_comm *in = r ? dialect_comm_find(r, comm) : NULL;
    if (!in || source >= in->ranks->members || (source < 0 && source != MPI_ANY_SOURCE)) return;
    world_awaits_message(r, source < 0 ? -1 : in->ranks->world_rank[source], MAX(tag, -1));
}

void dialect_sent(const struct dialect_call *call, int target, int tag, bool synchronous)
{
    struct world_rank *r = call->rank;
    const MPI_Comm comm = call->comm;
    struct check_comm c;
    awaited(r, comm, call->bytes, target, tag);
    dialect_message_sent(r, comm, target, tag);
    if (target >= 0 && dialect_comm_checked(r, comm, &c))
        check_sent(r->rank, &c, target, tag, synchronous);
}

void dialect_delivered(const struct dialect_call *call, int target, int tag, bool synchronous)
{
    struct world_rank *r = call->rank;
    const struct dialect_comm *in = r && target >= 0 ? dialect_comm_find(r, call->comm) : NULL;
    if (!in || target >= in->ranks->members) return;
    if (!synchronous && (double)call->bytes <= r->proc->mach->move_eager_bytes) return;
    const struct sync_context context = dialect_context_of(in);
    sync_late_delivered(r->proc, &context, in->ranks->world_rank[target], tag, call->bytes);
}

void dialect_restarted(struct world_rank *r, MPI_Comm comm, uint64_t bytes, int target, int tag)
{
    struct check_comm c;
    const struct dialect_comm *to = target >= 0 ? dialect_comm_find(r, comm) : NULL;
    if (to) sync_message_leaves(r->proc, to->ranks->world_rank[target], bytes);
    awaited(r, comm, bytes, target, tag);
    if (target >= 0 && dialect_comm_checked(r, comm, &c))
        check_sent(r->rank, &c, target, tag, false);
}

/* The check's part of a receive. */
static bool known(struct world_rank *r, MPI_Comm comm, const MPI_Status *status, bool any)
{
    struct check_comm c;
    return status->MPI_SOURCE >= 0 && dialect_comm_checked(r, comm, &c) &&
           check_received(r->rank, &c, status->MPI_SOURCE, status->MPI_TAG, any);
}

static bool partitioned; /* some rank has made such a message */
void dialect_partitioned(void) { partitioned = true; }
bool dialect_is_partitioned(const MPI_Status *status)
{
    return partitioned && status->MPI_TAG >= DIALECT_BEYOND;
}

void dialect_not_partitioned(struct world_rank *r, const char *call, const MPI_Status *status)
{
    if (r && dialect_is_partitioned(status))
        dialect_fatal(r, call, MPI_ERR_TAG,
                      "a receive for any tag has found a partitioned message, which it may not; "
                      "name the tag");
}

bool dialect_received(struct world_rank *r, MPI_Comm comm, const MPI_Status *status, bool any)
{
    dialect_message_received(r, comm, status);
    const struct dialect_comm *in =
        r && status->MPI_SOURCE >= 0 ? dialect_comm_find(r, comm) : NULL;
    if (in) {
        const struct sync_context context = dialect_context_of(in);
        sync_message_taken(r->proc);
        sync_late_received(r->proc, &context, status->MPI_SOURCE, status->MPI_TAG);
    }
    return known(r, comm, status, any);
}

void dialect_watch(struct world_rank *r, const void *addr, uint64_t bytes)
{
    if (!check_on || !addr) return;
    check_watch(r->rank, (uintptr_t)addr, bytes);
    world_unfilter(r, (uintptr_t)addr, bytes);
}

void dialect_watch_buffer(struct world_rank *r, const void *buf, const struct op_layout *layout)
{
    dialect_watch(r, dialect_address(buf) + layout->low, (uint64_t)(layout->high - layout->low));
}

void dialect_receives(struct world_rank *r, MPI_Comm comm, int source, int tag)
{
    struct check_comm c;
    const struct dialect_comm *in = r ? dialect_comm_find(r, comm) : NULL;
    dialect_awaits(r, comm, source, tag);
    if (in && (source >= 0 || source == MPI_ANY_SOURCE)) {
        const struct sync_context context = dialect_context_of(in);
        sync_late_receives(r->proc, &context, MAX(source, -1), MAX(tag, -1));
    }
    if ((source >= 0 || source == MPI_ANY_SOURCE) && dialect_comm_checked(r, comm, &c))
        check_receiving(r->rank, &c, MAX(source, -1), MAX(tag, -1), world_site(r));
}

void dialect_probed(struct world_rank *r, MPI_Comm comm, const MPI_Status *status)
{
    struct check_comm c;
    if (dialect_comm_checked(r, comm, &c))
        check_probed(r->rank, &c, status->MPI_SOURCE, status->MPI_TAG);
}

void dialect_met_by(struct world_rank *r, MPI_Comm comm, int target, int tag)
{
    struct check_comm c;
    if (target >= 0 && dialect_comm_checked(r, comm, &c))
        check_rendezvous(r->rank, &c, target, tag);
}

uint64_t dialect_hold(struct world_rank *r, const char *call, const void *buf,
                      const struct op_layout *layout, enum check_kind kind, uint64_t number)
{
    const struct check_buffer buffer = {(uintptr_t)dialect_address(buf), layout};
    if (!check_on) return 0;
    const struct check_stack stack = world_stack(r, DIALECT_FRAME, 0);
    number = check_held(r->rank, &buffer, kind, call, world_site(r), world_now(), &stack, number);
    if (check_pairing) world_pair_comes(r, true);
    return number;
}

void dialect_requested(struct world_rank *r, uint64_t number)
{
    check_requested(number);
    if (check_pairing) world_pair_requested(r, number);
}

void dialect_meeting_over(struct world_rank *r, MPI_Comm comm, struct check_meeting *meeting)
{
    struct check_comm c;
    if (meeting && dialect_comm_checked(r, comm, &c)) check_met(r->rank, &c, meeting);
}
