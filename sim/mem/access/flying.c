/* flying: dates of loads and stores that the processor goes on behind: see flying.h. */
#include "mem/access/flying.h"
#include "mem/branch/history.h"
#include "profile/moves/moves.h"

#include <string.h>

/* ---- loads ----------------------------------------------------------------------------------- */

enum { HOPS = 4 };

/* When what a load has loaded is there. One from the line of a load before it hits, as far as the
 * cache goes, but has its value no sooner than the line has come. */
static int64_t value_known(const struct mem_flight *f, const struct mem_site *from, int64_t now)
{
    int64_t known = mem_flight_value(f, from, now);
    return from && from->beside ? MAX(known, mem_flight_value(f, from + from->beside, now)) : known;
}

int64_t mem_address_known(const struct mem_flight *f, const struct mem_site *site, int64_t now)
{
    int64_t between = 0;
    for (int i = 0; i < HOPS && site->after != MEM_AFTER_NONE; i++) {
        const struct mem_site *from = site->after == MEM_AFTER_YOUNGEST ? NULL : site + site->after;
        int64_t known = value_known(f, from, now);
        between += (int64_t)site->between << MEM_TICK_BITS;
        if (known > now) return known + between;
        if (!from || from == site) return known;
        site = from;
    }
    return now;
}

