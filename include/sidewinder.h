/* sidewinder.h: what a program may tell Sidewinder.
 *
 * Nothing here is needed: an ordinary MPI program compiles and runs as it is. The header also
 * compiles where there is no Sidewinder: for such a build (mpicc, smpicc) define SIDEWINDER_NONE,
 * and the calls do nothing.
 */
#ifndef SIDEWINDER_H
#define SIDEWINDER_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stddef.h>

#define SW_COUNTER "sidewinder_counter"

#ifdef SIDEWINDER_NONE
static inline void sw_compute(double cycles) { (void)cycles; }
static inline void sw_compute_seconds(double seconds) { (void)seconds; }
static inline void sw_flush(const void *addr, size_t bytes) { (void)addr, (void)bytes; }
static inline void sw_invalidate(const void *addr, size_t bytes) { (void)addr, (void)bytes; }
static inline void sw_invalidate_all(void) {}
static inline int sw_counters(void) { return 0; }
#else
#if defined __GNUC__
#pragma GCC visibility push(default)
#endif
/* Charges cycles of the machine's processor, or seconds, to the calling rank: computation that the
 * program does not do here, beside that of its own code. From 0 on: anything else ends the run.
 * Outside a simulated run they do nothing.
 */
void sw_compute(double cycles);
void sw_compute_seconds(double seconds);

/* What a program on a machine without coherence can do by itself; both pay for it, and do nothing
 * where caches are coherent. flush: the calling rank's stores to the range are in memory (its write
 * buffer is drained, dirty lines are written back). invalidate: its next loads of the range come
 * from memory; invalidate_all: of everything (the T3D's shmem_udcflush). */
void sw_flush(const void *addr, size_t bytes);
void sw_invalidate(const void *addr, size_t bytes);
void sw_invalidate_all(void);

/* How many fetch-and-increment registers each rank has; 0: none. MPI_Win_allocate of one integer
 * with the info key SW_COUNTER = "true" keeps it in such a register; MPI_Fetch_and_op then reads it
 * (MPI_NO_OP), adds 1 (MPI_SUM) or sets it (MPI_REPLACE) in one round trip, and nothing else is
 * allowed. Machines without registers ignore the key. */
int sw_counters(void);
#if defined __GNUC__
#pragma GCC visibility pop
#endif
#endif

#ifdef __cplusplus
}
#endif

#endif
