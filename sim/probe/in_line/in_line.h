/* probe: what instrumented code does itself, between the compiler plugin (instrument) and us.
 *
 * The plugin puts a look into the filters before every access: shift the address by line_shift,
 * take the slot of that number, compare. A slot that holds another number means a call of one of
 * the functions below, which the program object defines and jumps to probe (program/hooks.c). The
 * plugin counts a block's accesses where the block begins; a call gets what is yet to come of them
 * (`what`), so that its access has its own date.
 *
 * Included by C and by C++. A change of anything here is a new BLOCK_VERSION (cpu/block_format):
 * objects can be linked with the version only that they were compiled for.
 */
#ifndef PROBE_IN_LINE_H
#define PROBE_IN_LINE_H

#include <stdint.h>

enum { PROBE_SLOTS = 256 };

/* How a processor begins (struct mem_cpu). */
struct probe_in_line {
    uint64_t load_ok[PROBE_SLOTS], store_ok[PROBE_SLOTS];
    uint32_t line_shift;
    uint64_t loads, stores;
};

/* What a call is about: bytes of the access, 1 to 16; loads and stores of its block that come after
 * it and are counted already; is it an atomic operation? */
enum { PROBE_BYTES_BITS = 5, PROBE_COUNT_BITS = 13, PROBE_COUNT_MAX = (1 << 13) - 1 };
static inline uint32_t probe_what(uint32_t bytes, uint32_t loads, uint32_t stores)
{
    return bytes | loads << PROBE_BYTES_BITS | stores << (PROBE_BYTES_BITS + PROBE_COUNT_BITS);
}
enum { PROBE_ATOMIC_BIT = 31 };
static inline uint32_t probe_what_atomic(uint32_t what) { return what >> PROBE_ATOMIC_BIT; }
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
    return what >> (PROBE_BYTES_BITS + PROBE_COUNT_BITS) & PROBE_COUNT_MAX;
}

/* The functions' names and, for the plugin, their parameters: P the address, U 32 bits, L 64 bits,
 * C the processor.
 *
 * load, store: the filter has no answer.
 * load_range, store_range: more than 16 bytes, L of them; counted by the call alone.
 * change: an atomic operation that loads and stores U bytes.
 * compare: one that stores only if memory holds the value L; compare_with: the value at the second
 * P, which is stored to if it does not. */
#define PROBE_IN_LINE_CALLS(CALL)                                                                  \
    CALL(load, "PUC")                                                                              \
    CALL(store, "PUC")                                                                             \
    CALL(load_range, "PL")                                                                         \
    CALL(store_range, "PL")                                                                        \
    CALL(change, "PU")                                                                             \
    CALL(compare, "PUL")                                                                           \
    CALL(compare_with, "PUP")

#endif
