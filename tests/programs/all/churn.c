/* Windows and memory of MPI_Alloc_mem made and freed over and over, while the library's heap has
 * other holes every time: the info objects between them hold values as long as the environment's
 * HOLE. "A run is bit-identical every time": where a new window lies may depend on the program's
 * own calls only. */
#include "check.h"

enum { ROUNDS = 24, BYTES = 3000 };

static long round_trip(const char *hole)
{
    char *window, *memory;
    long wrong = 0;
    MPI_Win win;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hole", hole);
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &memory);
    for (int i = 0; i < BYTES; i++) wrong += window[i] != 0;
    for (int i = 0; i < BYTES; i++) memory[i] = (char)(check_rank + i);
    MPI_Win_fence(0, win);
    MPI_Put(memory, BYTES, MPI_BYTE, (check_rank + 1) % check_ranks, 0, BYTES, MPI_BYTE, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int from = (check_rank + check_ranks - 1) % check_ranks;
    for (int i = 0; i < BYTES; i++) wrong += window[i] != (char)(from + i);
    MPI_Win_free(&win);
    MPI_Free_mem(memory);
    if (check_rank % 2) MPI_Info_free(&info);
    return wrong;
}

int main(int argc, char **argv)
{
    long wrong = 0;
    check_begin(&argc, &argv, 2);
    const char *hole = getenv("HOLE");
    for (int i = 0; i < ROUNDS; i++) wrong += round_trip(hole ? hole : "none");
    check(wrong == 0, "a window of MPI_Win_allocate begins with zeros, and has what was put");
    return check_end();
}
