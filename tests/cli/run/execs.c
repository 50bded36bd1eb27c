/* "There shall be no return from a successful exec" (POSIX): rank 1 by the way that is named; each
 * rank's child by one of its own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const char *how, char *name)
{
    char *list[] = {"echo", "by", name, NULL}, *env[] = {"SIDEWINDER_EXEC=env", NULL};
    if (strcmp(how, "execl") == 0) execl("/bin/echo", "echo", "by", name, NULL);
    if (strcmp(how, "execlp") == 0) execlp("echo", "echo", "by", name, NULL);
    if (strcmp(how, "execle") == 0)
        execle("/bin/sh", "sh", "-c", "echo by execle, $SIDEWINDER_EXEC", NULL, env);
    if (strcmp(how, "execv") == 0) execv("/bin/echo", list);
    if (strcmp(how, "execve") == 0) execve("/bin/echo", list, env);
    if (strcmp(how, "execvp") == 0) execvp("echo", list);
    if (strcmp(how, "execvpe") == 0) execvpe("echo", list, environ);
    if (strcmp(how, "execveat") == 0) execveat(AT_FDCWD, "/bin/echo", list, env, 0);
    if (strcmp(how, "fexecve") == 0) fexecve(open("/bin/echo", O_RDONLY), list, env);
}

int main(int argc, char **argv)
{
    static char *how[] = {"execl",  "execlp",  "execle",   "execv",  "execve",
                          "execvp", "execvpe", "execveat", "fexecve"};
    int rank, status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) {
        if (rank == 1) become(argv[1], argv[1]);
        return 1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        become(how[rank], how[rank]);
        _exit(1);
    }
    if (waitpid(pid, &status, 0) != pid || status != 0) return 1;
    MPI_Finalize();
    return 0;
}
