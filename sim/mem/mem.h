/* mem: one node's memory as its processors and its network interface see it.
 *
 * Models caches, write buffer, read-ahead, DRAM pages, the snooping bus, and the two copies that
 * make incoherence visible: the image (what main memory holds for a segment) and the view (the
 * bytes at the program's own addresses, what the processor sees). DESIGN: image and view; sources
 * of the numbers: the machine's file. Left out: TLB misses, instruction fetch, out-of-order
 * overlap, the read of a sub-word store's quadword bringing its line into the cache.
 *
 * A load costs what the first level that has the line takes in all (HARDWARE: hit 2, miss 14 + d),
 * a store what its write-back cache, or waiting for a write-buffer entry, takes; each access
 * computes for cpu.cycles_per_access besides.
 *
 * mem moves bytes between image and view and returns charges. It never waits and never moves the
 * clock. Addresses are host addresses (all ranks share one address space); inside, they are mapped
 * first-touch, page by page, so that nothing depends on address randomisation.
 *
 * Ranks are processes: private memory of two ranks never shares a line, although the simulator
 * keeps both in one address space; bytes of segments do.
 *
 * Time: seconds. A processor runs ahead of the simulated clock by its unpaid charge.
 */
#ifndef MEM_MEM_H
#define MEM_MEM_H

#include "base/base.h"
#include "mach/mach.h"
#include "op/op.h"

struct mem_node;
struct mem_core; /* private part of a processor */

enum { MEM_FILTER = 256 }; /* slots of the fast filters; power of two */

/* The short way of a private load on a processor like the T3D's: one direct-mapped write-through
 * level, no coherence. Such a load, hit or miss, changes so little that it is done in place.
 * Private: only mem writes here. */
struct mem_line {
    uint64_t key, host;
}; /* a cache line: model line << 8 | flags; host line */
struct mem_near {
    uint64_t host, line;
}; /* a private page: host page; its first model line */
struct mem_way {
    /* 0: this processor has no short way, or not now (the three below) */
    uint32_t open;
    /* write-buffer entries that wait for memory or are being written */
    uint32_t queued;
    /* memory may be busy later than the processor's own time */
    uint32_t beyond;
    uint32_t dram_shift;                     /* log2 of the lines in a DRAM page */
    struct mem_near *near;                   /* direct mapped by host page */
    struct mem_line *line;                   /* the cache */
    uint64_t near_mask, set_mask, page_mask; /* slots, sets, lines of a page; each less one */
    /* model line memory read last; step to the one it has read ahead */
    uint64_t last, step;
    int64_t same_page, other_page, ahead; /* ticks of a line */
    int64_t owed;                         /* ticks of the misses below */
    uint64_t misses;                      /* since the last settle */
    uint32_t watched;                     /* mem_watch */
};

/* One processor: the public part is what the hooks touch. */
struct mem_cpu {
    /* Host line numbers (address >> line_shift) known to need nothing but counting: the line is in
     * the first-level cache, private (in no segment), and the access changes no replacement or
     * coherence state. ~0 is an empty slot. */
    uint64_t load_ok[MEM_FILTER];
    uint64_t store_ok[MEM_FILTER];
    uint64_t fast_loads, fast_stores; /* accesses answered by the filters since the last settle */
    uint32_t line_shift;              /* log2 of the first level's line */
    int rank;                         /* whose processor */
    uintptr_t code_base, code_end;    /* where this rank's copy of the program is loaded */
    /* the call in progress: the place of accesses made on its behalf; 0: unknown */
    uintptr_t call_pc;
    struct mem_core *core; /* private */
    struct mem_way way;    /* private */
};

/* What a processor owes the clock. */
struct mem_charge {
    double compute_s; /* cpu.cycles_per_access of each access */
    double memory_s;  /* everything the hierarchy made it wait */
};

struct mem_node *mem_node_new(const struct mach *m, int cpus);
void mem_node_free(struct mem_node *node);
struct mem_cpu *mem_node_cpu(struct mem_node *node, int i);

/* ---- the program's own accesses (probe) ------------------------------------------------------
 * Called just before the access; a store must have happened before the next call about this node.
 * MEM_PAY_FIRST: nothing was done; the access touches a segment's line or needs the bus and the
 * processor is more than `quantum_s` ahead: pay, call mem_paid, ask again. Any size: what lies in
 * several lines is one access a line, more than 16 bytes of a line are played as words of 8. A long
 * range is never paid for in between: callers cut it (at lines, say) where others should come in.
 * `pc`: where in the program; 0: cpu->call_pc. */
