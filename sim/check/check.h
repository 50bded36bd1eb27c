/* check: does the program obey the rules of one-sided communication?
 *
 * The engine records what happens: loads and stores, operations, synchronisation, messages,
 * collectives, in the order in which the ranks came to them. This room judges by the standard
 * alone: which of two accesses to the same bytes is ordered before the other by what the standard
 * counts, never by the dates at which the engine moved bytes. Each rank has a vector clock. A local
 * access is complete at once; an operation is complete when a call of its origin says so, and until
 * then it is ordered before nothing, its origin's own later calls included.
 *
 * What orders (MPI-2 is chapter 11 of the one-sided text; MPI-3.1 11, MPI-4.1 12):
 *   fence              every member's earlier accesses before every member's later ones; it
 *                      completes this rank's operations (MPI-2 11.4.1). With NOPRECEDE it "does not
 *                      necessarily act as a barrier": only operations issued after it are ordered,
 *                      behind what their targets did before their own fence
 *   post, start        what the target did before post before operations of that start's epoch, not
 *                      before the origin's own later accesses (11.4.2: start need not block)
 *   complete, wait     what the origin did before complete before what the target does after wait;
 *                      a test that returns true is a wait. What was written there is complete
 *                      for everybody then, not at complete
 *   lock, unlock       two epochs of one lock, one of them exclusive, exclude each other; they
 *                      order nothing outside, unless the later reads bytes that the earlier wrote
 *                      (11.4.3). A lock with NOCHECK excludes nobody
 *   flush, unlock      complete the operations to the target there (MPI-3.1 11.5.4)
 *   flush_local, a     free the origin's buffer and deliver what was fetched, no more
 *   request's wait     (MPI-3.1 11.3.5, 11.5.4). What a get has delivered it has read
 *   an atomic          that returns what another wrote is ordered behind what its writer had
 *                      completed; so is a load followed by MPI_Win_sync. A swap that finds another
 *                      value than it compares has written nothing. Of C11's a relaxed load counts
 *                      as a load until a fence that acquires, and a relaxed store carries what was
 *                      done before the last call of MPI or fence that releases (7.17.4); so does
 *                      one that loads and stores, by its order. Assembly is taken for a fence
 *   a message          send before receive; of one from any source what all the messages have in
 *                      common that it could take, until the program looks at the status or at what
 *                      it received (MPI-3.1 3.5)
 *   a successful test  what it completes, once the program looks at its flag; so does a wait for
 *                      any of several, at its index
 *   a synchronous send at its end: behind what came before the receive that takes it (MPI-3.1 3.4)
 *   a collective       what its data flow orders: from the root, to the root, lower before higher,
 *                      or all before all; with no bytes nothing. A nonblocking one at completion
 *   making, freeing    of a window: all before all
 * What does not: program order, for two operations of one origin to the same bytes, except
 * accumulates through one window; dates; the order in which locks were granted, in which messages
 * came to a receive from any source, whether a test came late enough to succeed.
 *
 * Left out: threads; loads of code that is not instrumented (said where it is handed a window's
 * bytes or a buffer that an operation fills), and its stores but those into windows and buffers
 * that operations read; what PUT/ACCEPT's requests do; that C11's changes which only release do not
 * acquire. A value overwritten under a lock unread counts as read. Ranks are those of
 * MPI_COMM_WORLD, except win_rank and comm_rank. Nothing waits.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "base/base.h"
#include "op/op.h"

/* Is the check on? Every other function is called only then. */
extern bool check_on;
/* all_seen: every load of the program is recorded. Otherwise what a test or a receive shows counts
 * as looked at at once. mpi2: accumulates of one process have no order, either. */
void check_open(int ranks, bool all_seen, bool mpi2);
void check_close(void);

/* ---- accesses -------------------------------------------------------------------------------- */

