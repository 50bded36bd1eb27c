/* Calls at the edges of MPI: datatypes of no bytes, a window that is not of shared memory, files.
 */
#include "check.h"

static int rank, ranks;

/* Before any other datatype is made. */
static void no_blocks(void)
{
    MPI_Datatype type;
    int bytes = -1;
    MPI_Type_create_struct(0, NULL, NULL, NULL, &type);
    MPI_Type_size(type, &bytes);
    check(bytes == 0, "a struct of no blocks may be the first derived datatype");
    MPI_Type_free(&type);
}

/* Collectives leave their buffers alone. */
static void no_bytes(void)
{
    MPI_Datatype type;
    int *one = malloc(4 * (size_t)ranks * sizeof *one);
    int *displs = one + ranks, *from = displs + ranks, *to = from + ranks, wrong = 0;
    for (int i = 0; i < ranks; i++) one[i] = 1, displs[i] = i, from[i] = to[i] = i;
    MPI_Type_contiguous(0, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Alltoall(from, 1, type, to, 1, type, MPI_COMM_WORLD);
    MPI_Alltoallv(from, one, displs, type, to, one, displs, type, MPI_COMM_WORLD);
    MPI_Allgather(from, 1, type, to, 1, type, MPI_COMM_WORLD);
    MPI_Allgatherv(from, 1, type, to, one, displs, type, MPI_COMM_WORLD);
    MPI_Gatherv(from, 1, type, to, one, displs, type, 0, MPI_COMM_WORLD);
    MPI_Scatter(from, 1, type, to, 1, type, 0, MPI_COMM_WORLD);
    MPI_Bcast(to, 3, type, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(from, 1, type, rank, 0, to, 1, type, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ranks; i++) wrong += to[i] != i;
    check(wrong == 0, "collectives of a datatype of no bytes move none");
    MPI_Type_free(&type);
    free(one);
}

static void not_shared(void)
{
    MPI_Win win;
    MPI_Aint bytes = -1;
    int unit = 0;
    double *base, *found = NULL;
    MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_shared_query(win, rank, &bytes, &unit, &found);
    check(bytes == 64 && unit == 8 && found == base, "a window's own part can be queried");
    if (ranks > 1) MPI_Win_shared_query(win, (rank + 1) % ranks, &bytes, &unit, &found);
    check(ranks == 1 || (bytes == 0 && found == NULL), "no other rank's part is accessible");
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    check(MPI_Win_shared_query(win, rank, &bytes, &unit, &found) == MPI_ERR_RMA_FLAVOR,
          "a dynamic window cannot be queried");
    MPI_Win_free(&win);
}

static void files(void)
{
    MPI_File file;
    MPI_Status status;
    int code = MPI_File_open(MPI_COMM_WORLD, "no_such_file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    check(code == MPI_ERR_UNSUPPORTED_OPERATION && file == MPI_FILE_NULL,
          "a file cannot be opened, and that is an error");
    check(MPI_File_read(file, &code, 1, MPI_INT, &status) == MPI_ERR_UNSUPPORTED_OPERATION &&
              MPI_File_close(&file) == MPI_ERR_UNSUPPORTED_OPERATION,
          "nor read or closed");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    rank = check_rank;
    ranks = check_ranks;
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 256);
    if (*what == '\0') {
        no_blocks();
        no_bytes();
        not_shared();
        files();
    }
    MPI_Finalize();
    if (strcmp(what, "twice") == 0) MPI_Finalize();
    if (strcmp(what, "after") == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "window") == 0) {
        MPI_Win win;
        MPI_Win_create(&rank, sizeof rank, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    return check_failures > 0;
}
