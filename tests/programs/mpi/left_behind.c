/* Attributes of communicators and a datatype that nobody frees, and MPI_Abort or MPI_Finalize: what
 * is left at the end of the run is freed by no rank, so no callback runs. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int of_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    int rank = -1;
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
    fprintf(stderr, "FAILED: the callback of a communicator ran (rank %d of its own)\n", rank);
    return MPI_SUCCESS;
}

static int of_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    fprintf(stderr, "FAILED: the callback of a datatype ran\n");
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, type_key;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, of_comm, &key, NULL);
    MPI_Comm_set_attr(comm, key, &key);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, of_type, &type_key, NULL);
    MPI_Type_set_attr(type, type_key, &type_key);
    if (argc > 1 && !strcmp(argv[1], "abort")) MPI_Abort(comm, 3);
    MPI_Finalize();
    printf("ok: all is left behind\n");
    return 0;
}
