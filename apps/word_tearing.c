/* Word tearing: processes put to bytes of their own that lie in one word of another's memory. Where
 * memory is written in chunks of more than a byte (shmalloc.chunk), a put reads the chunk and
 * writes it back, and takes with it what another has put there meanwhile. "What happens if two
 * different processes try to write to bytes located within the same remote word?" (E. Salo, 1995).
 *
 * In every round each rank but 0 puts a new value to its own bytes of rank 0's window, after a
 * random moment; then rank 0 checks which were lost. On a machine that writes bytes none ever is.
 */
#include "random.h"
#include <shmalloc.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MOST = 64 };

int main(int argc, char **argv)
{
    int rank, ranks, apart = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 2 ? atoi(argv[2]) : 1;
    int rounds = argc > 3 ? atoi(argv[3]) : 200, spread = argc > 4 ? atoi(argv[4]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 5 || ranks < 2 || bytes < 1 || bytes > BYTES_MOST || apart < bytes || rounds < 1 ||
        spread < 0) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: word_tearing [bytes apart, 1] [bytes each, 1] [rounds, 200] [spread in "
                    "cycles, 100]\n"
                    "  at least 2 ranks; 1 to %d bytes each, and no two ranks' overlap\n",
                    BYTES_MOST);
        MPI_Finalize();
        return 2;
    }
    unsigned char *word, mine[BYTES_MOST];
    MPI_Comm comm;
    SHM_Shmalloc(&word, (MPI_Aint)apart * (ranks - 1), MPI_COMM_WORLD, &comm);
    uint64_t seed = (uint64_t)rank + 1;
    long lost = 0;
    for (int round = 1; round <= rounds; round++) {
        memset(mine, round % 255 + 1, (size_t)bytes);
        MPI_Barrier(comm);
        sw_compute((double)(next_random(&seed) % ((uint64_t)spread + 1)));
        if (rank > 0) SHM_Put(mine, bytes, MPI_BYTE, (MPI_Aint)apart * (rank - 1), 0, comm);
        MPI_Barrier(comm);
        for (int r = 1; rank == 0 && r < ranks; r++) {
            int whole = 1;
            for (int i = 0; i < bytes; i++) whole &= word[apart * (r - 1) + i] == mine[i];
            lost += !whole;
        }
    }
    if (rank == 0)
        printf(
            "word_tearing: %ld of %ld puts lost, %.2f %% (%d bytes each, %d apart, by %d ranks)\n",
            lost, (long)rounds * (ranks - 1), 100.0 * (double)lost / ((double)rounds * (ranks - 1)),
            bytes, apart, ranks - 1);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
