/* SHMALLOC: every sentence of the proposal (E. Salo, MPI-2 mailing list, 31 October 1995) that a
 * program can see, on a machine whatever it is. Three ranks or more. With an argument no put or get
 * is of more bytes. */
#include "check.h"
#include "shmalloc.h"

#include <stdint.h>

#define WORLD MPI_COMM_WORLD
enum { BYTES = 1 << 18 };
static MPI_Comm comm;
static unsigned char *window;
static unsigned char out[BYTES], in[BYTES];
static int right_of, left_of;
static int most = BYTES; /* of one put */

static unsigned char value(int origin, int round, long i)
{
    return (unsigned char)(1 + origin * 31 + round * 7 + i * 13 + i / 251);
}
static void fill(unsigned char *bytes, int origin, int round, long n)
{
    for (long i = 0; i < n; i++) bytes[i] = value(origin, round, i);
}
static int holds(const unsigned char *bytes, int origin, int round, long n)
{
    for (long i = 0; i < n; i++)
        if (bytes[i] != value(origin, round, i)) return 0;
    return 1;
}
static int at_most(int bytes) { return bytes < most ? bytes : most; }
static int put(const void *buf, int bytes, MPI_Aint offset, int rank)
{
    return SHM_Put(buf, bytes, MPI_BYTE, offset, rank, comm);
}
static int get(void *buf, int bytes, MPI_Aint offset, int rank)
{
    return SHM_Get(buf, bytes, MPI_BYTE, offset, rank, comm);
}

static void the_communicator(void)
{
    int result, zero = 1;
    MPI_Comm_compare(WORLD, comm, &result);
    check(result == MPI_CONGRUENT,
          "\"The new communicator has identical membership to the old one\"");
    for (int i = 0; i < BYTES; i++) zero &= window[i] == 0;
    check(zero, "\"dynamically allocate and initialize shared regions\": a window is all zero");
    int sum = 0, all[64] = {0}, token = -1;
    MPI_Allreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allgather(&check_rank, 1, MPI_INT, all, 1, MPI_INT, comm);
    MPI_Sendrecv(&check_rank, 1, MPI_INT, right_of, 5, &token, 1, MPI_INT, left_of, 5, comm,
                 MPI_STATUS_IGNORE);
    check(sum == check_ranks * (check_ranks - 1) / 2 && all[check_ranks - 1] == check_ranks - 1 &&
              token == left_of,
          "messages and collectives go over it as over any other");
}

static void sizes(void)
{
    static const int size[] = {1,   2,   3,    7,    8,    31,    32,    33,    100,
                               511, 512, 4096, 5000, 9000, 16384, 20000, 70000, BYTES};
    int got = 1, kept = 1, reused = 1;
    for (int round = 0; round < (int)(sizeof size / sizeof *size); round++) {
        int n = at_most(size[round]);
        fill(out, check_rank, round, n);
        put(out, n, BYTES - n, right_of);
        memset(out, 0xee, (size_t)n);
        memset(in, 0x77, (size_t)n);
        get(in, n, BYTES - n, right_of);
        got &= holds(in, check_rank, round, n);
        MPI_Barrier(comm);
        reused &= holds(window + BYTES - n, left_of, round, n);
        MPI_Barrier(comm);
        memset(in, 0x77, (size_t)n);
        get(in, n, BYTES - n, check_rank);
        kept &= holds(in, left_of, round, n);
        MPI_Barrier(comm);
    }
    check(got, "\"a put followed by a get will do the right thing\", from 1 byte on");
    check(reused,
          "a put returns when the data is safely on its way: the buffer may be used again at once");
    check(kept, "a process gets from its own window as from another's");
}

/* Puts of all sizes to one place, gets of a few bytes of it at once: "strict ordering between
 * subsequent gets and puts". */
static void order(void)
{
    static const int bytes[] = {20000, 3, 70000, 8, 1, BYTES, 512, 9000, 2, 40, BYTES, 1};
    int newest = 1, behind = 1;
    int size[12];
    for (int round = 0; round < 12; round++) size[round] = at_most(bytes[round]);
    for (int round = 0; round < 12; round++) {
        fill(out, check_rank, round, size[round]);
        put(out, size[round], 0, left_of);
        unsigned char one = 0;
        get(&one, 1, size[round] - 1, left_of);
        newest &= one == value(check_rank, round, size[round] - 1);
    }
    MPI_Barrier(comm);
    for (int round = 0; round + 1 < 12; round++) {
        fill(out, check_rank, round, size[round]);
        put(out, size[round], 0, right_of);
        fill(out, check_rank, round + 40, size[round + 1]);
        put(out, size[round + 1], 0, right_of);
        get(in, most, 0, right_of);
        int n = size[round + 1];
        behind &= holds(in, check_rank, round + 40, n);
        for (int i = n; i < size[round]; i++) behind &= in[i] == value(check_rank, round, i);
    }
    check(newest, "a small get right behind a large put of the same place returns the put's data");
    check(behind, "of two puts to one place the later one stays, whatever their sizes");
    MPI_Barrier(comm);
}

