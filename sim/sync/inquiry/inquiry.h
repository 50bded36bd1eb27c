/* What waits in matching: for probes, for the end of a program, for the report of a deadlock; and
 * MPI's own messages among the requests. */
#ifndef SYNC_INQUIRY_H
#define SYNC_INQUIRY_H

#include "sync/match/match.h"

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
/* Waits at the rank's gate until ready(data), until look_s, to look at messages of SimGrid's then,
 * or until an answer of its operations is there: the wait has that cause, ready's, or that of the
 * message that ends the call (sync_late_over). */
void sync_match_doze(struct serve_proc *me, double look_s, double answer_s,
                     bool (*ready)(void *data), void *data);
bool sync_match_dozes(void); /* a rank does */

void sync_match_polled(struct serve_proc *me); /* a test found nothing: what it costs */

/* Requests of this member that nobody serviced: calls name(data, sentence, call's site, target's
 * world rank) for each. */
void sync_match_unserviced(struct sync_match *match, int member,
                           void (*name)(void *data, const char *what, op_site site, int target),
                           void *data);
/* What that rank's servicers still wait for, a line each: for the report of a deadlock. NULL:
 * nothing. The caller frees. */
char *sync_match_missing(int rank);

#endif
