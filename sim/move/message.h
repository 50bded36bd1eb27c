/* What the two carriers by message share: requests that the target's processor handles. */
#ifndef MOVE_MESSAGE_H
#define MOVE_MESSAGE_H

#include "move/carrier.h"

/* Sends the operation with its bytes (if it has any); the target's handler does its part and answers; the answer completes
 * it. ready_s: when the message may leave. */
void move_message_send(struct move_op *op, double ready_s);

#endif
