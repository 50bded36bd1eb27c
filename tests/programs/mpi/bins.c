/* A histogram: bins WHICH. The bytes are all alike ("one"), no two neighbours are ("many"), or
 * every other is another ("two"). Prints the time of an element, and the count of the first byte's
 * bin. */
#include "check.h"

enum { BYTES = 4096, PASSES = 16 };
static unsigned char byte[BYTES];
static unsigned count[256];

static __attribute__((noinline)) void add(const unsigned char *from, unsigned *to, int n)
{
    for (int i = 0; i < n; i++) to[from[i]]++;
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 0);
    for (int i = 0; i < BYTES; i++)
        byte[i] = strcmp(argv[1], "one") == 0 ? 7 : strcmp(argv[1], "two") == 0 ? i & 1 : i & 255;
    add(byte, count, BYTES);
    double begun = MPI_Wtime();
    for (int pass = 1; pass < PASSES; pass++) add(byte, count, BYTES);
    double time = (MPI_Wtime() - begun) / BYTES / (PASSES - 1);
    if (check_rank == 0) printf("time=%.15f\ncount=%u\n", time, count[byte[0]]);
    return check_end();
}
