/* Persistent collectives with a datatype for each block, and those of neighbours (MPI-4.0 6.13,
 * 8.8): the same with each start, though their datatypes have been freed. */
#include "check.h"

enum { MOST = 16, ROUNDS = 3 };

static void to_all(void)
{
    int counts[MOST], at[MOST], out[MOST], in[MOST], wrong = 0;
    MPI_Datatype type[MOST];
    MPI_Request request;
    for (int i = 0; i < check_ranks; i++) {
        counts[i] = 1;
        at[i] = (int)sizeof(int) * (check_ranks - 1 - i);
        MPI_Type_contiguous(1, MPI_INT, &type[i]);
        MPI_Type_commit(&type[i]);
    }
    MPI_Alltoallw_init(out, counts, at, type, in, counts, at, type, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    for (int i = 0; i < check_ranks; i++) {
        MPI_Type_free(&type[i]);
        type[i] = MPI_DATATYPE_NULL;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < check_ranks; i++)
            out[check_ranks - 1 - i] = 100 * check_rank + i + round;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < check_ranks; i++)
            wrong += in[check_ranks - 1 - i] != 100 * i + check_rank + round;
    }
    MPI_Request_free(&request);
    check(!wrong, "MPI_Alltoallw_init sends each block with its datatype, at each start");
}

static void to_neighbours(void)
{
    enum { KINDS = 5 };
    const int dims[1] = {check_ranks}, ring[1] = {1}, one[2] = {1, 1}, at[2] = {0, 1};
    const int left = (check_rank + check_ranks - 1) % check_ranks;
    const int right = (check_rank + 1) % check_ranks;
    const MPI_Aint bytes[2] = {0, sizeof(int)};
    int out[2], in[KINDS][2], wrong = 0;
    MPI_Datatype type[2];
    MPI_Request request[KINDS];
    MPI_Comm comm;
    for (int i = 0; i < 2; i++) {
        MPI_Type_contiguous(1, MPI_INT, &type[i]);
        MPI_Type_commit(&type[i]);
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, ring, 0, &comm);
    MPI_Neighbor_allgather_init(out, 1, MPI_INT, in[0], 1, MPI_INT, comm, MPI_INFO_NULL,
                                &request[0]);
    MPI_Neighbor_allgatherv_init(out, 1, MPI_INT, in[1], one, at, MPI_INT, comm, MPI_INFO_NULL,
                                 &request[1]);
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in[2], 1, MPI_INT, comm, MPI_INFO_NULL,
                               &request[2]);
    MPI_Neighbor_alltoallv_init(out, one, at, MPI_INT, in[3], one, at, MPI_INT, comm, MPI_INFO_NULL,
                                &request[3]);
    MPI_Neighbor_alltoallw_init(out, one, bytes, type, in[4], one, bytes, type, comm, MPI_INFO_NULL,
                                &request[4]);
    for (int i = 0; i < 2; i++) MPI_Type_free(&type[i]);
    for (int round = 0; round < ROUNDS; round++) {
        out[0] = 10 * check_rank + round;
        out[1] = 1000 + out[0];
        MPI_Startall(KINDS, request);
        MPI_Waitall(KINDS, request, MPI_STATUSES_IGNORE);
        for (int kind = 0; kind < KINDS; kind++)
            wrong += in[kind][0] != 10 * left + round + (kind > 1 ? 1000 : 0) ||
                     in[kind][1] != 10 * right + round;
    }
    for (int i = 0; i < KINDS; i++) MPI_Request_free(&request[i]);
    check(!wrong, "neighbours have persistent collectives of each kind");
    MPI_Comm_free(&comm);
    MPI_Info info;
    MPI_Info_create_env(0, NULL, &info);
    int keys = -1;
    MPI_Info_get_nkeys(info, &keys);
    check(keys == 0, "MPI_Info_create_env knows nothing of how processes start");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    to_all();
    to_neighbours();
    return check_end();
}
