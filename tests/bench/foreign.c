/* Calls of a library that nobody instrumented: none|window TIMES BYTES: it is handed nothing, or
 * the window of so many bytes, which is then compared at the fence behind each call. */
#ifdef LIBRARY
int foreign(int n, const char *memory);
int foreign(int n, const char *memory) { return memory ? n + *memory : n + 1; }
#else
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int foreign(int n, const char *memory);
static char *memory; /* no frame shows where the window is */
static MPI_Win win;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int times = atoi(argv[2]);
    int n = 0;
    MPI_Win_allocate(atol(argv[3]), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (strcmp(argv[1], "none") == 0)
        for (int i = 0; i < times; i++) n = foreign(n, NULL);
    else
        for (int i = 0; i < times; i++) {
            n = foreign(n, memory);
            MPI_Win_fence(0, win);
        }
    MPI_Win_free(&win);
    MPI_Finalize();
    return n < 0;
}
#endif
