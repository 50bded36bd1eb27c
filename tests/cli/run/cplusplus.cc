/* A C++ program that ends, or goes wrong, as its first argument says, where nothing may be thrown.
 */
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int rank;
static std::vector<int> numbers(4); /* static: before main */

struct guard {
    ~guard() { std::puts("unwound"); }
};

static void quiet(const char *how) noexcept
{
    guard here;
    if (!std::strcmp(how, "last")) {
        MPI_Finalize();
        std::exit(0);
    }
    if (!std::strcmp(how, "last3")) {
        MPI_Finalize();
        std::exit(3);
    }
    if (rank == 1 && !std::strcmp(how, "exit")) std::exit(3);
    if (rank == 1 && !std::strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 6); /* abort */
    MPI_Barrier(MPI_COMM_WORLD);
    std::puts("behind the barrier");
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!std::strcmp(how, "exception") && rank == 1) numbers.at(4) = 1; /* exception */
    if (!std::strcmp(how, "behind")) {
        std::vector<int> some(4); /* made */
        int *first = some.data();
        first[4] = 1;
        some.clear();
        some.shrink_to_fit(); /* freed */
        MPI_Finalize();
        return 0;
    }
    quiet(how);
}
