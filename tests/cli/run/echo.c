/* Prints what reached the program: arguments, environment, standard input; and lines on both
 * outputs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        char line[100] = "";
        for (int i = 1; i < argc; i++) printf("argument %d [%s]\n", i, argv[i]);
        printf("variable [%s]\n",
               getenv("SW_TEST_VARIABLE") ? getenv("SW_TEST_VARIABLE") : "unset");
        if (fgets(line, sizeof line, stdin))
            printf("input [%.*s]\n", (int)strcspn(line, "\n"), line);
        fprintf(stderr, "this goes to standard error\n");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
