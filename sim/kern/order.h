/* order: messages of one rank to another are received in the order in which they were sent, and
 * into the receives in the order in which those were posted. "Messages are nonovertaking" (MPI-3.1,
 * 3.5).
 *
 * SMPI has two mailboxes a rank: in one a message starts at once, for short ones, in the other when
 * it is received. A receive is posted to the one or the other by its own size, and a send looks
 * first in the one of long messages. So a short message came into a later, longer receive, and the
 * earlier one got nothing. Only synchronous sends look into both. Here every receive is posted to
 * the first mailbox, and every long send is started as a synchronous one, which it is in all but
 * name: it starts when it is received.
 *
 * SMPI charges a receive for its message only if that had started at once. Here it is charged for a
 * long one, too. */
#ifndef KERN_ORDER_H
#define KERN_ORDER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Messages of so many bytes and more are long ones; one takes its receiver so long. Before
 * smpi_main. */
void kern_order(double eager_bytes, double receive_s);
bool kern_with_nobody(const void *request); /* kern.h */
#ifdef __cplusplus
}
#endif

#endif