enum check_kind {
    CHECK_LOAD,
    CHECK_STORE,
    CHECK_ATOMIC_LOAD,  /* of the processor: C11, __sync */
    CHECK_RELAXED_LOAD, /* memory_order_relaxed */
    CHECK_ATOMIC_STORE,
    CHECK_RELAXED_STORE,
    CHECK_ATOMIC_CHANGE,
    CHECK_CALL_LOAD, /* a call of MPI that is no operation loads or stores for the program */
    CHECK_CALL_STORE,
    CHECK_PUT,
    CHECK_GET,
    CHECK_ACCUMULATE,
    CHECK_FETCH,        /* get_accumulate and its kin */
    CHECK_BUFFER_READ,  /* an operation reads its origin's buffer */
    CHECK_BUFFER_WRITE, /* it writes its origin's, or its result's */
    /* PUT/ACCEPT: memory that its process must not reference meanwhile */
    CHECK_REQUEST_READ,  /* a PUT's origin, until the servicing call that completes it ends */
    CHECK_REQUEST_WRITE, /* a GET's */
    CHECK_OFFERED, /* a servicing call's range, until it ends: for GETs, for PUTs, for either */
    CHECK_ACCEPTED,
    CHECK_AVAILABLE,
    CHECK_KINDS
};
/* The rank's own access to the bytes. `call`: static storage; NULL: the program's own. A load or a
 * store of a call: of what it is given, or gives, beside its buffers, as a flag. Returns whether
 * the next access of these lines is to be recorded too. */
bool check_access(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind, const char *call,
                  op_site site, double time_s);
/* Must a load or a store of the program's, of the instruction at pc, be told (check_access)? Not if
 * one like it has been (SEEN: the next one of these lines is to be told, too), or if nothing can be
 * in conflict with it. Asked while no pair is watched. */
enum check_again { CHECK_TELL, CHECK_SEEN, CHECK_FREE };
enum check_again check_again(int rank, uintptr_t addr, uint64_t bytes, bool store, uintptr_t pc);
/* The access just told was that instruction's. */
void check_again_at(int rank, uintptr_t addr, enum check_kind kind, op_site site, uintptr_t pc);
void check_fence_of_memory(int rank, bool acquires, bool releases); /* of its processor */

struct check_buffer {
    uintptr_t addr;
    const struct op_layout *layout; /* NULL: none */
};
/* The part of the rank's stack that is in use when it makes a call; high 0: not known. */
struct check_stack {
    uintptr_t low, high;
    /* of the function that makes the call, when it does: the stack and the base pointer; 0: not
     * known */
    uintptr_t pointer, base;
};
/* A nonblocking call of MPI that is no operation loads or stores the buffer until its request is
 * complete (check_requested); or one of PUT/ACCEPT has it. `number`: of its request, which has
 * several buffers; 0: a new one. Returns the number. */
uint64_t check_held(int rank, const struct check_buffer *buffer, enum check_kind kind,
                    const char *call, op_site site, double time_s, const struct check_stack *stack,
                    uint64_t number);
/* PUT/ACCEPT: the memory of that number, of a kind from CHECK_REQUEST_READ on, is the program's
 * again; where the call is that ends it. Or a request has read those bytes of an OFFER's range. */
void check_given_back(uint64_t number, op_site site);
void check_fetched(uint64_t number, uintptr_t addr, const struct op_layout *layout,
                   const uint8_t *bytes);
/* Has a buffer that an operation of the rank's reads changed, and no recorded access did it? Asked
 * where code may have run that is not instrumented; low: the stack in use. Each is said once. */
bool check_stored_unseen(int rank, uintptr_t low, uintptr_t *addr, uint64_t *bytes);
/* Where the buffers are that the rank's operations on their way fill; false: there are none. Which
 * call fills that byte; NULL: none. */
bool check_fills(int rank, uintptr_t *low, uintptr_t *bytes);
const char *check_filler(int rank, uintptr_t addr);
/* The program frees the block. True: an operation on its way, or a window, still has it. */
bool check_freed(int rank, uintptr_t addr, uint64_t bytes, const char *call, op_site site,
                 double time_s);

/* ---- windows --------------------------------------------------------------------------------- */

/* `win` names the window; the first member to come makes it. begin: on entry of the collective
 * call; made: before it returns; free: on entry of MPI_Win_free, freed: before it returns. */
