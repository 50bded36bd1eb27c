/* agent: who touches a rank's memory beside its program: a library on its behalf, the network
 * interface, the calls that make copies agree. A door of mem, for move, serve, sync and world.
 *
 * All take the date at which they begin, in seconds, and return what they take; they owe nothing.
 */
#ifndef MEM_AGENT_AGENT_H
#define MEM_AGENT_AGENT_H

#include "base/base.h"
#include "mem/time/charge.h"

struct findings_note;
struct mem_cpu;
struct mem_node;

/* ---- on a rank's behalf: on_behalf.c -----------------------------------------------------------
 * at_s is when the access begins, not before what the processor has paid and owes, or its bytes
 * reach memory late by what it owes. Bytes go through the processor's caches and its view. On a
 * node of several processors without coherence, another rank's segment is read and written in
 * memory, past the caches. */
struct mem_charge mem_cpu_read(struct mem_cpu *cpu, uintptr_t addr, void *out, uint64_t bytes,
                               double at_s);
struct mem_charge mem_cpu_write(struct mem_cpu *cpu, uintptr_t addr, const void *in, uint64_t bytes,
                                uint32_t writer, double at_s);
/* As mem_cpu_read, by an atomic read-modify-write: missing lines are fetched for ownership. */
struct mem_charge mem_cpu_read_to_write(struct mem_cpu *cpu, uintptr_t addr, void *out,
                                        uint64_t bytes, double at_s);
/* Has a line there ever changed writers, or does another processor hold it? Then what is owed must
 * be paid before it is accessed, or others lose it too early, or get it too late. */
bool mem_contended(const struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes);
/* Its loads or stores of a pool that other nodes share, in so many lines: as many of them are under
 * way together as of its own misses (mem.outstanding), and the link takes its time for the bytes.
 * No cache keeps them. */
double mem_pool_access(const struct mem_cpu *cpu, uint64_t lines, uint64_t bytes);
/* The bytes at addr were, or will be, read or written in place by a library (an MPI send, a
 * receive): charge it and keep image and view right. Call touched_store after the bytes changed. */
struct mem_charge mem_touch_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, double at_s);
struct mem_charge mem_touched_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                    uint32_t writer, double at_s);

/* ---- the network interface, without a processor: ni.c ------------------------------------------
 * Reads and writes main memory at time at_s: the image of a segment, or plain memory. On a coherent
 * node (coh.protocol is not none) the view follows at once, but never over bytes the processor
 * stored later. What happens to cached lines is ni.invalidate. */
void mem_ni_write(struct mem_node *node, uintptr_t addr, const void *in, uint64_t bytes,
                  uint32_t writer, double at_s);
void mem_ni_read(struct mem_node *node, uintptr_t addr, void *out, uint64_t bytes, double at_s);
/* Without coherence a read at that date misses what the owner stored earlier and memory has not
 * yet. True: it does; the note gets segment, offset, bytes and writer. */
bool mem_ni_missed(struct mem_node *node, uintptr_t addr, uint64_t bytes, double at_s,
                   struct findings_note *note);
/* What a write by this agent (NULL: the NI) would be over at that date: main memory's bytes, or
 * those of the view that coherent processors share. No transaction, no cost. */
void mem_peek(struct mem_node *node, const struct mem_cpu *agent, uintptr_t addr, void *out,
              uint64_t bytes, double at_s);

/* ---- what lies where, for people: look.c -------------------------------------------------------
 * Copies of at most MEM_LOOK_BYTES bytes of a segment, as this processor and its memory hold them
 * now. Nothing changes, and nothing is charged. Bytes on their way to memory are in neither. */
enum { MEM_LOOK_BYTES = 64 };
struct mem_look {
    uint8_t memory[MEM_LOOK_BYTES]; /* the segment's image */
    uint8_t load[MEM_LOOK_BYTES];   /* what a load of this processor would return */
    uint64_t waits;                 /* bit i: byte i is in the write buffer, */
    uint8_t waiting[MEM_LOOK_BYTES];
    bool buffered, cached; /* has it a write buffer, caches? */
    bool coherent;         /* its node keeps caches coherent */
    bool held;             /* a cache of its own has the line */
    char state;            /* of the line, on a coherent node: M, O, E, S; 0: not known */
    bool old;              /* a load would return bytes that memory has newer */
    uint32_t writer;       /* who wrote the first of them into memory last; 0: not known */
    double written_s;      /* and when */
};
/* False: the bytes are not all in one piece of memory that is a segment. */
bool mem_look(struct mem_cpu *cpu, uintptr_t addr, uint32_t bytes, struct mem_look *look);

/* ---- making copies agree: flush.c --------------------------------------------------------------
 * publish (rule 5 of MPI-2 11.7): this processor's stores to the range reach the image; the write
 * buffer is drained. After the seconds returned memory has the bytes. refresh (rule 6): loads of
 * the range will see the image; cached lines of the range are dropped, by line or whole, whichever
 * is cheaper. On a coherent node both are free. */
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

/* ---- stores that nobody announced: unseen.c ----------------------------------------------------
 * Carries the first run of such bytes in the range, as a store of that processor that takes no
 * time; the range is what is left of it. False: there is none. around: the piece of memory that
 * holds addr, empty: no segment does. own: of the i-th of all pieces and those after it, the first
 * of the rank's own that may have some. few: looking at its own takes no longer than comparing so
 * many bytes. */
struct mem_unseen {
    uintptr_t addr;
    uint64_t bytes, offset;
    int segment;
};
bool mem_unseen_store(struct mem_cpu *cpu, struct mem_range *range, struct mem_unseen *found,
                      double at_s);
/* of which segment its address is, -1: of none, and where in it */
void mem_unseen_place(struct mem_cpu *cpu, struct mem_unseen *found);
struct mem_range mem_unseen_around(struct mem_cpu *cpu, uintptr_t addr);
bool mem_unseen_few(const struct mem_cpu *cpu, uint64_t most);
bool mem_unseen_own(struct mem_cpu *cpu, size_t *i, struct mem_range *range);

#endif
