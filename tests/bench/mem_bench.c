/* mem_bench: host nanoseconds per modelled access, by kind. With an argument, only the kind of that
 * name is run, so that `valgrind --tool=callgrind --toggle-collect=run` tells its instructions per
 * access. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mem/mem.h"

enum { TIMES = 4 << 20 };

static struct mem_cpu *cpu;
static double *data; /* 2 MiB: 512 x 512 */

static void pay(void)
{
    static double now_s;
    struct mem_charge c = mem_take(cpu);
    now_s += c.compute_s + c.memory_s;
    mem_paid(cpu, now_s);
}
static inline void load(uintptr_t addr)
{
    if (mem_fast_load(cpu, addr)) return;
    while (mem_load(cpu, addr, 8, 0) == MEM_PAY_FIRST) pay();
}
static inline void store(uintptr_t addr)
{
    if (mem_fast_store(cpu, addr)) return;
    while (mem_store(cpu, addr, 8, 0) == MEM_PAY_FIRST) pay();
}

static void hit(int n)
{
    for (int i = 0; i < n; i++) load((uintptr_t)&data[i & 3]);
}
static void miss(int n) /* the column of a matrix */
{
    for (int i = 0, k = 0; i < n; i++) {
        load((uintptr_t)&data[k]);
        k += 512;
        if (k >= 512 * 512) k -= 512 * 512 - 1;
        if (k >= 512 * 512) k = 0;
    }
}
static void stream(int n)
{
    for (int i = 0; i < n; i++) load((uintptr_t)&data[i & 0x3ffff]);
}
static void merge(int n) /* ascending stores, 4 a line */
{
    for (int i = 0; i < n; i++) store((uintptr_t)&data[i & 0x3ffff]);
}
static void segment_hit(int n)
{
    for (int i = 0; i < n; i++) load((uintptr_t)&data[i & 3]);
}
static void segment_store(int n)
{
    for (int i = 0; i < n; i++) {
        store((uintptr_t)&data[i & 0x3ff]);
        data[i & 0x3ff] = i;
    }
}

__attribute__((noinline)) static void run(void (*kind)(int), int n) { kind(n); }

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *machine;
        void (*kind)(int);
        bool segment;
    } kinds[] = {
        {"hit", "t3d", hit, false},
        {"miss", "t3d", miss, false},
        {"stream", "t3d", stream, false},
        {"store", "t3d", merge, false},
        {"segment-hit", "t3d", segment_hit, true},
        {"segment-store", "t3d", segment_store, true},
        {"smp-miss", "smp", miss, false},
        {"smp-stream", "smp", stream, false},
        {"smp-store", "smp", merge, false},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (argc > 1 && strcmp(argv[1], kinds[i].name) != 0) continue;
        struct mach *m = NULL;
        GError *error = NULL;
        if (!mach_load(kinds[i].machine, NULL, 0, &m, &error)) {
            fprintf(stderr, "%s\n", error->message);
            return 1;
        }
        struct mem_node *node = mem_node_new(m, m->cpus);
        cpu = mem_node_cpu(node, 0);
        data = aligned_alloc(4096, 2 << 20);
        memset(data, 0, 2 << 20);
        if (kinds[i].segment)
            mem_segment_add(node, op_segment_add(0, (uintptr_t)data, 2 << 20, ""), (uintptr_t)data,
                            2 << 20);
        int n = argc > 1 ? 1 << 20 : TIMES;
        run(kinds[i].kind, n / 8); /* warm */
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        run(kinds[i].kind, n);
        clock_gettime(CLOCK_MONOTONIC, &b);
        struct mem_cache_count c = mem_cache_count(cpu, 0);
        printf("%-14s %6.2f ns an access  (%llu loads, %llu missed; %llu stores)\n", kinds[i].name,
               ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / n,
               (unsigned long long)c.loads, (unsigned long long)c.load_misses,
               (unsigned long long)c.stores);
        free(data);
        mem_node_free(node);
        mach_free(m);
    }
    return 0;
}
