/* probe, inside: what the compiler plugin's calls come to. Not a door. */
#ifndef PROBE_HOOKS_H
#define PROBE_HOOKS_H

#include "probe/access.h"

#pragma GCC visibility push(hidden)

/* As probe/in_line/in_line.h says. */
void probe_hook_load(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                     const struct mem_site *site);
void probe_hook_store(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                      const struct mem_site *site);
void probe_hook_load_range(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu,
                           const struct mem_site *site);
void probe_hook_store_range(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu,
                            const struct mem_site *site);
void probe_hook_branch(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site);
void probe_hook_target(uint64_t to, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site);
void probe_hook_rounds(uint64_t rounds, struct mem_cpu *cpu, const struct mem_site *site);
void probe_hook_again(uint64_t at, uint32_t number, struct mem_cpu *cpu, struct mem_site *site);
void probe_hook_begin(struct mem_cpu *cpu, const struct mem_site *site);
void probe_hook_budget(struct mem_cpu *cpu);
void probe_hook_stand(struct mem_cpu *cpu);
void probe_hook_change(uintptr_t addr, uint32_t change, struct mem_cpu *cpu,
                       const struct mem_site *site);
void probe_hook_compare(uintptr_t addr, uint32_t change, uint64_t value, struct mem_cpu *cpu,
                        const struct mem_site *site);
void probe_hook_compare_with(uintptr_t addr, uint32_t change, void *value, struct mem_cpu *cpu,
                             const struct mem_site *site);
void probe_hook_fence(uint32_t order, struct mem_cpu *cpu);
void probe_hook_ends(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu);

/* What mem does not answer comes here from now on. */
void probe_answer(void);

/* marks.c */
void probe_marks(const struct probe_mark *first, const struct probe_mark *end);
void probe_hook_mark(int kind, int function, uintptr_t stub, uintptr_t stack, uintptr_t base);

/* objects.c: the objects get the tables of the run, which all ranks share. */
void probe_hook_price(uintptr_t object, uint32_t first);
void probe_objects(struct probe_object *first, struct probe_object *end);

#pragma GCC visibility pop

#endif
