/* Every rank but one lets a long message wait, and goes on with a hundred short ones. All are on
 * their way to rank 0 at once. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 200000, SHORT = 100 };

int main(int argc, char **argv)
{
    int rank, ranks, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *bytes = calloc(LONG, 1);
    if (rank) {
        MPI_Request request;
        bytes[LONG - 1] = (char)rank;
        MPI_Isend(bytes, LONG, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
        for (int i = 0; i < SHORT; i++) MPI_Send(&i, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        const double begun = MPI_Wtime();
        for (int i = 0, one; i < SHORT * (ranks - 1); i++, sum += one)
            MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int from = 1; from < ranks; from++) {
            MPI_Recv(bytes, LONG, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += bytes[LONG - 1];
        }
        const int right = (ranks - 1) * SHORT * (SHORT - 1) / 2 + (ranks - 1) * ranks / 2;
        printf("%s\n", sum == right ? "right" : "WRONG");
        printf("bytes=%.0f\nmessages=%d\nseconds=%.9f\n",
               (ranks - 1.0) * (LONG + SHORT * sizeof(int)), (ranks - 1) * (SHORT + 1),
               MPI_Wtime() - begun);
    }
    free(bytes);
    MPI_Finalize();
    return 0;
}
