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
at() { grep -n "/\* $1 \*/" "${2:-stl.cpp}" | cut -d: -f1; }
blamed() {
    rm -f json
    "$sidewinder" run -m ${machine:-rdma} -n 2 -q --check --json json "$@" >/dev/null || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
sampled "templates with -O2; each way of the library at one level"
for level in O2 $(thorough && echo O0); do
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
# "Library copies": C++'s library reads and stores, and nobody instrumented it.
cat >library.cpp <<'C'
#include <mpi.h>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <algorithm>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, race = argv[1][0] == 'r', which = std::atoi(argv[2]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *base, out[16] = "abc";
    MPI_Win win;
    auto is = [&](int n) { return which < 0 || which == n; };
    std::ostringstream text;
    std::istringstream in("17 4.5 word and more");
    std::string s = "x";
    int *ints;
    size_t n = 0;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    ints = (int *)base;
    std::memset(base, 0, 64);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(out, 4, MPI_CHAR, 1, 0, 4, MPI_CHAR, win); /* put */
    if (!race) MPI_Win_fence(0, win);
    if (rank == 1) {
        if (is(0)) text << base; /* 0 */
        if (is(1)) text.write(base, 8); /* 1 */
        if (is(2)) in.read(base, 4); /* 2 */
        if (is(3)) in >> ints[0]; /* 3 */
        if (is(4)) s = base; /* 4 */
        if (is(5)) s += base; /* 5 */
        if (is(6)) s = std::string(base, 8); /* 6 */
        if (is(7)) n = s.compare(base); /* 7 */
        if (is(8)) text << std::string(base); /* 8 */
        if (is(9)) n = std::count(base, base + 8, 'a'); /* 9 */
        if (is(10)) n = std::strspn(base, "ab"); /* 10 */
        if (is(11)) n = std::strcspn(base, "c"); /* 11 */
        if (is(12)) n = std::strpbrk(base, "c") != nullptr; /* 12 */
        if (is(13)) n = s == base; /* 13 */
        if (is(14)) std::swap(ints[0], ints[3]); /* 14 */
        if (is(15)) text << ints[0]; /* 15 */
        if (is(16)) s.assign(base, 4); /* 16 */
        if (is(17)) s.copy(base, 1); /* 17 */
        if (is(18)) n = std::string("zabc").find(base); /* 18 */
        if (is(19)) in.get(base, 4); /* 19 */
        if (is(20)) in.getline(base, 20); /* 20 */
        if (is(21)) n = std::atoi(base + 0); /* 21 */
        if (is(22)) s.insert(0, base); /* 22 */
        if (is(23)) std::cerr << base << '\n'; /* 23 */
        if (is(24)) text << *base; /* 24 */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return n > 1000 ? 1 : 0;
}
C
for level in O0 O2; do
    "$sidewinder" c++ -$level -g library.cpp -o library || wrong "$level: library.cpp is compiled"
    says "$level: C++'s library: with a fence between the two nobody is blamed" [ -z "$(blamed ./library fence -1)" ]
    which=0
    while line=$(grep "/\* $which \*/" library.cpp); do
        if thorough || [ $(((which + ${level#O} / 2) % 2)) = 0 ]; then
            says "$level: blamed at its line:${line%;*}" \
                [ "$(blamed ./library race $which)" = "error $(at put library.cpp) $(at $which library.cpp)" ]
        fi
        which=$((which + 1))
    done
done
# "Freed memory that a pending operation still has": by a template of the library, which is not put in line.
cat >grows.cpp <<'C'
#include <mpi.h>
#include <vector>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> data(16, 1), out(4, rank);
    MPI_Win win;
    MPI_Win_create(data.data(), 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(out.data(), 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* put */
    if (argv[1][0] != 'r') MPI_Win_fence(0, win);
    out.push_back(7); /* grows */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
for level in O0 $(thorough && echo O2); do
    "$sidewinder" c++ -$level -g grows.cpp -o grows || wrong "$level: grows.cpp is compiled"
    says "$level: a vector that grows behind the fence frees no buffer" [ -z "$(blamed ./grows fence)" ]
    says "$level: one that grows meanwhile is blamed where the program makes it grow" \
        [ "$(blamed ./grows race)" = "error $(at put grows.cpp) $(at grows grows.cpp)" ]
done
cat >throws.cpp <<'C'
#include <mpi.h>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int value = 5, caught = 0;
    char out[8] = "";
    std::istringstream in("word");
    in.exceptions(std::ios::failbit);
    try { in >> value; } catch (const std::ios_base::failure &) { caught++; }
    in.clear();
    try { in.read(out, 7); } catch (const std::ios_base::failure &) { caught++; }
    try { std::string("abc").copy(out, 2, 9); } catch (const std::out_of_range &) { caught++; }
    std::cout << caught << ' ' << value << ' ' << out << '\n';
    MPI_Finalize();
}
C
"$sidewinder" c++ -O1 throws.cpp -o throws || wrong "throws.cpp is compiled"
says "what throws has stored what the library stores before" \
    [ "$("$sidewinder" run -m rdma -n 1 -q --check ./throws)" = "3 0 word" ]

# "memory_order_relaxed: no operation orders memory" (C11 7.17.3): without optimisation <atomic> is told at run time.
cat >order.cpp <<'C'
#include <mpi.h>
#include <atomic>
int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, unit, *mine, *base;
    MPI_Aint bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &base);
    MPI_Win_lock_all(0, win);
    auto *flag = reinterpret_cast<std::atomic<int> *>(base + 1);
    if (rank == 0) *base = 0, *flag = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        *base = 1; /* store */
        const auto order = *argv[1] == 'r' ? std::memory_order_relaxed : std::memory_order_release;
        int before = 0;
        if (argc == 2)
            flag->store(1, order);
        else if (*argv[2] == 'a')
            flag->fetch_add(1, order);
        else
            flag->compare_exchange_strong(before, 1, order, std::memory_order_relaxed);
    } else {
        while (flag->load(std::memory_order_acquire) == 0) {}
        *base += 1; /* load */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" c++ -O0 -g order.cpp -o order || wrong "order.cpp is compiled"
machine=smp
for how in "" add swap; do
    says "-O0: a flag stored in release order carries what was stored before ($how)" \
        [ -z "$(blamed ./order order $how)" ]
    says "-O0: one stored in relaxed order does not ($how)" \
        [ "$(blamed ./order race $how)" = "error $(at store order.cpp) $(at load order.cpp)" ]
done
# A fence beside relaxed atomics orders them (C11 7.17.4), whichever file or order it is called with.
cat >fence.cpp <<'C'
#include <atomic>
void fence(std::memory_order order) { std::atomic_thread_fence(order); }
C
cat >flag.cpp <<'C'
#include <mpi.h>
#include <atomic>
void fence(std::memory_order order);
int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, unit, *mine, *base;
    MPI_Aint bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &base);
    MPI_Win_lock_all(0, win);
    auto *flag = reinterpret_cast<std::atomic<int> *>(base + 1);
    if (rank == 0) *base = 0, *flag = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 0) {
        *base = 1; /* store */
        fence(*argv[1] == 'r' ? std::memory_order_relaxed : std::memory_order_release);
        flag->store(1, std::memory_order_relaxed);
    } else {
        while (flag->load(std::memory_order_relaxed) == 0) {}
        fence(std::memory_order_acquire);
        *base += 1; /* load */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
for level in -O0 -O2; do
    "$sidewinder" c++ $level -g flag.cpp fence.cpp -o flag || wrong "flag.cpp is compiled"
    says "$level: a fence in another file orders what relaxed atomics do not" [ -z "$(blamed ./flag order)" ]
    says "$level: a relaxed fence orders nothing" \
        [ "$(blamed ./flag race)" = "error $(at store flag.cpp) $(at load flag.cpp)" ]
done

# What the standard library does with buffers and windows, and objects that go.
cat >library.cpp <<'C'
#include <mpi.h>
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>
static MPI_Win win;
static int rank, *base;
static bool race;
static void flush() { if (!race) MPI_Win_flush_local(1, win); }
static void fence() { if (!race) MPI_Win_fence(0, win); }
static void get(void *to) { MPI_Get(to, 4, MPI_INT, 1, 0, 4, MPI_INT, win); } /* get */
static void put(const void *from) { MPI_Put(from, 4, MPI_INT, 1, 0, 4, MPI_INT, win); } /* put */
static void between_flushes(const std::string &name)
{
    if (name == "grows") {
        std::vector<int> v(4);
        get(v.data());
        flush();
        v.resize(100000); /* grows */
        MPI_Win_flush(1, win);
    } else if (name == "captured") {
        int x[4] = {1};
        std::function<void()> change = [&x] { x[2] = 2; /* captured */ };
        put(x);
        flush();
        change();
        MPI_Win_flush(1, win);
    } else if (name == "reset") {
        auto p = std::make_unique<int[]>(4);
        get(p.get());
        flush();
        p.reset(); /* reset */
    } else if (name == "character") {
        std::string text = "more than fifteen letters";
        put(text.data());
        flush();
        text[3] = 'e'; /* character */
        MPI_Win_flush(1, win);
    }
}
static void between_fences(const std::string &name)
{
    std::vector<int> own(8);
    if (rank == 0 && name == "rotate") get(own.data());
    if (rank == 0 && name != "rotate") put(own.data());
    fence();
    if (rank == 1 && name == "copy") std::copy(base, base + 8, own.begin()); /* copy */
    if (rank == 1 && name == "sum") own[0] = std::accumulate(base, base + 8, 0); /* sum */
    if (rank == 1 && name == "rotate") std::rotate(base, base + 3, base + 8); /* rotate */
    MPI_Win_fence(0, win);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    race = argc > 2;
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    between_fences(argv[1]);
    MPI_Win_lock_all(0, win);
    if (rank == 0) between_flushes(argv[1]);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" c++ -O2 -g library.cpp -o library || wrong "library.cpp is compiled"
# library_with OPERATION NAME...
library_with() {
    local name
    for name in "${@:2}"; do
        says "$name is blamed, with its $1" \
            [ "$(blamed ./library $name race)" = "error $(at $1 library.cpp) $(at $name library.cpp)" ]
        says "$name behind the operation is not" [ -z "$(blamed ./library $name)" ]
    done
}
library_with get grows reset rotate
library_with put captured character copy sum
finish
