/* world/hits: which objects a rank's program touches where it hits, access by access
 * (profile/objects; run --profile-hits).
 *
 * What an address is, is asked once for each place of the program and each object; whether the
 * place still touches that one is a comparison. The processor's filter hides the lines it knows, so
 * that instrumented code calls for each of them, except those of one object, the current one: what
 * was counted in line is that one's. It is another one once calls are more than what it saves.
 * Loads and stores have one each.
 */
#ifndef WORLD_HITS_H
#define WORLD_HITS_H

#include "world/rank/rank.h"
#include "profile/objects/objects.h"

/* The rank's program begins: its hits are noted by object. */
void world_hits_begin(struct mem_cpu *cpu);
/* The object that its program touches at pc. */
struct profile_object *world_touched(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc);
/* An access of instrumented code, of at most 16 bytes: `ahead` of its kind are counted already and
 * come after it. Does the filter know its line? Then it is a hit, and that is noted. */
bool world_hit(struct mem_cpu *cpu, uintptr_t addr, uint32_t bytes, bool store, uint32_t ahead,
               uintptr_t pc);
/* The rank has got memory at an address that may have been something else. */
void world_hits_allocated(struct mem_cpu *cpu);
/* What was counted in line so far is in the current objects' rows. */
void world_hits_settle(struct mem_cpu *cpu);
void world_hits_free(struct mem_cpu *cpu);

#endif
