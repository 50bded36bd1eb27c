/* What the two carriers by network interface share (interface.c). */
#ifndef MOVE_INTERFACE_H
#define MOVE_INTERFACE_H

#include "move/carrier/carrier.h"

/* ---- costs, seconds of the origin's processor */
/* Any operation: the interface's overhead, and an annex register for a target that none names. */
double move_interface_begin_s(const struct move_transfer *t);
/* Loading the words of that layout from the target's memory. */
double move_interface_get_s(const struct move_transfer *t, const struct op_layout *layout);
/* The origin does, and stalls so long. */
void move_interface_get(const struct move_transfer *t, const struct op_layout *layout);
/* Does the origin's processor store and load the target's words itself? Else interfaces copy. */
bool move_interface_by_words(const struct mach *m);
/* One piece on each side, long enough for the machine's block engine. */
bool move_interface_by_block(const struct move_transfer *t);
/* Any other accumulate: the origin swaps a lock word of the target, gets, combines, puts back, and
 * swaps again when the put is acknowledged. */
bool move_interface_swaps(const struct move_transfer *t);

/* ---- the walk */
/* An accumulate that swaps: takes the lock, in the origin's context, and gets. */
void move_interface_lock(struct move_transfer *t);
/* The origin's side has done all it does: the message leaves, with the bytes of a put; its last
 * byte not before ready_s. reply: sends what was fetched back, or what was combined, from done_s
 * on, when the target's part is done. */
typedef void (*move_interface_reply)(struct move_transfer *t, double done_s);
void move_interface_send(struct move_transfer *t, double ready_s, move_interface_reply reply);
/* Only a request leaves: the rest is done when a servicer has come. */
void move_interface_announce(struct move_transfer *t, move_interface_reply reply);
/* The chunks that a put begins and ends in are read first; the origin waits. */
void move_interface_read_chunks(struct move_transfer *t);
/* A servicer came late: its processor copies the bytes out of the buffer where they wait, from
 * begin_s + cost_s on. Returns its seconds since begin_s. */
double move_interface_unstage(struct move_transfer *t, double begin_s, double cost_s);
/* Its processor has done what it does: answers, or has the bytes fetched now. */
void move_interface_taken(void *data, double done_s);
/* An interface will read those bytes: memory must have them. It has written them: the processor
 * must not go on with what it had in its cache. */
void move_interface_publish(struct serve_proc *origin, const struct move_side *side);
void move_interface_refresh(struct serve_proc *origin, const struct move_side *side, double at_s);

#endif
