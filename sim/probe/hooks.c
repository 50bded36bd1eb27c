/* The hooks gcc places before loads and stores (names and signatures: gcc/sanitizer.def). The
 * hottest code of the house: a hit in the fast filter is some ten instructions, without a call or a
 * stack frame.
 *
 * gcc promises alignment up to 8 bytes for the plain hooks; 16 bytes may lie across two lines even
 * there.
 */
#include "probe/access.h"
#include "probe/hooks.h"
#include "probe/copies.h"

#define HOOK      PROBE_EXPORT
#define LIKELY(x) __builtin_expect(!!(x), 1)

static inline bool in_one_line(const struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    return (addr ^ (addr + bytes - 1)) >> cpu->filter.line_shift == 0;
}

#define LOAD(name, bytes, in_line)                                                                 \
    HOOK void name(void *addr);                                                                    \
    HOOK void name(void *addr)                                                                     \
    {                                                                                              \
        struct mem_cpu *cpu = world_cpu;                                                           \
        if (LIKELY(in_line && mem_fast_load(cpu, (uintptr_t)addr))) return;                        \
        if (LIKELY(cpu->core != NULL && !world_watching()))                                        \
            mem_load_paying(cpu, (uintptr_t)addr, bytes, PROBE_CALLER, probe_pay);                 \
        else                                                                                       \
            probe_load((uintptr_t)addr, bytes, PROBE_CALLER);                                      \
    }
#define STORE(name, bytes, in_line)                                                                \
    HOOK void name(void *addr);                                                                    \
    HOOK void name(void *addr)                                                                     \
    {                                                                                              \
        struct mem_cpu *cpu = world_cpu;                                                           \
        if (LIKELY(in_line && mem_fast_store(cpu, (uintptr_t)addr))) return;                       \
        probe_store_hooked((uintptr_t)addr, bytes, PROBE_CALLER);                                  \
    }
#define ALIGNED         true
#define ANYWHERE(bytes) in_one_line(cpu, (uintptr_t)addr, bytes)

/* clang-format off */
LOAD(__tsan_read1, 1, ALIGNED)
LOAD(__tsan_read2, 2, ALIGNED)
LOAD(__tsan_read4, 4, ALIGNED)
LOAD(__tsan_read8, 8, ALIGNED)
LOAD(__tsan_read16, 16, ANYWHERE(16))
LOAD(__tsan_unaligned_read2, 2, ANYWHERE(2))
LOAD(__tsan_unaligned_read4, 4, ANYWHERE(4))
LOAD(__tsan_unaligned_read8, 8, ANYWHERE(8))
LOAD(__tsan_unaligned_read16, 16, ANYWHERE(16))
LOAD(__tsan_volatile_read1, 1, ALIGNED)
LOAD(__tsan_volatile_read2, 2, ALIGNED)
LOAD(__tsan_volatile_read4, 4, ALIGNED)
LOAD(__tsan_volatile_read8, 8, ALIGNED)
LOAD(__tsan_volatile_read16, 16, ANYWHERE(16))
LOAD(__tsan_unaligned_volatile_read2, 2, ANYWHERE(2))
LOAD(__tsan_unaligned_volatile_read4, 4, ANYWHERE(4))
LOAD(__tsan_unaligned_volatile_read8, 8, ANYWHERE(8))
LOAD(__tsan_unaligned_volatile_read16, 16, ANYWHERE(16))
LOAD(__tsan_vptr_read, 8, ALIGNED)
STORE(__tsan_write1, 1, ALIGNED)
STORE(__tsan_write2, 2, ALIGNED)
STORE(__tsan_write4, 4, ALIGNED)
STORE(__tsan_write8, 8, ALIGNED)
STORE(__tsan_write16, 16, ANYWHERE(16))
STORE(__tsan_unaligned_write2, 2, ANYWHERE(2))
STORE(__tsan_unaligned_write4, 4, ANYWHERE(4))
STORE(__tsan_unaligned_write8, 8, ANYWHERE(8))
STORE(__tsan_unaligned_write16, 16, ANYWHERE(16))
STORE(__tsan_volatile_write1, 1, ALIGNED)
STORE(__tsan_volatile_write2, 2, ALIGNED)
STORE(__tsan_volatile_write4, 4, ALIGNED)
STORE(__tsan_volatile_write8, 8, ALIGNED)
STORE(__tsan_volatile_write16, 16, ANYWHERE(16))
STORE(__tsan_unaligned_volatile_write2, 2, ANYWHERE(2))
STORE(__tsan_unaligned_volatile_write4, 4, ANYWHERE(4))
STORE(__tsan_unaligned_volatile_write8, 8, ANYWHERE(8))
STORE(__tsan_unaligned_volatile_write16, 16, ANYWHERE(16))
/* clang-format on */

HOOK void __tsan_read_range(void *addr, uint64_t bytes);
HOOK void __tsan_read_range(void *addr, uint64_t bytes)
{
    probe_announced.from = addr, probe_announced.pc = PROBE_CALLER;
    probe_load((uintptr_t)addr, bytes, PROBE_CALLER);
}

HOOK void __tsan_write_range(void *addr, uint64_t bytes);
HOOK void __tsan_write_range(void *addr, uint64_t bytes)
{
    probe_announced = (struct probe_announced){addr, NULL, bytes, PROBE_CALLER};
    probe_store_hooked((uintptr_t)addr, bytes, PROBE_CALLER);
}

/* A constructor stores the table of virtual functions; a store like any other. */
HOOK void __tsan_vptr_update(void **addr, void *value);
HOOK void __tsan_vptr_update(void **addr, void *value)
{
    (void)value;
    probe_store_hooked((uintptr_t)addr, sizeof *addr, PROBE_CALLER);
}

HOOK void __tsan_init(void);
HOOK void __tsan_init(void) {}

HOOK void __tsan_func_entry(void *caller);
HOOK void __tsan_func_entry(void *caller) { (void)caller; }

HOOK void __tsan_func_exit(void);
HOOK void __tsan_func_exit(void) {}

/* Those with which a copy can go on; never atomics, and volatile ones only when distinguished. */
bool probe_is_load_hook(const void *function)
{
    static void (*const hook[])(void *) = {
        __tsan_read1,           __tsan_read2,           __tsan_read4,
        __tsan_read8,           __tsan_read16,          __tsan_unaligned_read2,
        __tsan_unaligned_read4, __tsan_unaligned_read8, __tsan_unaligned_read16,
        __tsan_volatile_read1,  __tsan_volatile_read2,  __tsan_volatile_read4,
        __tsan_volatile_read8,  __tsan_volatile_read16};
    if (function == (const void *)(uintptr_t)__tsan_read_range) return true;
    for (size_t i = 0; i < G_N_ELEMENTS(hook); i++)
        if (function == (const void *)(uintptr_t)hook[i]) return true;
    return false;
}
