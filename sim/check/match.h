/* check, inside: which receive takes which message. Not a door. */
#ifndef CHECK_MATCH_H
#define CHECK_MATCH_H

#include "check/clock.h"

/* A communicator with whatever else makes a key. */
struct check_envelope {
    const void *ranks;
    int number, from, to, tag;
};
guint check_envelope_hash(const void *envelope);
gboolean check_envelope_equal(const void *a, const void *b);

/* A message, and the receive that takes it. */
struct check_message {
    int refs;
    struct check_envelope envelope;
    struct check_clock *sent;
    struct check_clock
        *begun; /* what the receiver had done when that receive began; NULL: none yet */
    /* receives from any source that may take it, and its number among theirs; NULL: none may */
    struct check_wild *wild;
    guint number;
};
struct check_message *check_message_new(const struct check_envelope *envelope,
                                        struct check_clock *sent);
struct check_message *check_message_ref(struct check_message *message);
void check_message_unref(struct check_message *message);
/* A receive of that envelope begins, of that rank of the world; from, tag: -1: any. Takes the
 * clock. */
void check_match_receive(const struct check_envelope *envelope, int rank, op_site site,
                         struct check_clock *begun);
/* It has been received, whatever took it. */
void check_match_received(struct check_message *message);
void check_matches_open(void);
void check_matches_close(void);

#endif
