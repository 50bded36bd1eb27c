/* dialect/mpi/message: buffers of sends, receives and collectives, and the requests that stand for
 * what is under way. */
#ifndef DIALECT_MPI_MESSAGE_H
#define DIALECT_MPI_MESSAGE_H

#include "sync/match/match.h"
#include "check/check.h"
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/type/type.h"

struct dialect_win;

/* ---- bytes of one buffer (buffer.c) ---------------------------------------------------------- */

void dialect_load_pieces(struct world_rank *rank, const void *buf, const struct op_layout *layout);
void dialect_store_pieces(struct world_rank *rank, void *buf, const struct op_layout *layout,
                          const char *call);
void *dialect_at(const void *buf, int64_t count, MPI_Datatype type); /* the count-th element */
char *dialect_address(const void *buf);                              /* MPI_BOTTOM: NULL */
/* SMPI loses what a message brings of a derived datatype's element that it does not bring whole: it
 * receives bytes. */
bool dialect_comes_in_part(const struct dialect_type *type);
int dialect_recv(void *buf, int count, MPI_Datatype type, int src, int tag, MPI_Comm comm,
                 MPI_Status *status);
int dialect_sendrecv(const void *out, int sent, MPI_Datatype sent_type, int dst, int sendtag,
                     void *in, int count, MPI_Datatype type, int src, int recvtag, MPI_Comm comm,
                     MPI_Status *status);
/* MPI_Sendrecv_replace: SMPI's receives into a buffer of its own, in which no absolute address is.
 */
int dialect_replace(void *buf, int count, MPI_Datatype type, int dst, int sendtag, int src,
                    int recvtag, MPI_Comm comm, MPI_Status *status);

/* ---- what a call loads and stores (messages.c), for the wrappers of generate.awk ------------- */

/* One call that loads and stores buffers; lives on its stack. */
struct dialect_call {
    struct world_rank *rank;
    const char *name;
    MPI_Comm comm;
    MPI_Request *request; /* stores happen when it completes; NULL: now */
    /* for the check; NULL, 0: none */
    struct check_meeting *meeting;
    uint64_t held;  /* number of the buffers it holds until its request completes */
    bool any;       /* it receives, and names no source */
    uint64_t bytes; /* of one message: it sends, or is a collective */
    /* a blocking collective: whom it waits for */
    bool waits;
    enum check_flow flow;
    int root;
};
void dialect_read(struct dialect_call *call, const void *buf, int64_t count, MPI_Datatype type);
void dialect_write(struct dialect_call *call, void *buf, int64_t count, MPI_Datatype type);
void dialect_got(const struct dialect_call *call, void *buf, int64_t count, MPI_Datatype type,
                 const MPI_Status *status);
void dialect_readv(struct dialect_call *call, const void *buf, const int *counts, const int *displs,
                   MPI_Datatype type);
void dialect_writev(struct dialect_call *call, void *buf, const int *counts, const int *displs,
                    MPI_Datatype type);
void dialect_readw(struct dialect_call *call, const void *buf, const int *counts, const int *displs,
                   const MPI_Datatype *types);
void dialect_writew(struct dialect_call *call, void *buf, const int *counts, const int *displs,
                    const MPI_Datatype *types);
int64_t dialect_sum(const int *counts, MPI_Comm comm);
uint64_t dialect_bytes(int64_t count, MPI_Datatype type);
bool dialect_no_bytes(MPI_Datatype type); /* Has one element none? */
const int *dialect_no_counts(void);       /* a zero for each rank */

/* ---- what orders (order.c, collective.c) -------------------------------------------------------
 */

/* A message of so many elements to that rank of the communicator (leave.c). */
void dialect_leaves(struct dialect_call *call, const void *buf, int64_t count, MPI_Datatype type,
                    int target);
void dialect_sent(const struct dialect_call *call, int target, int tag, bool synchronous);
/* A blocking send is over: for whom it waited. */
void dialect_delivered(const struct dialect_call *call, int target, int tag, bool synchronous);
/* MPI_Start of a send */
void dialect_restarted(struct world_rank *rank, MPI_Comm comm, uint64_t bytes, int target, int tag);
/* Tags of partitioned messages begin at DIALECT_BEYOND. A rank makes one; is it one, that a receive
 * or a probe has found? not_partitioned: ends the run where a receive for any tag has. */
enum { DIALECT_BEYOND = 1 << 30 };
void dialect_partitioned(void);
bool dialect_is_partitioned(const MPI_Status *status);
void dialect_not_partitioned(struct world_rank *rank, const char *call, const MPI_Status *status);
/* any: the receive named no source. True: the check wants to know when the program looks at the
 * status, or at what was received. */
bool dialect_received(struct world_rank *rank, MPI_Comm comm, const MPI_Status *status, bool any);
void dialect_watch(struct world_rank *rank, const void *addr, uint64_t bytes);
void dialect_watch_buffer(struct world_rank *rank, const void *buf, const struct op_layout *layout);
/* For the report of a deadlock: what the call waits for, if it comes to wait. */
void dialect_awaits(struct world_rank *rank, MPI_Comm comm, int source, int tag);
/* The rest are the check's. A receive begins; a probe sees a message; a synchronous send is
 * complete. */
