/* flying: loads and stores that leave the first level of a processor that goes on behind them.
 * Private to mem/access. */
#ifndef MEM_ACCESS_FLYING_H
#define MEM_ACCESS_FLYING_H

#include "mem/access/access.h"

/* When the address of a site's load is known: made of that load's value that it comes from, which
 * may be in the first level, its own address not known: so many of these are followed. Left out:
 * what the first level takes for them. */
int64_t mem_address_known(const struct mem_flight *f, const struct mem_site *site, int64_t now);

/* Asked for at `now`, it leaves at `begun`; the processor stands still so long before. */
struct mem_leaving {
    int64_t now, begun, stall;
};
static inline struct mem_leaving mem_leaves(const struct mem_core *core,
                                            const struct mem_site *site, int64_t now)
{
    const struct mem_flight *f = core->cpu->flight;
    if (!core->model->overtakes) {
        int64_t begun = mem_flight_leaves(f, now);
        return (struct mem_leaving){begun, begun, begun - now};
    }
    int64_t known = !site || site->after == MEM_AFTER_NONE ? now : mem_address_known(f, site, now);
    return (struct mem_leaving){now, mem_flight_leaves(f, known), 0};
}
/* It is complete then: what the processor waits so far is charged; the rest when it is needed. */
static inline void mem_comes(struct mem_core *core, const struct mem_leaving *l,
                             const struct mem_site *site, uintptr_t pc, int64_t done)
{
    struct mem_flight *f = core->cpu->flight;
    int64_t need = l->now + MAX(core->first_hit, site ? site->slack : core->library_slack);
    int64_t stall = l->stall;
    if (f->places == 1 && !core->model->overtakes) {
        f->late += stall;
        f->there[0] = done;
        mem_flight_alone(f, (struct mem_flying){need, done, site, pc});
        core->cpu->ledger.memory += stall;
        return;
    }
    mem_flight_shift(f, stall);
    mem_flight_there(f, done);
    stall += mem_flight_add(f, need, done, site, pc, l->now);
    if (stall) mem_charge(&core->cpu->ledger, 0, stall);
}

/* What has been waited for is in the rows of its places. False: one is not at hand; the rest is
 * kept. */
static inline bool mem_note_waits(const struct mem_cpu *cpu)
{
    struct mem_flight *f = cpu->flight;
    while (f && f->waits) {
        const struct mem_waited *w = &f->waited[f->waits - 1];
        struct profile_stall *row = mem_row_of(cpu, w->pc);
        if (!row) return false;
        row->loads++;
        row->load_ticks += w->ticks;
        f->waits--;
    }
    return true;
}

/* Does a store, which a cache will keep, go to the store buffer, not just to the first level? Then
 * this is when it leaves that, and what the processor waits for room if it is complete at `done`.
 */
bool mem_store_buffered(const struct mem_core *core, uint64_t where, uint64_t model, int64_t now);
int64_t mem_store_leaves(const struct mem_core *core, int64_t now);
int64_t mem_store_waits(struct mem_core *core, int64_t now, int64_t done);
/* It has waited so long for its last store: if that moved a line, the line's profile has the ticks.
 */
void mem_move_waited(const struct mem_core *core, int64_t ticks);
/* Ticks until all that is in flight is there: nothing is any more. */
int64_t mem_all_there(struct mem_core *core);
/* An atomic operation has loaded: the processor waits for that, and for what else is in flight, and
 * then as long as its atomic operations take. */
void mem_stand_alone(struct mem_core *core);
/* When others see a store that is complete at `done`: not before those in the store buffer. */
int64_t mem_store_seen(const struct mem_core *core, int64_t done);

/* ---- hit.c: of what instrumented code asks -------------------------------------------------- */

/* The first level has not got the private line: is it further on? False: the row of the place is
 * not at hand, or something must be noted or paid first; what is done is that what was needed by
 * now has been waited for. */
bool mem_load_further(struct mem_core *core, uintptr_t addr, uint64_t model,
                      const struct mem_site *site, uintptr_t pc);
/* mem_hit_load and mem_hit_store of lines that are not in mind (held.h). */
mem_ask mem_hit_load_further, mem_hit_store_further;

/* ---- own.c ----------------------------------------------------------------------------------- */

/* A first store to a line that `keeps`, the level that keeps it, has. False: somebody must be
 * asked, or paid first. */
bool mem_make_own(struct mem_core *core, const struct mem_site *site, struct mem_line *keeps);
/* The same of what instrumented code asks: what it waits is noted for the store at pc. False: that,
 * or something must be noted first; nothing was done. */
bool mem_ask_own(struct mem_core *core, const struct mem_site *site, struct mem_line *keeps,
                 uintptr_t addr, uintptr_t pc);
/* A store to a line that the first level has not got: where the next one, the last, has it, if it
 * may come from there; NULL: not. */
struct mem_line *mem_comes_own(const struct mem_core *core, uint64_t model);
/* It comes, and is the processor's own to write; `work` is that of the store. False: somebody must
 * be asked, or paid first; nothing was done. */
bool mem_come_own(struct mem_core *core, struct mem_line *below, int64_t work, uintptr_t addr,
                  uint64_t model);

#endif
