/* Ranks that start processes: the child of a fork is an ordinary process, in which no other rank
 * runs. */
#define _DEFAULT_SOURCE /* vfork */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long work[1000];

static void child(int rank)
{
    char *block = malloc(100);
    /* longer than a quantum: the clock would be paid */
    for (int i = 0; i < 100000; i++) work[i % 1000] += i;
    block[0] = (char)rank;
    if (rank == 1) _exit(10 + block[0]);
    exit(10 + block[0]);
}

int main(int argc, char **argv)
{
    int rank, status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double before_s = MPI_Wtime();
    pid_t pid = fork();
    if (pid == 0) child(rank);
    waitpid(pid, &status, 0);
    printf("rank %d: its child ended with %d after %.9f s\n", rank,
           WIFEXITED(status) ? WEXITSTATUS(status) : -1, MPI_Wtime() - before_s);
    pid = vfork();
    if (pid == 0) _exit(20);
    if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 20) return 1;
    if (system("echo from a shell") != 0) return 1;
    MPI_Finalize();
    return 0;
}
