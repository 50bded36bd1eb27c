/* C11 and __sync atomics, which gcc replaces by calls altogether: the hook plays the accesses, then
 * does the operation.
 *
 * An operation that reads and writes is a load and a store of its address. Between the two no other
 * rank can run: only a payment lets others run, and the operation itself comes after both. Every
 * order is carried out as sequentially consistent.
 */
#include "probe/access.h"

#include <pthread.h>

#define HOOK PROBE_EXPORT

static void reads(const volatile void *addr, uint64_t bytes, uintptr_t pc)
{
    probe_load_atomic((uintptr_t)addr, bytes, pc);
}
static void writes(const volatile void *addr, uint64_t bytes, uintptr_t pc)
{
    probe_store_atomic((uintptr_t)addr, bytes, pc);
}
static void changes(const volatile void *addr, uint64_t bytes, uintptr_t pc)
{
    reads(addr, bytes, pc);
    writes(addr, bytes, pc);
}

#define FETCH(bits, type, what, operation)                                                         \
    HOOK type __tsan_atomic##bits##_fetch_##what(volatile type *addr, type value, int order);      \
    HOOK type __tsan_atomic##bits##_fetch_##what(volatile type *addr, type value, int order)       \
    {                                                                                              \
        (void)order;                                                                               \
        changes(addr, sizeof *addr, PROBE_CALLER);                                                 \
        return operation(addr, value);                                                             \
    }

#define EXCHANGE(bits, type, strength)                                                             \
    HOOK int __tsan_atomic##bits##_compare_exchange_##strength(                                    \
        volatile type *addr, type *expected, type value, int order, int failing);                  \
    HOOK int __tsan_atomic##bits##_compare_exchange_##strength(                                    \
        volatile type *addr, type *expected, type value, int order, int failing)                   \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failing;                                                                             \
        reads(addr, sizeof *addr, PROBE_CALLER);                                                   \
        if (LOADED(addr) == *expected) writes(addr, sizeof *addr, PROBE_CALLER);                   \
        return COMPARED(addr, expected, value);                                                    \
    }

#define ATOMICS(bits, type)                                                                        \
    HOOK type __tsan_atomic##bits##_load(const volatile type *addr, int order);                    \
    HOOK type __tsan_atomic##bits##_load(const volatile type *addr, int order)                     \
    {                                                                                              \
        (void)order;                                                                               \
        reads(addr, sizeof *addr, PROBE_CALLER);                                                   \
        return LOADED(addr);                                                                       \
    }                                                                                              \
    HOOK void __tsan_atomic##bits##_store(volatile type *addr, type value, int order);             \
    HOOK void __tsan_atomic##bits##_store(volatile type *addr, type value, int order)              \
    {                                                                                              \
        (void)order;                                                                               \
        writes(addr, sizeof *addr, PROBE_CALLER);                                                  \
        STORED(addr, value);                                                                       \
    }                                                                                              \
    HOOK type __tsan_atomic##bits##_exchange(volatile type *addr, type value, int order);          \
    HOOK type __tsan_atomic##bits##_exchange(volatile type *addr, type value, int order)           \
    {                                                                                              \
        (void)order;                                                                               \
        changes(addr, sizeof *addr, PROBE_CALLER);                                                 \
        return EXCHANGED(addr, value);                                                             \
    }                                                                                              \
    FETCH(bits, type, add, ADDED)                                                                  \
    FETCH(bits, type, sub, SUBTRACTED)                                                             \
    FETCH(bits, type, and, ANDED)                                                                  \
    FETCH(bits, type, or, ORED)                                                                    \
    FETCH(bits, type, xor, XORED)                                                                  \
    FETCH(bits, type, nand, NANDED)                                                                \
    EXCHANGE(bits, type, strong)                                                                   \
    EXCHANGE(bits, type, weak)                                                                     \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type *addr, type expected,       \
                                                         type value, int order, int failing);      \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type *addr, type expected,       \
                                                         type value, int order, int failing)       \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failing;                                                                             \
        reads(addr, sizeof *addr, PROBE_CALLER);                                                   \
        if (LOADED(addr) == expected) writes(addr, sizeof *addr, PROBE_CALLER);                    \
        COMPARED(addr, &expected, value);                                                          \
        return expected;                                                                           \
    }

