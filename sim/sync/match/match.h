/* Matching: PUT/ACCEPT. Requests meet servicers at the target by communicator, tag and kind, in
 * order of arrival; a request has at most one servicer. One object serves one communicator; members
 * are ranks in it. Semantics: the PUT/ACCEPT proposal (D. C. DiNucci, MPI-2 one-sided working
 * group, 1996), "Operational Semantics". */
#ifndef SYNC_MATCH_H
#define SYNC_MATCH_H

#include "base/base.h"
#include "move/transfer/transfer.h"
#include "serve/clock/clock.h"

/* never match each other's servicers */
enum sync_kind { SYNC_PUT, SYNC_GET, SYNC_PUTC, SYNC_GETC, SYNC_KINDS };

struct sync_match;
struct sync_match *sync_match_new(int members, const int *world_rank);
void sync_match_free(struct sync_match *match);
int sync_match_members(const struct sync_match *match);

struct sync_ask {
    enum sync_kind kind;
    bool hold; /* counts for no servicer */
    int tag;
    int64_t disp; /* of the target's layout, in the servicer's units */
};
/* Issues a request for that operation; always completes at once. */
void sync_match_ask(struct sync_match *match, int member, struct serve_proc *me,
                    const struct sync_ask *ask, const struct move_op *op);

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
    uint64_t number; /* of the check, which then judges what touches the range; 0: it is off */
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
 * collective servicers reduce their counts. Returns sync_servicer_done. */
bool sync_servicer_try(struct sync_servicer *servicer, bool wait);
bool sync_servicer_done(const struct sync_servicer *servicer);
void sync_servicer_wait(struct sync_servicer *servicer);
/* Every servicer of the list that is not done is given up until the next try. */
void sync_servicer_rest(struct sync_servicer *servicer);
/* Ends one that is done, and frees it; at: the call. NULL, or what went wrong with the requests it
 * serviced or waited for: the caller frees. */
char *sync_servicer_end(struct sync_servicer *servicer, op_site at);
/* Takes back one that has serviced nothing; false: too late. It is freed then. */
bool sync_servicer_cancel(struct sync_servicer *servicer);
/* Nobody will wait for it: it goes on by itself and ends when it is done. */
void sync_servicer_detach(struct sync_servicer *servicer);
const char *sync_servicer_call(const struct sync_servicer *servicer);

#endif
