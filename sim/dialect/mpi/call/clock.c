/* MPI_Wtime and MPI_Wtick: the rank's own clock. */
#include "world/clock/clock.h"
#include "dialect/mpi/call/call.h"

double MPI_Wtime(void)
{
    double time_s;
    if (world_clock_polled(&time_s)) return time_s;
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    time_s = r                   ? world_read_clock()
             : world_simulated() ? world_now() /* in a thread */
                                 : PMPI_Wtime();
    if (r) world_leave(r);
    return time_s;
}

double MPI_Wtick(void) { return world_simulated() ? world_clock_tick() : PMPI_Wtick(); }
