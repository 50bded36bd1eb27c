/* Prints a text that lies between two windows, or beside them: argument `between` or `beside`. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 256 };
static struct {
    char low[ROOM], between[ROOM], high[ROOM], beside[ROOM];
} memory __attribute__((aligned(ROOM)));

int main(int argc, char **argv)
{
    MPI_Win low, high;
    char *text = strcmp(argv[1], "between") == 0 ? memory.between : memory.beside;
    MPI_Init(&argc, &argv);
    strcpy(text, "some text of a program");
    MPI_Win_create(memory.low, ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &low);
    MPI_Win_create(memory.high, ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &high);
    for (int i = 0; i < 4; i++) printf("%s\n", text);
    MPI_Win_free(&low);
    MPI_Win_free(&high);
    MPI_Finalize();
    return 0;
}
