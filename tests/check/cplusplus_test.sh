#!/bin/bash
# "Both places as file:line (innermost line of the user's file ...)": in C++, where templates of its library touch the
# window, at the line of the program that calls them, inlined or not.
. "$(dirname "$0")/../lib.sh"
cat >"$work/stl.cpp" <<'C'
#include <mpi.h>
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>
class Window {
public:
    explicit Window(std::size_t n) : data(n, 0)
    {
        MPI_Win_create(data.data(), n * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    }
    ~Window() { MPI_Win_free(&win); }
    void fence() { MPI_Win_fence(0, win); }
    void put(const int &v, int t, int d) { MPI_Put(&v, 1, MPI_INT, t, d, 1, MPI_INT, win); } /* put */
    std::vector<int> data;
private:
    MPI_Win win;
};
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, race = argv[1][0] == 'r', which = argc > 2 ? std::atoi(argv[2]) : 0, value = 7, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        Window w(64);
        auto change = [&] { value = 3; }; /* lambda */
        std::vector<int> copy(64);
        w.fence();
        if (rank == 0) w.put(value, 1, 5);
        if (!race) w.fence();
        if (rank == 1 && which == 0) sum = std::accumulate(w.data.begin(), w.data.end(), 0); /* accumulate */
        if (rank == 1 && which == 1) std::fill(w.data.begin(), w.data.end(), 3); /* fill */
        if (rank == 0 && which == 2) change();
        if (rank == 1 && which == 3) for (int &x : w.data) x += 1; /* range */
        if (rank == 1 && which == 4) std::sort(w.data.begin(), w.data.end()); /* sort */
        if (rank == 1 && which == 5) std::copy(w.data.begin(), w.data.end(), copy.begin()); /* copy */
        w.fence();
        if (sum == 99) return copy[3];
    }
    MPI_Finalize();
}
C
cd "$work" || exit 1
at() { grep -n "/\* $1 \*/" stl.cpp | cut -d: -f1; }
blamed() {
    rm -f json
    "$sidewinder" run -m rdma -n 2 -q --check --json json "$@" >/dev/null || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
for level in O0 O2; do
    "$sidewinder" c++ -$level -g stl.cpp -o $level || wrong "$level: stl.cpp is compiled"
    which=0
    for name in accumulate fill lambda range sort copy; do
        says "$level: $name: with a fence between the two nobody is blamed" [ -z "$(blamed ./$level fence $which)" ]
        says "$level: $name is blamed at its line" [ "$(blamed ./$level race $which)" = "error $(at put) $(at $name)" ]
        which=$((which + 1))
    done
    says "$level: the vector's block was allocated at a line of the program" \
        grep -q 'of the block allocated at stl.cpp:[0-9]' json
done
finish
