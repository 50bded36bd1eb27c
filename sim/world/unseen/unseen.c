/* What code that nobody instrumented has stored into windows: looked for when the rank calls MPI,
 * when it lets others run, and when it returns from MPI, whose own arguments count as well.
 *
 * A call that was handed an address of a segment may have stored anywhere in it. One that was not
 * may still know of one (a stream's buffer, a vector in a structure): the rank's segments are
 * looked through as long as they are small, large ones if such an address was seen
 * (probe/foreign.c). Objects that are not instrumented make no call: in a program that has some,
 * the segments are looked through every time if they are small. Nor does inline assembly: after
 * blocks that have some which may store anywhere they are looked through, however large they are.
 */
#include "world/unseen/unseen.h"

#include "check/check.h"
#include "findings/findings.h"
#include "mem/agent/agent.h"
#include "mem/segment/segment.h"

/* Bytes that MPI stores at an argument; if it has stored there, it may have stored more. */
static const uint64_t arguments = 4096;

/* The call that is likeliest to have stored there: the one with the closest address at or below. */
static uintptr_t place_of(const struct mem_foreign *f, uintptr_t addr)
{
    uintptr_t pc = f->pc, closest = UINTPTR_MAX;
    for (uint32_t i = 0; i < f->n; i++) {
        if (addr - f->at[i].addr >= closest) continue;
        closest = addr - f->at[i].addr;
        pc = f->at[i].pc;
    }
    return pc;
}

/* For the check: the call of the program's that was handed the closest address at or below, and of
 * several the last; 0: there is none. What a call of MPI stores, or one that is known, the check
 * has been told. */
static uintptr_t handed(const struct mem_cpu *cpu, uintptr_t addr)
{
    const struct mem_foreign *f = &cpu->foreign;
    uintptr_t pc = 0, closest = UINTPTR_MAX;
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->at[i].mpi || addr - f->at[i].addr > closest) continue;
        closest = addr - f->at[i].addr;
        pc = f->at[i].known ? 0 : f->at[i].pc;
    }
    return pc >= cpu->code_base && pc < cpu->code_end ? pc : 0;
}

static void record(struct world_rank_state *state, const struct mem_unseen *found)
{
    struct serve_proc *proc = state->rank.proc;
    const uintptr_t pc = handed(proc->cpu, found->addr);
    if (pc && check_access(proc->rank, found->addr, found->bytes, CHECK_STORE, NULL,
                           world_site_of(state, pc), serve_now(proc)))
        mem_filter_clear(&proc->cpu->filter);
}

/* Has it stored any? */
static bool carry(struct world_rank_state *state, struct mem_range range)
{
    bool any = false;
    struct serve_proc *proc = state->rank.proc;
    struct mem_unseen found;
    while (mem_unseen_store(proc->cpu, &range, &found, serve_now(proc))) {
        if (check_on) record(state, &found);
        mem_segment_stored_to(proc->memory, proc->rank, found.addr, found.bytes,
                              place_of(&proc->cpu->foreign, found.addr));
        findings_note(&(struct findings_note){
            .kind = FINDINGS_NOTE_UNSEEN_STORE,
            .rank = proc->rank,
            .time_s = serve_now(proc),
            .segment = found.segment,
            .offset = found.offset,
            .site = world_site_of(state, place_of(&proc->cpu->foreign, found.addr)),
            .bytes = found.bytes});
        any = true;
    }
    return any;
}

/* What it was handed may be read without a trace. */
static void not_judged(const struct world_rank_state *state, uintptr_t addr, uintptr_t pc)
{
    const struct serve_proc *proc = state->rank.proc;
    struct mem_unseen found = {.addr = addr};
    mem_unseen_place(proc->cpu, &found);
    if (found.segment < 0) return;
    findings_note(&(struct findings_note){.kind = FINDINGS_NOTE_UNSEEN_LOAD,
                                          .rank = proc->rank,
                                          .time_s = serve_now(state->rank.proc),
                                          .segment = found.segment,
                                          .offset = found.offset,
                                          .site = world_site_of(state, pc)});
}