static void datatypes(void)
{
    MPI_Datatype column, backwards, moved;
    int pieces[2] = {2, 1}, where[2] = {6, 1}, right = 1;
    double grid[8][8], line[16];
    MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_indexed(2, pieces, where, MPI_DOUBLE, &backwards);
    MPI_Type_create_resized(backwards, -16, 64, &moved);
    MPI_Type_commit(&column);
    MPI_Type_commit(&moved);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) grid[i][j] = 100 * check_rank + 10 * i + j;
    SHM_Put(&grid[0][3], 1, column, 16, right_of, comm);
    SHM_Put(grid, 2, moved, 88, right_of, comm);
    SHM_Get(line, 15, MPI_DOUBLE, 16, right_of, comm);
    for (int i = 0; i < 8; i++) right &= line[i] == 100 * check_rank + 10 * i + 3;
    check(right, "a derived datatype picks here, and lies contiguous in the remote window");
    /* pieces in the order of the type map; the next element 64 bytes on */
    static const double second[6] = {6, 7, 1, 16, 17, 11};
    right = 1;
    for (int i = 0; i < 6; i++) right &= line[9 + i] == 100 * check_rank + second[i];
    check(right, "in the order of its type map, element by element");
    memset(grid, 0, sizeof grid);
    SHM_Get(&grid[0][5], 1, column, 16, right_of, comm);
    right = 1;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            right &= grid[i][j] == (j == 5 ? 100 * check_rank + 10 * i + 3 : 0);
    check(right, "a get spreads what is contiguous there over a derived datatype here, and leaves "
                 "the rest alone");
    float three[3] = {1.5f, 2.5f, 3.5f}, back[3] = {0};
    SHM_Put(three, 3, MPI_FLOAT, 7, right_of, comm);
    SHM_Get(back, 3, MPI_FLOAT, 7, right_of, comm);
    check(memcmp(three, back, sizeof back) == 0,
          "\"all addresses are calculated as bytes\": offset 7");
    MPI_Type_free(&column);
    MPI_Type_free(&backwards);
    MPI_Type_free(&moved);
    MPI_Barrier(comm);
}

/* The barrier completes everybody's operations, and loads see them, although the lines were in the
 * cache; stores before it are seen. */
static void barrier(void)
{
    volatile long *cell = (volatile long *)(void *)window;
    long sum = 0, mine = 0, fresh = 1, stored = 1;
    for (long round = 1; round <= 5; round++) {
        for (int i = 0; i < 64; i++) sum += cell[i]; /* into the cache */
        MPI_Barrier(comm);
        for (int r = 0; r < check_ranks; r++) {
            mine = 1000 * round + 10 * r + check_rank;
            put(&mine, sizeof mine, (MPI_Aint)sizeof mine * check_rank, r);
        }
        MPI_Barrier(comm);
        for (int r = 0; r < check_ranks; r++)
            fresh &= cell[r] == 1000 * round + 10 * check_rank + r;
        for (int i = 32; i < 64; i++) cell[i] = round * 100 + check_rank + i;
        MPI_Barrier(comm);
        long got[32];
        get(got, sizeof got, 32 * sizeof *got, left_of);
        for (int i = 32; i < 64; i++) stored &= got[i - 32] == round * 100 + left_of + i;
        MPI_Barrier(comm);
    }
    check(fresh && sum != 0, "MPI_BARRIER() blocks until all pending operations on that "
                             "communicator have completed, and loads see them");
    check(stored, "what a process stored to its window before the barrier, others get after it");
}

