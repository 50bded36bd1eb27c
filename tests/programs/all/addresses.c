/* Where the host puts a variable, a block, a frame and C's library. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int variable;

int main(int argc, char **argv)
{
    int local = 0;
    MPI_Init(&argc, &argv);
    void *block = malloc(100000), *large = malloc(10000000);
    printf("%p %p %p %p %p\n", (void *)&variable, (void *)&local, block, large, stdout);
    free(block);
    free(large);
    MPI_Finalize();
    return 0;
}
