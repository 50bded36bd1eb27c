/* Bytes of one remote word (shmalloc.chunk): shmalloc_tearing WHO BYTES APART. Rank 1 puts to its
 * bytes of a word of rank 0 while WHO changes others of it: "put" rank 2 (and the ranks behind it,
 * each behind the others), "store" rank 0 by stores. Prints how many of whose were lost, as
 * NAME=VALUE. Three ranks. */
#include "check.h"
#include "shmalloc.h"
#include "sidewinder.h"

int main(int argc, char **argv)
{
    MPI_Comm comm;
    volatile unsigned char *word;
    unsigned char mine[8];
    int lost[2] = {0, 0}, rounds = 300;
    check_begin(&argc, &argv, 3);
    int stores = strcmp(argv[1], "store") == 0, bytes = atoi(argv[2]), apart = atoi(argv[3]);
    void *window;
    SHM_Shmalloc(&window, 64, MPI_COMM_WORLD, &comm);
    word = window;
    for (int round = 1; round <= rounds; round++) {
        memset(mine, round % 255 + 1, sizeof mine);
        MPI_Barrier(comm);
        if (check_rank == 1) sw_compute(round * 7 % 120);
        if (check_rank == 0) sw_compute(round * 11 % 170);
        if (check_rank > 1) sw_compute(round * 13 % 190);
        if (check_rank == 1) SHM_Put(mine, bytes, MPI_BYTE, 0, 0, comm); /* PUT */
        if (check_rank > 1 && !stores)
            SHM_Put(mine, bytes, MPI_BYTE, apart * (check_rank - 1), 0, comm); /* OTHER */
        if (check_rank == 0 && stores)
            for (int i = 0; i < bytes; i++) word[apart + i] = mine[i]; /* STORE */
        MPI_Barrier(comm);
        if (check_rank == 0) lost[0] += word[0] != mine[0], lost[1] += word[apart] != mine[0];
    }
    if (check_rank == 0) printf("lost_of_1=%d\nlost_of_other=%d\n", lost[0], lost[1]);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
