/* Guarded ranges: memory that the program must leave alone for a while (PUT/ACCEPT proposal,
 * "Non-conformance"): the range of a servicer, the origin buffer of a request. */
#ifndef SYNC_GUARD_H
#define SYNC_GUARD_H

#include "base/base.h"
#include "mem/mem.h"
#include "op/op.h"

extern int sync_guards; /* ranges guarded now, of all ranks */
/* The program referenced [addr, addr + bytes) of the rank's memory just now. */
void sync_guard_check(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, op_site site,
                      double time_s);

/* number: of the check, which then judges the references itself; 0: it is off. NULL: no byte. */
struct sync_guard *sync_guard_add(struct mem_cpu *cpu, uintptr_t addr,
                                  const struct op_layout *layout, const char *rule,
                                  const char *call, op_site site, uint64_t number);
/* at: the call that ends it; 0: none does */
void sync_guard_remove(struct sync_guard *guard, op_site at);
void sync_guards_clear(void);                            /* those that a world left behind */
void sync_guard_filters(const struct sync_guard *guard); /* the next access of it is seen */

#endif
