/* sync: order and completion of operations: epochs, locks, fences, counting.
 *
 * Windows follow MPI-2 chapter 11: an operation belongs to an access epoch; the call that ends the
 * epoch completes it (11.7 rules 1-4); synchronisation calls make the private and the public copy
 * agree (rules 5, 6) and pay for it. Every function is called by the rank it names, inside MPI, and
 * may block that rank. Ranks are MPI_COMM_WORLD ranks except where `member` is said: an index in
 * the window's group.
 */
#ifndef SYNC_SYNC_H
#define SYNC_SYNC_H

#include "base/base.h"
#include "mach/mach.h"
#include "mem/mem.h"
#include "op/op.h"
#include "move/move.h"
#include "serve/serve.h"

/* The carriers of the one world; given by world before any window exists, taken back (NULL) at its
 * end. */
void sync_open(struct move *move);

struct sync_win;
#define sync_proc serve_proc /* a rank as the lower floors know it */

/* What a call did wrong; the dialect turns it into an MPI error class and a message. */
enum sync_status {
    SYNC_OK,
    SYNC_NO_EPOCH, /* operation or closing call outside an epoch that allows it */
    /* opening call inside an epoch that forbids it; window freed while locked or in an epoch */
    SYNC_EPOCH_OPEN,
    SYNC_NOT_LOCKED,   /* unlock without lock */
    SYNC_LOCKED_TWICE, /* lock of a target this rank holds already */
    SYNC_NONE_LOCKED,  /* flush or unlock of all without any lock */
    /* unlock of one of those that were locked together, or of all where they were not */
    SYNC_OTHER_LOCK,
    SYNC_NOT_PASSIVE,  /* an operation that needs a lock, without */
    SYNC_NOT_IN_GROUP, /* target is not in the group given to start */
};
const char *sync_status_text(enum sync_status status);

/* ---- windows: life --------------------------------------------------------------------------- */

/* One member makes the object (any rank, once) and hands the pointer to the others; then each joins
 * with its own part. The dialect puts a barrier between the last join and the first use. */
struct sync_win *sync_win_new(int members, const int *world_rank);
void sync_win_join(struct sync_win *win, int member, struct serve_proc *me, void *base,
                   uint64_t bytes, int disp_unit);
/* Leaves: SYNC_EPOCH_OPEN when this rank still has an open epoch, posts, or holds or owns a lock;
 * nothing has changed then. The caller barriers before. The last to leave frees the object. */
enum sync_status sync_win_leave(struct sync_win *win, int member, struct serve_proc *me);
/* The world rank of a member that holds a lock on this member's part; -1: nobody. */
int sync_win_holder(const struct sync_win *win, int member);

int sync_win_members(const struct sync_win *win);
int sync_win_world_rank(const struct sync_win *win, int member);
void *sync_win_base(const struct sync_win *win, int member);
uint64_t sync_win_bytes(const struct sync_win *win, int member);
int sync_win_disp_unit(const struct sync_win *win, int member);
void sync_win_name(struct sync_win *win, int member, const char *name); /* in the report */
/* Another piece of memory (MPI-3 11.2.4); the window was joined with base NULL and no bytes. False:
 * it overlaps one that is attached. */
bool sync_win_attach(struct sync_win *win, int member, struct serve_proc *me, void *base,
                     uint64_t bytes);
/* false: none begins there */
bool sync_win_detach(struct sync_win *win, int member, struct serve_proc *me, const void *base);
/* Lies every piece of the layout, `offset` behind the member's base, in its memory? */
bool sync_win_holds(const struct sync_win *win, int member, int64_t offset,
                    const struct op_layout *layout);
/* has it bytes of the range? */
bool sync_win_touches(const struct sync_win *win, int member, const void *from, const void *to);

/* ---- windows: synchronisation ---------------------------------------------------------------- */

enum sync_assert { /* bits; meanings of MPI-2 11.4.4 */
                   SYNC_NOCHECK = 1,
                   SYNC_NOSTORE = 2,
                   SYNC_NOPUT = 4,
                   SYNC_NOPRECEDE = 8,
                   SYNC_NOSUCCEED = 16
};
enum sync_status sync_fence(struct sync_win *win, int member, struct serve_proc *me,
                            unsigned asserts);
enum sync_status sync_post(struct sync_win *win, int member, struct serve_proc *me,
                           const int *group, int n, unsigned asserts);
enum sync_status sync_start(struct sync_win *win, int member, struct serve_proc *me,
                            const int *group, int n, unsigned asserts);
enum sync_status sync_complete(struct sync_win *win, int member, struct serve_proc *me);
enum sync_status sync_wait(struct sync_win *win, int member, struct serve_proc *me);
enum sync_status sync_test(struct sync_win *win, int member, struct serve_proc *me, bool *done);
enum sync_status sync_lock(struct sync_win *win, int member, int target, bool exclusive,
                           unsigned asserts);
