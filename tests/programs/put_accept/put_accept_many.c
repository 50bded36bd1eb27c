/* Thousands of PUT requests wait before the ACCEPT that services them is called: every one is
 * serviced, in order. The argument says how many. With a second one as many IACCEPTs, each of a tag
 * and a piece of memory of its own, wait for theirs. */
#include "check.h"
#include <put_accept.h>

static int many_servicers(int n, int *memory)
{
    MPI_Request *request = malloc((size_t)n * sizeof *request);
    for (int i = 0; i < n; i++) memory[i] = 2 * i;
    for (int i = 0; check_rank == 1 && i < n; i++)
        PA_Iaccept(memory + i, sizeof *memory, 1, i, MPI_COMM_WORLD, 1, request + i);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; check_rank == 0 && i < n; i++) memory[i] = i + 1;
    for (int i = 0; check_rank == 0 && i < n; i++)
        PA_Put(memory + i, 1, MPI_INT, 1, 0, 1, MPI_INT, i, MPI_COMM_WORLD);
    if (check_rank == 1) MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    int bad = 0;
    for (int i = 0; check_rank == 1 && i < n; i++) bad += memory[i] != i + 1;
    for (int i = 0; check_rank == 0 && i < n; i++) PA_Accept(NULL, 0, 1, i, MPI_COMM_WORLD, 0);
    free(request);
    return bad;
}

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
    check(argc < 3 || many_servicers(n, memory) == 0, "each servicer gets what has its tag");
    PA_Rma_free(memory);
    return check_end();
}
