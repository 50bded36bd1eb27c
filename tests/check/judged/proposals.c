/* The proposals: requests that hold, a servicer that is tested, barriers, registered types and
 * operations. */
#include <mpi.h>
#include <put_accept.h>
#include <shmalloc.h>
#include <string.h>
#include <stdlib.h>
#include <type_register.h>
static int rank, race, board[8], got[4], out[4];
static volatile int seen;
static int first(const int *p) { return p[0]; } /*2:2*/
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}
int main(int argc, char **argv)
{
    int which, flag = 0;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    race = argv[1][0] == 'r';
    which = atoi(argv[2]);
    if (which == 1) { /* the origin of a hold changes before its servicing */
        if (rank == 0) {
            PA_Puthold(out, 1, MPI_INT, 1, 0, 1, MPI_INT, 1, MPI_COMM_WORLD); /*1:1*/
            if (race) out[0] = 5;                                             /*1:2*/
            PA_Put(out + 1, 1, MPI_INT, 1, 1, 1, MPI_INT, 1, MPI_COMM_WORLD);
            PA_Accept(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
            out[0] = 6;
        }
        if (rank == 1) PA_Avail(board, sizeof board, 4, 1, MPI_COMM_WORLD);
    }
    if (which == 2) {
        if (rank == 0) {
            PA_Get(got, 4, MPI_INT, 1, 0, 4, MPI_INT, 1, MPI_COMM_WORLD); /*2:1*/
            if (race) seen = first(got);
            PA_Offer(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
            if (!race) seen = first(got);
        }
        if (rank == 1) PA_Offer(board, sizeof board, 4, 1, MPI_COMM_WORLD, 1);
    }
    if (which == 3) {
        if (rank == 0) {
            PA_Put(out, 1, MPI_INT, 1, 0, 1, MPI_INT, 1, MPI_COMM_WORLD);
            PA_Accept(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
        }
        if (rank == 1) {
            PA_Iavail(board, sizeof board, 4, 1, MPI_COMM_WORLD, &r); /*3:1*/
            while (!flag) {
                MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
                if (race || flag) seen = board[0]; /*3:2*/
            }
        }
    }
    if (which == 4 || which == 5 || which == 6) {
        MPI_Comm comm;
        MPI_Datatype every;
        int *w;
        MPI_Type_vector(2, 1, 2, MPI_INT, &every);
        MPI_Type_commit(&every);
        SHM_Shmalloc(&w, 64, MPI_COMM_WORLD, &comm);
        if (which == 4) { /* a barrier of the world completes nothing */
            if (rank == 0) SHM_Put(out, 2, MPI_INT, 8, 1, comm); /*4:1*/
            MPI_Barrier(race ? MPI_COMM_WORLD : comm);
            if (rank == 1) seen = w[3]; /*4:2*/
        }
        if (which == 5) { /* halo without the second barrier */
            for (int i = 0; i < 3; i++) {
                w[0] = rank + i; /*5:2*/
                MPI_Barrier(comm);
                SHM_Get(got, 1, MPI_INT, 0, (rank + 1) % 3, comm); /*5:1*/
                if (!race) MPI_Barrier(comm);
                seen = got[0];
            }
        }
        if (which == 6) {
            if (rank == 2) SHM_Put(out, 1, every, race ? 0 : 4, 1, comm); /*6:1*/
            if (rank == 1) w[0] = 7;                                      /*6:2*/
        }
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
        MPI_Type_free(&every);
    }
    if (which == 7 || which == 8) {
        MPI_Datatype every;
        MPI_Op op;
        MPI_Win win;
        int *base;
        MPI_Type_vector(3, 1, 2, MPI_INT, &every);
        MPI_Type_commit(&every);
        MPI_Op_create(add, 1, &op);
        MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
        MPI_Type_register(every, MPI_COMM_WORLD);
        MPI_Op_register(op, MPI_COMM_WORLD);
        MPI_Win_fence(0, win);
        if (which == 7) {
            if (rank == 0) MPI_Put(out, 3, MPI_INT, 1, 0, 1, every, win); /*7:1*/
            if (rank == 1) base[race ? 4 : 3] = 3;                        /*7:2*/
        } else {
            if (rank == 0) MPI_Accumulate(out, 1, MPI_INT, 1, 0, 1, MPI_INT, op, win); /*8:1*/
            if (rank == 2)
                MPI_Accumulate(out, 1, MPI_INT, 1, 0, 1, MPI_INT, race ? MPI_SUM : op, win); /*8:2*/
        }
        MPI_Win_fence(0, win);
        MPI_Type_dereg(every, MPI_COMM_WORLD);
        MPI_Op_dereg(op, MPI_COMM_WORLD);
        MPI_Type_free(&every), MPI_Op_free(&op), MPI_Win_free(&win);
    }
    MPI_Finalize();
    return 0;
}