static void look_where_pointed(struct world_rank_state *state, struct mem_foreign *f)
{
    struct mem_range last = {0, 0};
    for (uint32_t i = 0; i < f->n; i++) {
        uintptr_t addr = f->at[i].addr;
        if (addr >= last.addr && addr - last.addr < last.bytes) continue;
        struct mem_range all = mem_unseen_around(state->rank.proc->cpu, addr);
        uintptr_t end = all.addr + all.bytes;
        struct mem_range first = {addr, all.bytes ? MIN(end - addr, arguments) : 0};
        if (!f->at[i].mpi || carry(state, first)) carry(state, last = all);
    }
}

static void look_everywhere(struct world_rank_state *state, bool large)
{
    struct mem_cpu *cpu = state->rank.proc->cpu;
    const bool near = cpu->foreign.bytes <= MEM_FOREIGN_SMALL; /* where probe asks no more */
    struct mem_range range;
    if (!near && !large && !mem_unseen_few(cpu, MEM_FOREIGN_SMALL)) return;
    for (size_t i = 0; mem_unseen_own(cpu, &i, &range);) carry(state, range);
}

/* May a block have run inline assembly that may store anywhere, since the last look? A block is
 * counted where it begins: its assembly may come some looks later. */
static bool ran_assembly(struct world_rank_state *state)
{
    uint64_t passes = 0;
    for (guint i = 0; world_one.assembly && i < world_one.assembly->len; i++)
        passes += *(const uint64_t *)world_one.assembly->pdata[i];
    if (passes != state->assembled) state->looks = world_one.assembly_looks;
    state->assembled = passes;
    if (state->looks == 0) return false;
    state->looks--;
    return true;
}

/* Into buffers that operations read: by the call that was the last. */
static void look_at_buffers(const struct world_rank_state *state, uintptr_t low)
{
    struct serve_proc *proc = state->rank.proc;
    const struct mem_cpu *cpu = proc->cpu;
    const uintptr_t pc = cpu->foreign.pc;
    uint64_t bytes;
    for (uintptr_t at; check_stored_unseen(proc->rank, low, &at, &bytes);)
        if (pc >= cpu->code_base && pc < cpu->code_end)
            check_access(proc->rank, at, bytes, CHECK_STORE, NULL, world_site_of(state, pc),
                         serve_now(proc));
}

/* What fills the buffers of calls that it was handed. */
static void not_judged_filled(const struct world_rank_state *state, struct mem_foreign *f)
{
    const int rank = state->rank.rank;
    for (uint32_t i = 0; i < f->filled; i++) {
        const char *call = check_filler(rank, f->fill[i].addr);
        if (!call) continue;
        findings_note(&(struct findings_note){.kind = FINDINGS_NOTE_UNSEEN_LOAD,
                                              .rank = rank,
                                              .time_s = serve_now(state->rank.proc),
                                              .segment = -1,
                                              .call = call,
                                              .site = world_site_of(state, f->fill[i].pc)});
    }
    f->filled = 0;
}

void world_unseen_after(struct world_rank_state *state)
{
    struct mem_foreign *f = &state->rank.proc->cpu->foreign;
    check_fills(state->rank.rank, &f->fills, &f->fills_bytes);
}

void world_unseen(struct world_rank_state *state)
{
    struct mem_foreign *f = &state->rank.proc->cpu->foreign;
    if (f->filled) not_judged_filled(state, f);
    const bool assembly = ran_assembly(state),
               large = assembly || (f->pc && (f->reaches || f->keeps));
    const bool silent = world_one.description.uninstrumented || assembly;
    if (silent && !f->pc && f->bytes > 0) f->pc = f->sp = 1;
    if (!f->n && !f->pc) return;
    look_where_pointed(state, f);
    if (f->pc) look_everywhere(state, large);
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (check_on && f->pc) look_at_buffers(state, here);
    uint32_t left = 0; /* calls that last: this MPI call, one that called the program back */
    for (uint32_t i = 0; i < f->n; i++) {
        if (mem_foreign_lasts(f->at[i].sp, f->at[i].pc, here))
            f->at[left++] = f->at[i];
        else if (check_on && !f->at[i].mpi && !f->at[i].known)
            not_judged(state, f->at[i].addr, f->at[i].pc);
    }
    f->n = left;
    if (f->pc && mem_foreign_lasts(f->sp, f->pc, here)) return;
    f->pc = 0;
    f->reaches = false;
}
