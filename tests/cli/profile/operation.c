/* An operation of the program's and a callback of an attribute, called by itself and by MPI. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 64, TIMES = 10 };
static double far[1 << 16], in[ELEMENTS], inout[ELEMENTS];

static __attribute__((noinline)) void mix(void *from, void *to, int *n, MPI_Datatype *type)
{
    double *a = malloc((size_t)*n * sizeof *a), *b = to;
    (void)type;
    memcpy(a, from, (size_t)*n * sizeof *a);
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < 100; k++) b[i] = b[i] * 0.5 + a[i];
    for (int i = 0; i < *n; i++) b[i] += far[i * 977 & 65535];
    free(a);
}

static __attribute__((noinline, noclone)) int copied(MPI_Comm comm, int key, void *extra,
                                                     void *from, void *to, int *flag)
{
    double sum = 0;
    (void)comm, (void)key, (void)extra;
    for (int i = 0; i < 8192; i++) sum += far[i] * sum;
    *(void **)to = from;
    *flag = sum >= 0;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Op commutes, ordered;
    int n = ELEMENTS;
    MPI_Datatype type = MPI_DOUBLE;
    MPI_Init(&argc, &argv);
    MPI_Op_create(mix, 1, &commutes);
    MPI_Op_create(mix, 0, &ordered);
    for (int i = 0; i < TIMES; i++) mix(in, inout, &n, &type);
    for (int i = 0; i < TIMES; i++) MPI_Reduce_local(in, inout, n, MPI_DOUBLE, commutes);
    MPI_Allreduce(in, inout, n, MPI_DOUBLE, commutes, MPI_COMM_WORLD);
    MPI_Scan(in, inout, n, MPI_DOUBLE, ordered, MPI_COMM_WORLD);
    int key, flag;
    void *value;
    MPI_Comm twin;
    MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, far);
    for (int i = 0; i < TIMES; i++) copied(MPI_COMM_WORLD, key, NULL, far, &value, &flag);
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Comm_free(&twin);
    }
    MPI_Op_free(&commutes);
    MPI_Op_free(&ordered);
    MPI_Finalize();
}
