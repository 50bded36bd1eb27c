/* What MPI_Sendrecv takes, and MPI_Sendrecv_replace of as many bytes, in a ring: BYTES. */
#include "check.h"

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    const int bytes = atoi(argv[1]), to = (check_rank + 1) % check_ranks,
              from = (check_rank + check_ranks - 1) % check_ranks;
    char *out = calloc(bytes, 1), *in = calloc(bytes, 1);
    double took[2];
    out[bytes - 1] = (char)check_rank;
    for (int replaces = 0; replaces < 2; replaces++) {
        MPI_Barrier(MPI_COMM_WORLD);
        took[replaces] = MPI_Wtime();
        for (int i = 0; i < check_ranks; i++)
            if (replaces)
                MPI_Sendrecv_replace(out, bytes, MPI_BYTE, to, 0, from, 0, MPI_COMM_WORLD,
                                     MPI_STATUS_IGNORE);
            else
                MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        took[replaces] = (MPI_Wtime() - took[replaces]) / check_ranks;
    }
    check(in[bytes - 1] == (char)from, "MPI_Sendrecv brings what the rank before has");
    check(out[bytes - 1] == (char)check_rank, "MPI_Sendrecv_replace brings it once around");
    if (check_rank == 0) printf("sendrecv=%.9f\nreplace=%.9f\n", took[0], took[1]);
    free(out);
    free(in);
    return check_end();
}
