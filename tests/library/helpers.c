/* Operations on numbers of 128 bits, and bits counted: calls of gcc's library. ns of one. */
#include <mpi.h>
#include <stdio.h>
typedef unsigned __int128 wide;
static volatile double one = 1;
int main(int argc, char **argv)
{
    unsigned long x = 1, n = 0;
    double t[4];
    MPI_Init(&argc, &argv);
    wide by = ((wide)argc << 70) + 12345;
    __float128 q = one;
    t[0] = MPI_Wtime();
    for (int i = 0; i < 1000; i++)
        x = x * 2862933555777941757 + 3, n += (unsigned long)__builtin_popcountl(x);
    t[1] = MPI_Wtime();
    for (int i = 0; i < 1000; i++) n += (unsigned long)(((wide)x << 40) / (by + (unsigned)i));
    t[2] = MPI_Wtime();
    for (int i = 0; i < 1000; i++) q = q * 3 + 1 / q;
    t[3] = MPI_Wtime();
    printf("bits=%.2f quotient=%.2f quad=%.2f\n", (t[1] - t[0]) * 1e6, (t[2] - t[1]) * 1e6,
           (t[3] - t[2]) * 1e6);
    MPI_Finalize();
    return n == 0 || q < 1;
}
