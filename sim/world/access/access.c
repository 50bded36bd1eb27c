/* References that rules watch: the loads and stores of the program, and of a library that reads or
 * fills the program's buffers. */
#include "world/access/access.h"

#include "mem/agent/agent.h"
#include "mem/segment/segment.h"
#include "serve/clock/clock.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "world/rank/state.h"

bool world_checks_heap;

static void unfilter(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    uint64_t first = (uint64_t)addr >> cpu->filter.line_shift,
             last = (uint64_t)(addr + bytes - 1) >> cpu->filter.line_shift;
    mem_filter_forget(&cpu->filter, first);
    for (uint64_t line = first + 1; line <= last && line < first + MEM_FILTER; line++)
        mem_filter_forget(&cpu->filter, line);
}

void world_unfilter(struct world_rank *rank, uintptr_t addr, uint64_t bytes)
{
    if (bytes > 0) unfilter(rank->proc->cpu, addr, bytes);
}

/* Its own, paid or owed. */
static double worked(const struct serve_proc *proc)
{
    return proc->spent.compute_s + serve_owed((struct serve_proc *)proc) + proc->spent.memory_s -
           serve_stalled(proc);
}

/* What the call has charged so far comes before what the function does: its loads and stores have
 * their right dates. */
void world_callback_goes_on(struct world_rank *rank)
{
    const struct world_rank_state *state = (struct world_rank_state *)rank;
    if (state->callbacks == 0 || state->depth != state->callback_depth) return;
    serve_resume(rank->proc);
    world_run_as(rank->proc->cpu);
}

void world_callback_begin(struct world_rank *rank, const struct world_argument *arguments)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    if (state->callbacks++ > 0) return;
    state->callback_depth = state->depth;
    state->callback_frame = (uintptr_t)__builtin_frame_address(0);
    state->callback = arguments;
    state->callback_stalled_s -= serve_stalled(rank->proc);
    state->callback_worked_s -= worked(rank->proc);
    world_callback_goes_on(rank);
}

void world_callback_end(struct world_rank *rank)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    if (--state->callbacks > 0) return;
    world_run_as(&world_nobody);
    world_waited(rank->proc->cpu);
    state->callback_stalled_s += serve_stalled(rank->proc);
    state->callback_worked_s += worked(rank->proc);
    state->callback = NULL;
}

static bool is_callbacks(const struct world_rank_state *state, uintptr_t addr)
{
    const struct world_argument *a = state->callback;
    for (int i = 0; a && i < 2; i++)
        if (addr >= a[i].from && addr < a[i].to) return false;
    return a != NULL;
}

void world_referenced(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, enum check_kind kind,
                      uintptr_t pc)
{
    const struct world_rank_state *state = &world_one.state[cpu->rank];
    if (state->call && !is_callbacks(state, addr)) return; /* a library's, on behalf of the call */
    op_site site = world_site_of(state, pc);
    if (check_on) site = world_users_site(site);
    double now_s = serve_now(state->rank.proc);
    if (world_filming)
        world_film_access(cpu, addr, bytes,
                          kind == CHECK_STORE || kind == CHECK_ATOMIC_STORE ||
                              kind == CHECK_RELAXED_STORE,
                          site, now_s);
    if (sync_guards > 0) sync_guard_check(cpu, addr, bytes, site, now_s);
    if (!check_on) return;
    struct world_rank *rank = &world_one.state[cpu->rank].rank;
    if (check_pairing && !state->call) world_pair_goes_on(rank);
    if (check_access(cpu->rank, addr, bytes, kind, NULL, site, now_s)) unfilter(cpu, addr, bytes);
    if (cpu->seen_load) check_again_at(cpu->rank, addr, kind, site, pc);
    if (check_pairing && !state->call) world_pair_comes(rank, false);
}

op_site world_site_here(uintptr_t pc)
{
    const struct world_rank_state *state = world_state_here();
    return state ? world_site_of(state, pc) : 0;
}

struct check_stack world_stack(const struct world_rank *rank, uintptr_t at, uintptr_t pc)
{
    const uintptr_t *frame = (const uintptr_t *)at; /* base pointer, return address */
    struct check_stack stack = {.low = at, .high = rank->proc->cpu->foreign.stack};
    if (frame[1] == pc) stack.pointer = at + 2 * sizeof *frame, stack.base = frame[0];
    return stack;
}

bool world_freed(uintptr_t addr, uint64_t bytes, const char *call, uintptr_t pc)
{
    const struct world_rank_state *state = world_state_here();
    return state && !state->call &&
           check_freed(state->rank.rank, addr, bytes, call,
                       world_users_site(world_site_of(state, pc)), serve_now(state->rank.proc));
}

/* ---- buffers that a library reads or writes -------------------------------------------------- */

static void buffer_referenced(struct world_rank *rank, const void *addr, uint64_t bytes,
                              enum check_kind kind, const char *call)
{
    struct mem_cpu *cpu = rank->proc->cpu;
    if (!world_watching() || bytes == 0) return;
    op_site site = world_site(rank);
    double now_s = serve_now(rank->proc);
    if (sync_guards > 0) sync_guard_check(cpu, (uintptr_t)addr, bytes, site, now_s);
    if (check_on && check_access(rank->rank, (uintptr_t)addr, bytes, kind, call, site, now_s))
        world_unfilter(rank, (uintptr_t)addr, bytes);
    if (check_on && check_pairing) world_pair_comes(rank, true);
}

void world_buffer_read(struct world_rank *rank, const void *addr, uint64_t bytes)
{
    struct serve_proc *proc = rank->proc;
    if (bytes > 0)
        serve_access(proc, mem_touch_load(proc->cpu, (uintptr_t)addr, bytes, serve_now(proc)));
    buffer_referenced(rank, addr, bytes, CHECK_CALL_LOAD, ((struct world_rank_state *)rank)->call);
}

void world_buffer_written(struct world_rank *rank, void *addr, uint64_t bytes, const char *call)
{
    struct serve_proc *proc = rank->proc;
    uint32_t writer = op_writer_id(rank->rank, call, world_site(rank));
    if (bytes > 0)
        serve_access(proc,
                     mem_touched_store(proc->cpu, (uintptr_t)addr, bytes, writer, serve_now(proc)));
    world_stored_for(rank, (uintptr_t)addr, bytes);
    buffer_referenced(rank, addr, bytes, CHECK_CALL_STORE, call);
}

void world_stored_for(struct world_rank *rank, uintptr_t addr, uint64_t bytes)
{
    const struct serve_proc *proc = rank->proc;
    if (bytes > 0) mem_segment_stored_to(proc->memory, rank->rank, addr, bytes, proc->cpu->call_pc);
}

void world_message_copied(struct world_rank *rank, int to, uint64_t bytes)
{
    const struct mach *m = world_one.mach;
    struct world_rank_state *state = &world_one.state[rank->rank];
    if (m->cpus < 2 || mach_node_of(m, to) != rank->proc->node) return;
    serve_memory(rank->proc, MAX(0, state->copied_s - serve_now(rank->proc)));
    state->copied_s = serve_now(rank->proc) + (double)bytes / m->net_local_bandwidth;
}