void check_win_begin(const void *win, int members, const int *world_rank, bool shared);
/* Its memory is attached; now it waits for others. call, site: what makes it; static storage. */
void check_win_arrive(const void *win, int win_rank, const char *call, op_site site);
void check_win_made(const void *win, int win_rank);
void check_win_free(const void *win, int win_rank);
void check_win_freed(const void *win, int win_rank);
/* Info keys of MPI-3.1 11.2.1, as bits; 0: the defaults. */
enum check_info {
    CHECK_NO_LOCKS = 1,
    CHECK_SAME_OP = 2, /* accumulate_ops */
    CHECK_NO_RAR = 4,  /* accumulate_ordering lacks them */
    CHECK_NO_RAW = 8,
    CHECK_NO_WAR = 16,
    CHECK_NO_WAW = 32,
    CHECK_NO_ORDER = 60, /* those four */
    CHECK_STRICT = 64    /* SHMALLOC's: one process's operations are performed in order */
};
void check_win_info(const void *win, unsigned info);
void check_win_name(const void *win, const char *name);
/* Memory of that member comes and goes: on joining, attaching, detaching. call: which of them, in
 * static storage. */
void check_attach(const void *win, int win_rank, uintptr_t base, uint64_t bytes, const char *call,
                  op_site site);
void check_detach(const void *win, int win_rank, uintptr_t base, op_site site, double time_s);

/* What a call that is refused is in conflict with: an earlier call of that rank; -1: not known. */
struct check_beside {
    int rank;
    const char *call;
    op_site site;
    /* check_in_epoch: "shared lock", NULL: none is open; where it began; static storage */
    const char *epoch;
    op_site opened;
};
struct check_beside check_holder(const void *win, int target); /* who locked the member's memory */
/* what the member's epoch now open began with, a lock of that target first (-1: any); what of a
 * fence epoch is not complete */
struct check_beside check_in_epoch(const void *win, int win_rank, int target);
/* who detached memory of the member that had the byte */
struct check_beside check_detached(const void *win, int win_rank, uintptr_t addr);

enum check_assert { /* bits; meanings of MPI-2 11.4.4 */
                    CHECK_NOCHECK = 1,
                    CHECK_NOSTORE = 2,
                    CHECK_NOPUT = 4,
                    CHECK_NOPRECEDE = 8,
                    CHECK_NOSUCCEED = 16
};
/* One call of synchronisation, on entry and, where it may wait for others, before it returns. */
struct check_call {
    const void *win;
    int win_rank;
    unsigned asserts;
    op_site site;
    double time_s;
};
void check_fence(const struct check_call *call);
void check_fenced(const struct check_call *call);
/* Before MPI_Win_complete, an unlock or a flush returns: what it fetched is there. */
void check_returned(const struct check_call *call);
void check_post(const struct check_call *call, const int *group, int n);
/* when it is about to return */
void check_start(const struct check_call *call, const int *group, int n);
void check_complete(const struct check_call *call);
void check_waited(const struct check_call *call); /* MPI_Win_wait returns, or a test says yes */
/* granted; -1: all, shared */
void check_lock(const struct check_call *call, int target, bool exclusive);
void check_unlock(const struct check_call *call, int target);
/* target -1: all. local: the origin's side only. */
void check_flush(const struct check_call *call, int target, bool local);
void check_sync(const struct check_call *call);

/* ---- operations ------------------------------------------------------------------------------ */

