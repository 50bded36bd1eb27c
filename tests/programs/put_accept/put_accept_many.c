/* Thousands of PUT requests wait before the ACCEPT that services them is called: every one is
 * serviced, in order. The argument says how many. */
#include "check.h"
#include <put_accept.h>

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    int n = atoi(argv[1]), *memory, bad = 0;
    PA_Rma_malloc(&memory, (MPI_Aint)n * (MPI_Aint)sizeof *memory);
    for (int i = 0; check_rank == 0 && i < n; i++) memory[i] = i + 1;
    for (int i = 0; check_rank == 0 && i < n; i++)
        PA_Put(memory + i, 1, MPI_INT, 1, i, 1, MPI_INT, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    PA_Accept(memory, check_rank * n * (MPI_Aint)sizeof *memory, sizeof *memory, 7, MPI_COMM_WORLD,
              check_rank * n);
    for (int i = 0; i < n; i++) bad += memory[i] != i + 1;
    check(bad == 0, "requests that waited are serviced");
    PA_Rma_free(memory);
    return check_end();
}
