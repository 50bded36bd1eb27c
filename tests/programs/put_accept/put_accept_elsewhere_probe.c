/* Plain MPI. */
#include <mpi.h>

void probe_for_anything(MPI_Status *status);

void probe_for_anything(MPI_Status *status)
{
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status);
}
