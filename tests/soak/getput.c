/* Random programs of SHMALLOC whose outcome is known: getput SEED ROUNDS.
 *
 * Every rank draws the same program. Windows are of different lengths, some of none. Between two
 * barriers each block of each window belongs to one rank, which puts to it and gets from it,
 * anywhere in it, in an order of its own; or to the window's owner, who stores. So a get has one
 * allowed answer (strict order), and so has the window after the barrier. Blocks lie on multiples
 * of 64 bytes: no chunk is shared. */
#include <shmalloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 16, BLOCKS_MAX = 6, OPS = 7, LONGEST = 24000 };

static uint64_t state;
static unsigned draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static int me, ranks, wrong;
static MPI_Comm comm;
static unsigned char *window, *expected[RANKS_MAX];
static int blocks[RANKS_MAX], begin[RANKS_MAX][BLOCKS_MAX], length[RANKS_MAX][BLOCKS_MAX],
    bytes[RANKS_MAX];
static unsigned char buffer[2 * LONGEST];

static void draw_windows(void)
{
    static const int lengths[] = {64, 64, 128, 1000, 9000, LONGEST};
    for (int r = 0; r < ranks; r++) {
        blocks[r] = (int)draw(BLOCKS_MAX + 1);
        for (int b = 0; b < blocks[r]; b++) {
            begin[r][b] = (bytes[r] + 63) / 64 * 64;
            length[r][b] = lengths[draw(6)];
            bytes[r] = begin[r][b] + length[r][b];
        }
        expected[r] = calloc((size_t)bytes[r] + 1, 1);
    }
}

/* One operation of that rank; `gap`: the buffer's bytes are every second one. */
static void operate(int rank, int target, int at, int n, int put, int gap, unsigned value,
                    MPI_Datatype every_second)
{
    MPI_Datatype type = gap ? every_second : MPI_BYTE;
    int step = gap ? 2 : 1;
    if (rank == me && put) {
        for (int i = 0; i < n; i++) buffer[step * i] = (unsigned char)(value + 7 * i);
        SHM_Put(buffer, n, type, at, target, comm);
        memset(buffer, 0xaa, sizeof buffer); /* it may be used again */
    }
    for (int i = 0; i < n && put; i++) expected[target][at + i] = (unsigned char)(value + 7 * i);
    if (rank == me && !put) {
        SHM_Get(buffer, n, type, at, target, comm);
        for (int i = 0; i < n; i++) wrong += buffer[step * i] != expected[target][at + i];
    }
}

struct place {
    int target, at, length, stores;
};

/* The blocks that are that rank's in this round; stores: it is the window's owner, and stores
 * there. */
static int places(int rank, const int owner[RANKS_MAX][BLOCKS_MAX], struct place *place)
{
    int n = 0;
    for (int t = 0; t < ranks; t++)
        for (int b = 0; b < blocks[t]; b++)
            if (owner[t][b] == rank || (owner[t][b] == ranks && t == rank))
                place[n++] = (struct place){t, begin[t][b], length[t][b], owner[t][b] == ranks};
    return n;
}

static void one_round(MPI_Datatype every_second)
{
    int owner[RANKS_MAX][BLOCKS_MAX];
    struct place place[RANKS_MAX * BLOCKS_MAX];
    volatile unsigned char sum = 0;
    for (int t = 0; t < ranks; t++)
        for (int b = 0; b < blocks[t]; b++) owner[t][b] = (int)draw((unsigned)ranks + 1);
    for (int r = 0; r < ranks; r++) {
        unsigned busy = draw(4) ? 0 : draw(20000), looks = draw(3), talks = draw(4);
        int all = places(r, (const int(*)[BLOCKS_MAX])owner, place);
        for (volatile unsigned i = 0; r == me && i < busy; i++) continue;
        /* into the cache */
        for (int i = 0; r == me && looks == 0 && i < bytes[me]; i += 8) sum += window[i];
        for (int i = 0; i < OPS && all > 0; i++) {
            struct place p = place[draw((unsigned)all)];
            unsigned put = draw(2), gap = draw(3) == 0, value = draw(256);
            int from = (int)draw((unsigned)p.length),
                n = 1 + (int)draw((unsigned)(p.length - from));
            if (draw(2)) n = 1 + (n - 1) % 9;
            if (!p.stores)
                operate(r, p.target, p.at + from, n, (int)put, (int)gap, value, every_second);
            for (int c = p.at + from; p.stores && c < p.at + from + n; c++) {
                expected[r][c] = (unsigned char)(value + (unsigned)c);
                if (r == me) window[c] = (unsigned char)(value + (unsigned)c);
            }
        }
        if (talks == 0 && ranks > 1) {
            if (me == r) MPI_Send(&r, 1, MPI_INT, (r + 1) % ranks, 3, comm);
            if (me == (r + 1) % ranks)
                MPI_Recv(&(int){0}, 1, MPI_INT, r, 3, comm, MPI_STATUS_IGNORE);
        }
    }
    MPI_Barrier(comm);
    for (int i = 0; i < bytes[me]; i++) wrong += window[i] != expected[me][i];
    MPI_Barrier(draw(2) ? comm : MPI_COMM_WORLD); /* nobody changes what another still compares */
}

int main(int argc, char **argv)
{
    MPI_Datatype every_second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3 || ranks > RANKS_MAX) {
        if (me == 0) fprintf(stderr, "usage: getput SEED ROUNDS   (at most %d ranks)\n", RANKS_MAX);
        MPI_Finalize();
        return 2;
    }
    state = strtoull(argv[1], NULL, 10);
    draw_windows();
    MPI_Type_vector(1, 1, 2, MPI_BYTE, &every_second);
    MPI_Type_create_resized(every_second, 0, 2, &every_second);
    MPI_Type_commit(&every_second);
    SHM_Shmalloc(bytes[me] == 0 && me % 2 ? NULL : (void *)&window, bytes[me], MPI_COMM_WORLD,
                 &comm);
    for (int round = 0; round < atoi(argv[2]); round++) one_round(every_second);
    MPI_Comm_free(&comm);
    if (wrong) printf("rank %d: %d values are wrong\n", me, wrong);
    MPI_Finalize();
    return wrong > 0;
}
