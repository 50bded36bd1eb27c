/* A C++ program that ends, or goes wrong, as its first argument says, where nothing may be thrown.
 */
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
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

/* Ranks come into their handlers, throw again and leave them in orders of their own. */
static void wait_in_handlers()
{
    bool same = true;
    for (int round = 0; round < 4; round++) {
        const std::string text =
            "what rank " + std::to_string(rank) + " threw, not stored in place";
        try {
            throw std::runtime_error(text);
        } catch (const std::exception &e) {
            for (int i = 0; i <= (rank + round) % 3; i++) MPI_Barrier(MPI_COMM_SELF);
            MPI_Barrier(MPI_COMM_WORLD);
            same &= e.what() == text;
            try {
                throw;
            } catch (const std::runtime_error &again) {
                if (rank != round % 3) MPI_Barrier(MPI_COMM_SELF);
                same &= &again == &e && !std::uncaught_exceptions();
            }
            std::thread([&] {
                try {
                    throw 7;
                } catch (int n) {
                    same &= n == 7;
                }
            }).join();
            MPI_Barrier(MPI_COMM_WORLD);
            same &= e.what() == text;
        }
        same &= !std::current_exception();
    }
    std::printf("%s\n", same ? "its own" : "another's");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!std::strcmp(how, "exception") && rank == 1) numbers.at(4) = 1; /* exception */
    if (!std::strcmp(how, "handlers")) {
        wait_in_handlers();
        MPI_Finalize();
        return 0;
    }
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