#define LOADED(addr)            __atomic_load_n(addr, __ATOMIC_SEQ_CST)
#define STORED(addr, value)     __atomic_store_n(addr, value, __ATOMIC_SEQ_CST)
#define EXCHANGED(addr, value)  __atomic_exchange_n(addr, value, __ATOMIC_SEQ_CST)
#define ADDED(addr, value)      __atomic_fetch_add(addr, value, __ATOMIC_SEQ_CST)
#define SUBTRACTED(addr, value) __atomic_fetch_sub(addr, value, __ATOMIC_SEQ_CST)
#define ANDED(addr, value)      __atomic_fetch_and(addr, value, __ATOMIC_SEQ_CST)
#define ORED(addr, value)       __atomic_fetch_or(addr, value, __ATOMIC_SEQ_CST)
#define XORED(addr, value)      __atomic_fetch_xor(addr, value, __ATOMIC_SEQ_CST)
#define NANDED(addr, value)     __atomic_fetch_nand(addr, value, __ATOMIC_SEQ_CST)
#define COMPARED(addr, expected, value)                                                            \
    __atomic_compare_exchange_n(addr, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

#if defined __SIZEOF_INT128__
/* Not every processor has a 16-byte compare-and-exchange, and all who use these come through here:
 * a lock will do. */
#undef LOADED
#undef STORED
#undef EXCHANGED
#undef ADDED
#undef SUBTRACTED
#undef ANDED
#undef ORED
#undef XORED
#undef NANDED
#undef COMPARED

__extension__ typedef unsigned __int128 probe_wide; /* ATOMICS wants a name for the type */
static pthread_mutex_t wide_lock = PTHREAD_MUTEX_INITIALIZER;

enum wide { WIDE_SET, WIDE_KEEP, WIDE_ADD, WIDE_SUBTRACT, WIDE_AND, WIDE_OR, WIDE_XOR, WIDE_NAND };

static probe_wide wide(const volatile probe_wide *addr, enum wide what, probe_wide value)
{
    volatile probe_wide *to = (volatile probe_wide *)(uintptr_t)addr;
    pthread_mutex_lock(&wide_lock);
    probe_wide old = *to;
    switch (what) {
    case WIDE_KEEP: break;
    case WIDE_SET: *to = value; break;
    case WIDE_ADD: *to = old + value; break;
    case WIDE_SUBTRACT: *to = old - value; break;
    case WIDE_AND: *to = old & value; break;
    case WIDE_OR: *to = old | value; break;
    case WIDE_XOR: *to = old ^ value; break;
    case WIDE_NAND: *to = ~(old & value); break;
    }
    pthread_mutex_unlock(&wide_lock);
    return old;
}

static bool wide_compared(volatile probe_wide *addr, probe_wide *expected, probe_wide value)
{
    pthread_mutex_lock(&wide_lock);
    probe_wide old = *addr;
    bool same = old == *expected;
    if (same)
        *addr = value;
    else
        *expected = old;
    pthread_mutex_unlock(&wide_lock);
    return same;
}

#define LOADED(addr)                    wide(addr, WIDE_KEEP, 0)
#define STORED(addr, value)             (void)wide(addr, WIDE_SET, value)
#define EXCHANGED(addr, value)          wide(addr, WIDE_SET, value)
#define ADDED(addr, value)              wide(addr, WIDE_ADD, value)
#define SUBTRACTED(addr, value)         wide(addr, WIDE_SUBTRACT, value)
#define ANDED(addr, value)              wide(addr, WIDE_AND, value)
#define ORED(addr, value)               wide(addr, WIDE_OR, value)
#define XORED(addr, value)              wide(addr, WIDE_XOR, value)
#define NANDED(addr, value)             wide(addr, WIDE_NAND, value)
#define COMPARED(addr, expected, value) wide_compared(addr, expected, value)

ATOMICS(128, probe_wide)
#endif

HOOK void __tsan_atomic_thread_fence(int order);
HOOK void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

HOOK void __tsan_atomic_signal_fence(int order);
HOOK void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
