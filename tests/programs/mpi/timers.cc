/* Every clock that a program can ask says what MPI_Wtime says: those of C++'s library, of OpenMP,
 * of the processor. And every source of random numbers gives a run's own. */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <random>
#include <sys/random.h>
#include <sys/timeb.h>
#include <sys/types.h>
#include <unistd.h>
#include <x86intrin.h>

template <class clock> static double chrono()
{
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}
static double ftime_s()
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    timeb t;
    ftime(&t);
#pragma GCC diagnostic pop
    return (double)t.time + 1e-3 * t.millitm;
}
static double of(clockid_t clock)
{
    timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : -1;
}
static double process()
{
    clockid_t clock;
    return clock_getcpuclockid(0, &clock) == 0 ? of(clock) : -1;
}
static double thread()
{
    clockid_t clock;
    return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? of(clock) : -1;
}

static double clock_hz;
static double stamp() { return (double)__rdtsc() / clock_hz; }
static double stamp_p()
{
    unsigned processor = 7;
    unsigned long long at = __rdtscp(&processor);
    return processor == 0 ? (double)at / clock_hz : -1;
}
static double apart()
{
    unsigned low, high;
    __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
    return (double)((unsigned long long)high << 32 | low) / clock_hz;
}
static double behind_cpuid() /* nothing that the assembly does not name changes */
{
    unsigned low, high;
    unsigned long kept = 42, also = 43;
    __asm__ __volatile__("cpuid\n\trdtsc" : "=a"(low), "=d"(high) : "a"(0) : "rbx", "rcx");
    __asm__ __volatile__("" : "+r"(kept), "+r"(also));
    if (kept != 42 || also != 43) return -1;
    return (double)((unsigned long long)high << 32 | low) / clock_hz;
}
static double whole()
{
    unsigned long at;
    __asm__ __volatile__("RDTSCP\n\tshlq $32, %%rdx\n\torq %%rdx, %%rax\n\tlfence"
                         : "=a"(at)
                         :
                         : "rcx", "rdx");
    return (double)at / clock_hz;
}
static double pushed()
{
    unsigned low, high;
    __asm__ __volatile__("push %%rbx\n\t.byte 0x0f, 0x31\n\tpop %%rbx" : "=a"(low), "=d"(high));
    return (double)((unsigned long long)high << 32 | low) / clock_hz;
}

static const struct {
    const char *name;
    double (*read)(), unit_s;
} clocks[] = {{"steady_clock", chrono<std::chrono::steady_clock>, 1e-9},
              {"system_clock", chrono<std::chrono::system_clock>, 1e-9},
              {"high_resolution_clock", chrono<std::chrono::high_resolution_clock>, 1e-9},
              {"omp_get_wtime", omp_get_wtime, 1e-9},
              {"ftime", ftime_s, 1e-3},
              {"clock_getcpuclockid", process, 1e-9},
              {"pthread_getcpuclockid", thread, 1e-9},
              {"__rdtsc", stamp, 1e-8},
              {"__rdtscp", stamp_p, 1e-8},
              {"assembly, two halves", apart, 1e-8},
              {"assembly, behind cpuid", behind_cpuid, 1e-8},
              {"assembly, one number", whole, 1e-8},
              {"assembly, as bytes", pushed, 1e-8}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    clock_hz = atof(argv[1]);
    for (const auto &clock : clocks) {
        volatile double x = clock.read() + MPI_Wtime(); /* the first calls miss the caches */
        const double first = clock.read(), begin = MPI_Wtime();
        for (int i = 0; i < 200000; i++) x = x * 1.0000001;
        const double end = MPI_Wtime(), last = clock.read();
        /* 10 us: the calls between two clocks, with cold caches */
        const bool same = first <= begin + clock.unit_s && last >= end - clock.unit_s &&
                          last - first < end - begin + 2e-6 + clock.unit_s;
        printf("%s: %s\n", clock.name, same ? "the rank's" : "ANOTHER");
    }
    std::random_device device;
    unsigned drawn[8] = {device(), device(), arc4random(), arc4random_uniform(1000000)};
    if (getrandom(&drawn[4], 8, 0) != 8 || getentropy(&drawn[6], 8) != 0) return 1;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < i; k++)
            if (drawn[i] == drawn[k]) return 2;
    for (unsigned number : drawn) printf("%u ", number);
    printf("\n");
    MPI_Finalize();
    return 0;
}