struct check_operation {
    enum check_kind kind; /* PUT, GET, ACCUMULATE, FETCH */
    const void *win;
    int win_rank, target; /* members */
    const char *call;
    op_site site;
    double time_s;
    struct check_buffer there, origin, result, compare;
    /* accumulates: equal ones may be concurrent; NULL: none. no_op: the target is only read. swap:
     * compare and swap. replace: MPI_REPLACE */
    const void *op, *type;
    bool no_op, swap, replace;
    bool request; /* completes at the origin by a request of its own */
    struct check_stack stack;
};
/* The call; returns the operation's number, 0: it belongs to no epoch. */
uint64_t check_operation(const struct check_operation *operation);
/* The target's memory is read or written now: what an atomic returns is decided. */
void check_performed(uint64_t number);
/* Before that: it leaves what it found there. */
void check_unchanged(uint64_t number);
/* It is complete: what it carried to the target, or fetched; NULL: not known. */
void check_carried(uint64_t number, const uint8_t *bytes, uint64_t n);
/* Its request is complete. */
void check_requested(uint64_t number);
/* The rank makes a call that completes operations, with its stack in use from `low` on: below lie
 * the variables of functions that have returned. */
void check_unwound(int rank, uintptr_t low, const char *call, op_site site, double time_s);
void check_frame_ended(int rank, uintptr_t addr, uint64_t bytes); /* in its caller's frame */

/* ---- what messages and collectives order ----------------------------------------------------- */

/* A communicator: its ranks and which of theirs it is. */
struct check_comm {
    const void *ranks;
    int number, members, comm_rank;
};
/* synchronous: check_rendezvous follows once it is complete */
void check_sent(int rank, const struct check_comm *comm, int to, int tag, bool synchronous);
/* any: the receive named no source. True: until the program looks at what check_watch shows, it
 * does not know whose message it has. */
bool check_received(int rank, const struct check_comm *comm, int from, int tag, bool any);
/* A probe sees the message. */
void check_probed(int rank, const struct check_comm *comm, int from, int tag);
/* A receive begins; from, tag: -1: any. A synchronous send is complete: the receive that takes its
 * message has begun. */
void check_receiving(int rank, const struct check_comm *comm, int from, int tag, op_site site);
void check_rendezvous(int rank, const struct check_comm *comm, int to, int tag);

/* What a test that succeeded completes comes between these two. The program does not know until it
 * looks at what the test returned (check_watch), or waits for a request that is complete. */
void check_test(int rank);
/* The one under way is of the last request of several: it shows what earlier ones would have. */
void check_test_last(int rank);
void check_tested(int rank);
void check_waits(int rank);
/* After check_received or check_tested: one of the places where the program can look. */
void check_watch(int rank, uintptr_t addr, uint64_t bytes);

/* CHECK_EACH: from each to those that take any of it */
enum check_flow { CHECK_ALL, CHECK_FROM_ROOT, CHECK_TO_ROOT, CHECK_UPWARD, CHECK_EACH };
struct check_meeting;
/* The collective call begins; later, once, it is complete for this rank. bytes: has it any to give
 * or to take? NULL: nothing is ordered, and it has no end. */
struct check_meeting *check_meet(int rank, const struct check_comm *comm, enum check_flow flow,
                                 int root, bool bytes);
/* Of CHECK_EACH: how much this rank takes of each member; NULL: nothing. Otherwise it takes from
 * all.
 */
void check_meet_takes(struct check_meeting *meeting, const struct check_comm *comm,
                      const int *counts);
void check_met(int rank, const struct check_comm *comm, struct check_meeting *meeting);

/* ---- the verdict ----------------------------------------------------------------------------- */

enum check_class { CHECK_NOTE, CHECK_SEPARATE, CHECK_ERROR };
const char *check_class_name(enum check_class class);

