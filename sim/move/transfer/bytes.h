/* What the files of move share about one transfer: its bytes and its end. */
#ifndef MOVE_BYTES_H
#define MOVE_BYTES_H

#include <math.h>
#include <string.h>

#include "move/transfer/transfer.h"
#include "serve/policy/policy.h"

/* ---- bytes (bytes.c) */
/* By which agent: a processor through its caches, or (NULL) the network interface. Each returns
 * what the processor takes. */
struct mem_charge move_gather(struct serve_proc *at, struct mem_cpu *cpu,
                              const struct move_side *side, uint8_t *out, double at_s);
struct mem_charge move_scatter(struct serve_proc *at, struct mem_cpu *cpu,
                               const struct move_side *side, const uint8_t *in, uint32_t writer,
                               double at_s);
/* The target's part: reads, writes or combines there, all at once. */
struct mem_charge move_perform(struct move_transfer *t, struct mem_cpu *cpu, double at_s);
/* The bytes that came back reach the origin's buffer. */
struct mem_charge move_land(struct move_transfer *t, struct mem_cpu *cpu, double at_s);

/* In a job's work, so many seconds; in the graph its work is cycles of the processor. */
double move_took(const struct move_transfer *t, struct mem_charge charge);

/* ---- the end (transfer.c) */
/* The origin knows at done_s: records the trail, counts it in its set, frees the operation. */
void move_complete(struct move_transfer *t, double done_s);

enum { MOVE_HEADER_BYTES = 8 }; /* of a message that only asks, or answers yes */

static inline bool move_writes(const struct move_transfer *t) { return t->trail.kind != OP_GET; }
static inline bool move_fetches(const struct move_transfer *t)
{
    return t->trail.kind == OP_GET || t->trail.kind == OP_GET_ACCUMULATE;
}
static inline bool move_combines(const struct move_transfer *t)
{
    return t->trail.kind == OP_ACCUMULATE || t->trail.kind == OP_GET_ACCUMULATE;
}
static inline bool move_coherent(const struct mach *m)
{
    return strcmp(m->coh_protocol, "none") != 0;
}
static inline double move_cycles(const struct mach *m, double cycles)
{
    return cycles / m->cpu_clock;
}

/* The interface, or another processor, reads those bytes of the target's memory: what the owner has
 * stored and memory lacks is reported. */
void move_note_missed(const struct move_transfer *t, uintptr_t addr, uint64_t bytes, double at_s);

#endif
