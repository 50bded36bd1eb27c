/* mem: one node's memory: what loads and stores cost, and which bytes they see.
 *
 * Each processor has caches, a write buffer and its own view of segments; the node has main memory
 * (the image of each segment), a bus and a coherence protocol or none. A load or store is announced
 * just before it happens; mem says what it costs and makes the bytes right: the charge is added up
 * and taken by the room that advances the clock; mem never moves it. Addresses are host addresses
 * (all ranks share one address space); inside, they are mapped first-touch, page by page, so that
 * nothing depends on address randomisation.
 *
 * Ranks are processes: private memory of two ranks never shares a line, although the simulator
 * keeps both in one address space; bytes of segments do.
 *
 * Time: seconds. A processor runs ahead of the simulated clock by its unpaid charge.
 *
 * The other doors, each included by its own path: the program's own accesses (access/processor.h,
 * here too), what others do to a rank's memory (agent/agent.h), which memory is a segment
 * (segment/segment.h), counters for the report (counters/counters.h).
 */
#ifndef MEM_MEM_H
#define MEM_MEM_H

#include "base/base.h"
#include "mach/mach.h"
#include "mem/access/processor.h"
#include "mem/time/charge.h"
#include "op/op.h"

/* ---- a node ---------------------------------------------------------------------------------- */
struct mem_node *mem_node_new(const struct mach *m, int cpus);
void mem_node_free(struct mem_node *node);
struct mem_cpu *mem_node_cpu(struct mem_node *node, int i);
/* Is the byte of a segment of that processor's node? */
bool mem_of_segment(const struct mem_cpu *cpu, uintptr_t addr);
/* more than a second: never returns MEM_PAY_FIRST */
void mem_set_quantum(struct mem_node *node, double quantum_s);
/* Without shortcuts from now on: for tests that compare. The caller does not ask mem_fast_load. */
void mem_set_plain(struct mem_node *node);

/* ---- charges --------------------------------------------------------------------------------- */

double mem_unpaid(struct mem_cpu *cpu); /* seconds charged and not yet taken */
/* Charge computation that no block shows, so that later accesses have their right dates. */
void mem_compute(struct mem_cpu *cpu, double seconds);
struct mem_charge mem_take(struct mem_cpu *cpu); /* what is owed; it is zero afterwards */
/* The clock has been moved to now_s: bytes whose time has come reach the images of the node (stores
 * of coherent processors, retired write-buffer entries, evicted lines; each has its own date, none
 * is seen before it). now_s never goes back. */
void mem_paid(struct mem_cpu *cpu, double now_s);
/* The rank is back in its program: the clock, which calls that waited by themselves have moved, is
 * at now_s, and calls have charged owed_s that nobody has paid: later accesses have their right
 * dates. */
void mem_resume(struct mem_cpu *cpu, double now_s, double owed_s);

/* Invariants the tests check:
 * - a load that hits touches no byte;
 * - a miss never overwrites bytes dirty in this cache or write buffer;
 * - on a coherent node a load never differs from the image by more than the quantum;
 * - charges are never negative;
 * - counts and charges do not depend on where the host put the memory, to the last bit;
 * - counts, charges and values are the same with and without the fast path;
 * - alone with its segment a rank reads what it stored last, on any machine. */

#endif