static void lengths(void)
{
    MPI_Comm some;
    char *mine = (char *)1;
    MPI_Aint length = check_rank == 0 ? 0 : 1000 * check_rank;
    SHM_Shmalloc(&mine, length, WORLD, &some);
    int pair[2] = {check_rank, 77}, back[2] = {0};
    if (check_rank > 0) memset(mine, check_rank, (size_t)length);
    check(mine != NULL && mine != (char *)1, "windows have different lengths, one of them 0");
    MPI_Barrier(some);
    SHM_Put(pair, 2, MPI_INT, 1000 * (check_ranks - 1) - 8 * (check_rank + 1), check_ranks - 1,
            some);
    SHM_Get(back, 2, MPI_INT, 1000 * (check_ranks - 1) - 8 * (check_rank + 1), check_ranks - 1,
            some);
    check(back[0] == check_rank && back[1] == 77,
          "who has none puts to the others' and gets from them");
    check(SHM_Put(pair, 0, MPI_INT, 0, 0, some) == MPI_SUCCESS &&
              SHM_Get(pair, 0, MPI_INT, 5, 1, some) == MPI_SUCCESS,
          "nothing may be put to a window of no length");
    MPI_Comm_free(&some);

    char *untouched = (char *)7;
    SHM_Shmalloc(check_rank % 2 ? (void *)&untouched : NULL, 64, WORLD, &some);
    check(check_rank % 2 ? untouched != (char *)7 && untouched != NULL : untouched == (char *)7,
          "NULL for buf opens no window");
    int target = 1;
    SHM_Put(&pair[check_rank % 2], 1, MPI_INT, 4 * check_rank, target, some);
    MPI_Barrier(some);
    if (check_rank == 1)
        for (int r = 0; r < check_ranks && r < 16; r++)
            back[0] = ((int *)(void *)untouched)[r], back[1] += back[0] != (r % 2 ? 77 : r);
    check(back[1] == 77, "but \"access to the windows on other processes\"");
    MPI_Comm_free(&some);
}

static void several(void)
{
    MPI_Comm pair[2], part, of_part;
    long *memory[2], one = 100 + check_rank, two = 200 + check_rank, got[2] = {0};
    SHM_Shmalloc(&memory[0], 64, WORLD, &pair[0]);
    /* a get/put communicator is an old communicator like any */
    SHM_Shmalloc(&memory[1], 128, pair[0], &pair[1]);
    SHM_Put(&one, 1, MPI_LONG, 8, right_of, pair[0]);
    SHM_Put(&two, 1, MPI_LONG, 8, right_of, pair[1]);
    MPI_Barrier(pair[0]);
    MPI_Barrier(pair[1]);
    check(memory[0][1] == 100 + left_of && memory[1][1] == 200 + left_of,
          "each get/put communicator has windows of its own");
    MPI_Comm_free(&pair[0]);
    SHM_Get(&got[0], 1, MPI_LONG, 8, left_of, pair[1]);
    check(got[0] == 200 + (left_of + check_ranks - 1) % check_ranks && pair[0] == MPI_COMM_NULL,
          "freeing one leaves the others");
    MPI_Comm_free(&pair[1]);

    MPI_Comm_split(WORLD, check_rank % 2, -check_rank, &part);
    int me, n;
    MPI_Comm_rank(part, &me);
    MPI_Comm_size(part, &n);
    SHM_Shmalloc(&memory[0], 8, part, &of_part);
    SHM_Put(&one, 1, MPI_LONG, 0, (me + 1) % n, of_part);
    MPI_Barrier(of_part);
    int from = (check_rank + 2) % 2;
    /* ranks of a part run backwards in the world */
    from = (me + n - 1) % n;
    int biggest = check_rank % 2 == (check_ranks - 1) % 2 ? check_ranks - 1 : check_ranks - 2;
    check(memory[0][0] == 100 + biggest - 2 * from, "ranks are those of the communicator");
    MPI_Comm_free(&of_part);
    MPI_Comm_free(&part);
    int kept = 1;
    for (int i = 0; i < 30; i++) {
        SHM_Shmalloc(&memory[0], 4096 * (i % 3), WORLD, &pair[0]);
        for (int k = 0; k < 512 * (i % 3); k++) kept &= memory[0][k] == 0;
        MPI_Barrier(pair[0]);
        if (i % 3) SHM_Put(&one, 1, MPI_LONG, 8 * check_rank, right_of, pair[0]);
        MPI_Comm_free(&pair[0]);
    }
    check(kept,
          "MPI_COMM_FREE() deallocates the windows, puts in flight and all; new ones are zero");
}

