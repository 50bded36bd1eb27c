/* mem_bench: host nanoseconds per modelled access, by kind, machine and place. With an argument,
 * only the row of that name is run, so that `valgrind --tool=callgrind --toggle-collect=run` shows
 * its instructions per access; --list prints the names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mem/mem.h"
#include "mem/counters/counters.h"
#include "mem/segment/segment.h"

enum { TIMES = 4 << 20, FEW = 1 << 18 };

static struct mem_cpu *cpu;
static const struct mem_site site;
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
    while (mem_load(cpu, addr, 8, 0, &site) == MEM_PAY_FIRST) pay();
}
static inline void store(uintptr_t addr)
{
    if (mem_fast_store(cpu, addr)) return;
    while (mem_store(cpu, addr, 8, 0, &site) == MEM_PAY_FIRST) pay();
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
static void stores(int n) /* ascending, 4 a line of 32 bytes */
{
    for (int i = 0; i < n; i++) {
        store((uintptr_t)&data[i & 0x3ffff]);
        data[i & 0x3ffff] = i;
    }
}
static void copy(int n) /* from one half to the other */
{
    for (int i = 0; i < n / 2; i++) {
        load((uintptr_t)&data[i & 0x1ffff]);
        store((uintptr_t)&data[(i & 0x1ffff) + 0x20000]);
        data[(i & 0x1ffff) + 0x20000] = data[i & 0x1ffff];
    }
}

static const struct {
    const char *name;
    void (*kind)(int);
} kinds[] = {{"hit", hit}, {"miss", miss}, {"stream", stream}, {"store", stores}, {"copy", copy}};
static const char *const machines[] = {"t3d", "smp", "rdma"};

__attribute__((noinline)) static void run(void (*kind)(int), int n) { kind(n); }

static int row(const char *name, const char *machine, void (*kind)(int), bool segment, int n)
{
    struct mach *m = NULL;
    GError *error = NULL;
    if (!mach_load(machine, NULL, 0, &m, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    struct mem_node *node = mem_node_new(m, mach_node_ranks(m));
    cpu = mem_node_cpu(node, 0);
    data = aligned_alloc(4096, 2 << 20);
    memset(data, 0, 2 << 20);
    if (segment)
        mem_segment_add(node, op_segment_add(0, (uintptr_t)data, 2 << 20, ""), (uintptr_t)data,
                        2 << 20);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    run(kind, n);
    clock_gettime(CLOCK_MONOTONIC, &b);
    struct mem_cache_count c = mem_cache_count(cpu, 0);
    printf("%-20s %6.2f ns an access; accesses %d (%llu loads, %llu missed; %llu stores)\n", name,
           ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / n, n,
           (unsigned long long)c.loads, (unsigned long long)c.load_misses,
           (unsigned long long)c.stores);
    free(data);
    mem_node_free(node);
    mach_free(m);
    return 0;
}

int main(int argc, char **argv)
{
    bool list = argc > 1 && strcmp(argv[1], "--list") == 0;
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
            for (int segment = 0; segment < 2; segment++) {
                g_autofree char *name = g_strdup_printf("%s-%s%s", machines[i], kinds[k].name,
                                                        segment ? "-segment" : "");
                if (list)
                    puts(name);
                else if ((argc == 1 || strcmp(argv[1], name) == 0) &&
                         row(name, machines[i], kinds[k].kind, segment, argc > 1 ? FEW : TIMES))
                    return 1;
            }
    return 0;
}
