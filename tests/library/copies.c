/* Copies of few, some and many bytes: ns of one. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static char from[4096], to[4096];
static volatile size_t bytes;
static double seconds(size_t n)
{
    bytes = n;
    for (int i = 0; i < 2; i++) memcpy(to, from, bytes);
    double start = MPI_Wtime();
    for (int i = 0; i < 1000; i++) memcpy(to, from, bytes);
    return (MPI_Wtime() - start) * 1e6;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double few = seconds(8), some = seconds(256), many = seconds(4096);
    printf("few=%.2f some=%.2f many=%.2f\n", few, some, many);
    MPI_Finalize();
    return 0;
}