enum mem_result { MEM_DONE, MEM_PAY_FIRST };
enum mem_result mem_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc);
enum mem_result mem_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc);
/* As mem_load until it is done; pay() is the caller's way to pay. Saves the hot hooks a frame of
 * their own to ask again from. */
void mem_load_paying(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                     void (*pay)(void));
/* More (fewer) reasons to be asked about this processor's accesses one by one: no short way, though
 * the filters still answer for the lines they know. */
void mem_watch(struct mem_cpu *cpu, int more);
/* more than a second: never asks to be paid */
void mem_set_quantum(struct mem_node *node, double quantum_s);

/* Ticks of a line from DRAM, given by its model number. Keeps one page open; memory reads the next
 * line ahead (sim/mem/dram.h). */
static inline int64_t mem_way_dram(struct mem_way *w, uint64_t line)
{
    int64_t ticks = (line ^ w->last) >> w->dram_shift ? w->other_page : w->same_page;
    if (line - w->last == w->step) ticks = w->ahead;
    w->last = line;
    return ticks;
}
/* Nothing but counting, or the short way? Then it is done. The access must be of at most 16 bytes
 * and not cross a line. */
static inline bool mem_fast_load(struct mem_cpu *cpu, uintptr_t addr)
{
    uint64_t host = (uint64_t)addr >> cpu->line_shift;
    uint64_t *ok = &cpu->load_ok[host & (MEM_FILTER - 1)];
    if (*ok == host) {
        cpu->fast_loads++;
        return true;
    }
    struct mem_way *w = &cpu->way;
    if (!w->open) return false;
    const struct mem_near *page = &w->near[addr >> 12 & w->near_mask];
    if (page->host != (uint64_t)addr >> 12) return false;
    uint64_t line = page->line + (host & w->page_mask);
    struct mem_line *e = &w->line[line & w->set_mask];
    uint64_t gone = e->host;
    if (gone == host) { /* the filter had forgotten it */
        cpu->fast_loads++;
    } else {
        w->owed += mem_way_dram(w, line);
        w->misses++;
        *e = (struct mem_line){line << 8 | 1, host}; /* clean */
        /* its slot; if it is another's, that one comes back by itself */
        cpu->load_ok[gone & (MEM_FILTER - 1)] = ~UINT64_C(0);
    }
    *ok = host;
    return true;
}
static inline bool mem_fast_store(struct mem_cpu *cpu, uintptr_t addr)
{
    uint64_t line = (uint64_t)addr >> cpu->line_shift;
    if (cpu->store_ok[line & (MEM_FILTER - 1)] != line) return false;
    cpu->fast_stores++;
    return true;
}

/* ---- charges --------------------------------------------------------------------------------- */
double mem_unpaid(struct mem_cpu *cpu); /* seconds charged and not yet taken */
void mem_compute(struct mem_cpu *cpu,
                 double seconds); /* charge computation that no access shows, so that later
                                            accesses have their right dates */
struct mem_charge mem_take(struct mem_cpu *cpu); /* what is owed; it is zero afterwards */
/* The clock has been moved to now_s: bytes whose time has come reach the images of the node (stores
 * of coherent processors, retired write-buffer entries, evicted lines; each has its own date, none
 * is seen before it). now_s never goes back. */
void mem_paid(struct mem_cpu *cpu, double now_s);

/* ---- accesses made on a rank's behalf (move, serve, dialect): return seconds, owe nothing
 * -------- at_s is when the access begins, not before what the processor has paid and owes, or its
 * bytes reach memory late by what it owes. Bytes go through the processor's caches and its view. On
 * a node of several processors without coherence, another rank's segment is read and written in
 * memory, past the caches. */
double mem_cpu_read(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes, double at_s);
double mem_cpu_write(struct mem_cpu *cpu, uintptr_t addr, const void *in, uint64_t bytes,
                     uint32_t writer, double at_s);
/* As mem_cpu_read, by an operation that will write there and lets nobody come in between: lines it
 * lacks are asked for to be written. */
double mem_cpu_read_to_write(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes,
                             double at_s);
/* Has a line there lately changed writers? Then what is owed must be paid before it is accessed, or
 * its next writer comes too late. */
