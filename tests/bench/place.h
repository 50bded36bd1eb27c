/* Where a benchmark's arrays lie: in the heap, or, compiled with -DIN_WINDOW, in a window that
 * MPI_Win_allocate gives. */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include <stdlib.h>

void *place(int *argc, char ***argv, size_t bytes);
void unplace(void);

#if defined IN_WINDOW
#include <mpi.h>

static MPI_Win window;

void *place(int *argc, char ***argv, size_t bytes)
{
    void *base;
    MPI_Init(argc, argv);
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    MPI_Win_fence(0, window);
    return base;
}
void unplace(void)
{
    MPI_Win_free(&window);
    MPI_Finalize();
}
#else
static void *block;

void *place(int *argc, char ***argv, size_t bytes)
{
    (void)argc, (void)argv;
    return block = malloc(bytes);
}
void unplace(void) { free(block); }
#endif

#endif