_Static_assert(sizeof(struct mem_begun) == sizeof(struct mem_site), "in the place of a site");
void mem_begin(struct mem_cpu *cpu, const struct mem_site *site)
{
    struct mem_begun begun;
    memcpy(&begun, site, sizeof begun);
    if (!cpu->flight || !cpu->core->model->overtakes) return;
    const struct mem_site first = {.after = begun.after};
    const int64_t now = mem_now(&cpu->ledger);
    int64_t known = now;
    if (first.after == MEM_AFTER_YOUNGEST)
        known = mem_flight_value(cpu->flight, NULL, now);
    else if (first.after != MEM_AFTER_NONE)
        known = mem_address_known(cpu->flight, site, now);
    for (size_t i = 0; i < G_N_ELEMENTS(begun.handed); i++) {
        const struct mem_site *load = site + begun.handed[i];
        if (load == site) continue;
        mem_flight_begin(cpu->flight, load, known, now);
        /* the line that it was from counts as its own (value_known) */
        if (load->beside) mem_flight_begin(cpu->flight, load + load->beside, known, now);
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* A line that the level which keeps stores has for itself takes one more at once, but one that is
 * still on its way. */
bool mem_store_buffered(const struct mem_core *core, uint64_t where, uint64_t model, int64_t now)
{
    const struct mem_cache *c = core->peer.levels.first;
    if (!core->cpu->flight || !core->cpu->flight->stores) return false;
    while (!c->write_back) c = c->next;
    const struct mem_line *e = mem_cache_find(c, model);
    return !e || !(e->key & MEM_LINE_DIRTY) || mem_line_comes(core, where, model, now);
}

int64_t mem_store_leaves(const struct mem_core *core, int64_t now)
{
    const struct mem_flight *f = core->cpu->flight;
    return core->model->overtakes ? mem_flight_leaves(f, now) : MAX(f->last_stored, now);
}

int64_t mem_store_waits(struct mem_core *core, int64_t now, int64_t done)
{
    struct mem_flight *f = core->cpu->flight;
    if (done <= now + core->first_hit) return 0;
    if (core->model->overtakes) mem_flight_there(f, done);
    return mem_flight_store(f, done, now);
}

int64_t mem_store_seen(const struct mem_core *core, int64_t done)
{
    const struct mem_flight *f = core->cpu->flight;
    return f ? MAX(f->last_stored, done) : done;
}

void mem_move_waited(const struct mem_core *core, int64_t ticks)
{
    const struct mem_moving *m = &core->moving;
    if (!m->row || m->done != core->cpu->flight->last_stored) return;
    const struct profile_mover who = {.rank = core->cpu->rank, .store = true, .site = m->site};
    profile_move_waited(m->row, &who, ticks);
}

int64_t mem_all_there(struct mem_core *core)
{
    const int64_t wait = mem_flight_drain(core->cpu->flight, mem_date(core->cpu));
    if (wait > 0) mem_move_waited(core, wait);
    return wait;
}

/* "Locked operations serialize all outstanding load and store operations (that is, wait for them to
 * complete)" (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3, 8.1.2.2). */
void mem_stand_alone(struct mem_core *core)
{
    const int64_t wait = core->cpu->flight ? mem_all_there(core) : 0;
    mem_charge(&core->cpu->ledger, 0, wait + core->node->atomic);
}

void mem_fence(struct mem_cpu *cpu)
{
    if (!cpu->flight) return;
    int64_t wait = MAX(cpu->flight->last_stored - mem_date(cpu), 0);
    if (wait > 0) mem_move_waited(cpu->core, wait);
    mem_flight_shift(cpu->flight, wait);
    mem_charge(&cpu->ledger, 0, wait);
}

void mem_fence_all(struct mem_cpu *cpu) { mem_stand_alone(cpu->core); }

/* ---- branches -------------------------------------------------------------------------------- */

/* What comes behind the branch begins when it is known to go there: not before the value that it
 * tests has come. A processor in order has waited for that where it was needed. */
static int64_t waits_for_value(const struct mem_cpu *cpu, const struct mem_site *site, int64_t now)
{
    if (!cpu->flight || !cpu->core->model->overtakes) return 0;
    return mem_address_known(cpu->flight, site, now) - now;
}

void mem_mispredict(struct mem_cpu *cpu, const struct mem_site *site)
{
    cpu->branches.mispredicted++;
    const int64_t now = mem_date(cpu), stall = waits_for_value(cpu, site, now);
    if (stall > 0) {
        const uintptr_t pc = mem_flight_place(cpu->flight, now + stall);
        if (pc) mem_flight_note(cpu->flight, pc, stall);
        mem_flight_shift(cpu->flight, stall);
    }
    mem_charge(&cpu->ledger, site->rest, stall);
}

/* Out of order, it waits for the value that it tests. That is the load's, if its row is at hand. */
static __attribute__((noinline)) void wait_for_value(struct mem_cpu *cpu,
                                                     const struct mem_site *site, int64_t now,
                                                     struct profile_stall *row)
{
    const int64_t stall = mem_address_known(cpu->flight, site, now) - now;
    if (stall <= 0) return;
    const uintptr_t pc = mem_flight_place(cpu->flight, now + stall);
    struct profile_stall *loaded = pc ? mem_row_of(cpu, pc) : NULL;
    if (loaded) row = loaded;
    mem_flight_shift(cpu->flight, stall);
    cpu->ledger.memory += stall;
    row->loads++;
    row->load_ticks += stall;
}
/* Apart, so that a branch that was predicted saves no register. What is lost is in the row of the
 * branch, if that is at hand, and no others must be looked at first. */
static __attribute__((noinline)) void mispredicted(struct mem_cpu *cpu, bool left,
                                                   const struct mem_site *site, uintptr_t pc)
{
    struct profile_stall *row = mem_row_of(cpu, pc);
    const struct mem_flight *f = cpu->flight;
    const int64_t now = mem_now(&cpu->ledger);
    if (left) cpu->branches.left = site;
    if (!row || mem_missed_any(&cpu->missed) || (f && (f->due <= now || f->waits))) {
        mem_above.mispredicted(cpu, site, pc);
        return;
    }
    cpu->branches.mispredicted++;
    row->wrong++;
    row->wrong_ticks += site->rest;
    cpu->ledger.work += site->rest;
    if (f && cpu->core->model->overtakes && mem_flight_latest(f) > now)
        wait_for_value(cpu, site, now, row);
}

static inline bool left(uint64_t against, uint32_t what)
{
    return what & (against ? MEM_BRANCH_ENDS_AGAINST : MEM_BRANCH_ENDS);
}
void mem_goes_by_entry(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site, uintptr_t pc)
{
    uint8_t *entry = &cpu->branch[what & (MEM_BRANCHES - 1)];
    const bool backward = what & MEM_BRANCH_BACKWARD;
    const uint16_t step = cpu->branches.steps->step[backward][against != 0][*entry];
    *entry = (uint8_t)step;
    if (step & MEM_BRANCH_WRONG) mispredicted(cpu, left(against, what), site, pc);
}

/* What is saved is in the row of the branch, too. */
static __attribute__((noinline)) void overlaps(struct mem_cpu *cpu, int8_t *alone, bool against,
                                               const struct mem_site *site, uintptr_t pc)
{
    struct mem_branch_ways ways;
    memcpy(&ways, &site->slack, sizeof ways);
    const uint32_t pairs = mem_branch_pairs(alone, ways, against);
    if (pairs == 0) return;
    const int64_t saved = (int64_t)pairs * ways.saved * MEM_BRANCH_WAYS_PART;
    struct profile_stall *row = mem_row_of(cpu, pc);
    if (row) {
        row->work_ticks -= saved;
        cpu->ledger.work -= saved;
    } else {
        mem_above.saved(cpu, saved, pc);
    }
}

void mem_goes_by_history(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                         const struct mem_site *site, uintptr_t pc)
{
    struct mem_branch_history *h = cpu->branches.history;
    const uint32_t number = what & (MEM_BRANCHES - 1);
    if (MEM_UNLIKELY(!h)) return; /* nobody's */
    if (mem_branch_history_wrong(h, &cpu->branch[number], number, against)) {
        h->alone[number] = 0; /* behind it nothing has begun */
        mispredicted(cpu, left(against, what), site, pc);
    } else if (site->slack) {
        overlaps(cpu, &h->alone[number], against, site, pc);
    }
}

/* ---- targets --------------------------------------------------------------------------------- */

void mem_jumps(uint64_t to, uint32_t what, struct mem_cpu *cpu, const struct mem_site *site,
               uintptr_t pc)
{
    const uint32_t number = what & (MEM_TARGETS - 1), way = (uint32_t)to;
    const uint64_t place = what & MEM_TARGET_ADDRESS ? to - cpu->code_base : to;
    struct mem_targets *t = &cpu->targets;
    if (MEM_UNLIKELY(!t->model)) return; /* nobody's */
    if (t->model->wrong(t, &cpu->target[number],
                        (struct mem_target){number, way, (uint32_t)place, what & MEM_TARGET_CALL}))
        mispredicted(cpu, false, site, pc);
}

/* ---- loops that count ------------------------------------------------------------------------ */

/* The branch back of a loop that takes as many rounds as before is predicted, however many (Zen 4:
 * 400 of them), and so are rounds that the past foretells; others are not. */
bool mem_leaves_loop(uint64_t rounds, uint32_t number, int64_t lost, struct mem_cpu *cpu,
                     uintptr_t pc)
{
    const uint32_t to = (uint32_t)MIN(rounds, UINT32_MAX);
    struct mem_targets *t = &cpu->rounds;
    number &= MEM_TARGETS - 1;
    if (!t->model || cpu->round[number] == to) return false;
    if (!t->model->wrong(t, &cpu->round[number], (struct mem_target){number, to, to, false}))
        return false;
    mispredicted(cpu, false, &(struct mem_site){.rest = lost, .after = MEM_AFTER_NONE}, pc);
    return true;
}
