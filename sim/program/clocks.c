/* Stand-ins for further clocks, which their libraries would read from the host: the rank's own.
 * Linked from an archive, into programs that call one of them. */
#include "program/program.h"

#include <errno.h>
#include <pthread.h>
#include <sys/timeb.h>
#include <time.h>

static int64_t now_ns(clockid_t clock)
{
    struct timespec t = {0};
    probe_calls.clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* std::chrono's, of libstdc++: each of its times is a count of nanoseconds. */
#define CHRONO(name, clock)                                                                        \
    STAND_IN int64_t name(void);                                                                   \
    STAND_IN int64_t name(void) { return now_ns(clock); }
CHRONO(_ZNSt6chrono3_V212steady_clock3nowEv, CLOCK_MONOTONIC)
CHRONO(_ZNSt6chrono3_V212system_clock3nowEv, CLOCK_REALTIME)

/* OpenMP's, from C and from Fortran (OpenMP 5.0, 3.4). */
#define OPENMP(name, value)                                                                        \
    STAND_IN double name(void);                                                                    \
    STAND_IN double name(void) { return value; }
OPENMP(omp_get_wtime, 1e-9 * (double)now_ns(CLOCK_MONOTONIC))
OPENMP(omp_get_wtime_, 1e-9 * (double)now_ns(CLOCK_MONOTONIC))
OPENMP(omp_get_wtick, 1e-9)
OPENMP(omp_get_wtick_, 1e-9)

STAND_IN int ftime(struct timeb *t)
{
    int64_t ms = now_ns(CLOCK_REALTIME) / 1000000;
    *t = (struct timeb){.time = ms / 1000, .millitm = (unsigned short)(ms % 1000)};
    return 0;
}

/* A process is a rank, and has one clock. */
STAND_IN int clock_getcpuclockid(pid_t process, clockid_t *clock)
{
    if (process != 0 && process != probe_calls.getpid()) return ESRCH;
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}
STAND_IN int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* The time stamp counter (instrument/stamp.cc): of a call, and of assembly, which loads it from
 * sw_stamp. */
#define STAMP __attribute__((visibility("hidden")))
extern uint64_t sw_stamp STAMP;
uint64_t sw_stamp;
STAMP uint64_t __sw_time_stamp(void);
STAMP uint64_t __sw_time_stamp(void) { return sw_stamp = probe_calls.time_stamp(); }
