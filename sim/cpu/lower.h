/* What the files that make steps share: lower.c (operations), address.c (loads, stores and their
 * addresses), steps.c (a step and what it waits for), value.c (who makes an operand). */
#ifndef CPU_LOWER_H
#define CPU_LOWER_H

#include "cpu/parts.h"

#define FREE CPU_NO_STEP /* no step makes the value: it costs nothing */

/* The operation at hand: number k of the block at a position of the path. */
struct lowering {
    struct cpu_path *path;
    const struct cpu_object *object;
    const struct cpu_block *block;
    uint32_t position, k;
    const struct cpu_op *op;
};

/* steps.c. A step is added; what it waits for is added before the next one is. */
uint32_t cpu_add_step(struct lowering *l, enum mach_class class);
void cpu_wait_for_step(struct lowering *l, uint32_t step, uint32_t distance, enum mach_use use);
void cpu_wait_for_operand(struct lowering *l, const struct cpu_op *op, uint32_t i,
                          enum mach_use use);
void cpu_wait_for_operands(struct lowering *l, uint32_t first, enum mach_use use);
/* Is it the add that a loop of one block counts with? */
bool cpu_is_induction(const struct lowering *l, uint32_t k);
/* library.c: what the call of a listed function executes behind the step of the call. Returns the
 * step that makes its result. */
uint32_t cpu_add_library(struct lowering *l, uint32_t call);
/* Steps of one operation: lanes where the machine has no vectors, else vectors. */
uint32_t cpu_copies(const struct lowering *l);

/* address.c. Each returns the step that makes the value, or FREE. */
/* Is the operation at hand made in the addresses of accesses? */
bool cpu_is_in_address(const struct lowering *l);
/* Is what it converts as wide in its register already? */
bool cpu_is_extended(const struct lowering *l);
uint32_t cpu_add_load(struct lowering *l);
uint32_t cpu_add_store(struct lowering *l);
uint32_t cpu_add_atomic(struct lowering *l);

/* value.c: from operands to the steps that make them, once the path has all its steps. */
void cpu_find_values(struct cpu_path *path);

#endif
