/* The example of the SHMALLOC proposal (E. Salo, "Plea for simplicity", MPI-2 mailing list, 31
 * October 1995) as it stands, with the includes and the MPI_Init that it leaves out. */
#include <mpi.h>
#include <stdio.h>

main()
{
    MPI_Comm put_comm;
    int my_rank, master_rank, slave_rank, i;
    char *buf;

    /* Initialize */

    MPI_Init(NULL, NULL);

    master_rank = 0;
    slave_rank = 1;

    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);

    /* Create a window of 10000 bytes on each process */

    MPI_Shmalloc(&buf, 10000, MPI_COMM_WORLD, &put_comm);

    if (my_rank == master_rank) {

        /* Declare the source buffer */

        float f[10];

        /* Initialize the source buffer with some data */

        for (i = 0; i < 10; i++) {
            f[i] = i * 1.1;
        }

        /* Put the source buffer into the remote window of the slave */

        MPI_Put(f, 10, MPI_FLOAT, 0, slave_rank, put_comm);

        /* Synchronize with the slave */

        MPI_Barrier(put_comm);

    } else { /* slave */
        float *f;

        /* Point f at the appropriate place in my window */

        f = (void *)buf;

        /* Synchronize with the master (wait for the data to arrive) */

        MPI_Barrier(put_comm);

        /* Print the data */

        for (i = 0; i < 10; i++) {
            printf("%f\n", f[i]);
        }
    }

    MPI_Finalize();
}
