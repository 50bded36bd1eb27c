/* A program that misuses its heap in the way its argument says, at lines that the test knows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *how = argc > 1 ? argv[1] : "";
    char *block = malloc(41); /* made */
    long *zeros = calloc(10, sizeof *zeros);
    zeros = realloc(zeros, 20 * sizeof *zeros); /* grown */
    for (int i = 0; i < 10; i++)
        if (zeros[i]) printf("not zero\n");
    memset(block, 1, 41);
    volatile char *seen = block;
    if (rank == 1) {
        if (strcmp(how, "behind") == 0) seen[41] = 1;
        if (strcmp(how, "end") == 0) ((volatile char *)zeros)[20 * sizeof *zeros + 3] = 1;
        if (strcmp(how, "copy") == 0) memset((char *)seen, 2, 43), printf("%d\n", seen[42]);
    }
    free(block); /* freed */
    if (rank == 1) {
        if (strcmp(how, "after") == 0) seen[7] = 1;
        if (strcmp(how, "twice") == 0) free((char *)seen); /* again */
    }
    if (strcmp(how, "large") == 0)
        for (int i = 0; i < 40; i++) { /* more than is kept back */
            char *large = malloc(1 << 20);
            memset(large, 1, 1 << 20);
            free(large); /* large */
        }
    MPI_Finalize();
    return 0;
}
