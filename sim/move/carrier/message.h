/* What the two carriers by message share: requests that the target's processor handles. */
#ifndef MOVE_MESSAGE_H
#define MOVE_MESSAGE_H

#include "move/carrier/carrier.h"

/* Sends the operation with its bytes (if it has any); the target's handler does its part and
 * answers; the answer completes it. ready_s: when the message may leave. */
void move_message_send(struct move_transfer *t, double ready_s);
/* The servicer of a message that waited has come. */
void move_message_service(struct move_transfer *t, double at_s);

/* An accumulate whose bytes would arrive before those of an earlier one between the same two ranks,
 * were they sent at once. MPI-3 11.7.2: "overlapping updates from the same source to a remote
 * location are committed in program order". */
bool move_overtakes(const struct move_transfer *t);
/* The bytes of a transfer stay at its origin until they are asked for; they leave now. */
void move_stays(const struct move_transfer *t);
void move_leaves(const struct move_transfer *t);

#endif
