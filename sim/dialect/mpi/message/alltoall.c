/* MPI_Alltoall of long blocks between an odd number of ranks: SimGrid's selection for MPICH takes
 * an algorithm for powers of two there (its smpi_mpich_selector.cpp), which throws. */
#include "dialect/mpi/message/message.h"

enum { LONG_BLOCK = 32768 }; /* bytes, of that selection */

static bool throws(MPI_Comm comm, int64_t count, MPI_Datatype type)
{
    return dialect_size_of(comm) % 2 == 1 && dialect_bytes(count, type) >= LONG_BLOCK;
}

int dialect_alltoall(const void *send, int sent, MPI_Datatype sent_type, void *to, int count,
                     MPI_Datatype type, MPI_Comm comm)
{
    int ranks = dialect_size_of(comm);
    if (!throws(comm, count, type))
        return PMPI_Alltoall(send, sent, sent_type, to, count, type, comm);
    g_autofree int *sends = g_new(int, ranks), *from = g_new(int, ranks),
                   *counts = g_new(int, ranks), *at = g_new(int, ranks);
    for (int i = 0; i < ranks; i++) {
        sends[i] = sent;
        from[i] = i * sent;
        counts[i] = count;
        at[i] = i * count;
    }
    return PMPI_Alltoallv(send, sends, from, sent_type, to, counts, at, type, comm);
}
