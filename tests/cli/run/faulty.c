/* A program that goes wrong in the way its argument says, at a rank and a line that the tests know.
 * Lines that the messages must name are marked with the name of the fault. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int rank, ranks;
static long *cell, value = 1;
static MPI_Win win;

static int is(const char *fault, char **argv) { return strcmp(argv[1], fault) == 0; }

/* in program code that the compiler may not flatten */
__attribute__((noinline)) static int deeper(int depth)
{
    volatile char here[1024];
    here[depth % 1024] = 1;                                        /* overflow */
    return depth > 0 ? deeper(depth - 1) ^ here[depth % 1024] : 0; /* deeper */
}

__attribute__((noinline)) static void crash_in_a_call(volatile long *p)
{
    *p = 1; /* inner */
    printf("not reached");
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(4 * sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    printf("before\n"), fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD); /* everybody has printed it */

    if (is("outside", argv)) {
        MPI_Win_fence(0, win);
        if (rank == 1) MPI_Put(&value, 1, MPI_LONG, 0, 1000, 1, MPI_LONG, win); /* outside */
        MPI_Win_fence(0, win);
    } else if (is("epoch", argv)) {
        if (rank == 1) MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win); /* epoch */
    } else if (is("free", argv)) {
        if (rank == 1) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Win_free(&win); /* free */
    } else if (is("unlock", argv)) {
        if (rank == 1) MPI_Win_unlock(0, win); /* unlock */
    } else if (is("deadlock", argv)) {
        if (rank == 0)
            MPI_Recv(&value, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD, NULL); /* deadlock-receive */
        else
            MPI_Barrier(MPI_COMM_WORLD); /* deadlock-barrier */
    } else if (is("lock-deadlock", argv)) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % ranks, 0, win); /* lock-deadlock */
        MPI_Win_unlock((rank + 1) % ranks, win);
        MPI_Win_unlock(rank, win);
    } else if (is("wait", argv)) {
        MPI_Group world;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        if (rank == 1) {
            MPI_Win_post(world, 0, win);
            MPI_Win_wait(win); /* wait */
        }
    } else if (is("crash", argv)) {
        if (rank == 1) *(volatile long *)(size_t)(argc - 2) = 1; /* crash */
    } else if (is("far-crash", argv)) {
        if (rank == 1) ((volatile long *)cell)[-(1L << 40)] = 2; /* far-crash */
    } else if (is("unmapped", argv)) {
        long *gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MPI_Win_fence(0, win);
        if (rank == 1) MPI_Get(gone, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win); /* unmapped */
        munmap(gone, 4096);
        MPI_Win_fence(0, win);
    } else if (is("unmapped-message", argv)) {
        MPI_Request request = MPI_REQUEST_NULL;
        long *gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (rank == 1) MPI_Irecv(gone, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, &request);
        munmap(gone, 4096);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* unmapped-message */
    } else if (is("overflow", argv)) {
        printf("%d", deeper(rank == 1 ? 1 << 30 : 1)); /* overflow-outer */
    } else if (is("buffered", argv)) {
        printf("half a line of rank %d", rank);
        if (rank == 1) crash_in_a_call((volatile long *)(size_t)(argc - 2)); /* outer-call */
    } else if (is("abort", argv)) {
        if (rank == 1) abort(); /* abort */
    } else if (is("free-twice", argv)) {
        char *volatile block = malloc(100);
        free(block);
        if (rank == 1) free(block); /* free-twice */
    } else if (is("mpi-abort", argv)) {
        if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 37);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (is("exit", argv)) {
        if (rank == 1) exit(23);
    } else if (is("return", argv)) {
        MPI_Win_free(&win);
        MPI_Finalize();
        return rank == 1 ? 19 : 0;
    } else if (is("forever", argv)) {
        for (;;) MPI_Barrier(MPI_COMM_WORLD);
    } else
        return 2;

    MPI_Barrier(MPI_COMM_WORLD);
    if (win != MPI_WIN_NULL) MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
