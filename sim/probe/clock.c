/* The program's idea of time and of itself: the rank's own clock, which includes what it has not
 * yet paid, from 0 at the start.
 *
 * Natively everything is the library's. Left out: time-outs of waits for files and for threads, and
 * timers other than SIGALRM's; they run in host time.
 */
#include "base/floating/floating.h"
#include "world/clock/clock.h"
#include "world/detached/detached.h"
#include "world/program/program.h"
#include "world/rank/rank.h"
#include "probe/guard.h"
#include "probe/stand_ins.h"

#include <alloca.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

/* Not in line: the compiler knows nothing of a state of floating point that changes, and would
 * compute elsewhere. */
static __attribute__((noinline)) int64_t read_units(double per_s, double rounding)
{
    return (int64_t)floor(world_read_clock() * per_s + rounding);
}
/* Whole units of so many a second; rounding: 0.5 to the nearest, 0 down. What the program has of
 * floating point stays as it is: others may run meanwhile. */
static int64_t now(double per_s, double rounding)
{
    struct base_floating floating;
    base_floating_begin(&floating);
    int64_t units = read_units(per_s, rounding);
    base_floating_end(&floating);
    return units;
}
static int64_t now_ns(void) { return now(1e9, 0.5); }

/* Returns the nanoseconds that are left. */
static __attribute__((noinline)) int64_t sleep_units(int64_t s, int64_t parts, double part_s)
{
    return (int64_t)ceil(world_sleep((double)s + (double)parts * part_s) * 1e9);
}
static int64_t sleep_for(int64_t s, int64_t parts, double part_s)
{
    struct base_floating floating;
    base_floating_begin(&floating);
    int64_t left = sleep_units(s, parts, part_s);
    base_floating_end(&floating);
    return left;
}
static int interrupted(int64_t left)
{
    if (left == 0) return 0;
    errno = EINTR;
    return -1;
}

int probe_gettimeofday(struct timeval *tv, void *zone)
{
    if (!world_simulated()) return PROBE_LIBRARY(gettimeofday)(tv, zone);
    int64_t ns = now_ns();
    if (tv) *tv = (struct timeval){.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000};
    probe_stored(tv, sizeof *tv, PROBE_CALLER);
    return 0;
}

int probe_clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!world_simulated()) return PROBE_LIBRARY(clock_gettime)(clock, t);
    if (clock < 0) {
        errno = EINVAL;
        return -1;
    }
    int64_t ns = now_ns();
    if (t) *t = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    probe_stored(t, sizeof *t, PROBE_CALLER);
    return 0;
}

time_t probe_time(time_t *t)
{
    time_t s = world_simulated() ? (time_t)(now_ns() / 1000000000) : PROBE_LIBRARY(time)(NULL);
    if (t) *t = s;
    probe_stored(t, sizeof *t, PROBE_CALLER);
    return s;
}

clock_t probe_clock(void)
{
    return world_simulated() ? (clock_t)now(CLOCKS_PER_SEC, 0) : PROBE_LIBRARY(clock)();
}

uint64_t probe_time_stamp(void)
{
    return world_simulated() ? (uint64_t)now(1 / world_cycles(1), 0) : __builtin_ia32_rdtsc();
}

clock_t probe_times(struct tms *t)
{
    if (!world_simulated()) return PROBE_LIBRARY(times)(t);
    clock_t ticks = (clock_t)now((double)sysconf(_SC_CLK_TCK), 0);
    if (t) *t = (struct tms){.tms_utime = ticks};
    probe_stored(t, sizeof *t, PROBE_CALLER);
    return ticks;
}

int probe_getrusage(int who, struct rusage *usage)
{
    int code = PROBE_LIBRARY(getrusage)(who, usage);
    if (code != 0 || !world_simulated()) return code;
    int64_t ns = now_ns();
    *usage =
        (struct rusage){.ru_utime = {.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000}};
    probe_stored(usage, sizeof *usage, PROBE_CALLER);
    return 0;
}

unsigned probe_sleep(unsigned seconds)
{
    if (!world_simulated()) return PROBE_LIBRARY(sleep)(seconds);
    return (unsigned)((sleep_for(seconds, 0, 0) + 500000000) / 1000000000);
}

int probe_usleep(unsigned us)
{
    if (!world_simulated()) return PROBE_LIBRARY(usleep)(us);
    return interrupted(sleep_for(0, us, 1e-6));
}

int probe_nanosleep(const struct timespec *t, struct timespec *left)
{
    if (!world_simulated()) return PROBE_LIBRARY(nanosleep)(t, left);
    if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    int64_t rest = sleep_for(t->tv_sec, t->tv_nsec, 1e-9);
    if (left && rest > 0)
        *left = (struct timespec){.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
    return interrupted(rest);
}

/* Every variable lies on pages of its own: where one lies depends on no other. The ranks share
 * them, as they share C's library. */
static __attribute__((noinline)) char **environment(void)
{
    static bool moved;
    if (moved) return environ;
    moved = true;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), variables = g_strv_length(environ), bytes = page;
    for (char **text = environ; *text; text++) bytes += (strlen(*text) / page + 1) * page;
    char *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char **list = mmap(NULL, (variables + 1) * sizeof *list, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED || list == MAP_FAILED)
        g_error("no memory for the program's environment");
    for (size_t i = 0; i < variables; i++) {
        list[i] = strcpy(place, environ[i]);
        place += (strlen(list[i]) / page + 1) * page;
    }
    return environ = list;
}

struct arguments {
    char **argv;
    long argc;
};

/* The arguments lie on pages of their own: their lengths move nothing else. The program's path is
 * the last of them, though argv[0]: it differs from host to host, and must not move the others over
 * lines of the cache. */
static __attribute__((noinline)) struct arguments arguments(void)
{
    int argc;
    char *const *given = world_arguments(&argc);
    size_t bytes = (argc + 1) * sizeof *given;
    for (int i = 0; i < argc; i++) bytes += strlen(given[i]) + 1;
    char **argv = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argv == MAP_FAILED) g_error("no memory for the program's arguments");
    char *text = (char *)(argv + argc + 1);
    for (int i = 1; i <= argc; i++) {
        argv[i % argc] = text;
        text = stpcpy(text, given[i % argc]) + 1;
    }
    argv[argc] = NULL;
    return (struct arguments){argv, argc};
}

/* STACK: a little below where the frames before main's end, or a page of each rank's stack is lost.
 */
enum { PAGE = 4096, STACK = 0xa80 }; /* PAGE: mem's */

void probe_run_main(int (*main)(int argc, char **argv, char **env))
{
    if (_setjmp(*world_bottom()) != 0) world_at_bottom();
    const struct arguments given = arguments();
    char **env = environment();
    /* The program's stack begins at one place of its page, whatever SimGrid and we have on it
     * before, as compiled. */
    uintptr_t here;
    __asm__ volatile("mov %%rsp, %0" : "=r"(here));
    world_cpu()->foreign.stack = here;
    char *room = alloca((here - STACK) % PAGE);
    __asm__ volatile("" : : "r"(room) : "memory");
    probe_exit(main((int)given.argc, given.argv, env));
}

void probe_exit(int code)
{
    if (world_simulated() && !world_unseen_here() && world_detached() < 0) probe_at_exit_run();
    probe_guard_end();
    if (world_simulated() || world_is_child()) world_exit(code);
    PROBE_LIBRARY(exit)(code);
}

void probe_exit_at_once(int code)
{
    probe_guard_end();
    if (world_simulated()) world_exit(code);
    PROBE_LIBRARY(_exit)(code);
}
