/* References to memory that rules watch: the program's own, and those of a library on its behalf.
 */
#ifndef WORLD_ACCESS_H
#define WORLD_ACCESS_H

#include "check/check.h"
#include "profile/profile.h"
#include "sync/guard/guard.h"
#include "world/film/film.h"
#include "world/rank/rank.h"

/* A reference of the program's to memory that PUT/ACCEPT forbids it, perhaps: asked only while
 * world_watching. */
static inline bool world_watching(void) { return sync_guards > 0 || check_on || world_filming; }
void world_referenced(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, enum check_kind kind,
                      uintptr_t pc);
/* What the processor waited for loads in flight becomes the stall of each one's place; the sum, in
 * ticks. Where several loads of one place are on their way at once, the last one's object has it.
 */
static inline int64_t world_waited(struct mem_cpu *cpu)
{
    struct mem_flight *f = cpu->flight;
    int64_t sum = 0;
    while (f && f->waits > 0) {
        const struct mem_waited *w = &f->waited[--f->waits];
        struct profile_stall *row = mem_row_of(cpu, w->pc);
        if (!row) row = profile_row(mem_place(cpu, w->pc));
        row->loads++;
        row->load_ticks += w->ticks;
        sum += w->ticks;
    }
    return sum;
}
/* A call of MPI calls a function of the program's, with these two arguments, which runs on the
 * rank's processor until it returns, but for calls of MPI that it makes. Its other references are
 * the program's own, as are those of the code around the call. */
struct world_argument {
    uintptr_t from, to;
};
void world_callback_begin(struct world_rank *rank, const struct world_argument *arguments);
void world_callback_end(struct world_rank *rank);
/* A call of MPI returns: if it is the function's, that goes on. */
void world_callback_goes_on(struct world_rank *rank);
/* Bytes that a library is about to read, or has just written, at the program's addresses (MPI sends
 * are loads, receives are stores): charged to the rank, and image and view are kept right. */
void world_buffer_read(struct world_rank *rank, const void *addr, uint64_t bytes);
void world_buffer_written(struct world_rank *rank, void *addr, uint64_t bytes, const char *call);
/* The rank's call stores there, or will: local stores, for the assert MPI_MODE_NOSTORE. */
void world_stored_for(struct world_rank *rank, uintptr_t addr, uint64_t bytes);
/* A message of the rank's to that rank, of its own node perhaps: waits until its last one there is
 * copied. */
void world_message_copied(struct world_rank *rank, int to, uint64_t bytes);
/* The stack at a call made at pc, from the frame of the function that is called. Where a binding of
 * Fortran's made it, its caller's registers are not known. */
struct check_stack world_stack(const struct world_rank *rank, uintptr_t frame, uintptr_t pc);
/* The running rank's program frees the block, by that call; asked only while the check is on. Has
 * an operation on its way, or a window, it still? */
bool world_freed(uintptr_t addr, uint64_t bytes, const char *call, uintptr_t pc);
/* Guards of heap blocks are wanted (run --check-memory). */
extern bool world_checks_heap;
/* The place of a call in the running rank's program. */
op_site world_site_here(uintptr_t pc);
/* The rank's next accesses to the bytes are seen, whatever its filters know. */
void world_unfilter(struct world_rank *rank, uintptr_t addr, uint64_t bytes);

#endif
