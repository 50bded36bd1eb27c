/* threads: what a program calls to start threads of its own (POSIX, C11) and parallel regions
 * (OpenMP as gcc compiles it: libgomp's manual, The libgomp ABI): they run unseen. */
#include "probe/foreign.h"

#include "world/rank/rank.h"
#include "world/thread/thread.h"

#include <pthread.h>
#include <string.h>
#include <threads.h>

static int started_by_posix(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                            void *data)
{
    world_threads_started(1, PROBE_CALLER);
    return pthread_create(thread, attr, run, data);
}

static int started_by_c11(thrd_t *thread, thrd_start_t run, void *data)
{
    world_threads_started(1, PROBE_CALLER);
    return thrd_create(thread, run, data);
}

/* With as many arguments as any of them has. */
typedef long (*region)(long, long, long, long, long, long, long, long);
enum { REGIONS = 16 };
static struct {
    const char *name;
    region function;
} regions[REGIONS];

static long run_region(region function, uintptr_t pc, const long *a)
{
    world_threads_started(1, pc);
    if (world_unseen_here()) return function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    world_region(true);
    long result = function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    world_region(false);
    return result;
}

#define REGION_OF(i)                                                                               \
    static long region_##i(long a, long b, long c, long d, long e, long f, long g, long h)         \
    {                                                                                              \
        return run_region(regions[i].function, PROBE_CALLER,                                       \
                          (const long[]){a, b, c, d, e, f, g, h});                                 \
    }
REGION_OF(0)
REGION_OF(1)
REGION_OF(2)
REGION_OF(3)
REGION_OF(4)
REGION_OF(5)
REGION_OF(6)
REGION_OF(7)
REGION_OF(8)
REGION_OF(9)
REGION_OF(10)
REGION_OF(11)
REGION_OF(12)
REGION_OF(13)
REGION_OF(14)
REGION_OF(15)
static const region region_code[REGIONS] = {
    region_0, region_1, region_2,  region_3,  region_4,  region_5,  region_6,  region_7,
    region_8, region_9, region_10, region_11, region_12, region_13, region_14, region_15};

static void *region_for(const char *name, void *function)
{
    for (size_t i = 0; i < REGIONS; i++) {
        if (!regions[i].name) {
            regions[i].name = name;
            memcpy(&regions[i].function, &function, sizeof function);
        }
        void *code;
        memcpy(&code, &region_code[i], sizeof code);
        if (strcmp(regions[i].name, name) == 0) return code;
    }
    return NULL;
}

void *probe_thread_call(const char *name, void *function)
{
    if (strcmp(name, "pthread_create") == 0) return (void *)(uintptr_t)started_by_posix;
    if (strcmp(name, "thrd_create") == 0) return (void *)(uintptr_t)started_by_c11;
    return g_str_has_prefix(name, "GOMP_parallel") ? region_for(g_intern_string(name), function)
                                                   : NULL;
}
