/* Locks as objects, windows as members, handles that move, functions that capture, exceptions. */
#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mpi.h>
#include <optional>
#include <string>
#include <thread>
#include <vector>

static int rank, race;
static volatile int seen;

struct Lock {
    MPI_Win win;
    int target;
    Lock(MPI_Win w, int t, int kind = MPI_LOCK_SHARED) : win(w), target(t)
    {
        MPI_Win_lock(kind, t, 0, w);
    }
    Lock(const Lock &) = delete;
    Lock(Lock &&other) noexcept : win(other.win), target(other.target) { other.target = -1; }
    ~Lock()
    {
        if (target >= 0) MPI_Win_unlock(target, win);
    }
};
struct Epoch {
    MPI_Win win;
    explicit Epoch(MPI_Win w) : win(w) { MPI_Win_fence(0, w); }
    ~Epoch() { MPI_Win_fence(0, win); }
};
struct Board {
    int *base = nullptr;
    MPI_Win win = MPI_WIN_NULL;
    explicit Board(int n)
    {
        MPI_Win_allocate(n * 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
        for (int i = 0; i < n; i++) base[i] = 0;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Board()
    {
        if (win != MPI_WIN_NULL) MPI_Win_free(&win);
    }
    void put(const int *from, int n, int to, int at)
    {
        MPI_Put(from, n, MPI_INT, to, at, n, MPI_INT, win); // 2:1
    }
};
struct Future {
    int value = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    Future(Board &b, int to, int at)
    {
        MPI_Rget(&value, 1, MPI_INT, to, at, 1, MPI_INT, b.win, &request); // 3:1 4:1
    }
    int get()
    {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return value;
    }
    ~Future()
    {
        if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
};
template <class T> struct Remote {
    Board &b;
    int to, at;
    operator T() const
    {
        T v;
        Lock l(b.win, to);
        MPI_Get(&v, 1, MPI_INT, to, at, 1, MPI_INT, b.win); // 5:1
        if (!race) MPI_Win_flush_local(to, b.win);
        return v; // 5:2
    }
    Remote &operator=(T v)
    {
        Lock l(b.win, to);
        MPI_Put(&v, 1, MPI_INT, to, at, 1, MPI_INT, b.win);
        return *this;
    }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    race = argv[1][0] == 'r';
    const int which = atoi(argv[2]);
    Board board(64);
    if (which == 1) { // the lock's scope ends behind the use
        int got = 0;
        if (rank == 0) {
            std::optional<Lock> lock(std::in_place, board.win, 1);
            MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, board.win); // 1:1
            if (!race) lock.reset();
            seen = got; // 1:2
        }
    }
    if (which == 2) { // vector moves while it is put: the buffer is freed
        std::vector<int> v(4, rank);
        Epoch epoch(board.win);
        if (rank == 0) board.put(v.data(), 4, 1, 0);
        if (rank == 1) {
            Epoch *none = nullptr;
            (void)none;
        }
        if (race && rank == 0) v[2] = 7; // 2:2
    }
    if (which == 3 || which == 4) {
        MPI_Win_lock_all(0, board.win);
        if (rank == 0) {
            auto f = std::make_unique<Future>(board, 1, 0);
            if (which == 3) seen = race ? f->value : f->get(); // 3:2
            if (which == 4) {
                if (!race) f->get();
                f->value = 3; // 4:2
                f->get();
            }
        }
        MPI_Win_unlock_all(board.win);
    }
    if (which == 5) { // conversion returns what is not there yet
        if (rank == 0) {
            Remote<int> r{board, 1, 0};
            seen = r;
        }
    }
    if (which == 6) { // lambda captures by reference, runs between
        int sum = 1;
        std::function<void()> add = [&] { sum += 2; }; // 6:2
        Epoch epoch(board.win);
        if (rank == 0) MPI_Put(&sum, 1, MPI_INT, 1, 0, 1, MPI_INT, board.win); // 6:1
        if (rank == 0 && race) add();
    }
    if (which == 7) { // two objects, one exclusive lock too few
        if (rank < 2) {
            Lock lock(board.win, 2, race ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE);
            const int one = 1;
            MPI_Put(&one, 1, MPI_INT, 2, 5, 1, MPI_INT, board.win); // 7:1 7:2
        }
    }
    if (which == 8) { // a loop that becomes stores of several words
        int part[64] = {0};
        Epoch epoch(board.win);
        if (rank == 0) MPI_Put(part, 64, MPI_INT, 1, 0, 64, MPI_INT, board.win); // 8:1
        if (!race) MPI_Win_fence(0, board.win);
        for (int i = 0; i < 64; i++) part[i] = i; // 8:2
        seen = part[3];
    }
    if (which == 9) { // a map's node is the result of an atomic
        std::map<std::string, int> m{{"a", 1}, {"b", 2}};
        const int one = 1;
        MPI_Win_lock_all(0, board.win);
        if (rank == 0) {
            MPI_Fetch_and_op(&one, &m["b"], MPI_INT, 1, 0, MPI_SUM, board.win); // 9:1
            if (!race) MPI_Win_flush(1, board.win);
            for (auto &[k, x] : m) seen = x; // 9:2
        }
        MPI_Win_unlock_all(board.win);
    }
    if (which == 10) { // exception leaves the epoch's object behind the load
        int got = 0;
        try {
            Epoch epoch(board.win);
            if (rank == 0) MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, board.win); // 10:1
            if (race) seen = got; // 10:2
            throw 1;
        } catch (int) {
            seen = got;
        }
    }
    if (which == 11) { // array member of an object copied while it is filled
        struct Row {
            std::array<int, 4> a{};
        } row, other;
        Epoch epoch(board.win);
        if (rank == 0) MPI_Get(row.a.data(), 4, MPI_INT, 1, 0, 4, MPI_INT, board.win); // 11:1
        if (!race) MPI_Win_fence(0, board.win);
        other = row; // 11:2
        seen = other.a[1];
    }
    if (which == 12) { // moved lock: the target is unlocked by the new owner only
        int got = 0;
        if (rank == 0) {
            Lock first(board.win, 1);
            MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, board.win); // 12:1
            {
                Lock second(std::move(first));
                if (race) seen = got; // 12:2
            }
            seen = got;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&board.win);
    MPI_Finalize();
    return 0;
}
