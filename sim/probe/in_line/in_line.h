/* probe: what instrumented code does itself, between the compiler plugin (instrument) and us.
 *
 * The plugin puts a look into the filters before every access: shift the address by line_shift,
 * take the slot of that number, compare. A slot that holds another number means a call of one of
 * the functions below, which the program object defines and jumps to probe (program/hooks.c).
 *
 * Where a block begins (cpu/block_format) the plugin adds its price to `work`, its accesses to
 * their counts, and one to its own count in the table, which is all ranks'. In front of a branch in
 * doubt it looks into the table of branches; where a switch goes, and in front of a jump or a call
 * through a pointer, into that of targets; behind a loop that counts it adds what its end costs
 * and counts it; behind that, a loop of one block in doubt, and one of several blocks in another
 * it calls if the rounds took less than was charged. A call gets what is yet to come of them, by
 * `what` and by the access's site, so that its access has its own date. While `played` stays as it
 * is, rounds of a loop of one block that are in the lines of the round before do none of this, but
 * are charged and counted together (instrument/strip.h).
 *
 * Included by C and by C++. A change of anything here is a new BLOCK_VERSION (cpu/block_format):
 * objects can be linked with the version only that they were compiled for.
 */
#ifndef PROBE_IN_LINE_H
#define PROBE_IN_LINE_H

#include <stdint.h>

enum { PROBE_SLOTS = 256, PROBE_BRANCHES = 4096, PROBE_TARGETS = 256, PROBE_AGAIN = 64 };
/* What is owed is much when it has so many bits more: a million cycles. */
enum { PROBE_BUDGET_SHIFT = 36 };

/* How a processor begins (struct mem_cpu). What each block touches comes first: near the beginning
 * its address takes a byte of the instruction, elsewhere four. */
struct probe_in_line {
    uint64_t loads, stores;
    int64_t work; /* ticks: 2^-16 of a cycle */
    int64_t others[6];
    uint64_t played; /* calls for an access or a branch that did more than hit the first level */
    uint64_t loop_ends;
    /* all ones: blocks are priced and counted in the table of the run; 0: in the object's own, that
     * is, nowhere */
    uint64_t priced;
    uint64_t load_ok[PROBE_SLOTS], store_ok[PROBE_SLOTS];
    uint32_t line_shift, unused;
    uint8_t branch[PROBE_BRANCHES]; /* mem/branch */
    uint32_t target[PROBE_TARGETS]; /* mem/target */
    uint64_t again[PROBE_AGAIN];    /* where stores of this number stored last (BLOCK_AGAIN) */
};

/* An entry of a table: what a block costs, in ticks, and how often it has begun. Below 0 the price
 * of a function's first block says that the function has none yet: who enters it looks
 * (PROBE_PRICE). */
struct probe_block {
    int64_t price;
    uint64_t count;
};

/* What is known of an access before the program runs, in ticks (struct mem_site). */
struct probe_site {
    int64_t rest; /* of its block's price, from its issue on */
    /* of a phi node that begins, where that matters: rest is not 0 (struct mem_begin);
     * of the end of a loop that counts and of a store to where the round before stored, instead: 64
     * bits, how often that was. The second site of such a store has what runs of them save
     * (world/prices). The second site of a loop's branch has what its rounds took less
     * (world/prices), 0 in the first 64 bits: nothing */
    int32_t slack, after;
};

/* Each object has one, in a section of its own, so that the linker puts those of a program one
 * behind the other. An object's table lies around an address: its blocks (struct
 * probe_block) go up from there, its sites go down, site 0 just below. The table that the object
 * brings is zeros. Nothing in it needs a relocation: code that runs before there are any has a
 * table. */
struct probe_object {
    uint64_t identity; /* of its description */
    int64_t zeros;     /* its own table, from this field on */
    int64_t offset;    /* from there to the table of the run; 0 until the program has started */
    uint32_t blocks, sites, version, unused;
};
#define PROBE_OBJECTS "sw_objects"
/* The tables that objects bring: apart from the program's variables, whose addresses must not
 * depend on how many blocks it has. */
#define PROBE_TABLES "sw_tables"

/* A mark of a function (instrument/mark.cc): it is entered, is left, or goes on. From this field on
 * each: the instruction of five bytes that does nothing, and the stub that it is to jump to. */
struct probe_mark {
    int32_t at, stub;
};
#define PROBE_MARKS "sw_marks"
/* The last is no mark: a function is entered that has no prices yet. */
enum probe_mark_kind { PROBE_ENTER, PROBE_LEAVE, PROBE_RESUME, PROBE_PRICE };

/* What a call is about: bytes of the access, 1 to 16; loads and stores of its block that come after
 * it and are counted already; is it an atomic operation? */
