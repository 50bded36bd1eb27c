/* A tool: it counts and times, puts a number twice, and reports when its process exits. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, puts_made, sends, level;
static double seconds;

static void report(void)
{
    printf("tool, rank %d: %d puts, %d sends, level %d, time %s\n", rank, puts_made, sends, level,
           seconds > 0 ? "passed" : "stood still");
}

int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank); /* which it does not wrap */
    atexit(report);
    return code;
}

/* What a wrapper calls is in the wrapper, too. */
static __attribute__((noinline)) int send_timed(const void *buf, int count, MPI_Datatype type,
                                                int to, int tag, MPI_Comm comm)
{
    double begun = PMPI_Wtime();
    int code = PMPI_Send(buf, count, type, to, tag, comm);
    seconds += PMPI_Wtime() - begun;
    return code;
}

int MPI_Send(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int code = send_timed(buf, count, type, to, tag, comm);
    sends++;
    return code;
}

int MPI_Put(const void *buf, int count, MPI_Datatype type, int to, MPI_Aint disp, int there,
            MPI_Datatype target_type, MPI_Win win)
{
    int code = PMPI_Put(buf, count, type, to, disp, there, target_type, win);
    if (code == MPI_SUCCESS)
        code = PMPI_Put(buf, count, type, to, disp + 1, there, target_type, win);
    puts_made += 2;
    return code;
}

int MPI_Pcontrol(const int wanted, ...)
{
    level = wanted;
    return PMPI_Pcontrol(wanted);
}
