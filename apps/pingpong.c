/* Ping-pong with one-sided calls: half the time of a round trip, by size, for put and for get.
 * The two ranks synchronise with post, start, complete and wait, so no other rank takes part. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, other;
static MPI_Group other_group;
static MPI_Win win;
static unsigned char *window, *buffer;

/* The ball goes from rank `from` to the other one: `from` puts it, or the other one gets it. */
static void throw_ball(int from, int get, int bytes)
{
    int active = get ? rank != from : rank == from;
    if (active) {
        MPI_Win_start(other_group, 0, win);
        if (get)
            MPI_Get(buffer, bytes, MPI_BYTE, other, 0, bytes, MPI_BYTE, win);
        else
            MPI_Put(buffer, bytes, MPI_BYTE, other, 0, bytes, MPI_BYTE, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(other_group, 0, win);
        MPI_Win_wait(win);
    }
}

static unsigned char pattern(int owner, int i) { return (unsigned char)(i * 7 + owner * 101 + 13); }

/* Every ball a rank holds, sent or offered, carries that rank's pattern. */
static void fill(unsigned char *at, int owner, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = pattern(owner, i);
}

static int differs(const unsigned char *at, int owner, int bytes)
{
    for (int i = 0; i < bytes; i++)
        if (at[i] != pattern(owner, i)) return 1;
    return 0;
}

static double measure(int get, int bytes, int repeats, int *wrong)
{
    fill(get ? window : buffer, rank, bytes);
    memset(get ? buffer : window, 0, (size_t)bytes);
    throw_ball(0, get, bytes); /* warm the caches */
    throw_ball(1, get, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < repeats; i++) {
        throw_ball(0, get, bytes);
        throw_ball(1, get, bytes);
    }
    double elapsed = MPI_Wtime() - start;
    *wrong |= differs(get ? buffer : window, other, bytes);
    return elapsed / (2.0 * repeats);
}

int main(int argc, char **argv)
{
    int ranks, largest = argc > 1 ? atoi(argv[1]) : 16384, repeats = argc > 2 ? atoi(argv[2]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 3 || largest < 8 || repeats < 1 || ranks != 2) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: pingpong [largest size in bytes, 16384] [repeats, 10]    (2 ranks)\n");
        MPI_Finalize();
        return 2;
    }
    other = 1 - rank;
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &other_group);
    buffer = malloc((size_t)largest);
    MPI_Win_allocate(largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);

    int wrong = 0;
    if (rank == 0) printf("%10s %14s %14s\n", "bytes", "put us", "get us");
    for (int bytes = 8; bytes <= largest; bytes *= 2) {
        double put = measure(0, bytes, repeats, &wrong), get = measure(1, bytes, repeats, &wrong);
        if (rank == 0) printf("%10d %14.3f %14.3f\n", bytes, put * 1e6, get * 1e6);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0) printf("pingpong: every byte arrived: %s\n", wrong ? "WRONG" : "ok");

    MPI_Win_free(&win);
    MPI_Group_free(&other_group);
    MPI_Group_free(&world);
    free(buffer);
    MPI_Finalize();
    return wrong;
}
