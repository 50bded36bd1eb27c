/* "MPI_BOTTOM ... absolute addresses" (MPI-2 4.1.5): a datatype of addresses, of two arrays that
 * lie apart, in every kind of message. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, a[3], gap[5], b[3];

static void fill(int with)
{
    for (int i = 0; i < 3; i++) a[i] = with + rank, b[i] = 100 + with + rank;
    memset(gap, -1, sizeof gap);
}

static void holds(const char *what, int with)
{
    int yes = 1;
    for (int i = 0; i < 3; i++) yes &= a[i] == with && b[i] == 100 + with;
    for (int i = 0; i < 5; i++) yes &= gap[i] == -1;
    if (!yes) printf("FAILED on rank %d: %s: %d %d\n", rank, what, a[0], b[2]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int other = 1 - rank, lengths[2] = {3, 3};
    MPI_Aint at[2];
    MPI_Datatype type, types[2] = {MPI_INT, MPI_INT};
    MPI_Request request;
    MPI_Status status;
    MPI_Get_address(a, &at[0]);
    MPI_Get_address(b, &at[1]);
    MPI_Type_create_struct(2, lengths, at, types, &type);
    MPI_Type_commit(&type);

    fill(10);
    if (rank == 1) MPI_Send(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &status);
    holds("MPI_Send", 11);
    fill(20);
    if (rank == 1) MPI_Ssend(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &status);
    holds("MPI_Ssend", 21);
    fill(30);
    if (rank == 1) MPI_Isend(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Irecv(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    holds("MPI_Isend", 31);
    fill(40);
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, other, 0, other, 0, MPI_COMM_WORLD, &status);
    holds("MPI_Sendrecv_replace", 40 + other);
    fill(50);
    MPI_Bcast(MPI_BOTTOM, 1, type, 1, MPI_COMM_WORLD);
    holds("MPI_Bcast", 51);
    fill(60);
    MPI_Ibcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    holds("MPI_Ibcast", 60);
    fill(70);
    if (rank == 1)
        MPI_Send_init(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
    holds("MPI_Send_init", 71);

    /* a window over the first, and operations with both */
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(6 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    fill(80);
    MPI_Win_fence(0, win);
    MPI_Put(MPI_BOTTOM, 1, type, other, 0, 6, MPI_INT, win);
    MPI_Win_fence(0, win);
    fill(90);
    MPI_Get(MPI_BOTTOM, 1, type, other, 0, 6, MPI_INT, win);
    MPI_Win_fence(0, win);
    holds("MPI_Put and MPI_Get", 80 + rank);
    MPI_Win_free(&win);
    MPI_Type_free(&type);
    printf("ok: rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
