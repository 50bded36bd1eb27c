/* A histogram: bins WHICH. The bytes are all alike ("one"), no two neighbours are ("many"), every
 * other is another ("two"), eight are alike ("runs"), or pairs of two are by turns ("pairs").
 * Prints the time of an element, and the count of the first byte's bin. */
#include "check.h"

enum { BYTES = 4096, PASSES = 16 };
static unsigned char byte[BYTES];
static unsigned count[256];

static __attribute__((noinline)) void add(const unsigned char *from, unsigned *to, int n)
{
    for (int i = 0; i < n; i++) to[from[i]]++;
}

static int byte_of(const char *which, int i)
{
    if (strcmp(which, "one") == 0) return 7;
    if (strcmp(which, "two") == 0) return i & 1;
    if (strcmp(which, "runs") == 0) return i / 8 & 255;
    if (strcmp(which, "pairs") == 0) return i / 2 & 1;
    return i & 255;
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 0);
    for (int i = 0; i < BYTES; i++) byte[i] = (unsigned char)byte_of(argv[1], i);
    add(byte, count, BYTES);
    double begun = MPI_Wtime();
    for (int pass = 1; pass < PASSES; pass++) add(byte, count, BYTES);
    double time = (MPI_Wtime() - begun) / BYTES / (PASSES - 1);
    if (check_rank == 0) printf("time=%.15f\ncount=%u\n", time, count[byte[0]]);
    return check_end();
}
