/* What instrumented code calls (probe/in_line/in_line.h): each jumps to probe, which takes the
 * return address for the access's place. Every program and library has these of its own, so the
 * calls are direct. */
#include "program/program.h"

#define HOOK __attribute__((visibility("hidden")))

HOOK void __sw_load(uintptr_t addr, uint32_t what, void *cpu);
HOOK void __sw_load(uintptr_t addr, uint32_t what, void *cpu)
{
    probe_calls.hook_load(addr, what, cpu);
}
HOOK void __sw_store(uintptr_t addr, uint32_t what, void *cpu);
HOOK void __sw_store(uintptr_t addr, uint32_t what, void *cpu)
{
    probe_calls.hook_store(addr, what, cpu);
}
HOOK void __sw_load_range(uintptr_t addr, uint64_t bytes);
HOOK void __sw_load_range(uintptr_t addr, uint64_t bytes)
{
    probe_calls.hook_load_range(addr, bytes);
}
HOOK void __sw_store_range(uintptr_t addr, uint64_t bytes);
HOOK void __sw_store_range(uintptr_t addr, uint64_t bytes)
{
    probe_calls.hook_store_range(addr, bytes);
}
HOOK void __sw_change(uintptr_t addr, uint32_t bytes);
HOOK void __sw_change(uintptr_t addr, uint32_t bytes) { probe_calls.hook_change(addr, bytes); }
HOOK void __sw_compare(uintptr_t addr, uint32_t bytes, uint64_t value);
HOOK void __sw_compare(uintptr_t addr, uint32_t bytes, uint64_t value)
{
    probe_calls.hook_compare(addr, bytes, value);
}
HOOK void __sw_compare_with(uintptr_t addr, uint32_t bytes, void *value);
HOOK void __sw_compare_with(uintptr_t addr, uint32_t bytes, void *value)
{
    probe_calls.hook_compare_with(addr, bytes, value);
}
