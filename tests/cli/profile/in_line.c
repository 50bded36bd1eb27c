/* Functions that are put in line, one in another: what they call stands below them. */
#include <mpi.h>

static volatile double sink;
static double data[512];

__attribute__((noinline, noclone)) void work(int n)
{
    for (int i = 0; i < n; i++) sink += data[i % 512];
}

static inline __attribute__((always_inline)) void step(int n)
{
    work(n); /* works */
    sink += 1;
}

static inline __attribute__((always_inline)) void phase(int n)
{
    step(n);                     /* steps */
    MPI_Barrier(MPI_COMM_WORLD); /* meets */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++) phase(50); /* phases */
    work(10);
    MPI_Finalize();
    return 0;
}