enum sync_status sync_unlock(struct sync_win *win, int member, struct serve_proc *me, int target);
/* MPI-3: a shared lock of every member, each taken when this one first turns to it. */
enum sync_status sync_lock_all(struct sync_win *win, int member, unsigned asserts);
enum sync_status sync_unlock_all(struct sync_win *win, int member, struct serve_proc *me);
/* MPI-3: complete operations to target (-1: all) and, for sync, make the two copies agree. */
enum sync_status sync_flush(struct sync_win *win, int member, struct serve_proc *me, int target);
/* When the operations to a locked target so far are complete; 0: none is on its way; HUGE_VAL:
 * nobody knows yet. The rank's gate opens when somebody does. */
double sync_complete_at(const struct sync_win *win, int member, int target);
enum sync_status sync_agree(struct sync_win *win, int member, struct serve_proc *me);

/* ---- windows: operations --------------------------------------------------------------------- */

/* Combines n bytes of packed elements: inout = in op inout; `arg` as given. NULL function: replace.
 */
typedef move_combine sync_combine;

struct sync_request {
    enum op_kind kind; /* OP_PUT, OP_GET, OP_ACCUMULATE, OP_GET_ACCUMULATE */
    const char *call;  /* static storage */
    op_site site;
    int target;                     /* member */
    uint64_t target_offset;         /* bytes from the target's base to the layout's origin */
    struct op_layout target_layout; /* the callee copies the pieces it needs */
    void *origin_addr;
    struct op_layout origin_layout;
    void *result_addr; /* OP_GET_ACCUMULATE: where the old value goes */
    struct op_layout result_layout;
    sync_combine combine;    /* OP_ACCUMULATE, OP_GET_ACCUMULATE */
    const void *combine_arg; /* must live until the operation is complete */
    bool combine_is_code;    /* the program's own */
    /* allowed under a lock only: MPI-3's request-based operations */
    bool passive;
    struct move_described described; /* what the target must be told */
};
/* The caller has checked ranks, range, types. Starts the operation; it completes at the closing
 * call. */
enum sync_status sync_operate(struct sync_win *win, int member, struct serve_proc *me,
                              const struct sync_request *request);

/* ---- windows without epochs: SHMALLOC
 * ------------------------------------------------------------------ Operations are always allowed.
 * "I'm assuming strict ordering between subsequent gets and puts" (E. Salo, MPI-2 mailing list, 31
 * October 1995): one process's are performed in the order of its calls, on any machine, and a get
 * returns what the puts before it wrote. shmalloc.strict=0 leaves out one thing: a put does not
 * wait for the process's puts to other targets.
 */
/* makes it such a window; before the first joins, by any or all */
void sync_win_direct(struct sync_win *win);
/* Returns when the origin's buffer may be used again. */
void sync_direct_put(struct sync_win *win, int member, struct serve_proc *me,
                     const struct sync_request *request);
/* Returns when the data are in the buffer. */
void sync_direct_get(struct sync_win *win, int member, struct serve_proc *me,
                     const struct sync_request *request);
/* This member's puts are at their targets. */
void sync_direct_complete(struct sync_win *win, int member, struct serve_proc *me);
/* All members' are, and all see them: what each has stored to its window is in memory, and loads of
 * it come from there. */
void sync_direct_barrier(struct sync_win *win, int member, struct serve_proc *me);

/* ---- barriers -------------------------------------------------------------------------------- */

/* A barrier among `members` ranks, on the machine's barrier network where it has one, of messages
 * otherwise. */
struct sync_barrier;
struct sync_barrier *sync_barrier_new(int members);
void sync_barrier_free(struct sync_barrier *barrier);
void sync_barrier_wait(struct sync_barrier *barrier, struct serve_proc *me);
bool sync_barrier_network(void); /* has the machine a network of its own for barriers? */

/* ---- agreements ------------------------------------------------------------------------------ */

/* Causes effect(data, time) at that world rank's node, by a control message where its memory cannot
 * be reached. */
void sync_tell(struct serve_proc *me, int rank, move_effect effect, void *data);
/* are a window's two copies one, because caches are coherent? */
bool sync_unified(void);
/* are they on one node, with one view of its memory? */
bool sync_shares_memory(const int *world_rank, int ranks);
bool sync_registered_only(void); /* does the machine refuse unregistered datatypes? */

/* ---- matching: PUT/ACCEPT
 * ----------------------------------------------------------------------------- Requests meet
 * servicers at the target by communicator, tag and kind, in order of arrival; a request has at most
 * one servicer. One object serves one communicator; members are ranks in it. Semantics: the
 * PUT/ACCEPT proposal (D. C. DiNucci, MPI-2 one-sided working group, 1996), "Operational
 * Semantics".
 */
