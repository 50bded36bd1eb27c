/* PUT/ACCEPT, unkindly: requests and servicers of nothing, holds in crowds, odd datatypes, rounds
 * that each process waits for in an order of its own. Four ranks or more. */
#include "check.h"
#include "put_accept.h"

#define WORLD MPI_COMM_WORLD
enum { CELLS = 64, BYTES = 4096, MIDDLE = 2048, TYPES = 5, ROUNDS = 20 };
static int memory[6][CELLS], source[CELLS], got[CELLS];
static char bytes[BYTES], sent[BYTES], expected[BYTES], packed[BYTES];
static int me, n, right, left;
#define RANGE(k) memory[k], sizeof memory[k], sizeof memory[k][0]

static int of(int rank, int i) { return 100 * rank + i; }

static void fresh(void)
{
    memset(memory, -1, sizeof memory);
    memset(got, -1, sizeof got);
    for (int i = 0; i < CELLS; i++) source[i] = of(me, i);
    MPI_Barrier(WORLD);
}

static void put(int i, int target, int disp, int tag)
{
    PA_Put(source + i, 1, MPI_INT, target, disp, 1, MPI_INT, tag, WORLD);
}
static void hold(int i, int target, int disp, int tag)
{
    PA_Puthold(source + i, 1, MPI_INT, target, disp, 1, MPI_INT, tag, WORLD);
}
static void own(int tag) { PA_Accept(NULL, 0, 1, tag, WORLD, 0); }

/* Four requests of each other rank, of which one has a byte. */
static void of_nothing(void)
{
    int wrong = 0;
    MPI_Datatype none, hole;
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_create_resized(none, -8, 64, &hole);
    MPI_Type_commit(&none);
    MPI_Type_commit(&hole);
    fresh();
    if (me > 0) {
        wrong |= PA_Put(NULL, 0, MPI_INT, 0, 0, 0, MPI_INT, 1, WORLD);
        wrong |= PA_Put(source, 5, none, 0, 1000000, 3, hole, 1, WORLD);
        wrong |= PA_Puthold(NULL, 0, MPI_INT, 0, -9, 0, none, 1, WORLD);
        wrong |= PA_Put(source, 0, MPI_INT, 0, -9, 5, MPI_INT, 1, WORLD);
        put(0, 0, me, 1);
        own(1);
    } else {
        own(1);
        wrong |= memory[0][1] != -1;
        for (int i = 0; i < 4 * (n - 1); i++) wrong |= PA_Accept(RANGE(0), 1, WORLD, 1);
    }
    for (int i = 0; i < CELLS; i++)
        wrong |= memory[0][i] != (me == 0 && i > 0 && i < n ? of(i, 0) : -1);
    check(!wrong, "requests of no bytes count, wherever they point; an ACCEPT of none takes none");
    MPI_Type_free(&none);
    MPI_Type_free(&hole);
}

static void holds(void)
{
    int wrong = 0;
    fresh();
    if (me == 1) {
        for (int i = 0; i < 5; i++) hold(i, 0, i, 2);
        put(5, 0, 5, 2);
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
        for (int i = 6; i < 9; i++) hold(i, 0, i, 2);
        put(9, 0, 9, 2);
        own(2);
    }
    if (me == 0) {
        PA_Accept(RANGE(0), 2, WORLD, 1);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, WORLD);
        PA_Accept(RANGE(1), 2, WORLD, 1);
        for (int i = 0; i < CELLS; i++) {
            wrong |= memory[0][i] != (i < 6 ? of(1, i) : -1);
            wrong |= memory[1][i] != (i >= 6 && i < 10 ? of(1, i) : -1);
        }
    }
    check(!wrong, "PUTHOLDs are serviced with the PUT behind them");
    fresh();
    if (me == 1) {
        for (int i = 0; i < 300; i++) hold(i % CELLS, 0, i % CELLS, 3);
        PA_Put(NULL, 0, MPI_INT, 0, 0, 0, MPI_INT, 3, WORLD);
        own(3);
    }
    if (me == 0) PA_Avail(RANGE(0), 3, WORLD);
    for (int i = 0; me == 0 && i < CELLS; i++) wrong |= memory[0][i] != of(1, i);
    check(!wrong, "300 of them before a PUT of nothing, by one AVAIL");
}

static MPI_Datatype odd(int k)
{
    MPI_Datatype type, part;
    int lengths[3] = {2, 1, 3}, at[3] = {7, -3, 1}, few[3] = {1, 0, 2};
    int sizes[3] = {4, 5, 6}, subsizes[3] = {2, 3, 4}, starts[3] = {1, 1, 1};
    MPI_Aint bytes_at[3] = {40, 0, 8};
    MPI_Datatype parts[3] = {MPI_CHAR, MPI_DOUBLE, MPI_FLOAT};
    if (k == 0) MPI_Type_indexed(3, lengths, at, MPI_SHORT, &type);
    if (k == 1) MPI_Type_create_hvector(4, 2, -24, MPI_INT, &type);
    if (k == 2)
        MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_SHORT, &type);
    if (k >= 3) {
        MPI_Type_create_struct(3, few, bytes_at, parts, &part);
        MPI_Type_create_resized(part, -16, 72, &type);
        MPI_Type_free(&part);
    }
    if (k == 4) {
        part = type;
        MPI_Type_vector(3, 1, -2, part, &type);
        MPI_Type_free(&part);
    }
    MPI_Type_commit(&type);
    return type;
}

static void fill(char *into, int k)
{
    for (int i = 0; i < BYTES; i++) into[i] = (char)(13 * i + 5 * k);
}

