/* Requests, servicers and the counts between them, shared by the files of matching. */
#ifndef SYNC_MATCH_STATE_H
#define SYNC_MATCH_STATE_H

#include "base/ranges/ranges.h"
#include "sync/guard/guard.h"
#include "sync/match/match.h"

/* What a process counts for itself: its own requests with a tag and a kind; for PUTC and GETC those
 * of one round. */
struct sync_own {
    struct sync_match *match;
    int member, tag, round;
    enum sync_kind kind;
    struct move_set set; /* not fully serviced yet */
    GString *error;      /* transfers that were refused; NULL: none */
    int32_t *to;         /* PUTC, GETC: requests for each target; NULL: none */
    GQueue guarded;      /* struct sync_guard of origin buffers */
};

/* One request on its way, waiting or being serviced. */
struct sync_issue {
    struct sync_match *match;
    struct sync_own *own;
    struct sync_ask ask;
    int origin, target; /* members */
    int round;
    struct move_transfer *transfer;
    uint64_t number;                /* of what its origin has sent, messages too */
    double arrived_s;               /* negative: not there yet */
    uint64_t arrival;               /* so many arrived at its target before it */
    struct sync_order *order;       /* what it keeps at its target */
    GList *queued;                  /* its link in the target's queue; NULL: not in it */
    guint issued_at;                /* its place among what its origin has issued */
    struct sync_servicer *servicer; /* NULL: unmatched */
    bool due;                       /* delayed no longer: one behind it waits for its turn */
};

enum sync_servicer_state {
    SYNC_POSTED,   /* nobody asks whether it is done */
    SYNC_TRYING,   /* its process waits for it, or tests it */
    SYNC_DETACHED, /* it ends by itself when it is done */
};
struct sync_servicer {
    struct sync_match *match;
    int member, segment;
    GList posted, of_tag;    /* its links in the lists of its process, and of its tag there */
    struct base_range range; /* what it offers, among its process's */
    struct sync_service want;
    /* own requests it answers for; stays when an AVAIL has chosen */
    unsigned own_kinds;
    int round;
    enum sync_servicer_state state;
    bool contributed;         /* a collective one has given its counts */
    bool any;                 /* took a request: an AVAIL has chosen its kind */
    uint64_t taken, serviced; /* requests that count */
    uint64_t pending;         /* matched, not serviced yet; holds too */
    double last_s;
    kern_date came; /* the graph: what last_s hangs on */
    GString *error;
    struct sync_guard *guard;
};

/* The totals of one round of PUTC or GETC. */
struct sync_round {
    struct sync_match *match;
    int tag, contributed, left; /* members that gave their counts, that have ended */
    bool known;
    int32_t *total; /* by target */
};

/* Requests of one origin, tag and kind: serviced one at a time, in the order of arrival. */
struct sync_order {
    bool busy;      /* one of them is being serviced */
    GQueue waiting; /* struct sync_issue, in that order */
};

/* What waits for its other half at a member, by tag. */
struct sync_tag {
    GQueue servicers; /* posted, not ended, in order of posting */
    GQueue unmatched; /* struct sync_issue without a servicer, by arrival */
};

struct sync_part { /* one member */
    struct serve_proc *proc;
    /* struct sync_issue not being serviced yet, in order of arrival */
    GQueue arrived;
    /* the first of each order that is not busy, if it has a servicer; by arrival */
    GQueue next;
    uint64_t arrivals;
    /* struct message (message_order.c), in the order sent, until they are received */
    GQueue messages;
    GQueue servicers;              /* posted, not ended, in order of posting */
    GHashTable *tags;              /* tag -> struct sync_tag */
    struct sync_servicer *awaited; /* collective, that its process waits for; NULL: none */
    GHashTable *orders;            /* (origin, tag, kind) -> struct sync_order */
    GHashTable *own;               /* (tag, kind, round) -> struct sync_own */
    GHashTable *asked, *posted;    /* (tag, kind) of PUTC, GETC -> rounds contributed to, posted */
    GPtrArray *issued;             /* struct sync_issue not serviced yet */
    uint64_t sent;                 /* requests and messages so far */
};

struct sync_match {
    struct move *move;
    int members;
    struct sync_part *part;
    GHashTable *rounds;          /* (tag, kind, round) -> struct sync_round */
    struct base_ranges *offered; /* of all servicers; owner: the member */
    struct sync_match *next;     /* all of the world */
};
extern struct sync_match *sync_matches;

static inline bool sync_collective(enum sync_kind kind)
{
    return kind == SYNC_PUTC || kind == SYNC_GETC;
}
static inline bool sync_reads(enum sync_kind kind) { return kind == SYNC_GET || kind == SYNC_GETC; }
/* ---- tables (tables.c) */
GHashTable *sync_own_table(void);
GHashTable *sync_round_table(void);
GHashTable *sync_plain_table(void);
GHashTable *sync_order_table(void);
GHashTable *sync_tag_table(void);
struct sync_tag *sync_tag_of(struct sync_part *part, int tag);
struct sync_order *sync_order_of(struct sync_part *part, int origin, int tag, enum sync_kind kind);
struct sync_own *sync_own_of(struct sync_match *match, int member, int tag, enum sync_kind kind,
                             int round, bool make);
/* of a round that this process has ended */
void sync_own_forget(struct sync_match *match, int member, int tag, enum sync_kind kind, int round);
struct sync_round *sync_round_of(struct sync_match *match, int tag, enum sync_kind kind, int round);
void sync_round_forget(struct sync_match *match, int tag, enum sync_kind kind, int round);
int sync_round_number(GHashTable *table, int tag, enum sync_kind kind);
void sync_round_next(GHashTable *table, int tag, enum sync_kind kind);
/* ---- the queue of a target (queue.c) */
/* move asks: the request is at its target; its bytes have been written or read there. */
bool sync_match_place(struct move_transfer *op, double at_s);
void sync_match_served(struct move_transfer *op, double at_s);
/* A new servicer takes what waits for one like it. */
void sync_match_take(struct sync_servicer *servicer);
/* Starts what can be: after a new servicer, after one tries, after a request was serviced. */
void sync_match_advance(struct sync_match *match, int member, double at_s);
/* The servicer tries to complete: what stands before its requests, in the order of their origins,
 * is due as well. */
void sync_match_hurry(struct sync_servicer *servicer);
void sync_servicer_retire(struct sync_servicer *servicer); /* a detached one ends when it is done */
void sync_servicers_retire(struct sync_match *match, int member, int tag);

const char *sync_kind_name(enum sync_kind kind, bool hold);

#endif
