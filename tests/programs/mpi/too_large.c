/* A window that is larger than the program's memory: made, or attached, as argument 1 says. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static long few[8];
    int class = MPI_SUCCESS, code;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (argc > 1 && strcmp(argv[1], "attached") == 0) {
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
        code = MPI_Win_attach(win, few, (MPI_Aint)1 << 40);
        MPI_Win_free(&win);
    } else
        code = MPI_Win_create(few, (MPI_Aint)1 << 40, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Error_class(code, &class);
    printf("%d\n", class == MPI_ERR_SIZE);
    MPI_Finalize();
    return 0;
}
