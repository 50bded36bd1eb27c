// An exception through three frames, caught in the fourth, which then calls on.
#include <mpi.h>

#define APART __attribute__((noinline, noclone))

static volatile double sink;

APART void work(int n)
{
    for (int i = 0; i < n; i++) sink = sink + i;
}

struct leaves {
    ~leaves() { work(5); }
};

APART void deep(int n)
{
    leaves at_end;
    if (n == 0) throw n;
    deep(n - 1);
    sink = sink + 1;
}

APART void other(void)
{
    work(20);
    sink = sink + 1;
}

APART void catches(void)
{
    try {
        deep(3);
    } catch (int) {
        sink = sink + 1;
    }
    other();
    sink = sink + 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    catches();
    other();
    MPI_Finalize();
}
