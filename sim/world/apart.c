/* Functions of the program that the engine runs. They must leave no trace in the rank that happens
 * to be running, if any is, nor may they wait: an accumulate is atomic. */
#include "world/build.h"

static struct {
    int rank;
    double cycles;
} apart = {.rank = -1};

int world_apart(void) { return apart.rank; }

void world_apart_access(uint64_t bytes)
{
    if (apart.rank < 0) return;
    uint64_t words = bytes > 16 ? (bytes + 7) / 8 : 1; /* as mem counts */
    apart.cycles += (double)words * world_one.mach->cpu_cycles_per_access;
}

void world_apart_compute(double cycles) { apart.cycles += cycles; }

double world_run_apart(int rank, void (*function)(void *data), void *data)
{
    struct mem_cpu *before = world_away();
    apart.rank = rank;
    apart.cycles = 0;
    function(data);
    apart.rank = -1;
    world_back(before);
    return apart.cycles / world_one.mach->cpu_clock;
}

void world_not_apart(const char *call)
{
    if (apart.rank < 0) return;
    int rank = apart.rank;
    apart.rank = -1;
    world_say("rank %d: %s inside a user-defined operation: MPI allows no call there but MPI_Abort "
              "and queries of datatypes",
              rank, call);
    world_abort(1);
}
