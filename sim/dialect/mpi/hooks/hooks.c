/* What the dialects have to say when MPI's own calls are made: each is asked, in the order of
 * models.def. */
#include "dialect/mpi/inside.h"

#define DIALECT(name) extern const struct dialect_member dialect_##name;
#include "dialect/models.def"
#undef DIALECT

static const struct dialect_member *const members[] = {
#define DIALECT(name) &dialect_##name,
#include "dialect/models.def"
#undef DIALECT
};

/* Every member that has something to say: `m`. */
#define EACH(hook)                                                                                 \
    for (size_t i_ = 0; i_ < G_N_ELEMENTS(members); i_++)                                          \
        for (const struct dialect_member *m = members[i_]->hook ? members[i_] : NULL; m; m = NULL)

void dialect_members_made(struct world_rank *r, MPI_Comm comm)
{
    EACH(comm_made) m->comm_made(r, comm);
}

const char *dialect_members_refuse(struct world_rank *r, MPI_Comm comm)
{
    const char *why = NULL;
    EACH(comm_refused) why = why ? why : m->comm_refused(r, comm);
    return why;
}

void dialect_members_free(struct world_rank *r, MPI_Comm comm)
{
    EACH(comm_free) m->comm_free(r, comm);
}

bool dialect_members_barrier(struct world_rank *r, MPI_Comm comm)
{
    bool done = false;
    EACH(barrier) done = done || m->barrier(r, comm);
    return done;
}

bool dialect_members_expose(struct world_rank *r, const char *from, const char *to)
{
    bool exposed = false;
    EACH(exposes) exposed = exposed || m->exposes(r, from, to);
    return exposed;
}

void dialect_message_sent(struct world_rank *r, MPI_Comm comm, int target, int tag)
{
    if (r) EACH(sent) m->sent(r, comm, target, tag);
}

void dialect_message_received(struct world_rank *r, MPI_Comm comm, const MPI_Status *status)
{
    if (r) EACH(received) m->received(r, comm, status);
}

void *dialect_known_there(struct world_rank *r, const void *known, int target,
                          const struct dialect_team *team)
{
    void *there = NULL;
    EACH(known_there) there = there ? there : m->known_there(r, known, target, team);
    return there;
}

const char *dialect_kept(struct world_rank *r, const void *known)
{
    const char *why = NULL;
    if (r) EACH(keeps) why = why ? why : m->keeps(r, known);
    return why;
}

void dialect_members_complete(struct world_rank *r) { EACH(complete) m->complete(r); }

void dialect_members_end(struct world_rank *r) { EACH(end) m->end(r); }
