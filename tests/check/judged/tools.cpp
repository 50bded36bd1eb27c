/* C++: wrappers of windows, containers that move, algorithms, views, coroutines, atomic references. */
#include <mpi.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <coroutine>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
static MPI_Win win;
static int rank, *base;
static bool race;
static volatile int seen;
template <class T> struct Type;
template <> struct Type<int> { static MPI_Datatype get() { return MPI_INT; } };
template <> struct Type<float> { static MPI_Datatype get() { return MPI_FLOAT; } };
template <class T> void sum_into(const T &from, int target, int at)
{
    MPI_Accumulate(&from, 1, Type<T>::get(), target, at, 1, Type<T>::get(), MPI_SUM, win);   // 2:1 2:2
}
template <class T> class Remote {
public:
    Remote(int target, int at) : target_(target), at_(at) {}
    Remote &operator=(const T &value)
    {
        kept_ = value;
        MPI_Put(&kept_, 1, Type<T>::get(), target_, at_, 1, Type<T>::get(), win);   // 1:1
        return *this;
    }
    void add(T more) { kept_ += more; }   // 1:2
private:
    int target_, at_;
    T kept_{};
};
struct Epoch {
    Epoch() { MPI_Win_lock_all(0, win); }
    ~Epoch()
    {
        if (on_end) on_end();
        MPI_Win_unlock_all(win);
    }
    std::function<void()> on_end;
};
struct Generator {
    struct promise_type {
        int value = 0;
        Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) noexcept { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
    int next() { handle.resume(); return handle.promise().value; }
    ~Generator() { handle.destroy(); }
};
static Generator elements(const int *p)
{
    for (;; p++)
        co_yield *p;   // 8:2
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    race = argv[1][0] == 'r';
    int which = std::atoi(argv[2]);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    std::iota(base, base + 16, 1);
    MPI_Win_fence(0, win);
    if (which == 1 && rank == 0) {
        Epoch e;
        Remote<int> cell(2, 3);
        cell = 4;
        if (!race) MPI_Win_flush_local(2, win);
        cell.add(5);
        MPI_Win_flush(2, win);
    }
    if (which == 2) {
        Epoch e;
        const int i = 1;
        const float f = 1;
        if (rank == 0) sum_into(i, 2, 0);
        if (rank == 1) race ? sum_into(f, 2, 0) : sum_into(i, 2, 0);
        MPI_Win_flush_all(win);
    }
    if (which == 3 && rank == 0) {
        Epoch e;
        std::vector<int> v(4, 1);
        MPI_Put(v.data(), 4, MPI_INT, 2, 0, 4, MPI_INT, win);   // 3:1
        if (!race) MPI_Win_flush_local(2, win);
        v.resize(4000);   // 3:2
        MPI_Win_flush(2, win);
    }
    if (which == 4 && rank == 0) {
        Epoch e;
        auto p = std::make_unique<int[]>(4);
        MPI_Get(p.get(), 4, MPI_INT, 2, 0, 4, MPI_INT, win);   // 4:1
        if (!race) MPI_Win_flush(2, win);
        p.reset();   // 4:2
    }
    if (which == 5 && rank == 0) {
        Epoch e;
        std::array<int, 6> a{6, 5, 4, 3, 2, 1};
        MPI_Put(a.data() + 2, 2, MPI_INT, 2, 0, 2, MPI_INT, win);   // 5:1
        if (!race) MPI_Win_flush_local(2, win);
        std::nth_element(a.begin(), a.begin() + 3, a.end());   // 5:2
        MPI_Win_flush(2, win);
        seen = a[3];
    }
    if (which == 6) {
        MPI_Win_fence(0, win);
        if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 2, 5, 1, MPI_INT, win);   // 6:1
        if (!race) MPI_Win_fence(0, win);
        if (rank == 2) std::swap(base[1], base[5]);   // 6:2
        MPI_Win_fence(0, win);
    }
    if (which == 7 && rank == 0) {
        int got = 0;
        {
            Epoch e;
            MPI_Get(&got, 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // 7:1
            e.on_end = [&] {
                if (!race) MPI_Win_flush(2, win);
                seen = got;   // 7:2
            };
        }
    }
    if (which == 8 && rank == 0) {
        Epoch e;
        int got[4] = {0};
        auto g = elements(got);
        seen = g.next();
        MPI_Get(got + 1, 3, MPI_INT, 2, 0, 3, MPI_INT, win);   // 8:1
        if (!race) MPI_Win_flush(2, win);
        seen = g.next();
    }
    if (which == 9) {
        MPI_Win_fence(0, win);
        if (rank == 0) MPI_Put("wxyz", 4, MPI_CHAR, 2, 1, 4, MPI_CHAR, win);   // 9:1
        if (!race) MPI_Win_fence(0, win);
        if (rank == 2) {
            std::string_view text(reinterpret_cast<const char *>(base), 12);
            seen = std::count_if(text.begin() + 2, text.begin() + 6, [](char c) { return c == 'x'; });   // 9:2
        }
        MPI_Win_fence(0, win);
    }
    if (which == 10) {
        MPI_Win_fence(0, win);
        std::tuple<int, int> two{7, 8};
        if (rank == 1) MPI_Accumulate(&std::get<1>(two), 1, MPI_INT, 2, 2, 1, MPI_INT, MPI_BXOR, win);   // 10:1
        if (!race) MPI_Win_fence(0, win);
        auto &[first, second] = two;
        first = 3;
        second = 4;   // 10:2
        MPI_Win_fence(0, win);
        seen = first + second;
    }
    if (which == 11) {
        Epoch e;
        std::optional<int> maybe(3);
        if (rank == 1) {
            MPI_Put(&*maybe, 1, MPI_INT, 2, 0, 1, MPI_INT, win);   // 11:1
            if (!race) MPI_Win_flush_local(2, win);
            maybe.emplace(rank + 5);   // 11:2
            MPI_Win_flush(2, win);
            seen = *maybe;
        }
    }
    if (which == 12) {
        MPI_Win_lock_all(0, win);
        if (rank == 2) {
            MPI_Request r[2];
            std::array<int, 2> in{};
            for (int i = 0; i < 2; i++) MPI_Rget(&in[i], 1, MPI_INT, i, 0, 1, MPI_INT, win, &r[i]);   // 12:1
            if (!race) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
            seen = std::transform_reduce(in.begin(), in.end(), 0, std::plus<>{}, [](int x) { return x * x; });   // 12:2
            if (race) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        }
        MPI_Win_unlock_all(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
}
