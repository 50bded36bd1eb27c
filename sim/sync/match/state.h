/* Requests, servicers and the counts between them, shared by the files of matching. */
#ifndef SYNC_MATCH_STATE_H
#define SYNC_MATCH_STATE_H

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
    GString *error;
    struct sync_guard *guard;
};

/* The totals of one round of PUTC or GETC. */
struct sync_round {
    struct sync_match *match;
    int contributed, left; /* members that gave their counts, that have ended */
    bool known;
    int32_t *total; /* by target */
};

struct sync_part { /* one member */
    struct serve_proc *proc;
    /* struct sync_issue not being serviced yet, in order of arrival */
    GQueue arrived;
    /* struct message (message_order.c), in the order sent, until they are received */
    GQueue messages;
    GQueue servicers;           /* posted, not ended, in order of posting */
    GHashTable *busy;           /* (origin, tag, kind) with a request being serviced */
    GHashTable *own;            /* (tag, kind, round) -> struct sync_own */
    GHashTable *asked, *posted; /* (tag, kind) of PUTC, GETC -> rounds contributed to, posted */
    GPtrArray *issued;          /* struct sync_issue not serviced yet */
    uint64_t sent;              /* requests and messages so far */
};

struct sync_match {
    struct move *move;
    int members;
    struct sync_part *part;
    GHashTable *rounds;      /* (tag, kind, round) -> struct sync_round */
    struct sync_match *next; /* all of the world */
};
extern struct sync_match *sync_matches;

static inline bool sync_collective(enum sync_kind kind)
{
    return kind == SYNC_PUTC || kind == SYNC_GETC;
}
/* ---- tables (tables.c) */
GHashTable *sync_own_table(void);
GHashTable *sync_round_table(void);
GHashTable *sync_plain_table(void);
/* Is a request of the same origin, tag and kind being serviced? */
bool sync_busy(const struct sync_part *part, const struct sync_issue *issue);
void sync_busy_begin(struct sync_part *part, const struct sync_issue *issue);
void sync_busy_end(struct sync_part *part, const struct sync_issue *issue);
struct sync_own *sync_own_of(struct sync_match *match, int member, int tag, enum sync_kind kind,
                             int round, bool make);
struct sync_round *sync_round_of(struct sync_match *match, int tag, enum sync_kind kind, int round);
void sync_round_forget(struct sync_match *match, int tag, enum sync_kind kind, int round);
int sync_round_number(GHashTable *table, int tag, enum sync_kind kind);
void sync_round_next(GHashTable *table, int tag, enum sync_kind kind);
/* ---- the queue of a target (queue.c) */
/* move asks: the request is at its target; its bytes have been written or read there. */
bool sync_match_place(struct move_transfer *op, double at_s);
void sync_match_served(struct move_transfer *op, double at_s);
/* Matches and starts what can be: after a new servicer, after one tries, after a request was
 * serviced. */
void sync_match_advance(struct sync_match *match, int member, double at_s);
/* The servicer tries to complete: what stands before its requests, in the order of their origins,
 * is due as well. */
void sync_match_hurry(struct sync_servicer *servicer);
void sync_servicer_retire(struct sync_servicer *servicer); /* a detached one ends when it is done */
void sync_servicers_retire(struct sync_match *match, int member);

const char *sync_kind_name(enum sync_kind kind, bool hold);

#endif
