/* Requests in flight, shared by the files of this folder. */
#ifndef DIALECT_MPI_PENDING_H
#define DIALECT_MPI_PENDING_H

#include "dialect/mpi/message/fold.h"
#include "dialect/mpi/message/message.h"
#include "dialect/mpi/window/window.h"

struct dialect_span {
    void *addr;
    int64_t count;
    struct dialect_type *type;
};

struct dialect_again;
struct dialect_pending {
    const char *call;
    GArray *spans; /* struct dialect_span */
    bool persistent;
    bool started; /* persistent, and active */
    bool send;    /* spans are loaded at MPI_Start; else stored at completion */
    bool receive; /* as much is stored as the status says */
    bool stored;  /* MPI_Request_get_status saw it complete */
    /* it did so, and SMPI, whose request it was, has freed it (get_status.c) */
    bool seen, placed;         /* placed: another request of ours has the handle */
    MPI_Status status;         /* when seen */
    void *stage;               /* SMPI's buffer: of all spans, one behind the other */
    struct dialect_fold *fold; /* a reduction that completion ends; NULL: none */
    struct dialect_held *op;   /* the program's, of a reduction; NULL: none */
    struct dialect_win *win;   /* request-based operation */
    int target;
    uint64_t number;                /* in the check: the operation's, or the buffers'; 0: none */
    int met_by;                     /* a synchronous send's target; MPI_PROC_NULL: none */
    struct sync_servicer *servicer; /* PUT/ACCEPT; NULL: none, or it has ended */
    int error;                      /* of a servicer that has ended */
    bool generalised;               /* a request-based operation or a servicer */
    struct dialect_asked *asked;    /* a generalised request of the program's; NULL: none */
    MPI_Comm comm;
    int shift;    /* dialect_across */
    int beyond;   /* the message's tag is so much greater than the program's */
    bool matched; /* of MPI_Imrecv: its message has been found, and is on its way or here */
    bool cancelled;
    bool used; /* a persistent send or receive that has had a message: renewed before the next */
    struct check_meeting *meeting; /* a nonblocking collective; NULL: none */
    struct dialect_again *again;   /* a persistent collective, a partitioned message; NULL: none */
    MPI_Request inner;             /* its request, while it is active */
    MPI_Request before;            /* a send that is complete first, of MPI_Isendrecv */
    char *copy;                    /* what that sends; NULL: the program's buffer */
    int to, tag;                   /* where a persistent send goes, or a receive comes from */
};
void dialect_meets_later(const struct dialect_call *call); /* when its request completes */
void dialect_meeting_over(struct world_rank *rank, MPI_Comm comm, struct check_meeting *meeting);
/* It needs that operation. */
void dialect_pending_reduces(struct world_rank *r, struct dialect_pending *p, MPI_Op op);
struct dialect_pending *dialect_pending_of(struct world_rank *r, MPI_Request request);
struct dialect_pending *dialect_pending_new(struct world_rank *r, MPI_Request request,
                                            const char *call);

void dialect_pending_add(struct world_rank *r, MPI_Request request, struct dialect_pending *p);
/* For the check: all that a span names. Returns the number of what it holds. */
uint64_t dialect_pending_hold(struct world_rank *r, const struct dialect_pending *p,
                              const struct dialect_span *span, uint64_t number);

/* ---- settle.c -------------------------------------------------------------------------------- */

/* When a request-based operation is complete, together with those to the same target; HUGE_VAL:
 * nobody knows yet. */
double dialect_operation_at(const struct dialect_pending *p);
/* Completes it, so that the call that follows finds its request complete; waits for that. */
void dialect_settle_operation(struct world_rank *r, struct dialect_pending *p, MPI_Request request);
/* Does it only if it is complete by now: tests are local. */
void dialect_settle_if_complete(struct world_rank *r, struct dialect_pending *p,
                                MPI_Request request);
/* The same for a servicer that is done; its error is kept until the program completes it. */
void dialect_settle_servicer(struct world_rank *r, struct dialect_pending *p, MPI_Request request);
/* SMPI leaves a generalised request's status as it was. */
void dialect_fill_status(const struct dialect_pending *p, MPI_Status *status);
/* What was received is stored, once. */
void dialect_pending_store(struct world_rank *r, struct dialect_pending *p,
                           const MPI_Status *status);
/* The program learns that the request is complete: what was received is stored. */
void dialect_pending_complete(struct world_rank *r, MPI_Request request, const MPI_Status *status);

/* A receive whose message SMPI still has to find. nothing_came: all of them are such, and nothing
 * can have come: then each one's test is charged. */
bool dialect_waits_for_message(struct world_rank *r, MPI_Request request);
bool dialect_nothing_came(struct world_rank *r, int count, const MPI_Request *requests);

/* ---- again.c, together.c --------------------------------------------------------------------- */

int dialect_again_start(struct dialect_pending *p); /* MPI_Start */
/* Of persistent collectives, their requests until dialect_again_show. NULL: there are none. */
MPI_Request *dialect_again_hide(struct world_rank *r, int count, MPI_Request *requests);
void dialect_again_show(struct world_rank *r, int count, MPI_Request *requests, MPI_Request *outer);
/* The send of MPI_Isendrecv is complete; NULL: there is none. */
bool dialect_before_over(struct dialect_pending *p, bool wait);

/* ---- partitioned.c --------------------------------------------------------------------------- */

/* A message came along a bridge, or with a greater tag: the status says what the program knows. */
static inline void dialect_came(MPI_Status *status, int shift, int beyond)
{
    dialect_came_across(status, shift);
    if (beyond > 0 && status && status->MPI_TAG >= beyond) status->MPI_TAG -= beyond;
}

/* ---- generalised.c --------------------------------------------------------------------------- */

/* One of the program's own that it has not said to be complete. */
bool dialect_asked_open(const struct dialect_pending *p);
/* What the program's functions say of it; end: it is over. */
void dialect_asked_status(const struct dialect_pending *p, MPI_Status *status);
void dialect_asked_end(const struct dialect_pending *p, MPI_Request request);
int dialect_asked_cancel(const struct dialect_pending *p);
/* MPI_Request_free; true: it lives on until it is complete. */
bool dialect_asked_leave(const struct dialect_pending *p, MPI_Request request);

/* ---- get_status.c ---------------------------------------------------------------------------- */

/* SMPI has completed one of its own, which the program does not know yet; stays: it is persistent.
 */
void dialect_pending_saw(struct world_rank *r, MPI_Request request, const MPI_Status *status,
                         bool stays);
/* SMPI does not know the request any more. */
static inline bool dialect_pending_gone(const struct dialect_pending *p)
{
    return p->seen && !p->persistent;
}
/* The program completes one that was seen: its status. */
void dialect_pending_left(struct world_rank *r, struct dialect_pending *p, MPI_Request request,
                          MPI_Status *status);

#endif
