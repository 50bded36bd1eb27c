/* Requests in flight, shared by request.c and complete.c. */
#ifndef DIALECT_MPI_PENDING_H
#define DIALECT_MPI_PENDING_H

#include "dialect/mpi/inside.h"

struct dialect_span { void *addr; int64_t count; struct dialect_type *type; };

struct dialect_pending {
    const char *call;
    GArray *spans;            /* struct dialect_span */
    bool persistent;
    bool send;                /* spans are loaded at MPI_Start; else stored at completion */
    bool receive;             /* as much is stored as the status says */
    bool stored;              /* MPI_Request_get_status saw it complete */
    void *stage;              /* SMPI's buffer */
    struct dialect_win *win;  /* request-based operation */
    int target;
    struct sync_servicer *servicer;   /* PUT/ACCEPT; NULL: none, or it has ended */
    bool generalised;         /* a request-based operation or a servicer */
    MPI_Comm comm;
    bool cancelled;
};
struct dialect_pending *dialect_pending_of(struct world_rank *r, MPI_Request request);

#endif
