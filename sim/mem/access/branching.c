/* branching: branches of instrumented code whose outcome is in doubt, and what a wrong prediction
 * takes. Most of them end here, in their row of the profile. */
#include "mem/access/flying.h"

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
    int64_t stall = waits_for_value(cpu, site, mem_date(cpu));
    if (stall > 0) mem_flight_shift(cpu->flight, stall);
    mem_charge(&cpu->ledger, site->rest, stall);
}

/* Out of order, it waits for the value that it tests. */
static __attribute__((noinline)) bool wait_for_value(struct mem_cpu *cpu,
                                                     const struct mem_site *site, int64_t now,
                                                     struct profile_stall *row)
{
    const int64_t stall = mem_address_known(cpu->flight, site, now) - now;
    if (stall <= 0) return true;
    mem_flight_shift(cpu->flight, stall);
    cpu->ledger.memory += stall;
    row->loads++;
    row->load_ticks += stall;
    return true;
}

/* It is in the row of the branch. False: nothing was done, since that is not at hand, or others
 * must be looked at first. */
static inline bool lost_in_row(struct mem_cpu *cpu, const struct mem_site *site, uintptr_t pc)
{
    struct profile_stall *row = mem_row_of(cpu, pc);
    const struct mem_flight *f = cpu->flight;
    const int64_t now = mem_now(&cpu->ledger);
    if (!row || mem_missed_any(&cpu->missed)) return false;
    if (f && (f->due <= now || f->waits)) return false;
    cpu->branches.mispredicted++;
    row->work_ticks += site->rest;
    cpu->ledger.work += site->rest;
    return f && cpu->core->model->overtakes ? wait_for_value(cpu, site, now, row) : true;
}
static inline void mispredicted(struct mem_cpu *cpu, bool left, const struct mem_site *site,
                                uintptr_t pc)
{
    if (left) cpu->branches.left = site;
    if (!lost_in_row(cpu, site, pc)) mem_above.mispredicted(cpu, site, pc);
}

void mem_goes_by_entry(struct mem_cpu *cpu, uint32_t number, bool against, bool backward,
                       const struct mem_site *site, uintptr_t pc)
{
    uint8_t *entry = &cpu->branch[number];
    const uint16_t step = cpu->branches.steps->step[backward][against][*entry];
    *entry = (uint8_t)step;
    if (step & MEM_BRANCH_WRONG) mispredicted(cpu, backward && against, site, pc);
}

void mem_goes_by_history(struct mem_cpu *cpu, uint32_t number, bool against, bool backward,
                         const struct mem_site *site, uintptr_t pc)
{
    struct mem_branches *p = &cpu->branches;
    const struct mem_branch branch = {number, against, backward};
    if (p->model && p->model->wrong(p, &cpu->branch[number], branch))
        mispredicted(cpu, backward && against, site, pc);
}
