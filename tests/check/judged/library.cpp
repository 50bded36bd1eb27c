/* C++: guards, exceptions, containers that let go, objects that store, algorithms and views. */
#include <mpi.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <valarray>
static MPI_Win win;
static int rank, *base;
static bool race;
static volatile int seen;
struct Lock {
    explicit Lock(int t) : target(t) { MPI_Win_lock(MPI_LOCK_SHARED, t, 0, win); }
    ~Lock() { MPI_Win_unlock(target, win); }
    int target;
};
struct Cell {
    int index;
    void operator=(int v) const { base[index] = v; }   // 5:2
};
struct Field {
    Cell operator[](int i) const { return {i}; }
};
struct Shape {
    virtual ~Shape() = default;
    virtual void change(int *at) const = 0;
};
struct Square : Shape {
    void change(int *at) const override { *at += 2; }   // 6:2
};
struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};
static void risky(bool fails)
{
    if (fails) throw Failed("no");
    MPI_Win_flush_local(2, win);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    race = argv[1][0] == 'r';
    int which = std::atoi(argv[2]);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    std::fill(base, base + 16, 1);
    MPI_Win_fence(0, win);
    auto middle = [&] {
        if (!race) MPI_Win_fence(0, win);
    };
    int value = 4;
    if (which == 1 && rank == 0) {
        int got = 0;
        {
            Lock l(2);
            MPI_Get(&got, 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // 1:1
            if (race) seen = got;                               // 1:2
        }
        seen = got;
    }
    if (which == 2 && rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // 2:1
        try {
            risky(race);
            value = 5;
        } catch (const Failed &) {
            value = 6;   // 2:2
        }
        MPI_Win_unlock(2, win);
    }
    if (which == 3 && rank == 0) {
        std::map<int, int> m{{1, 2}, {3, 4}};
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Get(&m[3], 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // 3:1
        if (!race) MPI_Win_flush(2, win);
        m.erase(3);   // 3:2
        MPI_Win_unlock(2, win);
    }
    if (which == 4 && rank == 0) {
        std::string a = "short";
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Get(a.data(), 4, MPI_CHAR, 2, 0, 4, MPI_CHAR, win);   // 4:1
        if (!race) MPI_Win_flush(2, win);
        std::string b = std::move(a);   // 4:2
        seen = b.size();
        MPI_Win_unlock(2, win);
    }
    if (which >= 5 && which < 20) {
        if (rank == 0) MPI_Accumulate(&value, 1, MPI_INT, 2, 7, 1, MPI_INT, MPI_SUM, win);   //*:1
        middle();
        if (rank == 2) {
            Field f;
            Square square;
            const Shape &shape = square;
            std::span<int> s(base, 16);
            if (which == 5) f[7] = 3;
            if (which == 6) shape.change(base + 7);
            if (which == 7) std::ranges::fill(s, 3);   // 7:2
            if (which == 8)
                for (int x : s | std::views::drop(4)) seen = seen + x;                 // 8:2
            if (which == 9) std::reverse(base, base + 16);                             // 9:2
            if (which == 10) seen = std::inner_product(base, base + 8, base + 8, 0);   // 10:2
            if (which == 11) seen = std::valarray<int>(base, 16).sum();                // 11:2
            if (which == 12) seen = *std::ranges::max_element(s);                      // 12:2
        }
        MPI_Win_fence(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
}
