/* Calls where MPI has not begun, or has ended: which one the first argument says. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int x = 0, flag = 1;
    MPI_Win win;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Initialized(&flag);
    MPI_Get_version(&x, &x);
    double began = MPI_Wtime() + MPI_Wtick();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep(3);
    if (flag) return 2;
    if (strcmp(what, "rank") == 0) MPI_Comm_rank(MPI_COMM_WORLD, &x); /* rank */
    if (strcmp(what, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);    /* barrier */
    if (strcmp(what, "window") == 0)
        MPI_Win_create(&x, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);             /* window */
    if (strcmp(what, "send") == 0) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* send */
    if (strcmp(what, "finalize") == 0) MPI_Finalize();                             /* finalize */
    if (strcmp(what, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 9);                  /* abort */
    MPI_Init(&argc, &argv);
    if (strcmp(what, "twice") == 0) MPI_Init(&argc, &argv);          /* twice */
    if (strcmp(what, "null") == 0) MPI_Comm_rank(MPI_COMM_NULL, &x); /* null */
    if (MPI_Wtime() - began < 2e-6) return 3;
    MPI_Finalize();
    if (strcmp(what, "late") == 0) MPI_Comm_rank(MPI_COMM_WORLD, &x); /* late */
    if (strcmp(what, "anew") == 0) MPI_Init(&argc, &argv);            /* anew */
    return 0;
}