/* As MPI_Pack and MPI_Unpack would move them. */
static int as_packed(int count, MPI_Datatype type, int k)
{
    int at = 0, back = 0;
    fill(sent, k);
    memset(expected, 9, sizeof expected);
    MPI_Pack(sent + MIDDLE, count, type, packed, BYTES, &at, WORLD);
    MPI_Unpack(packed, at, &back, expected + MIDDLE, count, type, WORLD);
    return at;
}

static void odd_datatypes(void)
{
    int wrong = 0;
    for (int k = 0; k < 3 * TYPES; k++) {
        const int count = 1 + k / TYPES;
        MPI_Datatype type = odd(k % TYPES);
        const int size = as_packed(count, type, k);
        memset(bytes, 9, sizeof bytes);
        MPI_Barrier(WORLD);
        if (me == 1) {
            PA_Put(sent + MIDDLE, count, type, 0, MIDDLE, count, type, 4, WORLD), own(4);
            PA_Get(bytes + MIDDLE, count, type, 0, MIDDLE, count, type, 5, WORLD);
            PA_Offer(NULL, 0, 1, 5, WORLD, 0);
            PA_Put(sent + MIDDLE, count, type, 0, 0, size, MPI_BYTE, 6, WORLD);
            MPI_Type_free(&type);
            MPI_Type_vector(2, 1, 9, MPI_DOUBLE, &type);
            own(6);
            wrong |= memcmp(bytes, expected, BYTES);
        }
        if (me == 0) {
            PA_Accept(bytes, BYTES, 1, 4, WORLD, 1);
            wrong |= memcmp(bytes, expected, BYTES);
            PA_Offer(bytes, BYTES, 1, 5, WORLD, 1);
            PA_Accept(bytes, BYTES, 1, 6, WORLD, 1);
            wrong |= memcmp(bytes, packed, size);
        }
        MPI_Type_free(&type);
    }
    check(!wrong, "odd datatypes on both sides, also freed before they are serviced");
}

/* Three PUTC and three GETC, six servicers, waited for in an order that no two ranks share. */
static void in_own_order(void)
{
    MPI_Request request[ROUNDS];
    int wrong = 0;
    fresh();
    for (int k = 0; k < 3; k++) {
        const int to = (me + k) % n;
        PA_Putc(source + k, 1, MPI_INT, to, me, 1, MPI_INT, 10 + k, WORLD);
        PA_Getc(got + k, 1, MPI_INT, to, k, 1, MPI_INT, 10 + k, WORLD);
        PA_Iacceptc(RANGE(k), 10 + k, WORLD, &request[2 * k]);
        PA_Iofferc(source, sizeof source, sizeof *source, 10 + k, WORLD, &request[2 * k + 1]);
    }
    for (int i = 0; i < 6; i++) MPI_Wait(&request[(5 * i + me) % 6], MPI_STATUS_IGNORE);
    for (int k = 0; k < 3; k++) {
        const int from = (me - k + n) % n;
        wrong |= memory[k][from] != of(from, k) || got[k] != of((me + k) % n, k);
    }
    check(!wrong, "six rounds that each process waits for in an order of its own");
    fresh();
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < (7 * me + k) % 4; i++)
            PA_Putc(source + i, 1, MPI_INT, (me + k) % n, k, 1, MPI_INT, 20, WORLD);
        PA_Iacceptc(RANGE(0), 20, WORLD, &request[k]);
    }
    MPI_Waitall(ROUNDS, request, MPI_STATUSES_IGNORE);
    for (int k = 0; k < ROUNDS; k++) {
        const int from = ((me - k) % n + n) % n, puts = (7 * from + k) % 4;
        wrong |= memory[0][k] != (puts > 0 ? of(from, puts - 1) : -1);
    }
    check(!wrong, "twenty rounds of one tag, posted at once");
}

/* The halves have their ranks in reverse. */
static void communicators(void)
{
    MPI_Comm half, copy;
    MPI_Request request;
    int rank, size, wrong;
    fresh();
    MPI_Comm_split(WORLD, me % 2, -me, &half);
    MPI_Comm_dup(half, &copy);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    const int next = (rank + 1) % size, before = (me + 2) % n - (n % 2 && me + 2 >= n ? 1 : 0);
    PA_Putc(source, 1, MPI_INT, next, 0, 1, MPI_INT, 1, half);
    PA_Putc(source + 1, 1, MPI_INT, next, 0, 1, MPI_INT, 1, copy);
    PA_Putc(source + 2, 1, MPI_INT, right, 0, 1, MPI_INT, 1, WORLD);
    PA_Acceptc(RANGE(0), 1, copy);
    PA_Acceptc(RANGE(1), 1, WORLD);
    PA_Acceptc(RANGE(2), 1, half);
    wrong = memory[1][0] != of(left, 2);
    if (n % 2 == 0) wrong |= memory[0][0] != of(before, 1) || memory[2][0] != of(before, 0);
    check(!wrong, "communicators of the same tag are apart");
    PA_Putc(source + 3, 1, MPI_INT, next, 0, 1, MPI_INT, 2, copy);
    PA_Iacceptc(RANGE(3), 2, copy, &request);
    MPI_Comm_free(&copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(memory[3][0] == memory[2][0] + 3, "one is freed while a servicer waits on it");
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 4);
    me = check_rank, n = check_ranks;
    right = (me + 1) % n, left = (me + n - 1) % n;
    of_nothing();
    holds();
    odd_datatypes();
    in_own_order();
    communicators();
    return check_end();
}