void dialect_receives(struct world_rank *rank, MPI_Comm comm, int source, int tag);
void dialect_probed(struct world_rank *rank, MPI_Comm comm, const MPI_Status *status);
void dialect_met_by(struct world_rank *rank, MPI_Comm comm, int target, int tag);
/* A nonblocking call loads or stores the buffer until its request, of that number, completes; 0: a
 * new one. Returns the number, 0: the check is off. */
uint64_t dialect_hold(struct world_rank *rank, const char *call, const void *buf,
                      const struct op_layout *layout, enum check_kind kind, uint64_t number);
/* That request is complete. */
void dialect_requested(struct world_rank *rank, uint64_t number);
/* The nonblocking call needs that operation until its request completes. */
void dialect_reduces(const struct dialect_call *call, MPI_Op op);
/* count, type: what this rank gives, or takes */
void dialect_meet(struct dialect_call *call, enum check_flow flow, int root, int64_t count,
                  MPI_Datatype type);
/* Of CHECK_EACH: how much of each; NULL: nothing */
void dialect_takes(const struct dialect_call *call, const int *counts);
/* What the root sent is there, and nothing was stored before; then it is over. */
void dialect_root_came(struct dialect_call *call);
void dialect_met(const struct dialect_call *call);

/* ---- long blocks of MPI_Alltoall (alltoall.c) --------------------------------------------------
 */

int dialect_alltoall(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                     MPI_Datatype type, MPI_Comm comm);

int dialect_alltoallv(struct dialect_call *call, const void *send, const int *sends,
                      const int *from, MPI_Datatype sent_type, void *to, const int *counts,
                      const int *at, MPI_Datatype type);
int dialect_alltoallw(struct dialect_call *call, const void *send, const int *sends,
                      const int *from, const MPI_Datatype *sent_types, void *to, const int *counts,
                      const int *at, const MPI_Datatype *types);

/* ---- elements with gaps (gaps.c) ------------------------------------------------------------- */

/* Elements lie one behind the other, without gaps; true of what is no datatype. */
bool dialect_dense(MPI_Datatype type);
int dialect_gather(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                   MPI_Datatype type, int root, MPI_Comm comm);
int dialect_gatherv(const void *send, int sent, MPI_Datatype sent_type, void *to, const int *counts,
                    const int *displs, MPI_Datatype type, int root, MPI_Comm comm);
int dialect_scatter(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                    MPI_Datatype type, int root, MPI_Comm comm);
int dialect_alltoall_gaps(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                          MPI_Datatype type, MPI_Comm comm);
int dialect_allgather(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                      MPI_Datatype type, MPI_Comm comm);
int dialect_allgatherv(const void *send, int sent, MPI_Datatype sent_type, void *to,
                       const int *counts, const int *displs, MPI_Datatype type, MPI_Comm comm);
int dialect_bsend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int dialect_bsend_init(const void *buf, int count, MPI_Datatype type, int to, int tag,
                       MPI_Comm comm, MPI_Request *request); /* again.c */
int dialect_ibsend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);

/* ---- reductions by an operation that does not commute (ordered.c) ------------------------------
 */

/* Does SMPI get this one wrong? */
bool dialect_in_order(const struct dialect_call *call, MPI_Op op, MPI_Datatype type);
int dialect_ordered_scan(struct dialect_call *call, const void *send, void *to, int count,
                         MPI_Datatype type, MPI_Op op);
int dialect_ordered_exscan(struct dialect_call *call, const void *send, void *to, int count,
                           MPI_Datatype type, MPI_Op op);
int dialect_ordered_allreduce(struct dialect_call *call, const void *send, void *to, int count,
                              MPI_Datatype type, MPI_Op op);
int dialect_ordered_reduce(struct dialect_call *call, const void *send, void *to, int count,
                           MPI_Datatype type, MPI_Op op, int root);
int dialect_ordered_scatter(struct dialect_call *call, const void *send, void *to,
                            const int *counts, int count, MPI_Datatype type, MPI_Op op);

/* Before SMPI makes a request: none gets the handle of one that MPI_Request_get_status has shown
 * complete. */
void dialect_hold_places(struct world_rank *rank);

/* ---- requests (request.c) -------------------------------------------------------------------- */

void dialect_later(struct dialect_call *call, void *buf, int64_t count, struct dialect_type *type);
/* The request holds what its call has held so far. met_by, tag: where a synchronous send goes;
 * MPI_PROC_NULL: none. */
void dialect_holds(const struct dialect_call *call, int met_by, int tag);
/* MPI_Send_init */
void dialect_starts(const struct dialect_call *call, const void *buf, int count, MPI_Datatype type,
                    int to, int tag);
void dialect_requests_free(struct dialect_rank *state);
/* A request-based operation: the request is complete once the operations to that target are.
 * `number`: the check's, of the operation. Returns an error class. */
int dialect_operation_request(struct dialect_win *w, int target, uint64_t number,
                              MPI_Request *request);
/* A request for a servicer of PUT/ACCEPT; MPI_Wait and the others complete it. Returns an error
 * class. */
int dialect_servicer_request(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer,
                             MPI_Request *request);
/* Ends one that is done; what went wrong goes to the communicator's handler. Returns an error
 * class. */
int dialect_servicer_end(struct world_rank *rank, MPI_Comm comm, struct sync_servicer *servicer);

#endif
