/* How long does a collective ACCEPT take that has nothing to service? Prints seconds. */
#include "check.h"
#include "put_accept.h"

int main(int argc, char **argv)
{
    enum { TIMES = 10 };
    static long memory[4];
    check_begin(&argc, &argv, 2);
    PA_Acceptc(memory, sizeof memory, sizeof *memory, 1, MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < TIMES; i++)
        PA_Acceptc(memory, sizeof memory, sizeof *memory, 1, MPI_COMM_WORLD);
    if (check_rank == 0) printf("acceptc=%.9f\n", (MPI_Wtime() - start) / TIMES);
    check(1, "they all complete");
    return check_end();
}
