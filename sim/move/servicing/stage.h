/* What happens at the target beside the bytes: transfers that wait for a servicer (stage.c), and
 * what a target whose processor handles operations is sent about datatypes (describe.c). */
#ifndef MOVE_STAGE_H
#define MOVE_STAGE_H

#include "move/servicing/servicing.h"
#include "move/transfer/bytes.h"

/* ---- operations that need a servicer (servicing/stage.c) */
/* It leaves: one that needs no servicer has its place. */
void move_begin(struct move_transfer *t);
/* The request is at the target's node: is the place of its bytes known? */
bool move_placed(struct move_transfer *t, double at_s);
/* It is not, and everything that could be done before has been done: it may be serviced from now
 * on. */
void move_waits(struct move_transfer *t, double at_s);
/* The target's memory has been written or read. */
void move_served(struct move_transfer *t, double at_s);
/* Does the operation bring its bytes along, to wait at the target? Others stay at the origin until
 * they are asked for. */
bool move_brings(const struct move_transfer *t);
/* A place of its own for its bytes in the target's buffer, until move_unstage. */
uintptr_t move_stage_place(struct move_transfer *t);
/* Cost of putting the bytes into such a place, or taking them out, by that processor (move_stage:
 * or, NULL, by the interface). */
double move_stage(struct move_transfer *t, struct mem_cpu *cpu, double at_s);
double move_unstage(struct move_transfer *t, struct mem_cpu *cpu, double at_s);
/* Where that rank's processor finds what it reads at once of a message: MOVE_STAGE_BYTES of memory.
 */
enum { MOVE_STAGE_BYTES = 1 << 16 };
uintptr_t move_stage_of(struct move *move, int rank);
void move_buffers_free(struct move *move);

/* ---- what describes an operation to a target whose processor handles it (servicing/describe.c) */
/* names what both sides know: a registered datatype, one the target remembers, a user's operation
 */
enum { MOVE_HANDLE_BYTES = 8 };
/* Bytes that a message with this operation would carry for it, were it sent now. */
uint64_t move_description(const struct move_transfer *t);
/* It is sent: the bytes, now the trail's; the target remembers what register.cache lets it. */
uint64_t move_describe(struct move_transfer *t);
/* What reading it costs the target's processor. */
double move_decode(struct move_transfer *t, double at_s);
void move_remembered_free(struct move *move);
/* move_perform by the target's processor, down to memory. */
double move_perform_late(struct move_transfer *t, double at_s);

#endif
