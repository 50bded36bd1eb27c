/* One row of the suite:   suite KERNEL-SIZE [PASSES]     suite --list
 *
 * Runs the kernel PASSES times (default 21), each long enough for the clock, and prints the least
 * time of one element in ns over all passes but the first, the spread, (median - least) / least,
 * and how many elements there were in all. The same program runs natively and simulated. */
#define _GNU_SOURCE
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PASSES_MAX = 1000, ELEMENTS_A_PASS = 100000 };
static const struct kernel *const families[] = {streams, linked,  dense, floating,
                                                integer, sorting, text};
enum { FAMILIES = sizeof families / sizeof *families };

static uint64_t seed;
uint64_t random_bits(void)
{
    uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15)); /* splitmix64 */
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }
uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
void *make_array(size_t bytes)
{
    void *array = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!array) {
        fprintf(stderr, "suite: no %zu bytes of memory\n", bytes);
        exit(1);
    }
    return array;
}

/* Well inside each level of a machine of the 2020s: 48 KiB, 1 or 2 MiB, 32 MiB and more. */
static size_t bytes_of(char size)
{
    switch (size) {
    case '1': return 16 << 10;
    case '2': return 512 << 10;
    case '3': return 8 << 20;
    case 'm': return 512 << 20;
    default: return 0;
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure(const struct kernel *k, char size, int passes)
{
    static double ns[PASSES_MAX];
    struct work w = {0};
    uint64_t result = 0;
    k->prepare(&w, bytes_of(size));
    long rounds = w.elements < ELEMENTS_A_PASS ? ELEMENTS_A_PASS / w.elements : 1;
    for (int pass = 0; pass < passes; pass++) {
        double start = seconds();
        for (long i = 0; i < rounds; i++) result += k->run(&w);
        ns[pass] = (seconds() - start) * 1e9 / (double)(rounds * w.elements);
    }
    qsort(ns + 1, (size_t)passes - 1, sizeof *ns, by_value);
    printf("ns %.4f spread %.3f result %016llx elements %ld\n", ns[1], ns[passes / 2] / ns[1] - 1,
           (unsigned long long)result, passes * rounds * w.elements);
    return 0;
}

static int list(void)
{
    for (int f = 0; f < FAMILIES; f++)
        for (const struct kernel *k = families[f]; k->name; k++)
            for (const char *size = k->sizes; *size; size++) printf("%s-%c\n", k->name, *size);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
    const char *dash = argc > 1 ? strrchr(argv[1], '-') : NULL;
    int passes = argc > 2 ? atoi(argv[2]) : 21;
    for (int f = 0; f < FAMILIES && dash && passes > 1 && passes <= PASSES_MAX; f++)
        for (const struct kernel *k = families[f]; k->name; k++)
            if (strlen(k->name) == (size_t)(dash - argv[1]) && dash[1] && !dash[2] &&
                strncmp(k->name, argv[1], strlen(k->name)) == 0 && strchr(k->sizes, dash[1]))
                return measure(k, dash[1], passes);
    fprintf(stderr, "usage: suite KERNEL-SIZE [PASSES, 21]; suite --list names them\n");
    return 2;
}
