/* Puts that begin or end inside a chunk of memory that is only written in whole ones (chunk.c). */
#ifndef MOVE_CHUNK_H
#define MOVE_CHUNK_H

#include "move/transfer/bytes.h"

void move_chunk_free(struct move_transfer *t);
void move_chunks_free(struct move_chunks *chunks);
/* Must the origin's side read chunks before it writes? Else whoever writes reads, too, at once. */
bool move_chunk_early(const struct move_transfer *t);
/* What must be read, as a layout on the target's side. */
void move_chunk_pieces(const struct move_transfer *t, struct op_layout *chunks);
/* Reads without a processor, at the target in an event; answer: the origin, which waits, knows it
 * at at_s. */
void move_chunk_read(struct move_transfer *t, double at_s);
void move_chunk_answer(struct move_transfer *t, double at_s);
void move_chunk_wait(struct move_transfer *t);
/* The origin's processor loads them, in its context, and pays. */
void move_chunk_load(struct move_transfer *t);
/* Just before the put's bytes are written by that processor: they become whole chunks. Returns
 * seconds. */
struct mem_charge move_chunk_merge(struct move_transfer *t, struct mem_cpu *cpu, double at_s);
/* The origin's processor, which loaded them, has stored the last byte. */
void move_chunk_written(const struct move_transfer *t, double at_s);

#endif
