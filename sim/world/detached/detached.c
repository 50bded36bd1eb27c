/* Functions of the program that the engine runs. They must leave no trace in the rank that happens
 * to be running, if any is, nor may they wait: an accumulate is atomic. */
#include "world/detached/detached.h"
#include "mach/mach.h"
#include "world/label/label.h"
#include "world/place/place.h"
#include "world/rank/state.h"

int world_detached(void) { return world_one.detached.rank; }

void world_detached_words(uint64_t bytes)
{
    if (world_one.detached.rank < 0) return;
    uint64_t words = bytes > 16 ? (bytes + 7) / 8 : 1; /* as mem counts */
    world_one.detached.extra_s +=
        world_cycles((double)words * mach_word_cycles(world_one.mach, MACH_LOAD));
}

void world_detached_compute(double seconds) { world_one.detached.extra_s += seconds; }

double world_run_detached(int rank, void (*function)(void *data), void *data)
{
    struct mem_cpu *before = world_cpu();
    world_run_as(&world_nobody);
    world_one.detached.rank = rank;
    world_one.detached.extra_s = 0;
    world_nobody.ledger.work = 0;
    world_nobody.priced = ~UINT64_C(0);
    function(data);
    world_nobody.priced = 0;
    world_one.detached.rank = -1;
    world_run_as(before);
    double cycles = (double)world_nobody.ledger.work / (1 << MEM_TICK_BITS);
    return world_one.detached.extra_s + world_cycles(cycles);
}

void world_not_detached(const char *call)
{
    if (world_one.detached.rank < 0) return;
    int rank = world_one.detached.rank;
    world_one.detached.rank = -1;
    world_say("rank %d: %s inside a user-defined operation: MPI allows no call there but MPI_Abort "
              "and queries of datatypes",
              rank, call);
    world_abort(1);
}

struct mem_cpu *world_away(void)
{
    struct mem_cpu *before = world_cpu();
    world_not_detached("an MPI call");
    if (world_labels && before != &world_nobody) world_label_drain(before->rank);
    world_run_as(&world_nobody);
    return before;
}

void world_back(struct mem_cpu *before) { world_run_as(before); }
