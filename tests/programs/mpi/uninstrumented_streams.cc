// What the C++ library, which nobody instrumented, stores into a window and loads from it: streams,
// strings, conversions, algorithms. Others get after a fence what the same way leaves in plain
// memory; and after a put and a fence it loads the new bytes.
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <iterator>
#include <memory>
#include <new>
#include <numeric>
#include <sstream>
#include <string>
#include <valarray>
#include <vector>

struct item {
    char text[64];
    int n[8];
    double real[4];
    long l[4];
    char object[64];
    bool flag[8];
};

// A buffer that reads and writes a part of a window.
struct window_buffer : std::streambuf {
    window_buffer(char *at, std::size_t bytes) { setp(at, at + bytes), setg(at, at, at + bytes); }
};

#define WAY(...) [](item *p) { __VA_ARGS__; }
static void (*const stores[])(item *) = {
    WAY(std::istringstream in("17 2.5 word"); in >> p->n[0] >> p->real[0] >> p->text),
    WAY(std::istringstream in("18446744"); in >> p->l[1]),
    WAY(std::istringstream in("1 0 1"); in >> p->flag[0] >> p->flag[1] >> p->flag[2]),
    WAY(std::istringstream in("a line\nmore"); in.getline(p->text, 20)),
    WAY(std::istringstream in("bytes that are read"); in.read(p->text, 12)),
    WAY(std::istringstream in("bytes that are some"); in.readsome(p->text, 9)),
    WAY(std::istringstream in("c"); in.get(p->text[3])),
    WAY(std::istringstream in("until;end"); in.get(p->text, 30, ';')),
    WAY(std::istringstream in("word"); in >> std::setw(3) >> p->text),
    WAY(std::istringstream in("ff"); in >> std::hex >> p->n[3]),
    WAY(window_buffer b(p->text, 60); std::ostream out(&b);
        out << "number " << 42 << ' ' << 2.5 << std::hex << 255),
    WAY(window_buffer b(p->text, 60); std::ostream out(&b);
        out.write("written", 7).put('!') << std::setw(9) << 3),
    WAY(auto *s = new(p->object) std::string("ab"); s->append("cdef"); s->push_back('g');
        std::strcpy(p->text, s->c_str()); s->~basic_string();
        std::memset(p->object, 0, sizeof p->object)),
    WAY(std::string("copied").copy(p->text, 6)),
    WAY(*std::to_chars(p->text, p->text + 20, 123456).ptr = 0),
    WAY(*std::to_chars(p->text, p->text + 20, 2.25).ptr = 0),
    WAY(std::from_chars("77", &"77"[2], p->n[2])),
    WAY(std::string s("from a string"); std::copy(s.begin(), s.end(), p->text)),
    WAY(std::istringstream in("4 5 6 7"); std::copy(std::istream_iterator<int>(in), {}, p->n)),
    WAY(std::iota(p->n, p->n + 8, 5); std::reverse(p->n, p->n + 8); std::sort(p->n, p->n + 8)),
    WAY(for (int i = 0; i < 8; i++) p->n[i] = 7 * i % 8; std::stable_sort(p->n, p->n + 8)),
    WAY(std::fill_n(p->real, 4, 1.5); std::partial_sum(p->real, p->real + 4, p->real)),
    WAY(auto *c = new(p->real) std::complex<double>(1, 2); *c *= std::complex<double>(0, 3);
        std::istringstream in("(2,4)"); in >> *c),
    WAY(std::size_t used; p->n[1] = std::stoi("19 x", &used), p->l[0] = static_cast<long>(used)),
    WAY(std::stringbuf b("in a buffer"); b.sgetn(p->text, 11)),
    WAY(std::vector<int> v{3, 1, 2}; std::partial_sort_copy(v.begin(), v.end(), p->n, p->n + 3)),
    WAY(std::uninitialized_fill_n(p->l, 4, 9L)),
    WAY(std::vector<bool> v{true, false, true}; std::copy(v.begin(), v.end(), p->flag)),
};
#undef WAY