/* never match each other's servicers */
enum sync_kind { SYNC_PUT, SYNC_GET, SYNC_PUTC, SYNC_GETC, SYNC_KINDS };

struct sync_match;
struct sync_match *sync_match_new(int members, const int *world_rank);
void sync_match_free(struct sync_match *match);
int sync_match_members(const struct sync_match *match);

struct sync_ask {
    enum sync_kind kind;
    bool hold;        /* counts for no servicer */
    const char *call; /* static storage */
    op_site site;
    int target, tag;
    int64_t disp; /* in the servicer's units */
    struct op_layout target_layout;
    void *origin_addr;
    struct op_layout origin_layout;
    struct move_described described; /* what the target must be told */
};
/* Issues a request; always completes at once. */
void sync_match_ask(struct sync_match *match, int member, struct serve_proc *me,
                    const struct sync_ask *ask);

struct sync_service {
    /* bit 1 << enum sync_kind: one kind, or PUT and GET for the one of them that comes first */
    unsigned kinds;
    int tag;
    void *base;
    uint64_t bytes;
    int64_t disp_unit;
    /* requests to service; for PUTC and GETC the processes find it together */
    uint64_t count;
    const char *call; /* static storage */
    op_site site;
};
struct sync_servicer;
/* Whole pages that this process may offer: where memory is pooled they lie in the pool, which is
 * where others reach them; or no longer. */
void sync_match_memory(struct serve_proc *me, void *base, uint64_t bytes, bool there);
/* Begins servicing. The range is a segment until the end; it begins with the flush that the machine
 * needs. */
struct sync_servicer *sync_match_post(struct sync_match *match, int member, struct serve_proc *me,
                                      const struct sync_service *service);
/* Tries to complete: where servicing is delayed, it happens now. wait: for as long as it takes, so
 * collective servicers agree on their counts. Returns sync_servicer_done. */
bool sync_servicer_try(struct sync_servicer *servicer, bool wait);
bool sync_servicer_done(const struct sync_servicer *servicer);
void sync_servicer_wait(struct sync_servicer *servicer);
/* Every servicer of the list that is not done is given up until the next try. */
void sync_servicer_rest(struct sync_servicer *servicer);
/* Ends one that is done, and frees it. NULL, or what went wrong with the requests it serviced or
 * waited for: the caller frees. */
char *sync_servicer_end(struct sync_servicer *servicer);
/* Takes back one that has serviced nothing; false: too late. It is freed then. */
bool sync_servicer_cancel(struct sync_servicer *servicer);
/* Nobody will wait for it: it goes on by itself and ends when it is done. */
void sync_servicer_detach(struct sync_servicer *servicer);
const char *sync_servicer_call(const struct sync_servicer *servicer);

/* The first request in order of arrival that no servicer has taken; origin or tag below 0: any. */
struct sync_found {
    int origin, tag;
    enum sync_kind kind;
    bool hold;
    uint64_t bytes, number;
    double arrived_s;
};
bool sync_match_probe(struct sync_match *match, int member, int origin, int tag,
                      struct sync_found *found);
/* Messages of MPI beside the requests: noted when they are sent and when they have been received.
 * What one origin sends is found in the order in which it was sent, requests and messages.
 * message_first: is one from that origin with that tag (below 0: any) found before that request?
 * Sets which. request_first: is there a request with that tag, perhaps on its way, that its origin
 * issued before the message? */
void sync_match_sent(struct sync_match *match, int member, struct serve_proc *me, int target,
                     int tag);
void sync_match_received(struct sync_match *match, int member, int origin, int tag);
struct sync_message {
    int origin, tag;
};
bool sync_match_message_first(struct sync_match *match, int member, int origin, int tag,
                              const struct sync_found *request, struct sync_message *message);
bool sync_match_request_first(struct sync_match *match, int member, int tag,
                              const struct sync_message *message);
/* Waits at the rank's gate until ready(data) or that date. */
void sync_match_sleep(struct serve_proc *me, double until_s, bool (*ready)(void *data), void *data);

void sync_match_polled(struct serve_proc *me); /* a test found nothing: what it costs */

/* Requests of this member that nobody serviced: calls name(data, sentence, call's site, target's
 * world rank) for each. */
void sync_match_unserviced(struct sync_match *match, int member,
                           void (*name)(void *data, const char *what, op_site site, int target),
                           void *data);
/* What that rank's servicers still wait for, a line each: for the report of a deadlock. NULL:
 * nothing. The caller frees. */
char *sync_match_missing(int rank);

/* ---- watching: memory that the program must leave alone meanwhile ("Non-conformance") -------- */

extern int sync_watches; /* ranges watched now, of all ranks */
/* The program referenced [addr, addr + bytes) of the rank's memory just now. */
void sync_watch_check(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, op_site site,
                      double time_s);

#endif