static void copies(void)
{
    MPI_Comm copy, part;
    int result, value = 1;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_split(comm, 0, check_rank, &part);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
    MPI_Comm_compare(copy, comm, &result);
    check(result == MPI_CONGRUENT && SHM_Put(&value, 1, MPI_INT, 0, 0, copy) == MPI_ERR_COMM &&
              SHM_Get(&value, 1, MPI_INT, 0, 0, copy) == MPI_ERR_COMM,
          "MPI_Comm_dup of a get/put communicator gives an ordinary one");
    check(SHM_Put(&value, 1, MPI_INT, 0, 0, part) == MPI_ERR_COMM, "so does MPI_Comm_split");
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&part);
    fill(out, check_rank, 3, 64);
    put(out, 64, 64, right_of);
    get(in, 64, 64, right_of);
    check(holds(in, check_rank, 3, 64), "freeing the copy frees no window");
}

/* "Strict ordering": with every process's operations in order, one of the two gets finds the
 * other's put (Dekker). */
static void dekker(void)
{
    int both_missed = 0;
    for (int round = 0; round < 20; round++) {
        int one = 1, zero = 0, seen = 1, seen_by[2];
        if (check_rank < 2) put(&zero, sizeof zero, 0, check_rank == 0 ? 2 : check_ranks - 1);
        MPI_Barrier(comm);
        if (check_rank < 2) {
            for (volatile int i = 0; i < round * (check_rank + 1); i++) continue;
            put(&one, sizeof one, 0, check_rank == 0 ? 2 : check_ranks - 1);
            get(&seen, sizeof seen, 0, check_rank == 0 ? check_ranks - 1 : 2);
        }
        seen_by[0] = check_rank == 0 ? seen : 1, seen_by[1] = check_rank == 1 ? seen : 1;
        MPI_Allreduce(MPI_IN_PLACE, seen_by, 2, MPI_INT, MPI_MIN, comm);
        both_missed += !seen_by[0] && !seen_by[1];
        MPI_Barrier(comm);
    }
    check(check_ranks < 4 || both_missed == 0,
          "a get waits for the puts before it, to other targets too");
}

/* A receive into a window, gets into one, puts out of one. */
static void into_windows(void)
{
    MPI_Request request;
    long *cell = (long *)(void *)window, sent[4] = {check_rank, 2, 3, 4};
    volatile long *look = cell, sum = 0;
    MPI_Barrier(comm);
    MPI_Irecv(cell, 4, MPI_LONG, left_of, 9, WORLD, &request);
    MPI_Send(sent, 4, MPI_LONG, right_of, 9, WORLD);
    MPI_Barrier(WORLD);
    sum += look[1] + look[3]; /* the message has arrived; its line is fetched from memory */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(cell[0] == left_of && cell[1] == 2 && cell[2] == 3 && cell[3] == 4,
          "a message may be received into a window");
    MPI_Barrier(comm);
    int right = 1, stored = 1;
    static const int size[] = {8, 4000, 20000, 100000};
    for (int i = 0; i < 4; i++) {
        int n = at_most(size[i]);
        fill(out, check_rank, 60 + i, n);
        put(out, n, 0, right_of);
        MPI_Barrier(comm);
        for (int k = 0; k < 4000; k += 16) sum += window[BYTES / 2 + k]; /* into the cache */
        get(window + BYTES / 2, n, 0, check_rank);
        right &= holds(window + BYTES / 2, left_of, 60 + i, n);
        MPI_Barrier(comm);
        fill(window + BYTES / 2, check_rank, 80 + i, n);
        put(window + BYTES / 2, n, 0, right_of);
        get(in, n, 0, right_of);
        stored &= holds(in, check_rank, 80 + i, n);
        MPI_Barrier(comm);
    }
    check(right, "a get returns when the data is in buf: in a window, too, for loads");
    check(stored, "a put takes what the process has stored, out of a window, too");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 3);
    if (argc > 1) most = atoi(argv[1]);
    right_of = (check_rank + 1) % check_ranks,
    left_of = (check_rank + check_ranks - 1) % check_ranks;
    SHM_Shmalloc(&window, BYTES, WORLD, &comm);
    the_communicator();
    sizes();
    order();
    datatypes();
    barrier();
    lengths();
    several();
    copies();
    dekker();
    into_windows();
    check(SHM_Put(out, 1, MPI_BYTE, 0, MPI_PROC_NULL, comm) == MPI_SUCCESS &&
              SHM_Get(in, 1, MPI_BYTE, -1, MPI_PROC_NULL, comm) == MPI_SUCCESS,
          "MPI_PROC_NULL takes everything and gives nothing");
    MPI_Comm_free(&comm);
    check(comm == MPI_COMM_NULL, "the handle is MPI_COMM_NULL afterwards");
    return check_end();
}
