/* Sessions of MPI-4 (11.3): with an argument, beside MPI_Init. 2 ranks or more. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void check(int good, const char *what)
{
    if (!good) printf("WRONG: %s\n", what);
    wrong += !good;
}

/* A put to the right within the session's own communicator. */
static void put(MPI_Comm comm)
{
    int me, ranks, *cell;
    MPI_Win win;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, comm, &cell, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&me, 1, MPI_INT, (me + 1) % ranks, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    check(*cell == (me + ranks - 1) % ranks, "a window on its communicator");
    MPI_Win_free(&win);
}

static void sets(MPI_Session session)
{
    int n = 0, bytes = sizeof "mpi://WORLD", flag = 0;
    char name[64] = "", value[64] = "";
    MPI_Info info;
    MPI_Group none;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &bytes, name);
    check(n == 2 && strcmp(name, "mpi://WORLD") == 0, "the names of its sets");
    MPI_Session_get_pset_info(session, "mpi://SELF", &info);
    MPI_Info_get(info, "mpi_size", 63, value, &flag);
    check(flag && strcmp(value, "1") == 0, "the size of a set");
    MPI_Info_free(&info);
    MPI_Session_get_info(session, &info);
    MPI_Info_get(info, "thread_level", 63, value, &flag);
    check(flag && strcmp(value, "MPI_THREAD_FUNNELED") == 0, "its level of threads");
    MPI_Info_free(&info);
    if (getenv("MISSING")) MPI_Group_from_session_pset(session, "mpi://NOBODY", &none);
}

int main(int argc, char **argv)
{
    MPI_Session first, second;
    MPI_Group group;
    MPI_Comm comm;
    int flag = 1, me;
    const int early = argc > 1 && strcmp(argv[1], "early") == 0,
              late = argc > 1 && strcmp(argv[1], "late") == 0;
    if (early) MPI_Init(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Initialized(&flag);
    check(flag == early, "MPI_Initialized is of MPI_Init");
    if (late) MPI_Init(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
    sets(first);
    MPI_Group_from_session_pset(first, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "org.example.put", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    put(comm);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&first);
    check(first == MPI_SESSION_NULL, "a session that is over");
    if (late) MPI_Finalize();
    MPI_Session_finalize(&second);
    if (early) put(MPI_COMM_WORLD);
    if (early) MPI_Finalize();
    MPI_Finalized(&flag);
    check(flag, "the last one ends MPI");
    if (me == 0 && !wrong) printf("sessions are right\n");
    return wrong != 0;
}
