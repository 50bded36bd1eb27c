/* check, inside: epochs, operations in flight, windows, and what is remembered of each page. Not a
 * door. */
#ifndef CHECK_PARTS_H
#define CHECK_PARTS_H

#include "check/bits.h"
#include "check/epochs.h"

/* ---- what is remembered (shadow.c) ----------------------------------------------------------- */

/* One line of code of one rank, doing one thing. Lives until the end. */
struct check_actor {
    int rank;
    enum check_kind kind;
    op_site site;
    const char *call;
    const struct check_window *win; /* of an operation; NULL: none */
    const void *op, *type;          /* of accumulates */
    bool no_op, swap, replace;
    bool writes; /* set by check_actor */
};
const struct check_actor *check_actor(const struct check_actor *like); /* actor.c */
void check_actors_open(void);
void check_actors_close(void);
static inline bool check_local(enum check_kind kind) { return kind < CHECK_PUT; }
static inline bool check_buffer_kind(enum check_kind kind)
{
    return kind == CHECK_BUFFER_READ || kind == CHECK_BUFFER_WRITE;
}
/* Memory that a call of PUT/ACCEPT has. */
static inline bool check_lent(enum check_kind kind) { return kind >= CHECK_REQUEST_READ; }
static inline bool check_remote(enum check_kind kind)
{
    return kind >= CHECK_PUT && kind < CHECK_BUFFER_READ;
}
static inline bool check_accumulates(enum check_kind kind)
{
    return kind == CHECK_ACCUMULATE || kind == CHECK_FETCH;
}
static inline bool check_writes(const struct check_actor *actor) { return actor->writes; }

/* What one actor did at one time. A local access has a clock, an operation a flight. */
struct check_use {
    const struct check_actor *actor;
    uint32_t clock;
    uint32_t begun; /* of an operation: the origin's clock when it was called */
    struct check_flight *flight;
    struct check_holds *holds;
    /* at the target: an operation's number; without a flight: the moment of a local access; else 0
     */
    union {
        uint64_t number, moment;
    };
};
/* The origin's clock when the origin had completed it; UINT32_MAX: it has not. */
static inline uint32_t check_done(const struct check_use *use)
{
    return !use->flight ? use->clock : use->flight->done ? use->flight->done : UINT32_MAX;
}

/* From when on others are behind it: that rank's clock. MPI_Win_complete "enforces completion of
 * preceding RMA calls at the origin, but not at the target" (MPI-2 11.4.2): what they write there
 * is complete once the target has waited. */
struct check_when {
    int rank;
    uint32_t clock;
};
struct check_when check_when(const struct check_use *use);

struct check_record {
    struct check_use use;
    struct check_bits bits; /* that it has touched */
};

