/* operator new and operator delete as C++17 says (21.6.2). REPLACED: which of them the program
 * replaces; 0: none. */
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <new>

static int made, ended;
static bool none_left;

#if REPLACED == 1 /* those of one object */
void *operator new(std::size_t n)
{
    if (none_left) throw std::bad_alloc();
    made++;
    return malloc(n);
}
void operator delete(void *p) noexcept
{
    ended++;
    free(p);
}
#elif REPLACED == 2 /* those of arrays */
void *operator new[](std::size_t n)
{
    made++;
    return malloc(n);
}
void operator delete[](void *p) noexcept
{
    ended++;
    free(p);
}
#endif

struct fails {
    fails() { throw 1; }
    ~fails() {}
};
struct wide {
    alignas(64) char bytes[64];
};

static void says(const char *sentence, bool holds)
{
    printf("%s: %s\n", holds ? "ok" : "FAILED", sentence);
}

static bool throws(std::size_t n)
{
    try {
        char *volatile p = new char[n];
        delete[] p;
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

static int handled;
static void handle()
{
    if (++handled == 3) std::set_new_handler(nullptr);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    volatile std::size_t huge = SIZE_MAX / 4;
    made = ended = 0;
    int *volatile one = new int, *volatile several = new int[10];
    int *volatile quiet = new (std::nothrow) int, *volatile quietly = new (std::nothrow) int[10];
    const int all = made;
    delete one;
    delete[] several;
    ::operator delete(quiet, std::nothrow);
    ::operator delete[](quietly, std::nothrow);
    says("a form that is not replaced calls the one that is, when it makes",
         all == (REPLACED == 1   ? 4
                 : REPLACED == 2 ? 2
                                 : 0));
    says("and when it ends", ended == all);
    made = ended = 0;
    try {
        fails *volatile p = new fails[4];
        delete[] p;
    } catch (int) {
    }
    says("an array whose first object throws is given back by the form of its own",
         made == (REPLACED != 0) && ended == made);
    wide *volatile aligned = new wide[3];
    says("what is aligned more is", (uintptr_t)aligned % 64 == 0);
    delete[] aligned;
#if REPLACED == 1
    none_left = true;
    says("no memory: the program's throws", throws(4));
    says("nothrow catches what it throws", !(new (std::nothrow) int)&&!(new (std::nothrow) int[2]));
    none_left = false;
#elif REPLACED == 0
    says("no memory: it throws bad_alloc", throws(huge));
    says("nothrow returns none", !(new (std::nothrow) char[huge]));
    std::set_new_handler(handle);
    says("there is a handler", std::get_new_handler() == handle);
    says("it is called until it gives up", throws(huge) && handled == 3);
    says("no bytes are a block of their own", operator new(0) != operator new(0));
#endif
    MPI_Finalize();
    return 0;
}
