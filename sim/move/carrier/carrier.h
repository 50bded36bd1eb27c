/* What every carrier's file needs, and the family's list. */
#ifndef MOVE_CARRIER_H
#define MOVE_CARRIER_H

#include <math.h>
#include <string.h>

#include "move/move.h"

#define MOVE_CARRIER(name) extern const struct move_carrier move_##name;
#include "move/carrier/models.def"
#undef MOVE_CARRIER

enum { MOVE_HEADER_BYTES = 8 }; /* of a message that only asks, or answers yes */

/* Whose hands: a processor through its caches, or (NULL) the network interface. Each returns the
 * processor's seconds. */
double move_gather(struct serve_proc *at, struct mem_cpu *cpu, const struct move_side *side,
                   uint8_t *out, double at_s);
double move_scatter(struct serve_proc *at, struct mem_cpu *cpu, const struct move_side *side,
                    const uint8_t *in, uint32_t writer, double at_s);
/* The target's part: reads, writes or combines there, all at once. */
double move_perform(struct move_op *op, struct mem_cpu *cpu, double at_s);
/* The bytes that came back reach the origin's buffer. */
double move_land(struct move_op *op, struct mem_cpu *cpu, double at_s);
/* The origin knows at done_s: records the trail, tells the set, frees the operation. */
void move_complete(struct move_op *op, double done_s);

/* ---- puts that begin or end inside a chunk (chunk.c) */
void move_edge_free(struct move_op *op);
void move_edges_free(struct move_edges *edges);
/* Must the origin's side read chunks before it writes? Else whoever writes reads, too, at once. */
bool move_edge_early(const struct move_op *op);
/* What must be read, as a layout on the target's side. */
void move_edge_chunks(const struct move_op *op, struct op_layout *chunks);
/* Reads without a processor, at the target in an event; answer: the origin, which waits, knows it
 * at at_s. */
void move_edge_read(struct move_op *op, double at_s);
void move_edge_answer(struct move_op *op, double at_s);
void move_edge_wait(struct move_op *op);
/* The origin's processor loads them, in its context, and pays. */
void move_edge_load(struct move_op *op);
/* Just before the put's bytes are written, by these hands: they become whole chunks. Returns
 * seconds. */
double move_edge_merge(struct move_op *op, struct mem_cpu *cpu, double at_s);
/* The origin's processor, which loaded them, has stored the last byte. */
void move_edge_written(const struct move_op *op, double at_s);

/* ---- operations that need a servicer (servicing/stage.c) */
/* The request is at the target's node: is the place of its bytes known? */
bool move_placed(struct move_op *op, double at_s);
/* It is not, and everything that could be done before has been done: it may be serviced from now
 * on. */
void move_waits(struct move_op *op, double at_s);
/* The target's memory has been written or read. */
void move_served(struct move_op *op, double at_s);
/* Does the operation bring its bytes along, to wait at the target? Others stay at the origin until
 * they are asked for. */
bool move_brings(const struct move_op *op);
/* A place of its own for its bytes in the target's buffer, until move_unstage. */
uintptr_t move_stage_place(struct move_op *op);
/* Cost of putting the bytes into such a place, or taking them out, by that processor (move_stage:
 * or, NULL, by the interface). */
double move_stage(struct move_op *op, struct mem_cpu *cpu, double at_s);
double move_unstage(struct move_op *op, struct mem_cpu *cpu, double at_s);
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
uint64_t move_description(const struct move_op *op);
/* It is sent: the bytes, now the trail's; the target remembers what register.cache lets it. */
uint64_t move_describe(struct move_op *op);
/* What reading it costs the target's processor. */
double move_decode(struct move_op *op, double at_s);
void move_remembered_free(struct move *move);
/* move_perform by the target's processor, down to memory. */
double move_perform_late(struct move_op *op, double at_s);

static inline bool move_writes(const struct move_op *op) { return op->trail.kind != OP_GET; }
static inline bool move_fetches(const struct move_op *op)
{
    return op->trail.kind == OP_GET || op->trail.kind == OP_GET_ACCUMULATE;
}
static inline bool move_coherent(const struct mach *m)
{
    return strcmp(m->coh_protocol, "none") != 0;
}
static inline double move_cycles(const struct mach *m, double cycles)
{
    return cycles / m->cpu_clock;
}

#endif