enum { CHECK_RECENT = 32 };
/* Accesses to one page of the ranks' one address space. */
struct check_page {
    uintptr_t number;
    GPtrArray *parts;             /* struct check_part that have bytes here; not owned */
    GPtrArray *records;           /* struct check_record */
    size_t bytes, beside;         /* that those take; that their flights and locks do, at most */
    struct check_record **recent; /* [CHECK_RECENT], by site: of local accesses; NULL: none */
    guint trimmed;                /* as many records were left when settled ones last went, */
    uint32_t met;                 /* ... and so often had all ranks met */
    struct check_bits foreign;    /* that operations and calls under way have touched */
    struct check_bits local;      /* that others have */
    int own;                      /* the one rank whose own accesses are recorded, + 1; 0: none */
    bool many;                    /* there are several */
    uint32_t changes;             /* so often has a record gone, or its place in `recent` */
    uint64_t cells;               /* of its 64 lines of 64 bytes: a value there carries order */
    size_t values;                /* bytes that what they carry takes */
    struct check_clock *lately;   /* counted there last; NULL: none */
    struct check_clock *common;   /* all of them carry it, for there were too many; NULL: no */
    uint32_t common_met;          /* all had met so often then */
    /* too many lines of code touch it */
    bool folded;        /* each line's accesses are kept together, or its values carry all order */
    bool coarse;        /* there is no verdict until all have met more often than */
    uint32_t coarse_at; /* ... so many times */
    bool given_up;      /* there was none at some time */
};
/* Looked up lately; a page of NULL: nothing is known of that number. */
enum { CHECK_DIRECT = 4096 };
extern struct check_direct {
    uintptr_t number;
    struct check_page *page;
} check_direct[CHECK_DIRECT];
/* Ranks' memory lies in alike places, far apart: they share no place here. */
static inline struct check_direct *check_direct_of(uintptr_t number)
{
    return &check_direct[number * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}
struct check_page *check_page_look_up(uintptr_t number);
static inline struct check_page *check_page_find(uintptr_t addr) /* NULL: nothing is known of it */
{
    const uintptr_t number = addr >> CHECK_PAGE_BITS;
    const struct check_direct *lately = check_direct_of(number);
    return lately->number == number ? lately->page : check_page_look_up(number);
}
struct check_page *check_page_make(uintptr_t addr);
void check_page_forget(struct check_page *page); /* all records */
/* What was recorded of a local access to it need not be what a next one like it finds. */
void check_page_changed(struct check_page *page);
void check_record_drop(struct check_page *page, guint i);
void check_record_take(struct check_page *page, guint i, uint32_t from, uint32_t bytes);
/* Adds the bytes to what the use has touched; takes them from earlier uses that it stands for. */
struct check_record *check_record_add(struct check_page *page, const struct check_use *use,
                                      uint32_t from, uint32_t bytes);
/* The same for a local access: later, they take what it touched all together. False: there is no
 * room. */
bool check_record_more(struct check_page *page, struct check_record *record, uint32_t from,
                       uint32_t bytes);
/* No record of these bytes can conflict with the own accesses of that rank. */
bool check_page_clear(const struct check_page *page, int rank, uint32_t from, uint32_t bytes);
/* Nor of anybody's. */
bool check_page_blank(const struct check_page *page, uint32_t from, uint32_t bytes);
/* Is there a verdict on it at this time? */
bool check_page_judged(struct check_page *page);
void check_page_folded(struct check_page *page); /* it is judged in part from now on */
uint64_t check_coarse_bytes(void);
uint64_t check_folded_bytes(void);
void check_shadow_open(void);
void check_shadow_close(void);

/* ---- windows (window.c) ---------------------------------------------------------------------- */

/* One member's memory. */
struct check_part {
    struct check_window *win;
    int win_rank, rank;
    uintptr_t base;
    uint64_t bytes;
    const char *call; /* that gave it to the window, and where */
    op_site site;
    struct check_part *next; /* of the member's */
};

/* Times of one rank, ascending (published.c). Up to two stand in the structure itself: a window may
 * be a few bytes. */
struct check_times {
    uint32_t n, room; /* room: of `many`; 0: they are `few` */
    union {
        uint32_t few[2];
        uint32_t *many;
    };
};

struct check_member {
    int rank;
    op_site made;             /* where it called to make the window */
    const char *made_by;      /* that call */
    struct check_part *parts; /* the first; NULL: none */
    struct check_part *last;  /* of those */
    GArray *detached;         /* struct check_part, with what took them from the window */
    /* its own clock whenever its stores became visible to others; and what it was behind when it
     * last made theirs visible to its own loads (check_sees): the clock has others' parts only */
    struct check_times published;
    struct check_clock *view;
    uint32_t own_view;
    uint32_t synced; /* its own clock at its last call of synchronisation */
    /* asserted for the epoch of that many fences; for the exposure epoch now open; where */
    uint32_t no_put_fence;
    bool no_put;
    op_site no_put_site;
    op_site posted; /* where the exposure epoch now open began; 0: none */
    /* as origin */
    struct check_epoch *fence; /* NULL: none has opened one */
    struct check_epoch *start;
    GArray *started;     /* int: members given to start */
    GPtrArray *holds;    /* struct check_epoch: its locks here */
    GPtrArray *closing;  /* struct check_epoch: released by the call now under way */
    GHashTable *flights; /* target, -1: all -> GPtrArray of struct check_pending */
    GHashTable *behind;  /* target -> struct check_clock: before its operations there */
    uint32_t fences;
    GPtrArray *landing; /* struct check_flight: done by the call of synchronisation now under way */
    /* as target */
    GHashTable *posts;             /* origin -> GQueue of struct check_clock */
    struct check_clock *completed; /* by origins of the exposure epoch; NULL: by none */
    GPtrArray *arrived;            /* struct check_flight: of those */
    bool flushes; /* in a call that makes its loads and stores one with the others' */
    /* local stores here and updates from elsewhere, for the rule on disjoint bytes */
    GArray *stores, *updates; /* struct check_use, one a line of code */
};

/* Operations of one origin to one target that a flush would complete, or to all that a fence
 * does. */
struct check_pending {
    uint64_t number; /* of one with a request of its own; 0: of the others */
    struct check_flight *remote, *local;
    const struct check_actor *actor; /* of the first */
    bool fetches, gets;              /* gets: all of them are MPI_Get */
};

struct check_window {
    const void *key;
    unsigned info; /* enum check_info */
    int number, members, joined, left;
    bool shared;
    struct check_member *member;
    GHashTable *meetings; /* fence number -> struct check_meeting; NULL: there was no fence */
    struct check_meeting *making, *freeing; /* freeing: once a member does */
    /* those not left by all yet, and how many have left */
    struct check_meeting *own_making, *own_freeing;
    int made, freed;
    struct check_comm comm; /* comm_rank unset */
};
struct check_window *check_window_find(const void *key);
/* To a list of a member, which is made when it is first needed. */
void check_list_add(GPtrArray **list, void *item, GDestroyNotify clear);
void check_array_add(GArray **array, const void *item, guint bytes);
GPtrArray *check_pending_to(struct check_member *m, int target); /* struct check_pending */
void check_pending_none(struct check_member *m);                 /* all are complete */
/* Operations to that target (-1: all) are behind the clock, which is taken; the member's post to
 * that origin. */
void check_behind(struct check_member *m, int target, struct check_clock *clock);
void check_posted(struct check_member *m, int origin, struct check_clock *clock);
struct check_member *check_member_of(const struct check_window *win, int rank); /* NULL: none */
void check_publish(struct check_member *m);
void check_refresh(struct check_member *m);
/* What was done up to that time is visible to its own loads, too. */
void check_view(struct check_member *m, const struct check_stamp *stamp);
/* Is what that rank did up to that clock visible to the member's own loads? */
static inline bool check_sees(const struct check_member *m, int rank, uint32_t clock)
{
    return m->view && clock <= (rank == m->rank ? m->own_view : m->view->of[rank]);
}
/* Its exposure epoch is over, and the rank knows. */
void check_exposure_over(struct check_member *m);
/* The first time, at or after that clock of its own, that the member published; UINT32_MAX: it has
 * not. */
uint32_t check_published(const struct check_member *m, uint32_t clock);
void check_times_clear(struct check_times *times);
/* Their names (name.c). NULL: none. */
const char *check_window_name(int number);
void check_window_named(int number, const char *name);
void check_names_open(void);
void check_names_close(void);
const GPtrArray *check_windows(void);   /* all that were made; without members: freed */
void check_windows_open(unsigned info); /* that every window has */
void check_windows_close(void);
/* That member's memory (-1: anybody's) is judged in part from now on. */
void check_window_folded(const struct check_window *win, int target);
/* The part that has this byte, of that rank's (-1: anyone's); NULL: none. */
void check_part_remove(struct check_member *m, struct check_part *part);
const struct check_part *check_part_at(const struct check_page *page, uintptr_t addr, int rank);

/* ---- ranks ----------------------------------------------------------------------------------- */

/* A load that may be polling: it is once its line has loaded the byte again, behind an MPI_Win_sync
 * that came in between. */
struct check_poll {
    struct check_finding *finding;
    uintptr_t addr;
    uint32_t syncs; /* of its rank, when it was loaded last */
    uint32_t times; /* without one in between */
    bool polled;
};
struct check_rank {
    struct check_holds *holds; /* NULL: none */
    struct check_clock *seen;  /* what atomics wrote that plain loads returned; NULL: nothing */
    struct check_clock *found; /* the same of relaxed loads, until a fence of memory */
    GArray *polls;             /* struct check_poll */
    uint32_t syncs;            /* calls of MPI_Win_sync so far */
    bool synced;               /* its last call was MPI_Win_sync */
    bool shares;               /* it has been a member of a shared window */
    uint32_t called; /* its own clock at its last call of synchronisation, or such a fence */
    /* the moments of its last call of that, and of its last other one */
    uint64_t synced_at, moved_at;
    bool took; /* its last load of those may have got what an atomic wrote */
    bool got;  /* a plain load since has */
};
extern struct check_rank *check_rank_state; /* by rank */
static inline struct check_rank *check_rank(int rank) { return &check_rank_state[rank]; }
int check_ranks(void);
/* The rank comes to a call other than MPI_Win_sync: loads before it were no polling. */
void check_moved(int rank);
void check_epochs_open(int ranks);
void check_epochs_close(int ranks);
void check_ranks_open(int ranks);
void check_ranks_close(void);

/* ---- the judge (judge.c) --------------------------------------------------------------------- */

enum check_rule {
    CHECK_FINE,
    CHECK_RULE_TARGET,  /* two operations */
    CHECK_RULE_LOCAL,   /* an operation writes what the target accesses */
    CHECK_RULE_STORE,   /* the target stores what an operation writes */
    CHECK_RULE_READ,    /* the target stores what an operation reads */
    CHECK_RULE_BUFFER,  /* an operation's own buffer */
    CHECK_RULE_MESSAGE, /* a nonblocking message's own buffer */
    CHECK_RULE_ORIGIN,  /* a request's buffer; PUT/ACCEPT, as the two that follow */
    CHECK_RULE_RANGE,   /* a servicer's range */
    CHECK_RULE_SERVICERS,
    CHECK_RULE_DIRECT,   /* loads and stores of a shared window */
    CHECK_RULE_UNSYNCED, /* separate: those, ordered, without MPI_Win_sync */
    CHECK_RULE_STALE,    /* separate: ordered, but the private copy is older */
    CHECK_RULE_LATE,     /* separate: ordered, but the public copy is older */
    CHECK_RULE_DISJOINT, /* separate: store and update of one window */
    CHECK_RULE_POLL,     /* separate: polling by load */
    CHECK_RULE_NOPRECEDE,
    CHECK_RULE_NOSTORE,
    CHECK_RULE_NOPUT,
    CHECK_RULE_NOCHECK_LOCK,
    CHECK_RULE_NOCHECK_START,
    CHECK_RULE_TWICE, /* one operation writes some bytes twice */
    CHECK_RULE_DETACHED,
    CHECK_RULE_FREED,
    CHECK_RULE_RETURNED,
    CHECK_RULE_RETURNED_MESSAGE,
    CHECK_RULE_FREED_WINDOW,
    CHECK_RULE_UNRELEASED,
    CHECK_RULE_INCOMPLETE,
    CHECK_RULE_UNFREED,     /* note */
    CHECK_RULE_UNWAITED,    /* note: a request of an operation */
    CHECK_RULE_SYNC,        /* note: MPI_Win_sync outside of passive target epochs */
    CHECK_RULE_LAST_UPDATE, /* note: accumulates that replace */
    CHECK_RULE_LAST_LOCK,   /* note: writes under locks that exclude each other */
    CHECK_RULES
};

/* An access as it happens: what it is behind. */
struct check_now {
    struct check_use use;
    const struct check_clock *behind; /* beside its rank's clock; NULL: nothing */
    double time_s;
};
bool check_ordered(const struct check_use *before, const struct check_now *now);
/* Are they, whichever messages receives from any source take? */
bool check_sure(const struct check_use *before, const struct check_now *now);
/* Do the locks held keep the two apart? MPI_Win_lock may return before the lock is granted: two
 * epochs that exclude each other may both be open, and which comes first is known when one is over.
 */
struct check_exclusion {
    struct check_epoch *before, *now; /* that they are in */
};
bool check_excluded(const struct check_use *before, const struct check_now *now,
                    struct check_exclusion *by);
/* The rule that the two break by touching the same bytes, whatever their order is. */
enum check_rule check_conflict(const struct check_actor *a, const struct check_actor *b);

/* ---- findings (finding.c) -------------------------------------------------------------------- */

struct check_at {
    const struct check_window *win; /* NULL: no window's */
    int owner;
    uint64_t offset, bytes;
};
/* Notes one occurrence. Returns its record. */
struct check_finding *check_note(enum check_rule rule, const struct check_use *before,
                                 const struct check_use *now, const struct check_at *at,
                                 double time_s);
/* The messages that the receive there took order the two, and need not have. */
void check_note_receive(struct check_finding *finding, op_site receive);
/* One call that breaks a rule by itself, or against another's. */
void check_note_call(enum check_rule rule, int rank, const char *call, op_site site,
                     const struct check_use *other, const struct check_at *at, double time_s);
/* An occurrence noted as polling was none. */
void check_note_again(struct check_finding *finding);
void check_findings_close(void);

extern struct check_totals check_counted;

#endif
