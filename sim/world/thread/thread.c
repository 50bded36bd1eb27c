/* Threads that ranks start, and OpenMP parallel regions: they run unseen. All ranks share one
 * thread of the host, by which libgomp knows what region runs: while a rank is in one, no other
 * runs. */
#include "world/thread/thread.h"

#include "findings/findings.h"
#include "world/detached/detached.h"
#include "world/place/place.h"
#include "world/rank/state.h"

void world_threads_started(int threads, uintptr_t pc)
{
    const struct world_rank_state *state = world_state_here();
    if (!state) return;                                      /* one that is not seen itself */
    struct mem_foreign *f = &state->rank.proc->cpu->foreign; /* what they store is carried */
    f->keeps = true;
    f->pc = pc;
    f->sp = 0;
    for (int i = 0; i < threads; i++)
        findings_note(&(struct findings_note){.kind = FINDINGS_NOTE_THREAD,
                                              .rank = state->rank.rank,
                                              .time_s = serve_now(state->rank.proc),
                                              .segment = -1,
                                              .site = world_site_of(state, pc)});
}

void world_region(bool begins)
{
    static struct mem_cpu *before;
    if (begins) before = world_away();
    world_one.in_region = begins;
    if (!begins) world_back(before);
}

int world_refusals;

struct refused {
    int rank;
    const char *call;
    op_site site;
};

static GAsyncQueue *queue(void)
{
    static GAsyncQueue *made;
    if (g_once_init_enter(&made)) g_once_init_leave(&made, g_async_queue_new());
    return made;
}

/* The rank is known by where its copy of the program lies. */
void world_refuse_thread(const char *call, uintptr_t pc)
{
    static uintptr_t said;
    if (!world_unseen_here() || __atomic_exchange_n(&said, pc, __ATOMIC_RELAXED) == pc) return;
    for (int i = 0; i < world_one.description.ranks; i++) {
        const struct mem_cpu *cpu = world_one.state[i].rank.proc->cpu;
        if (pc < cpu->code_base || pc >= cpu->code_end) continue;
        const struct refused one = {i, call, pc - cpu->code_base};
        g_async_queue_push(queue(), g_memdup2(&one, sizeof one));
        __atomic_fetch_add(&world_refusals, 1, __ATOMIC_RELEASE);
        return;
    }
}

void world_say_refused(void)
{
    static GMutex saying; /* threads that call MPI_Abort say it themselves */
    g_mutex_lock(&saying);
    for (struct refused *one; (one = g_async_queue_try_pop(queue())); g_free(one)) {
        world_say("rank %d: %s at %s in a thread or a parallel region: MPI may only be called by "
                  "the rank outside of them (MPI_ERR_OTHER)",
                  one->rank, one->call, world_place(one->site));
        __atomic_fetch_sub(&world_refusals, 1, __ATOMIC_RELEASE);
    }
    g_mutex_unlock(&saying);
}
