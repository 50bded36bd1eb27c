/* probe, inside: one access, from the hook to mem. Not a door. */
#ifndef PROBE_ACCESS_H
#define PROBE_ACCESS_H

#include "base/floating/floating.h"
#include "probe/probe.h"
#include "check/check.h"
#include "mem/mem.h"
#include "profile/objects/objects.h"
#include "profile/profile.h"
#include "world/access/access.h"

#define PROBE_HIDDEN __attribute__((visibility("hidden")))
#define PROBE_CALLER ((uintptr_t)__builtin_return_address(0))

/* The slow paths: addr, bytes and the place of the access. Of instrumented code, with its site; of
 * a library, whose words are work. */
PROBE_HIDDEN void probe_play_load(uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                  const struct mem_site *site, enum check_kind kind);
PROBE_HIDDEN void probe_play_store(uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                   const struct mem_site *site, enum check_kind kind);
/* The two of an atomic read-modify-write, the store if there is one: it follows at once. */
PROBE_HIDDEN void probe_play_load_to_write(uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                           const struct mem_site *site, enum check_kind kind);
PROBE_HIDDEN void probe_play_store_loaded(uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                          const struct mem_site *site, enum check_kind kind);
/* Pays what the processor owes; others run meanwhile. */
PROBE_HIDDEN __attribute__((cold, noinline)) void probe_pay(struct mem_cpu *cpu, uintptr_t pc);
/* The same before a load. */
PROBE_HIDDEN void probe_pay_first(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                  uintptr_t pc);
PROBE_HIDDEN void probe_load(uintptr_t addr, uint64_t bytes, uintptr_t pc);
PROBE_HIDDEN void probe_store(uintptr_t addr, uint64_t bytes, uintptr_t pc);

/* What had happened before an access: stalls, work. */
struct probe_before {
    int64_t stalled, work;
};
static inline struct probe_before probe_before(struct mem_cpu *cpu)
{
    if (cpu->flight && cpu->flight->waits) world_waited(cpu);
    return (struct probe_before){mem_stalled(cpu), cpu->ledger.work};
}
/* The row of a load or store at pc to addr (rows.c). */
PROBE_HIDDEN struct profile_stall *probe_row(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc,
                                             bool store);
/* The access at pc to addr is done: had it to wait, or what was in flight? Did it miss? */
PROBE_HIDDEN void probe_note(struct mem_cpu *cpu, int64_t stall, uintptr_t addr, uintptr_t pc,
                             bool store);
/* What of it did not miss is hits of the object that has the bytes. */
PROBE_HIDDEN void probe_note_hits(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes,
                                  uintptr_t pc);
static inline void probe_after(struct mem_cpu *cpu, const struct probe_before *before,
                               uintptr_t addr, uint64_t bytes, uintptr_t pc, bool store)
{
    if (__builtin_expect(profile_hits_on, 0)) probe_note_hits(cpu, addr, bytes, pc);
    int64_t stall = mem_stalled(cpu) - before->stalled;
    if (cpu->flight && cpu->flight->waits) stall -= world_waited(cpu);
    if (stall > 0 || mem_missed_any(&cpu->missed)) probe_note(cpu, stall, addr, pc, store);
}

/* The rank whose code is running; -1: none. */
PROBE_HIDDEN int probe_rank(void);

/* C's library's own function: outside of a simulation the name is a stand-in of the program's where
 * the program exports it (PROGRAM_FORTRAN). */
typedef void (*probe_function)(void);
PROBE_HIDDEN probe_function probe_library(const char *name);
#define PROBE_LIBRARY(name) ((__typeof__(&(name)))probe_library(#name))

/* Do the hooks have anything to do? No: not simulated, or between ranks. */
PROBE_HIDDEN bool probe_active(void);

/* Bytes up to the end of the line that holds addr. Library functions touch memory line by line, so
 * that a line is loaded just before its bytes are used, and time passes in between. */
enum { PROBE_PIECE = 32 };
static inline size_t probe_piece(uintptr_t addr, size_t n)
{
    size_t left = PROBE_PIECE - addr % PROBE_PIECE;
    return n < left ? n : left;
}
/* False: too large. */
static inline bool probe_product(size_t a, size_t b, size_t *ab)
{
    return !__builtin_mul_overflow(a, b, ab);
}
/* Moves bytes of the program's memory as memmove does. */
PROBE_HIDDEN void *probe_copy(void *to, const void *from, size_t n, uintptr_t pc);
/* Copies from memory nobody simulates into the program's: stores only. */
PROBE_HIDDEN void probe_deliver(void *to, const void *from, size_t n, uintptr_t pc);
/* Loads s up to and with the first `byte`, at most n bytes; its offset, or n. */
PROBE_HIDDEN size_t probe_load_to(const char *s, int byte, size_t n, uintptr_t pc);
/* Stores n bytes and a 0 behind them; returns where the 0 is. The bytes of `from` are loaded
 * already. */
PROBE_HIDDEN char *probe_put(char *to, const char *from, size_t n, uintptr_t pc);
PROBE_HIDDEN void probe_load_range(const void *from, size_t n, uintptr_t pc);
/* Is the byte of a segment of the running rank's node? Not only between two of them: what else lies
 * there is not the same in every run. */
PROBE_HIDDEN bool probe_of_segments(const void *at);
/* A library whose work has no price reads the bytes: loaded if they are of a segment, since they
 * have to be there; otherwise they are reported to who watches accesses only. */
PROBE_HIDDEN void probe_look(const void *from, size_t n, uintptr_t pc);
/* A library has stored n bytes there: they are announced and stored once more. */
PROBE_HIDDEN void probe_store_again(void *at, size_t n, uintptr_t pc);
/* The same where it has no price: bytes of a segment are, since others have to get them; otherwise
 * they are reported to who watches accesses only. NULL: nowhere. */
PROBE_HIDDEN void probe_stored(void *to, size_t n, uintptr_t pc);
/* A library executes as much as so many calls of a function that library.def lists, for the call at
 * pc: what a stand-in knows of its arguments. */
PROBE_HIDDEN void probe_execute(const char *function, uint64_t times, uintptr_t pc);
/* To who watches accesses, and nobody else. */
PROBE_HIDDEN void probe_report(const void *at, size_t n, enum check_kind kind, uintptr_t pc);

#endif