bool mem_fought(const struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes);
/* The bytes at addr were, or will be, read or written in place by a library (an MPI send, a
 * receive): charge it and keep image and view right. Call touched_store after the bytes changed. */
double mem_touch_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s);
double mem_touched_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uint32_t writer,
                         double at_s);

/* ---- the network interface's side: memory without a processor ----------------------------------
 * Reads and writes main memory at time at_s: the image of a segment, or plain memory. On a coherent
 * node (coh.protocol is not none) the view follows at once, but never over bytes the processor
 * stored later. What happens to cached lines is ni.invalidate. */
void mem_ni_write(struct mem_node *node, uintptr_t addr, const void *in, uint64_t bytes,
                  uint32_t writer, double at_s);
void mem_ni_read(struct mem_node *node, uintptr_t addr, void *out, uint64_t bytes, double at_s);
/* What a write by these hands (NULL: the interface's) would be over at that date: main memory's
 * bytes, or those of the view that coherent processors share. No transaction, no cost. */
void mem_peek(struct mem_node *node, const struct mem_cpu *hands, uintptr_t addr, void *out,
              uint64_t bytes, double at_s);

/* ---- making copies agree: return seconds
 * --------------------------------------------------------- publish (rule 5 of MPI-2 11.7): this
 * processor's stores to the range reach the image; the write buffer is drained. After the seconds
 * returned memory has the bytes. refresh (rule 6): loads of the range will see the image; cached
 * lines of the range are dropped, by line or whole, whichever is cheaper. On a coherent node both
 * are free. */
#define MEM_EVERYTHING UINT64_MAX /* bytes of refresh: the whole cache, whatever the range */
double mem_drain(struct mem_cpu *cpu, double at_s);
double mem_publish(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s);
double mem_refresh(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s);
/* The same for several ranges together. */
struct mem_range {
    uintptr_t addr;
    uint64_t bytes;
};
double mem_publish_all(struct mem_cpu *cpu, const struct mem_range *range, size_t n, double at_s);
double mem_refresh_all(struct mem_cpu *cpu, const struct mem_range *range, size_t n, double at_s);

/* ---- segments -----------------------------------------------------------------------------------
 * Gives [addr, addr+bytes) an image, filled from the view. `id` comes from op_segment_add. Ranges
 * may overlap: one piece of memory has one image. remove publishes nothing: call mem_publish
 * before; bytes that leave the last segment over them become what memory holds. A registration
 * belongs to the rank op_segment says. */
void mem_segment_add(struct mem_node *node, int id, uintptr_t addr, uint64_t bytes);
void mem_segment_remove(struct mem_node *node, int id);
/* These whole pages of that processor's rank lie in the memory pool, if the machine has one, as
 * segments do; or no longer. */
void mem_pool(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool there);
/* All processors of the node may have lines of that range, which is that rank's, in their caches,
 * as those of a segment; but nobody asks what memory holds, and it has no image. Whole pages. */
void mem_share(struct mem_node *node, int rank, uintptr_t addr, uint64_t bytes);
/* The program does not touch the segment until it is removed. Where a store of less than a word
 * puts the rest of the word back (cpu.subword), one beside the segment would spoil what others
 * write into its first or last word meanwhile: so it does not, and those words are written again at
 * the end, which takes the seconds that mend returns (0: nothing was to be mended). */
void mem_segment_lend(struct mem_node *node, int id);
double mem_segment_mend(const struct mem_node *node, int id);

/* ---- counters for the report ----------------------------------------------------------------- */
struct mem_cache_count {
    uint64_t loads, stores, load_misses, store_misses, write_backs, invalidations, flushed_lines;
};
int mem_levels(const struct mem_cpu *cpu);
struct mem_cache_count mem_cache_count(struct mem_cpu *cpu, int level); /* level from 0 */
uint64_t mem_stale_loads(const struct mem_cpu *cpu);
struct mem_bus_count {
    uint64_t transactions, bytes;
    double busy_s, queued_s;
};
struct mem_bus_count mem_bus_count(const struct mem_node *node);

/* Invariants the tests check:
 * - a load that hits touches no byte;  - a miss never overwrites bytes dirty in this cache or write
 * buffer;
 * - on a coherent node a load never differs from the image by more than the quantum;
 * - charges are never negative;
 * - counts and charges do not depend on where the host put the memory, to the last bit;
 * - alone with its segment a rank reads what it stored last, on any machine. */

#endif