#define WAY(...) [](const item *p) -> std::string { __VA_ARGS__; }
static std::string (*const loads[])(const item *) = {
    WAY(std::ostringstream out; out << p->text; return out.str()),
    WAY(std::ostringstream out; out.write(p->text, 10); return out.str()),
    WAY(return std::string(p->text)),
    WAY(return std::string(p->text, 5)),
    WAY(return std::string("x").append(p->text)),
    WAY(return std::string("x") + p->text),
    WAY(return std::to_string(std::string("new text").compare(p->text))),
    WAY(return std::to_string(std::string("a new text there").find(p->text))),
    WAY(std::istringstream in(p->text); std::string a, b; in >> a >> b; return b + a),
    WAY(window_buffer b(const_cast<char *>(p->text), 20); std::istream in(&b); std::string a;
        in >> a; return a),
    WAY(window_buffer b(const_cast<char *>(p->text), 20); std::istream in(&b); std::string a;
        std::getline(in, a, 't'); return a),
    WAY(int n = 0; std::from_chars(p->object, p->object + 4, n); return std::to_string(n)),
    WAY(return std::to_string(std::stoi(p->object))),
    WAY(return std::to_string(std::stod(p->object))),
    WAY(std::ostringstream out; std::copy(p->n, p->n + 8, std::ostream_iterator<int>(out, " "));
        return out.str()),
    WAY(return std::to_string(std::accumulate(p->n, p->n + 8, 0))),
    WAY(std::valarray<int> v(p->n, 8); return std::to_string(v.sum())),
    WAY(std::vector<long> v(p->l, p->l + 4); return std::to_string(v[3])),
    WAY(std::ostringstream out; out << *reinterpret_cast<const std::complex<double> *>(p->real);
        return out.str()),
    WAY(return std::to_string(std::char_traits<char>::length(p->text))),
};
#undef WAY

static void fill(item *p, bool now)
{
    std::memset(static_cast<void *>(p), 0, sizeof *p);
    std::strcpy(p->text, now ? "new text" : "older");
    std::strcpy(p->object, now ? "4711" : "0815");
    for (int i = 0; i < 8; i++) p->n[i] = now ? 10 * i + 3 : i;
    for (int i = 0; i < 4; i++) p->l[i] = now ? i + 5 : i, p->real[i] = now ? 1.5 * i : i;
}

int main(int argc, char **argv)
{
    enum {
        STORES = sizeof stores / sizeof *stores,
        LOADS = sizeof loads / sizeof *loads,
        ITEMS = STORES + LOADS
    };
    static item plain[STORES], seen[STORES], got[STORES], old, now;
    int rank, wrong = 0;
    item *window;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank ? 0 : ITEMS * sizeof *window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    fill(&old, false), fill(&now, true);
    if (rank == 0) {
        std::memset(static_cast<void *>(window), 0, STORES * sizeof *window);
        for (int i = STORES; i < ITEMS; i++) window[i] = old;
    }
    MPI_Win_fence(0, win);
    volatile unsigned long sum = 0;   // lines in the cache
    for (std::size_t i = 0; rank == 0 && i < ITEMS * sizeof *window; i++)
        sum = sum + reinterpret_cast<volatile unsigned char *>(window)[i];
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < STORES; i++)
        stores[i](&plain[i]), stores[i](&window[i]), seen[i] = window[i];
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 1 && i < LOADS; i++)
        MPI_Put(&now, sizeof now, MPI_BYTE, 0, (STORES + i) * sizeof now, sizeof now, MPI_BYTE,
                win);
    if (rank == 1) MPI_Get(got, sizeof got, MPI_BYTE, 0, 0, sizeof got, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Send(got, sizeof got, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(got, sizeof got, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < STORES; i++) {
        static const item nothing{};
        if (std::memcmp(&plain[i], &nothing, sizeof nothing) == 0)
            wrong++, std::printf("# store %d: nothing\n", i);
        if (std::memcmp(&plain[i], &seen[i], sizeof *plain))
            wrong++, std::printf("# store %d: not plain's\n", i);
        if (std::memcmp(&plain[i], &got[i], sizeof *plain))
            wrong++, std::printf("# store %d: lost\n", i);
    }
    for (int i = 0; rank == 0 && i < LOADS; i++) {
        std::string expected = loads[i](&now), before = loads[i](&old),
                    found = loads[i](&window[STORES + i]);
        if (expected == before) wrong++, std::printf("# load %d: the same\n", i);
        if (found != expected)
            wrong++, std::printf("# load %d: %s\n", i, found == before ? "old" : "neither");
    }
    if (rank == 0)
        std::printf("%s: %d ways to store and %d to load through the C++ library give what they "
                    "give in plain memory\n",
                    wrong ? "FAILED" : "ok", STORES, LOADS);
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong > 0;
}
