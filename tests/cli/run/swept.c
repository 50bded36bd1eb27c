/* Runs until it is killed; with an argument not at all. */
#include <mpi.h>

#include "sidewinder.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    while (argc == 1) sw_compute(1);
    MPI_Finalize();
    return 0;
}
