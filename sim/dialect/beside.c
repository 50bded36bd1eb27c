/* What calls of MPI load and store beside their buffers: how much that is (beside.def). */
#include "dialect/beside.h"
#include "dialect/fortran/fortran.h"

void dialect_beside_touch(const void *at, int64_t n, uint64_t size, bool stores)
{
    if (n <= 0 || at == mpi_status_ignore_ || at == mpi_statuses_ignore_) return;
    world_beside(at, (uint64_t)n * size, stores);
}

MPI_Comm dialect_beside_comm(uintptr_t word) { return MPI_Comm_f2c(*(const MPI_Fint *)word); }

char *dialect_beside_buffer(uintptr_t word)
{
    return word == (uintptr_t)mpi_in_place_ ? MPI_IN_PLACE : (char *)word;
}

int dialect_beside_peers(MPI_Comm comm)
{
    int between = 0;
    return comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &between) != MPI_SUCCESS || between
               ? 0
               : dialect_size_of(comm);
}

int dialect_beside_dims(MPI_Comm comm)
{
    int dims;
    return comm != MPI_COMM_NULL && PMPI_Cartdim_get(comm, &dims) == MPI_SUCCESS ? dims : 0;
}

int dialect_beside_known(int key)
{
    switch (key) {
    case MPI_WIN_BASE:
    case MPI_WIN_SIZE:
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL: return (int)sizeof(void *);
    default: return 0;
    }
}
