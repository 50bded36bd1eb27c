/* The memory models of three windows on this machine: "unified" or "separate". */
#include <mpi.h>
#include <stdio.h>

static const char *model_of(MPI_Win win)
{
    int *model, flag;
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag);
    return !flag ? "none" : *model == MPI_WIN_UNIFIED ? "unified" : "separate";
}

int main(int argc, char **argv)
{
    int rank, *base;
    MPI_Win made, allocated, dynamic;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &allocated);
    MPI_Win_create(base, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &made);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    if (rank == 0) printf("%s %s %s\n", model_of(allocated), model_of(made), model_of(dynamic));
    MPI_Win_free(&dynamic);
    MPI_Win_free(&made);
    MPI_Win_free(&allocated);
    MPI_Finalize();
    return 0;
}
