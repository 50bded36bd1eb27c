/* The dialects' hooks in MPI's own calls: each is asked, in the order of models.def. */
#include "dialect/mpi/hooks/hooks.h"

static const struct dialect_hooks *const nobody[] = {NULL};
static const struct dialect_hooks *const *dialects = nobody;

void dialect_hooks_use(const struct dialect_hooks *const *list) { dialects = list; }

/* Every dialect that has this hook: `m`. */
#define EACH(hook)                                                                                 \
    for (const struct dialect_hooks *const *at = dialects; *at; at++)                              \
        for (const struct dialect_hooks *m = (*at)->hook ? *at : NULL; m; m = NULL)

void dialect_hooks_made(struct world_rank *r, MPI_Comm comm)
{
    EACH(comm_made) m->comm_made(r, comm);
}

const char *dialect_hooks_refuse(struct world_rank *r, MPI_Comm comm)
{
    const char *why = NULL;
    EACH(comm_refused) why = why ? why : m->comm_refused(r, comm);
    return why;
}

void dialect_hooks_free(struct world_rank *r, MPI_Comm comm)
{
    EACH(comm_free) m->comm_free(r, comm);
}

bool dialect_hooks_barrier(struct world_rank *r, MPI_Comm comm)
{
    bool done = false;
    EACH(barrier) done = done || m->barrier(r, comm);
    return done;
}

bool dialect_hooks_expose(struct world_rank *r, const char *from, const char *to)
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
                          const struct dialect_rank_group *ranks)
{
    void *there = NULL;
    EACH(known_there) there = there ? there : m->known_there(r, known, target, ranks);
    return there;
}

const char *dialect_kept(struct world_rank *r, const void *known, struct dialect_beside *by)
{
    const char *why = NULL;
    if (r) EACH(keeps) why = why ? why : m->keeps(r, known, by);
    return why;
}

void dialect_hooks_complete(struct world_rank *r) { EACH(complete) m->complete(r); }

void dialect_hooks_end(struct world_rank *r) { EACH(end) m->end(r); }