struct check_side {
    int rank;
    enum check_kind kind;
    const char *call; /* NULL: a load or store of the program */
    op_site site;
    const char *epoch;      /* "exclusive lock"; NULL: none */
    op_site opened, closed; /* of that epoch; 0: not known, still open */
    bool writes;            /* the bytes */
};
struct check_finding {
    enum check_class class;
    const char *rule;              /* "MPI-2 11.7 rule 2" */
    const char *sentence;          /* quoted; "": the section says it; static storage */
    const char *why;               /* why the two are not ordered; static storage */
    const char *cure;              /* static storage */
    struct check_side first, then; /* then: noticed there. A single call: both are it */
    int window, owner;             /* number of the window; whose memory. -1: none */
    const char *name;              /* the window's; NULL: none */
    uintptr_t addr;                /* of the first byte; 0: not known */
    uint64_t offset, bytes;        /* what both touch: from the window's base there */
    struct check_stack stack;      /* of the first side's call, whose buffer it is; or not known */
    double time_s;
    /* At the first occurrence, `first` read or wrote the bytes: 1: before `then` did; -1: after; 0:
     * not known. On another machine it may be the other way round. */
    int first_came;
    int last_rank; /* if that is known: of all that write, whose came last, and where */
    op_site last_site;
    op_site receive; /* from any source: another message there would not order them; 0: none */
    uint64_t count;
};
size_t check_findings(void);
const struct check_finding *check_finding_get(size_t i);
/* What was judged: accesses to windows and operations; epochs; bytes of memory whose accesses were
 * too many to keep apart: where there was no verdict for a while; where what is found is true, but
 * some of what a line did may be missed. */
struct check_totals {
    uint64_t accesses, epochs, coarse_bytes, folded_bytes;
};
struct check_totals check_totals(void);
/* The rank calls MPI_Finalize. */
void check_finalize(int rank, op_site site, double time_s);
/* The program has ended: the last findings. Before the two above. */
void check_end(void);

/* ---- one pair, watched and forced ------------------------------------------------------------ */

/* Two accesses that conflict, on another run of the program: what were the bytes that both touch,
 * and what are they if the first side is complete before the second begins? A side is the times-th
 * access of that line that touches the bytes; 0: the last one before the two are found to conflict.
 */
struct check_pair_side {
    int rank;
    enum check_kind kind;
    op_site site;
    uint64_t times;
};
enum { CHECK_PAIR_BYTES = 1 << 16 }; /* so many at most are watched */
struct check_pair {
    int window, owner; /* -1: a buffer of the first side, which is an operation */
    uint64_t offset, bytes;
    struct check_pair_side side[2];
};
/* As one word; the caller frees. Reads one: false: it is none. */
char *check_pair_text(const struct check_pair *pair);
bool check_pair_read(const char *text, struct check_pair *pair);
struct check_pair check_pair_of(const struct check_finding *finding);

/* Is any pair watched? The functions below are called only then. */
extern bool check_pairing;
/* Between check_open and the first event. forced: the only one. */
void check_pair_watch(const struct check_pair *pair, bool forced);
/* The access that the rank has just begun: is it a side of the forced pair? Asked once for each. */
enum check_turn { CHECK_TURN_NONE, CHECK_TURN_FIRST, CHECK_TURN_THEN };
enum check_turn check_pair_turn(int rank);
/* The rank's side is complete, and its stores are published. */
void check_pair_complete(int rank);
/* The first side, an operation, has carried its bytes. */
bool check_pair_first_done(void *data);
bool check_pair_given_up(void);
/* The first side is complete; data: not used. given up: it never will be. */
bool check_pair_ready(void *data);
void check_pair_give_up(void);
int check_pair_then(void); /* the rank of the second side */
/* Is it the first side, which is complete only with its request? */
bool check_pair_requested(uint64_t number);
/* The rank's own first side has begun and its program goes on: then its store has happened. */
bool check_pair_passed(int rank);
/* What the load will return is at its address now. */
void check_pair_loaded(int rank);

struct check_seen {
    struct check_pair pair; /* times filled in */
    bool forced, ordered;   /* ordered: it has been forced */
    bool came[2];
    uintptr_t addr; /* of the bytes, in the owner's memory; 0: there was none */
    uint64_t bytes;
    uint64_t reads[2]; /* bytes, from the first of them that the side read; 0: it read none */
    uint8_t *read[2];  /* those it did not read: 0 */
    /* Both write, and the later one's rank had read the bytes before the earlier one wrote them; or
     * one reads, and its rank writes the bytes back after the other's write, unread. */
    bool lost;
};
size_t check_pairs(void);
/* Both are done as far as is known, their bytes there. *behind: the rank is behind both. */
bool check_pair_settled(size_t i, int rank, bool *behind);
const struct check_seen *check_pair_seen(size_t i);

#endif
