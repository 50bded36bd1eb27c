/* What instrumented code calls (probe/in_line/in_line.h): each jumps to probe, which takes the
 * return address for the access's place. Every program and library has these of its own, so the
 * calls are direct. */
#include "program/program.h"

#define HOOK __attribute__((visibility("hidden")))

HOOK void __sw_load(uintptr_t addr, uint32_t what, void *cpu, const void *site);
HOOK void __sw_load(uintptr_t addr, uint32_t what, void *cpu, const void *site)
{
    probe_calls.hook_load(addr, what, cpu, site);
}
HOOK void __sw_store(uintptr_t addr, uint32_t what, void *cpu, const void *site);
HOOK void __sw_store(uintptr_t addr, uint32_t what, void *cpu, const void *site)
{
    probe_calls.hook_store(addr, what, cpu, site);
}
HOOK void __sw_load_range(uintptr_t addr, uint64_t bytes, void *cpu, const void *site);
HOOK void __sw_load_range(uintptr_t addr, uint64_t bytes, void *cpu, const void *site)
{
    probe_calls.hook_load_range(addr, bytes, cpu, site);
}
HOOK void __sw_store_range(uintptr_t addr, uint64_t bytes, void *cpu, const void *site);
HOOK void __sw_store_range(uintptr_t addr, uint64_t bytes, void *cpu, const void *site)
{
    probe_calls.hook_store_range(addr, bytes, cpu, site);
}
HOOK void __sw_branch(uint64_t against, uint32_t what, void *cpu, const void *site);
HOOK void __sw_branch(uint64_t against, uint32_t what, void *cpu, const void *site)
{
    probe_calls.hook_branch(against, what, cpu, site);
}
HOOK void __sw_target(uint64_t to, uint32_t what, void *cpu, const void *site);
HOOK void __sw_target(uint64_t to, uint32_t what, void *cpu, const void *site)
{
    probe_calls.hook_target(to, what, cpu, site);
}
HOOK void __sw_rounds(uint64_t rounds, void *cpu, const void *site);
HOOK void __sw_rounds(uint64_t rounds, void *cpu, const void *site)
{
    probe_calls.hook_rounds(rounds, cpu, site);
}
HOOK void __sw_again(uint64_t at, uint32_t number, void *cpu, void *site);
HOOK void __sw_again(uint64_t at, uint32_t number, void *cpu, void *site)
{
    probe_calls.hook_again(at, number, cpu, site);
}
HOOK void __sw_begin(void *cpu, const void *site);
HOOK void __sw_begin(void *cpu, const void *site) { probe_calls.hook_begin(cpu, site); }
HOOK void __sw_budget(void *cpu);
HOOK void __sw_budget(void *cpu) { probe_calls.hook_budget(cpu); }
HOOK void __sw_stand(void *cpu);
HOOK void __sw_stand(void *cpu) { probe_calls.hook_stand(cpu); }
HOOK void __sw_change(uintptr_t addr, uint32_t bytes, void *cpu, const void *site);
HOOK void __sw_change(uintptr_t addr, uint32_t bytes, void *cpu, const void *site)
{
    probe_calls.hook_change(addr, bytes, cpu, site);
}
HOOK void __sw_compare(uintptr_t addr, uint32_t bytes, uint64_t value, void *cpu, const void *site);
HOOK void __sw_compare(uintptr_t addr, uint32_t bytes, uint64_t value, void *cpu, const void *site)
{
    probe_calls.hook_compare(addr, bytes, value, cpu, site);
}
HOOK void __sw_compare_with(uintptr_t addr, uint32_t bytes, void *value, void *cpu,
                            const void *site);
HOOK void __sw_compare_with(uintptr_t addr, uint32_t bytes, void *value, void *cpu,
                            const void *site)
{
    probe_calls.hook_compare_with(addr, bytes, value, cpu, site);
}
HOOK void __sw_fence(uint32_t order, void *cpu);
HOOK void __sw_fence(uint32_t order, void *cpu) { probe_calls.hook_fence(order, cpu); }
HOOK void __sw_ends(uintptr_t addr, uint64_t bytes, void *cpu);
HOOK void __sw_ends(uintptr_t addr, uint64_t bytes, void *cpu)
{
    probe_calls.hook_ends(addr, bytes, cpu);
}