enum { PROBE_BYTES_BITS = 5, PROBE_COUNT_BITS = 13, PROBE_COUNT_MAX = (1 << 13) - 1 };
static inline uint32_t probe_what(uint32_t bytes, uint32_t loads, uint32_t stores)
{
    return bytes | loads << PROBE_BYTES_BITS | stores << (PROBE_BYTES_BITS + PROBE_COUNT_BITS);
}
/* What a call about a branch is about: its entry, and does it go backward when taken? Does it end a
 * loop that is asked about by the outcome that a static guess expects, or by the other? An entry
 * that is this plus the outcome (0: what is expected) needs no call. */
enum {
    PROBE_BRANCH_BACKWARD = 1 << 30,
    PROBE_BRANCH_ENDS = 1 << 29,
    PROBE_BRANCH_ENDS_AGAINST = 1 << 28,
    PROBE_BRANCH_QUIET = 128
};

/* The same about where it goes: it is a call; that is an address. */
enum { PROBE_TARGET_CALL = 1 << 30, PROBE_TARGET_ADDRESS = 1 << 29 };

enum { PROBE_ATOMIC_BIT = 31 };
static inline uint32_t probe_what_atomic(uint32_t what) { return what >> PROBE_ATOMIC_BIT; }
/* Nothing of its block comes after an atomic operation: of the counts a bit is free, for those of
 * memory_order_relaxed. */
enum { PROBE_RELAXED_BIT = 30 };
static inline uint32_t probe_what_relaxed(uint32_t what) { return what >> PROBE_RELAXED_BIT == 3; }
/* Of one that loads and stores: beside its bytes, does its load, does its store order nothing else?
 */
enum { PROBE_LOAD_RELAXED_BIT = 30, PROBE_STORE_RELAXED_BIT = 31 };
static inline uint32_t probe_change_load_relaxed(uint32_t change)
{
    return change >> PROBE_LOAD_RELAXED_BIT & 1;
}
static inline uint32_t probe_change_store_relaxed(uint32_t change)
{
    return change >> PROBE_STORE_RELAXED_BIT;
}
static inline uint32_t probe_change_bytes(uint32_t change)
{
    return change & ((1U << PROBE_LOAD_RELAXED_BIT) - 1);
}
static inline uint32_t probe_what_bytes(uint32_t what)
{
    return what & ((1U << PROBE_BYTES_BITS) - 1);
}
static inline uint32_t probe_what_loads(uint32_t what)
{
    return what >> PROBE_BYTES_BITS & PROBE_COUNT_MAX;
}
static inline uint32_t probe_what_stores(uint32_t what)
{
    return probe_what_relaxed(what)
               ? 0
               : what >> (PROBE_BYTES_BITS + PROBE_COUNT_BITS) & PROBE_COUNT_MAX;
}

/* The functions' names and, for the plugin, their parameters: P the address, U 32 bits, L 64 bits,
 * C the processor, S the access's site in the table.
 *
 * load, store: the filter has no answer.
 * load_range, store_range: more than 16 bytes, L of them; counted by the call alone.
 * change: an atomic operation that loads and stores; bytes and order in U (probe_change_bytes).
 * branch: about to have the outcome L.
 * target: about to go to L.
 * rounds: a loop has been left after so many, by the branch of that site.
 * again: the address L, where the round before stored, is about to be stored to; U: where that is
 * kept (again). What it costs was charged.
 * begin: about to enter a loop that hands on what it loads (BLOCK_BEGUN).
 * budget: in a loop without accesses, much is owed.
 * stand: nothing goes on before all so far is complete: behind a fence of all, or behind a store
 * that is sequentially consistent.
 * compare: one that stores only if memory holds the value L; compare_with: the value at the second
 * P, which is stored to if it does not.
 * fence: a fence of the memory order U (memory_order_...).
 * ends: the L bytes at P were a variable of a function that returns. */
#define PROBE_IN_LINE_CALLS(CALL)                                                                  \
    CALL(load, "PUCS")                                                                             \
    CALL(store, "PUCS")                                                                            \
    CALL(load_range, "PLCS")                                                                       \
    CALL(store_range, "PLCS")                                                                      \
    CALL(branch, "LUCS")                                                                           \
    CALL(target, "LUCS")                                                                           \
    CALL(rounds, "LCS")                                                                            \
    CALL(again, "LUCS")                                                                            \
    CALL(begin, "CS")                                                                              \
    CALL(budget, "C")                                                                              \
    CALL(stand, "C")                                                                               \
    CALL(change, "PUCS")                                                                           \
    CALL(compare, "PULCS")                                                                         \
    CALL(compare_with, "PUPCS")                                                                    \
    CALL(fence, "UC")                                                                              \
    CALL(ends, "PLC")

#endif
