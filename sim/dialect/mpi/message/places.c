/* places: handles of requests that MPI_Request_get_status has shown complete and SMPI has freed.
 * SMPI's handles are addresses: a generalised request takes the place of one that is gone, so that
 * no other request gets the same handle until the program has completed it. */
#include "dialect/mpi/message/pending.h"

static int query(void *extra, MPI_Status *status) { return (void)extra, (void)status, MPI_SUCCESS; }
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static void leave_place(MPI_Request place)
{
    PMPI_Grequest_complete(place);
    PMPI_Wait(&place, MPI_STATUS_IGNORE);
}

/* The memory of SMPI's request may not be free yet: then no other gets it either. */
static void hold_place(struct dialect_pending *p, MPI_Request gone)
{
    enum { TRIES = 8 };
    MPI_Request tried[TRIES];
    int n = 0;
    while (!p->placed && n < TRIES) {
        if (PMPI_Grequest_start(query, release, cancel, NULL, &tried[n]) != MPI_SUCCESS) break;
        p->placed = tried[n] == gone;
        if (!p->placed) n++;
    }
    while (n-- > 0) leave_place(tried[n]);
}

void dialect_hold_places(struct world_rank *r)
{
    const struct dialect_rank *state = dialect_rank(r);
    GHashTableIter iter;
    gpointer request, p;
    if (!state->gone) return;
    g_hash_table_iter_init(&iter, state->pending);
    while (g_hash_table_iter_next(&iter, &request, &p))
        if (dialect_pending_gone(p)) hold_place(p, request);
}

void dialect_pending_left(struct world_rank *r, struct dialect_pending *p, MPI_Request request,
                          MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE) *status = p->status;
    if (p->placed) leave_place(request);
    if (dialect_pending_gone(p)) dialect_rank(r)->gone--;
    p->seen = p->placed = false;
}
